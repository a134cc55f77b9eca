"""The same shapes, compiled. A small interpreter of the part of SHACL Core that our shapes use.

It reads shapes/*.ttl and nothing else, refuses to compile a parameter it does not know, and is proven equal to
pyshacl by tests/ontology/test_engines_agree.py. One delta node costs microseconds instead of a millisecond, which is
what lets a long novel be validated unit by unit.

A constraint is a function from the delta, a focus node and its value nodes to the values that break it; `None` stands
for a break without a value, such as a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from rdflib import RDF, SH, XSD, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from narraworld.ontology.errors import OntologyError
from narraworld.ontology.files import shapes_graph
from narraworld.ontology.nodes import Nodes

__all__ = ["Break", "check"]

Values = Sequence[Node]
Broken = Iterable[Node | None]
Constraint = Callable[[Nodes, Node, Values], Broken]
Test = Callable[[Nodes, Node], bool]

HELD: tuple[None, ...] = ()
MISSING: tuple[None, ...] = (None,)
PYTHON_TYPES = {XSD.string: str, XSD.integer: int, XSD.boolean: bool}
NODE_KINDS: dict[Node, type[Node]] = {SH.IRI: URIRef, SH.Literal: Literal}
SILENT = {
    RDF.type,
    SH.path,
    SH.message,
    SH.targetClass,
    SH.targetSubjectsOf,
    SH.property,
    SH.closed,
    SH.ignoredProperties,
}


class Break(NamedTuple):
    """``focus`` breaks ``shape``; ``path`` is set when it has a property that it may not have."""

    focus: Node
    shape: Node
    value: Node | None = None
    path: Node | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape: constraints on the values of ``path``, or on the node itself; ``vacuous`` if no values break none."""

    name: Node
    path: Node | None
    constraints: tuple[Constraint, ...]
    vacuous: bool
    properties: tuple[Shape, ...]
    allowed: frozenset[Node] | None


def check(nodes: Nodes) -> Iterator[Break]:
    """All breaks of all shapes in a delta."""
    for focus in nodes.about:
        for name in nodes.shapes(focus):
            yield from _breaks(_compiled(name), nodes, focus)


def _breaks(shape: Shape, nodes: Nodes, focus: Node) -> Iterator[Break]:
    said = nodes.about.get(focus, {})
    values: Values = [focus] if shape.path is None else said.get(shape.path, ())
    if values or not shape.vacuous:
        for constraint in shape.constraints:
            for value in constraint(nodes, focus, values):
                yield Break(focus, shape.name, value)
    for reason in shape.properties:
        yield from _breaks(reason, nodes, focus)
    if shape.allowed is not None:
        for path in said.keys() - shape.allowed:
            yield from (Break(focus, shape.name, value, path) for value in said[path])


def _conforms(shape: Shape, nodes: Nodes, focus: Node) -> bool:
    return next(_breaks(shape, nodes, focus), None) is None


# -- compiling


@cache
def _compiled(name: Node) -> Shape:
    shapes = shapes_graph()
    parameters = [(p, o) for p, o in shapes.predicate_objects(name) if p not in SILENT]
    unknown = {p for p, _ in parameters} - PARAMETERS.keys()
    if unknown:
        raise OntologyError(
            f"shapes use {', '.join(sorted(map(str, unknown)))}, which fast.py does not know", where=str(name)
        )
    properties = tuple(_compiled(one) for one in shapes.objects(name, SH.property))
    return Shape(
        name,
        shapes.value(name, SH.path),
        tuple(PARAMETERS[p](o) for p, o in parameters),
        vacuous=not {SH.minCount, SH.hasValue} & {p for p, _ in parameters},
        properties=properties,
        allowed=_allowed(name, properties),
    )


def _allowed(name: Node, properties: Iterable[Shape]) -> frozenset[Node] | None:
    """The properties a closed shape lets through; None for an open one."""
    shapes = shapes_graph()
    if shapes.value(name, SH.closed) != Literal(True):
        return None
    ignored = [one for each in shapes.objects(name, SH.ignoredProperties) for one in Collection(shapes, each)]
    return frozenset({one.path for one in properties if one.path is not None}.union(ignored))


