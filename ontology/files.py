"""The Turtle files beside this module, read once, with the rows of the table of respects as terms among them.

Touches nothing but those files; alignments are never read here.
"""

from __future__ import annotations

import marshal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from narraworld.base.compiled import compiled_bytes, digest

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

__all__ = ["DEEDS", "MODULES", "ROOM", "SHAPES", "TABLES", "ontology_graph", "parsed", "shapes_graph"]

ROOM = Path(__file__).parent
MODULES = tuple(
    ROOM / f"{name}.ttl"
    for name in ("core", "mind", "development", "possible", "scale", "situation", "motive")
)
SHAPES = tuple(sorted((ROOM / "shapes").glob("*.ttl")))
TABLES = (ROOM / "respects.toml", ROOM / "words.toml")
DEEDS = ROOM / "deeds.toml"

TermRow: TypeAlias = tuple[str, str, str | None, str | None]  # which kind, its text, language and datatype


@cache
def ontology_graph() -> Graph:
    """The modules and the respects as one graph. Shared: read it, never change it."""
    graph = _kept("ontology", MODULES)
    _add_respects(graph)
    return graph


@cache
def shapes_graph() -> Graph:
    """All shapes as one graph. Shared: read it, never change it."""
    return _kept("shapes", SHAPES)


def parsed(files: tuple[Path, ...]) -> Graph:
    """A graph of the caller's own with all that the files say."""
    from rdflib import Graph

    graph = Graph()
    for file in files:
        graph.parse(file, format="turtle")
    return graph


def _kept(name: str, files: tuple[Path, ...]) -> Graph:
    """The same from rows that load at once; Turtle is parsed when a file has changed."""
    from rdflib import Graph

    key = digest((), (Path(__file__), *files))
    terms, triples = marshal.loads(compiled_bytes(name, key, lambda: _rows(parsed(files))))
    known = [_term(row) for row in terms]
    graph = Graph()
    for subject, predicate, value in triples:
        graph.add((known[subject], known[predicate], known[value]))
    return graph


def _rows(graph: Graph) -> bytes:
    """Every term once, and the statements by their numbers."""
    numbers: dict[TermRow, int] = {}
    triples = [tuple(numbers.setdefault(_row(term), len(numbers)) for term in triple) for triple in graph]
    return marshal.dumps((list(numbers), triples))


def _row(term: Node) -> TermRow:
    from rdflib import Literal

    if isinstance(term, Literal):
        return "Literal", str(term), term.language, str(term.datatype) if term.datatype else None
    return type(term).__name__, str(term), None, None


def _term(row: TermRow) -> Node:
    from rdflib import BNode, Literal, URIRef

    kind, text, language, datatype = row
    if kind == "Literal":
        return Literal(text, lang=language, datatype=URIRef(datatype) if datatype else None)
    return BNode(text) if kind == "BNode" else URIRef(text)


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
