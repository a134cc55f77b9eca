"""The Turtle files beside this module, read once, with the rows of the table of respects as terms among them.

Touches nothing but those files; alignments are never read here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["DEEDS", "MODULES", "ROOM", "SHAPES", "TABLES", "ontology_graph", "parsed", "shapes_graph"]

ROOM = Path(__file__).parent
MODULES = tuple(
    ROOM / f"{name}.ttl"
    for name in ("core", "mind", "development", "possible", "scale", "situation", "motive")
)
SHAPES = tuple(sorted((ROOM / "shapes").glob("*.ttl")))
TABLES = (ROOM / "respects.toml", ROOM / "words.toml")
DEEDS = ROOM / "deeds.toml"


@cache
def ontology_graph() -> Graph:
    """The modules and the respects as one graph. Shared: read it, never change it."""
    graph = parsed(MODULES)
    _add_respects(graph)
    return graph


@cache
def shapes_graph() -> Graph:
    """All shapes as one graph. Shared: read it, never change it."""
    return parsed(SHAPES)


def parsed(files: tuple[Path, ...]) -> Graph:
    """A graph of the caller's own with all that the files say."""
    from rdflib import Graph

    graph = Graph()
    for file in files:
        graph.parse(file, format="turtle")
    return graph


def _add_respects(graph: Graph) -> None:
    """Each row of the table as a dimension; one that is a code of another list too keeps its own words."""
    from rdflib import RDF, RDFS, SKOS, Literal, URIRef

    from narraworld.ontology.respects import respects
    from narraworld.ontology.vocabulary import NW, NWC

    for row in respects().rows.values():
        term = URIRef(NWC + row.name)
        if (term, RDFS.label, None) not in graph:
            graph.add((term, RDFS.label, Literal(row.label)))
            graph.add((term, SKOS.definition, Literal(row.means)))
        graph.add((term, RDF.type, URIRef(NW + "Dimension")))
        graph.add((term, URIRef(NW + "functional"), Literal(row.functional)))
        graph.add((term, URIRef(NW + "phrase"), Literal(row.phrase)))