def _each(test: Test) -> Constraint:
    """Every value must pass the test."""
    return lambda nodes, focus, values: [value for value in values if not test(nodes, value)]


def _min_count(count: Node) -> Constraint:
    least = int(str(count))
    return lambda nodes, focus, values: MISSING if len(values) < least else HELD


def _max_count(count: Node) -> Constraint:
    most = int(str(count))
    return lambda nodes, focus, values: MISSING if len(values) > most else HELD


def _has_value(wanted: Node) -> Constraint:
    return lambda nodes, focus, values: HELD if wanted in values else MISSING


def _class(wanted: Node) -> Constraint:
    return _each(lambda nodes, value: wanted in nodes.classes(value))


def _node_kind(kind: Node) -> Constraint:
    wanted = NODE_KINDS[kind]
    return _each(lambda nodes, value: isinstance(value, wanted))


def _datatype(datatype: Node) -> Constraint:
    python_type = PYTHON_TYPES[URIRef(str(datatype))]

    def right(nodes: Nodes, value: Node) -> bool:
        if not isinstance(value, Literal):
            return False
        plain = value.datatype is None and value.language is None and datatype == XSD.string
        return (plain or value.datatype == datatype) and isinstance(value.value, python_type)

    return _each(right)


def _min_inclusive(bound: Node) -> Constraint:
    least = int(str(bound))
    return _whole(lambda number: number >= least)


def _max_inclusive(bound: Node) -> Constraint:
    most = int(str(bound))
    return _whole(lambda number: number <= most)


def _whole(fits: Callable[[int], bool]) -> Constraint:
    """Every value must be a whole number that fits."""
    return _each(
        lambda nodes, value: isinstance(value, Literal) and isinstance(value.value, int) and fits(value.value)
    )


def _min_length(length: Node) -> Constraint:
    least = int(str(length))
    return _each(lambda nodes, value: len(str(value)) >= least)


def _max_length(length: Node) -> Constraint:
    most = int(str(length))
    return _each(lambda nodes, value: len(str(value)) <= most)


def _pattern(pattern: Node) -> Constraint:
    search = re.compile(str(pattern)).search
    return _each(lambda nodes, value: search(str(value)) is not None)


def _in(members: Node) -> Constraint:
    allowed = frozenset(Collection(shapes_graph(), members))
    return _each(lambda nodes, value: value in allowed)


def _less_than(other: Node) -> Constraint:
    def breaks(nodes: Nodes, focus: Node, values: Values) -> Broken:
        bounds = nodes.about.get(focus, {}).get(other, ())
        return [value for value in values if not all(_is_less(value, bound) for bound in bounds)]

    return breaks


def _is_less(value: Node, bound: Node) -> bool:
    """Words compare with words, everything else as rdflib orders it; a word and a number do not compare."""
    one, two = _word(value), _word(bound)
    if one is None and two is None:
        return bool(value < bound)  # type: ignore[operator]
    return one is not None and two is not None and one < two


def _word(node: Node) -> str | None:
    if isinstance(node, Literal):
        return node.value if isinstance(node.value, str) else None
    return str(node)


def _count_of(members: Node, enough: Callable[[int], bool]) -> Constraint:
    choices = [_compiled(one) for one in Collection(shapes_graph(), members)]
    return _each(lambda nodes, value: enough(sum(_conforms(one, nodes, value) for one in choices)))


PARAMETERS: dict[Node, Callable[[Node], Constraint]] = {
    SH.minCount: _min_count,
    SH.maxCount: _max_count,
    SH.hasValue: _has_value,
    SH["class"]: _class,
    SH.nodeKind: _node_kind,
    SH.datatype: _datatype,
    SH.minInclusive: _min_inclusive,
    SH.maxInclusive: _max_inclusive,
    SH.minLength: _min_length,
    SH.maxLength: _max_length,
    SH.pattern: _pattern,
    SH["in"]: _in,
    SH.lessThan: _less_than,
    SH["or"]: lambda members: _count_of(members, lambda held: held >= 1),
    SH.xone: lambda members: _count_of(members, lambda held: held == 1),
}
