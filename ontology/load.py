"""From the Turtle files to `vocabulary.Vocabulary`. Reads graphs, writes nothing; imported by `vocabulary.vocabulary()` alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from rdflib import OWL, RDF, RDFS, SH, SKOS, XSD, Graph, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from narraworld.ontology.files import ontology_graph, shapes_graph
from narraworld.ontology.vocabulary import (
    NW,
    ClassTerm,
    Dimension,
    PropertyTerm,
    TermKind,
    Vocabulary,
    compact,
)

__all__ = ["read_vocabulary"]

T = TypeVar("T")

CODE, DIMENSION = URIRef(NW + "Code"), URIRef(NW + "Dimension")
FUNCTIONAL, PHRASE, RANGE_INCLUDES = (
    URIRef(NW + "functional"),
    URIRef(NW + "phrase"),
    URIRef(NW + "rangeIncludes"),
)
PROPERTY_KINDS = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property)
DATATYPES: Mapping[Node, TermKind] = {XSD.string: "text", XSD.integer: "integer", XSD.boolean: "boolean"}
NODE_KINDS: Mapping[Node, TermKind] = {SH.IRI: "iri", SH.Literal: "literal"}


def read_vocabulary() -> Vocabulary:
    """Everything the files define, by local name."""
    ontology = ontology_graph()
    uses = _uses(ontology, shapes_graph())
    classes = {
        compact(iri): _class(ontology, iri, uses) for iri in _named(ontology.subjects(RDF.type, OWL.Class))
    }
    properties = {
        compact(iri): _property_in_general(ontology, iri, [term.properties for term in classes.values()])
        for kind in PROPERTY_KINDS
        for iri in _named(ontology.subjects(RDF.type, kind))
    }
    lists = _named(ontology.subjects(RDFS.subClassOf, CODE))
    codes = {compact(one): _locals(ontology.subjects(RDF.type, one)) for one in lists}
    dimensions = {
        compact(iri): _dimension(ontology, iri) for iri in _named(ontology.subjects(RDF.type, DIMENSION))
    }
    return Vocabulary(_frozen(classes), _frozen(properties), _frozen(codes), _frozen(dimensions))


def _frozen(names: dict[str, T]) -> Mapping[str, T]:
    return MappingProxyType(dict(sorted(names.items())))


# -- classes and what they take


def _class(ontology: Graph, iri: URIRef, uses: Mapping[Node, Mapping[str, PropertyTerm]]) -> ClassTerm:
    name, label, definition = _said(ontology, iri)
    return ClassTerm(
        name, label, definition,
        parents=_locals(ontology.objects(iri, RDFS.subClassOf)),
        ancestors=frozenset(_locals(_above(ontology, iri))),
        properties=uses.get(iri, MappingProxyType({})),
    )  # fmt: skip


def _above(ontology: Graph, iri: URIRef) -> set[Node]:
    return {
        one for one in ontology.transitive_objects(iri, RDFS.subClassOf) if one is not None and one != iri
    }


def _uses(ontology: Graph, shapes: Graph) -> dict[Node, Mapping[str, PropertyTerm]]:
    """For each class with a shape of its own, the properties as the shape takes them."""
    found: dict[Node, Mapping[str, PropertyTerm]] = {}
    for shape in shapes.subjects(SH.closed, None):
        paths: dict[URIRef, set[Node]] = {}
        for reason in shapes.objects(shape, SH.property):
            paths.setdefault(URIRef(str(shapes.value(reason, SH.path))), set()).add(reason)
        taken = _frozen(
            {compact(path): _taken(ontology, shapes, path, reasons) for path, reasons in paths.items()}
        )
        found.update(dict.fromkeys(shapes.objects(shape, SH.targetClass), taken))
    return found


def _taken(ontology: Graph, shapes: Graph, path: URIRef, reasons: set[Node]) -> PropertyTerm:
    """A property as the reasons that speak of it take it."""
    classes = {one for reason in reasons for one in _classes(shapes, reason)}
    every = {(p, o) for reason in reasons for p, o in shapes.predicate_objects(reason)}
    said = dict(every)
    return PropertyTerm(
        *_said(ontology, path),
        kind=_kind(ontology, said, classes),
        ranges=_locals(classes),
        many=SH.maxCount not in said,
        required=int(str(said.get(SH.minCount, 0))) > 0,
    )


def _classes(shapes: Graph, reason: Node) -> Iterable[Node]:
    """The classes a reason asks for, either all at once or one of several."""
    yield from shapes.objects(reason, SH["class"])
    for either in shapes.objects(reason, SH["or"]):
        for choice in Collection(shapes, either):
            yield from shapes.objects(choice, SH["class"])


def _kind(ontology: Graph, said: Mapping[Node, Node], classes: set[Node]) -> TermKind:
    if SH.datatype in said:
        return DATATYPES[said[SH.datatype]]
    if SH.nodeKind in said:
        return NODE_KINDS[said[SH.nodeKind]]
    return "code" if all((one, RDFS.subClassOf, CODE) in ontology for one in classes) else "node"


# -- properties, codes, dimensions


def _property_in_general(
    ontology: Graph, iri: URIRef, uses: Iterable[Mapping[str, PropertyTerm]]
) -> PropertyTerm:
    taken = [properties[name] for properties in uses if (name := compact(iri)) in properties]
    if not taken:
        return _property_as_declared(ontology, iri)
    kinds = {term.kind for term in taken}
    return PropertyTerm(
        *_said(ontology, iri),
        kind=kinds.pop() if len(kinds) == 1 else "mixed",
        ranges=tuple(sorted({one for term in taken for one in term.ranges})),
        many=any(term.many for term in taken),
        required=all(term.required for term in taken),
    )


def _property_as_declared(ontology: Graph, iri: URIRef) -> PropertyTerm:
    """A property no shape takes: of situations, which are never committed, or of the vocabulary itself."""
    ranges = {*ontology.objects(iri, RDFS.range), *ontology.objects(iri, RANGE_INCLUDES)}
    classes = {one for one in ranges if str(one).startswith(NW)}
    kind = next((DATATYPES[one] for one in ranges if one in DATATYPES), _kind(ontology, {}, classes))
    return PropertyTerm(*_said(ontology, iri), kind=kind, ranges=_locals(classes))


def _dimension(ontology: Graph, iri: URIRef) -> Dimension:
    functional = str(ontology.value(iri, FUNCTIONAL)) == "true"
    return Dimension(compact(iri), functional, str(ontology.value(iri, PHRASE)))


def _said(ontology: Graph, iri: URIRef) -> tuple[str, str, str]:
    """Name, label and definition."""
    return compact(iri), str(ontology.value(iri, RDFS.label)), str(ontology.value(iri, SKOS.definition))


def _named(nodes: Iterable[Node]) -> list[URIRef]:
    return [node for node in nodes if isinstance(node, URIRef)]


def _locals(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The local names of those that are ours, in order of the alphabet."""
    return tuple(sorted(compact(str(node)) for node in nodes if str(node).startswith(NW)))
