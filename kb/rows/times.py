"""What one unit's records say about time, in the clock's own terms, and the clock's answers as rows.

Pure: nodes in, values out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.rows.bindings import BaseRow, NodeFacts
from narraworld.kb.time.clock_values import (
    Anchor,
    ClockScene,
    ClockSettings,
    Order,
    TimeChange,
    Timed,
    UnitTimes,
)
from narraworld.ontology.vocabulary import vocabulary

__all__ = [
    "ToldAnchor", "ToldOrder", "clock_rows", "from_text", "to_text", "told_rows", "told_until", "unit_times",
]  # fmt: skip

TIMELESS = frozenset({"Development", "Scene", "Plotline", "Plot", "TimeAnchor", "TimeRelation"})
UNREACHED = frozenset({"future", "hypothetical", "dreamed"})  # the story is not there when it tells of them
RELATIONS = {"tick": "at", "told": "told", "minutes": "dated"}


@dataclass(frozen=True, slots=True)
class ToldOrder(Order):
    """A statement about order that knows where in its unit it stands."""

    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ToldAnchor(Anchor):
    """A statement about time that knows where in its unit it stands."""

    offset: int = field(default=0, compare=False)


KINDS = (UnitTimes, Timed, Order, ToldOrder, Anchor, ToldAnchor, ClockScene)
FIELDS = {kind: tuple(one.name for one in fields(kind)) for kind in KINDS}


def unit_times(nodes: Mapping[str, NodeFacts], unit: str) -> UnitTimes:
    """The timed records of a unit with their places in the text, and its statements about order and date."""
    source = nodes[unit].values
    records = [node for node in nodes.values() if _is_timed(node)]
    return UnitTimes(
        unit,
        int(source["order"][0]),
        str(source["timeAnchor"][0]) if "timeAnchor" in source else None,
        tuple(sorted((_timed(node, nodes) for node in records), key=lambda timed: (timed.offset, timed.id))),
        tuple(_order(node, nodes) for node in _of_kind(nodes, "TimeRelation")),
        tuple(_anchor(node, nodes) for node in _of_kind(nodes, "TimeAnchor")),
        tuple(_scene(node) for node in _of_kind(nodes, "Scene")),
    )


def _is_timed(node: NodeFacts) -> bool:
    term = vocabulary().classes.get(node.kind)
    return term is not None and "Record" in term.ancestors and node.kind not in TIMELESS


def _of_kind(nodes: Mapping[str, NodeFacts], kind: str) -> list[NodeFacts]:
    return sorted((node for node in nodes.values() if node.kind == kind), key=lambda node: node.id)


def _offset(node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> int:
    """Where the words that a record rests on begin; a record without words stands at the beginning."""
    spans = [nodes[str(span)] for span in node.values.get("evidence", ()) if span in nodes]
    return min((int(span.values["start"][0]) for span in spans), default=0)


def _timed(node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> Timed:
    at = node.values.get("at")
    ahead = str(node.values.get("realis", ("actual",))[0]) in UNREACHED
    return Timed(node.id, _offset(node, nodes), str(at[0]) if at else None, ahead)


def _order(node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> ToldOrder:
    said: Any = {name: str(values[0]) for name, values in node.values.items()}
    return ToldOrder(said["event"], said["relation"], said["reference"], _offset(node, nodes))


def _anchor(node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> ToldAnchor:
    said = {name: str(values[0]) for name, values in node.values.items()}
    return ToldAnchor(
        said["event"], said["expression"], said.get("flashback") == "true", _offset(node, nodes)
    )


def _scene(node: NodeFacts) -> ClockScene:
    return ClockScene(node.id, int(node.values["start"][0]), int(node.values["end"][0]))


def clock_rows(change: TimeChange) -> Iterator[tuple[bool, str, BaseRow]]:
    """The change of the clocks as rows that go (False) and come (True)."""
    for name, relation in RELATIONS.items():
        moves = getattr(change, name)
        yield from ((False, relation, item) for item in moves.removed.items())
        yield from ((True, relation, item) for item in moves.added.items())


def told_rows(nodes: Mapping[str, NodeFacts], unit: str, settings: ClockSettings) -> Iterator[BaseRow]:
    """Where scenes and statements about order are told; they have no moment of their own."""
    first = int(nodes[unit].values["order"][0]) * settings.unit_length
    yield from ((node.id, first + int(node.values["start"][0])) for node in _of_kind(nodes, "Scene"))
    yield from ((node.id, first + _offset(node, nodes)) for node in _of_kind(nodes, "TimeRelation"))


def told_until(times: UnitTimes, last: int, settings: ClockSettings) -> UnitTimes | None:
    """What a unit has said about time when the telling has come to ``last``; None before it begins."""
    end = last - times.order * settings.unit_length
    if end < 0:
        return None
    return replace(
        times,
        records=tuple(one for one in times.records if one.offset <= end),
        relations=tuple(one for one in times.relations if _stands(one) <= end),
        anchors=tuple(one for one in times.anchors if _stands(one) <= end),
        scenes=tuple(one for one in times.scenes if one.start <= end),
    )


def _stands(statement: Order | Anchor) -> int:
    return statement.offset if isinstance(statement, ToldOrder | ToldAnchor) else 0


def to_text(times: UnitTimes) -> str:
    return json.dumps(times, default=_by_field, ensure_ascii=False)


def _by_field(value: Any) -> dict[str, object]:
    """One of the clock's values; `asdict` would copy all that is in it first, which takes four times as long."""
    return {name: getattr(value, name) for name in FIELDS[type(value)]}


def from_text(text: str) -> UnitTimes:
    said = json.loads(text)
    return UnitTimes(
        said["unit"], said["order"], said["anchor"],
        tuple(Timed(**one) for one in said["records"]), tuple(ToldOrder(**one) for one in said["relations"]),
        tuple(ToldAnchor(**one) for one in said["anchors"]), tuple(ClockScene(**one) for one in said["scenes"]),
    )  # fmt: skip
