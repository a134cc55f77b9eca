"""The bridge from RDF to relations, driven by the `//@ from` lines of the base rule files.

There is no second mapping in Python: a binding names classes and properties of the ontology, and this module reads
the rows off one unit's graph. Every row knows the node that carries it. Touches no disk, no engine, no clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
    "RowReader",
    "RowSource",
    "nodes_of",
    "parse_binding",
    "whole_number",
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


class RowReader:
    """Reads every base row that one unit's nodes give, links, classes and occurrences included.

    Which bindings read which class is worked out once: a story has thousands of units.
    """

    def __init__(self, bindings: Iterable[Binding]) -> None:
        bindings = list(bindings)
        self._with_lengths = any(binding.special == LENGTHS for binding in bindings)
        self._shapes = {
            name: [_shape(binding) for binding in bindings if binding.classes & (term.ancestors | {name})]
            for name, term in vocabulary().classes.items()
        }

    def rows(self, nodes: Iterable[NodeFacts], unit: str) -> list[Carried]:
        """Each row with the node that carries it."""
        return [
            Carried(node.id, relation, row)
            for node in nodes
            for relation, some in self._of(node, unit)
            for row in some
        ]

    def gather(self, nodes: Iterable[NodeFacts], unit: str, into: Mapping[str, list[BaseRow]]) -> None:
        """The same where nobody asks who carries them: the rows alone, by relation."""
        for node in nodes:
            for relation, some in self._of(node, unit):
                into[relation].extend(some)

    def _of(self, node: NodeFacts, unit: str) -> list[tuple[str, Iterable[BaseRow]]]:
        """The rows of one node, by relation."""
        name, shapes = node.id, self._shapes[node.kind]
        found: list[tuple[str, Iterable[BaseRow]]] = [
            ("occurs", ((name, unit),)), ("instance", ((name, node.kind),)),
        ]  # fmt: skip
        if node.links:
            found.append(("refers", [(name, target) for target in node.links]))
        if self._with_lengths and node.kind == "SourceUnit":
            found.append(("unit_length", _lengths(node)))
        found += [(shape.relation, some) for shape in shapes if (some := _rows(shape, node))]
        return found


class _Shape(NamedTuple):
    """A binding, ready to read: for each column its property, or none, and what stands where that is absent."""

    relation: str
    columns: tuple[tuple[str | None, list[str | int] | None], ...]
    lead: str | None  # a property without which there is no row


def _shape(binding: Binding) -> _Shape:
    columns = tuple((one.name, _instead(one)) for one in binding.sources)
    needed = (name for name, default in columns if default is None and name != "id")
    return _Shape(binding.relation, columns, next(needed, None))


def _instead(source: RowSource) -> list[str | int] | None:
    """What stands in a column whose property is absent, or that has none; None where there is no row then."""
    return None if source.name and source.constant is None else [source.constant or ""]


def _rows(shape: _Shape, node: NodeFacts) -> Iterable[BaseRow]:
    values = node.values
    if shape.lead is not None and shape.lead not in values:
        return ()
    own: list[str | int] = [node.id]
    columns = [own if name == "id" else values.get(name or "", default) for name, default in shape.columns]
    return () if None in columns else product(*columns)  # type: ignore[arg-type]


def _lengths(node: NodeFacts) -> list[BaseRow]:
    """How many characters the text of a unit has, for rules, which do not see the text itself."""
    return [(node.id, len(str(text))) for text in node.values.get("text", ())]


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
        node.values.setdefault(name, []).append(whole_number(value.value) if whole else value.value)
        return
    node.values.setdefault(name, []).append(text := compact(value.value))
    if value.value.startswith(DATA) and not value.value.startswith(PREDICATE):
        node.links.append(text)


def whole_number(written: str) -> int:
    """A whole number that a table can hold; the shapes let no other in, but an older journal may have one."""
    if len(written) > MOST_DIGITS:
        raise ValueError(f"the number {written[:MOST_DIGITS]}… is too long")
    return int(written)
