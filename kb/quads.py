"""The small shared door to RDF: statements in one canonical N-Quads text, and back.

A unit's statements live in the named graph `urn:nw:graph/<unit>`. The text is sorted, without duplicates or blank
nodes, one statement per line: equal sets of statements are equal bytes. Parsing is Oxigraph's, some twenty times
faster than rdflib's; an rdflib graph is built from its terms where an API wants one. Writes no files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union, cast

from narraworld.base.given_files import open_given
from narraworld.kb.errors import BadName, BadQuads
from narraworld.kb.units import unit_id
from narraworld.ontology.vocabulary import DATA, NW, NWC

if TYPE_CHECKING:
    import pyoxigraph as ox
    import rdflib

    Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

__all__ = [
    "DATA", "FORMATS", "GRAPH", "NW", "NWC", "PREFIXES", "Quads", "canonical", "classes_of", "graph_name", "graph_of", "is_named",
    "parse", "read", "serialize", "to_rdflib", "unit_of", "values_of", "without_graph", "written_in",
]  # fmt: skip

GRAPH = DATA + "graph/"
PREFIXES = {"nw": NW, "nwc": NWC, "story": DATA}
FORMATS = {"trig": "TRIG", "nq": "N_QUADS", "ttl": "TURTLE", "jsonld": "JSON_LD"}  # ours → Oxigraph's

_CLASS = re.compile(
    rf"^<{DATA}([^>]*)> <http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type> <{re.escape(NW)}([^>]*)>", re.MULTILINE
)  # fmt: skip

# What a commit takes: N-Quads (or N-Triples) text, Oxigraph's quads or triples, or an rdflib graph.
Quads: TypeAlias = Union[str, "Iterable[ox.Quad | ox.Triple]", "rdflib.Graph"]


def graph_name(unit: str) -> str:
    return GRAPH + unit


def unit_of(graph: str) -> str | None:
    """The unit whose graph this is; None for graphs that are not ours."""
    name = graph.removeprefix(GRAPH)
    try:
        return unit_id(name) if name != graph else None
    except BadName:
        return None


def written_in(quad: ox.Quad) -> str:
    """The name of the graph a statement stands in; empty for the default graph."""
    return getattr(quad.graph_name, "value", "")


def parse(text: str) -> list[ox.Quad]:
    """The quads of an N-Quads text."""
    import pyoxigraph as ox

    try:
        return list(ox.parse(text, ox.RdfFormat.N_QUADS))
    except SyntaxError as trouble:
        raise BadQuads(f"not N-Quads: {trouble.msg}") from trouble


def read(path: Path, format: str) -> Iterator[ox.Quad]:
    """The quads of a file in one of our formats, one by one."""
    import pyoxigraph as ox

    try:
        with open_given(path) as file:
            yield from ox.parse(file, format=getattr(ox.RdfFormat, FORMATS[format]))
    except SyntaxError as trouble:
        raise BadQuads(trouble.msg, where=str(path)) from trouble


def serialize(text: str, format: str) -> bytes:
    """An N-Quads text in one of our formats; Turtle, which has no graphs, gets each statement once."""
    import pyoxigraph as ox

    if format == "nq":
        return text.encode()
    quads = parse(text)
    statements: list[ox.Quad] | list[ox.Triple] = quads
    if format == "ttl":
        statements = sorted({quad.triple for quad in quads}, key=str)
    return ox.serialize(statements, format=getattr(ox.RdfFormat, FORMATS[format]), prefixes=PREFIXES) or b""


def canonical(quads: Quads, unit: str) -> str:
    """The one text of these statements in the graph of `unit`; statements without a graph are put there."""
    import pyoxigraph as ox

    graph = ox.NamedNode(graph_name(unit))
    if _is_graph(quads):
        spelled = cache(_spelled)  # most terms come many times
        lines = {
            f"{' '.join(map(spelled, statement))} {graph} .\n" for statement in cast("rdflib.Graph", quads)
        }
    else:
        lines = {f"{_checked(quad, graph)} .\n" for quad in _as_quads(quads)}
    return "".join(sorted(lines))


def graph_of(text: str) -> rdflib.Graph:
    """The statements of an N-Quads text as one rdflib graph, their graph names forgotten."""
    import rdflib

    graph = rdflib.Graph()
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    for quad in parse(text):
        graph.add((to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object)))
    return graph


def to_rdflib(term: Term) -> rdflib.term.Identifier:
    """One term of Oxigraph's as rdflib's."""
    import pyoxigraph as ox
    import rdflib

    if isinstance(term, ox.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return rdflib.BNode(term.value)
    if not isinstance(term, ox.Literal):
        raise BadQuads(f"a quoted statement cannot be shown as an rdflib term: {term}")
    if term.language:
        return rdflib.Literal(term.value, lang=term.language)
    plain = term.datatype.value == "http://www.w3.org/2001/XMLSchema#string"
    return rdflib.Literal(term.value, datatype=None if plain else rdflib.URIRef(term.datatype.value))


def classes_of(text: str) -> list[tuple[str, str]]:
    """Nodes of ours with their classes, by the short names of both, as a canonical text states them."""
    return _CLASS.findall(text)


def without_graph(text: str, unit: str) -> str:
    """The statements of a unit's canonical text, in no graph. A line break never stands within a statement."""
    return text.replace(f" <{graph_name(unit)}> .\n", " .\n")


