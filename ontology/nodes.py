"""One unit's delta as nodes, and which shapes each node answers to. Both engines look at the delta through this.

What a node's verdict depends on: its own statements and the classes of the nodes it names. No shape looks backwards
(a test holds that every sh:path is a plain property and that no shape targets objects), so the subjects of a delta are
all the focus nodes there are, and an older node is never broken by a newer one.

A closed shape speaks for exactly the classes it targets: it names all it allows, so it cannot also speak for a subclass
that has more (a Speech is an Event, with a speaker). An open shape speaks for subclasses too, as SHACL has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from rdflib import RDF, RDFS, SH, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from narraworld.ontology.files import ontology_graph, shapes_graph
from narraworld.ontology.vocabulary import NW, compact, vocabulary

__all__ = ["Nodes", "Statements", "address", "ancestry", "code_classes", "shapes_for", "symbol"]

Statements = dict[Node, list[Node]]
NOTHING: frozenset[Node] = frozenset()


@dataclass(slots=True)
class Nodes:
    """The statements of a delta by subject and predicate, and the classes of all it names."""

    about: dict[Node, Statements] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    _classes: dict[Node, frozenset[Node]] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: Graph, known: Mapping[str, str]) -> Nodes:
        nodes = cls(known=known)
        for subject, predicate, value in graph:
            said = nodes.about.setdefault(address(subject), {})
            said.setdefault(predicate, []).append(address(value))
        return nodes

    def classes(self, node: Node) -> frozenset[Node]:
        """All classes of a node, by its own word, as committed before, or as a code; with their ancestors."""
        found = self._classes.get(node)
        if found is None:
            found = self._classes[node] = self._look_up(node)
        return found

    def shapes(self, node: Node) -> tuple[URIRef, ...]:
        """The shapes that a node of the delta answers to, by its most specific classes."""
        own = self.about[node].get(RDF.type, [])
        inherited = {up for one in own for up in ancestry().get(one, NOTHING) if up != one}
        return shapes_for(frozenset(own) - inherited)

    def _look_up(self, node: Node) -> frozenset[Node]:
        if isinstance(node, Literal):
            return NOTHING
        own = set(self.about.get(node, {}).get(RDF.type, ()))
        before = self.known.get(symbol(node))
        if before is not None:
            own.add(URIRef(NW + vocabulary().cls(before).name))
        lines = [ancestry().get(one, frozenset({one})) for one in own]
        return frozenset().union(code_classes().get(node, NOTHING), *lines)


def symbol(node: Node) -> str:
    """The short form of a node; a literal is its text."""
    return compact(str(node))


def address(node: Node) -> Node:
    """Blank nodes get an address, which is not one of ours, so that they can be looked at and refused."""
    return URIRef(f"_:{node}") if type(node) is BNode else node


@cache
def ancestry() -> Mapping[Node, frozenset[Node]]:
    """For each class itself and all above it."""
    graph = ontology_graph()
    names = (URIRef(NW + name) for name in vocabulary().classes)
    lines = {one: graph.transitive_objects(one, RDFS.subClassOf) for one in names}
    return {one: frozenset(up for up in line if up is not None) for one, line in lines.items()}


@cache
def code_classes() -> Mapping[Node, frozenset[Node]]:
    """For each code the lists it is on, with their ancestors."""
    graph = ontology_graph()
    lists = {URIRef(NW + name) for name in vocabulary().codes}
    codes = {code for one in lists for code in graph.subjects(RDF.type, one)}
    return {
        code: frozenset().union(*(ancestry().get(one, NOTHING) for one in graph.objects(code, RDF.type)))
        for code in codes
    }


@cache
def shapes_for(classes: frozenset[Node]) -> tuple[URIRef, ...]:
    """The shapes that a node of exactly these classes answers to, in order of the alphabet."""
    shapes = shapes_graph()
    upwards = {up for one in classes for up in ancestry().get(one, NOTHING)}
    found = set(shapes.subjects(SH.targetSubjectsOf, RDF.type))
    for shape, target in shapes.subject_objects(SH.targetClass):
        closed = (shape, SH.closed, None) in shapes
        if target in (classes if closed else upwards):
            found.add(shape)
    return tuple(sorted(URIRef(str(shape)) for shape in found))
