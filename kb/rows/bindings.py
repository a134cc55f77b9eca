"""The bridge from RDF to relations, driven by the `//@ from` lines of the base rule files.

There is no second mapping in Python: a binding names classes and properties of the ontology, and this module reads
the rows off one unit's graph. Every row knows the node that carries it. Touches no disk, no engine, no clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.vocabulary import DATA, NW, PREDICATE, compact, vocabulary

__all__ = [
    "BaseRow",
    "Binding",
    "Carried",
    "NodeFacts",
    "RowSource",
    "carried_rows",
    "nodes_of",
    "parse_binding",
]

BaseRow: TypeAlias = tuple[str | int, ...]
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
MOST_DIGITS = 18  # with a sign still far from the edge of 64 bits
LENGTHS = "lengths"  # the special binding of unit_length
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


class Carried(NamedTuple):
    """One base row and the node whose statements gave it."""

    node: str
    relation: str
    row: BaseRow


@dataclass(frozen=True, slots=True)
class RowSource:
    """Where one column comes from: the node itself, a property (perhaps with a default), or a constant."""

    name: str | None = None
    constant: str | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """One `//@ from` line. ``special`` names rows that are not read off properties: links, clock, settings …"""

    relation: str
    classes: frozenset[str] = frozenset()
    sources: tuple[RowSource, ...] = ()
    special: str | None = None


@dataclass(slots=True)
class NodeFacts:
    """All that one unit says of one node."""

    id: str
    kind: str
    values: dict[str, list[str | int]]
    links: list[str]


_SOURCE = re.compile(r'^(?:(?P<name>[A-Za-z]+)(?:\s*=\s*"(?P<default>[^"]*)")?|"(?P<constant>[^"]*)")$')


def parse_binding(relation: str, line: str) -> Binding:
    """Read `from nw:Event|nw:Speech: id, kind, realis = "actual"`."""
    head, _, tail = line.removeprefix("from").strip().partition(": ")
    if not head.startswith("nw:"):
        return Binding(relation, special=line.removeprefix("from").strip())
    classes = frozenset(vocabulary().cls(name.strip().removeprefix("nw:")).name for name in head.split("|"))
    return Binding(relation, classes, tuple(_source(relation, part.strip()) for part in tail.split(",")))


def _source(relation: str, text: str) -> RowSource:
    match = _SOURCE.match(text)
    if match is None:
        raise OntologyError(f"cannot read the column {text!r}", where=f"binding of {relation}")
    name, default, constant = match["name"], match["default"], match["constant"]
    if name and name != "id":
        vocabulary().property(name)
    return RowSource(name, default if name else constant)


def carried_rows(nodes: Iterable[NodeFacts], unit: str, bindings: Iterable[Binding]) -> Iterator[Carried]:
    """Every base row that one unit's nodes give, links, classes and occurrences included."""
    bindings = list(bindings)
    chosen = _by_lineage(bindings)
    with_lengths = any(binding.special == LENGTHS for binding in bindings)
    for node in nodes:
        yield Carried(node.id, "occurs", (node.id, unit))
        yield Carried(node.id, "instance", (node.id, node.kind))
        if with_lengths:
            yield from _lengths(node)
        for target in node.links:
            yield Carried(node.id, "refers", (node.id, target))
        for binding in chosen[node.kind]:
            yield from _rows(binding, node)


def _lengths(node: NodeFacts) -> Iterator[Carried]:
    """How many characters the text of a unit has, for rules, which do not see the text itself."""
    for text in node.values.get("text", ()) if node.kind == "SourceUnit" else ():
        yield Carried(node.id, "unit_length", (node.id, len(str(text))))


def _by_lineage(bindings: Iterable[Binding]) -> dict[str, list[Binding]]:
    """For each class the bindings that read it, those of its ancestors among them."""
    return {
        name: [binding for binding in bindings if binding.classes & (term.ancestors | {name})]
        for name, term in vocabulary().classes.items()
    }


def _rows(binding: Binding, node: NodeFacts) -> Iterator[Carried]:
    columns = [_column(source, node) for source in binding.sources]
    for row in product(*columns):
        yield Carried(node.id, binding.relation, row)


def _column(source: RowSource, node: NodeFacts) -> list[str | int]:
    if source.name == "id":
        return [node.id]
    if source.name is None:
        return [source.constant or ""]
    values = node.values.get(source.name)
    if values:
        return values
    return [source.constant] if source.constant is not None else []


def nodes_of(quads: Iterable[Any]) -> dict[str, NodeFacts]:
    """Oxigraph's quads (as `Store.quads` gives them) gathered by node; SHACL has seen to it that each node has one class."""
    found: dict[str, NodeFacts] = {}
    for quad in quads:
        node = found.get(key := compact(quad.subject.value))
        if node is None:
            node = found[key] = NodeFacts(key, "Record", {}, [])
        if quad.predicate.value == TYPE:
            node.kind = compact(quad.object.value)
        else:
            _keep(node, quad.predicate.value[len(NW) :], quad.object)
    return found


def _keep(node: NodeFacts, name: str, value: Any) -> None:
    datatype = getattr(value, "datatype", None)
    if datatype is not None:
        whole = datatype.value == INTEGER and name != "value"  # a proposition's value is a symbol, also "12"
        node.values.setdefault(name, []).append(_number(value.value) if whole else value.value)
        return
    node.values.setdefault(name, []).append(text := compact(value.value))
    if value.value.startswith(DATA) and not value.value.startswith(PREDICATE):
        node.links.append(text)


def _number(written: str) -> int:
    """A whole number that a table can hold; the shapes let no other in, but an older journal may have one."""
    if len(written) > MOST_DIGITS:
        raise ValueError(f"the number {written[:MOST_DIGITS]}… is too long")
    return int(written)