def values_of(text: str, subject: str) -> dict[str, str]:
    """The first value of each property of one node in a canonical text, whose lines are sorted, without parsing the rest."""
    import pyoxigraph as ox

    start = f"<{subject}> "
    place = 0 if text.startswith(start) else text.find("\n" + start) + 1
    found: dict[str, str] = {}
    while text.startswith(start, place):
        end = text.index("\n", place) + 1
        (quad,) = parse(text[place:end])
        if not isinstance(quad.object, ox.Triple):
            found.setdefault(quad.predicate.value, quad.object.value)
        place = end
    return found


def _as_quads(quads: Quads) -> Iterable[ox.Quad | ox.Triple]:
    return parse(quads) if isinstance(quads, str) else cast("Iterable[ox.Quad | ox.Triple]", quads)


def _is_graph(quads: Quads) -> bool:
    """Whether it is an rdflib graph; nobody has one who did not import rdflib, and importing it is slow."""
    loaded = sys.modules.get("rdflib")
    if loaded is None or not isinstance(quads, loaded.Graph):
        return False
    if quads.context_aware:
        raise BadQuads("a dataset holds many graphs", fix="commit the graph of one unit at a time")
    return True


def _spelled(term: rdflib.term.Node) -> str:
    """One term of rdflib's as Oxigraph writes it, which checks its spelling."""
    import pyoxigraph as ox
    import rdflib

    if isinstance(term, rdflib.BNode):
        raise BadQuads(f"a blank node: {term}", fix="give the node a name: versions are compared by names")
    try:
        if not isinstance(term, rdflib.Literal):
            return str(ox.NamedNode(str(term)))
        datatype = None if term.datatype is None else ox.NamedNode(str(term.datatype))
        return str(ox.Literal(str(term), datatype=datatype, language=term.language))
    except ValueError as trouble:
        raise BadQuads(f"not a term of RDF: {term!r} ({trouble})") from trouble


def _checked(quad: ox.Quad | ox.Triple, graph: ox.NamedNode) -> ox.Quad:
    import pyoxigraph as ox

    where = getattr(quad, "graph_name", ox.DefaultGraph())
    if where != graph and not isinstance(where, ox.DefaultGraph):
        raise BadQuads(f"a statement in graph {where} stands among those of {graph}: {quad}")
    if not is_named(quad):
        raise BadQuads(
            f"a blank or quoted node: {quad}", fix="give the node a name: versions are compared by names"
        )
    return ox.Quad(quad.subject, quad.predicate, quad.object, graph)


def is_named(quad: ox.Quad | ox.Triple) -> bool:
    """Whether a statement is between named nodes, or a named node and a literal."""
    import pyoxigraph as ox

    return isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode | ox.Literal)
