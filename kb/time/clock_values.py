"""What the clock reads and what it answers: plain frozen values, no logic.

Going in, per source unit: the timed records with the place of their first evidence, what the text says
about their order, and its time expressions. Coming out: a story tick and a discourse position for every
record, calendar minutes where known, and whatever in the statements cannot all be true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from narraworld.base.errors import NarraWorldError
from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import ClockSettings

__all__ = [
    "Anchor",
    "ClockError",
    "ClockScene",
    "ClockSettings",
    "ConflictKind",
    "Moves",
    "Order",
    "TimeChange",
    "TimeConflict",
    "TimeRelation",
    "Timed",
    "Times",
    "UnitTimes",
]

TimeRelation: TypeAlias = Literal["before", "after", "during", "sameTime"]
ConflictKind: TypeAlias = Literal[
    "cycle", "contradiction", "unknown", "expression", "undecided", "duplicate", "crowded"
]


class ClockError(NarraWorldError):
    """A unit the clock cannot place: too long, at an order that cannot be counted, or not there to be removed."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A record with the offset of its first evidence in the unit; `at` is the event whose time it shares; `ahead` of what is only
    to come, supposed or dreamed: its date is its own and moves no clock."""

    id: str
    offset: int
    at: str | None = None
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """The text says that `event` happens before, after, during or with an event, scene or unit."""

    event: str
    relation: TimeRelation
    reference: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """The text dates an event, scene or unit; `flashback` says that the telling goes back for it."""

    subject: str
    expression: str
    flashback: bool = False


@dataclass(frozen=True, slots=True)
class ClockScene:
    """A stretch of a unit's text, half open."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class UnitTimes:
    """All that one source unit says about time; `anchor` is the unit's own time expression."""

    unit: str
    order: int
    anchor: str | None = None
    records: tuple[Timed, ...] = ()
    relations: tuple[Order, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    scenes: tuple[ClockScene, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class TimeConflict:
    """Something about time that cannot be honoured; the default order is kept for `ids`.

    cycle: each is said to come before the next. contradiction: two statements exclude each other. unknown:
    a reference to something that is not visible. expression: words we cannot place. undecided: a second
    "during", which one tick cannot show. duplicate: an id told twice. crowded: more displaced records than
    there are ticks between two told ones.
    """

    kind: ConflictKind
    ids: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Times:
    """Story ticks, discourse positions and calendar minutes by record id.

    `minutes` also has anchored units and scenes; a record without a date of its own has that of the telling
    around it, and those told before the first time expression have none. Until the story names a date, they
    count from its beginning. `stated` are the ids that the text itself dates.
    """

    tick: Mapping[str, int]
    told: Mapping[str, int]
    minutes: Mapping[str, int]
    stated: frozenset[str] = frozenset()
    conflicts: tuple[TimeConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class Moves:
    """Values that came and values that went, by id; a changed value is in both."""

    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)

    @property
    def changed(self) -> frozenset[str]:
        return frozenset(self.added.keys() & self.removed.keys())

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


@dataclass(frozen=True, slots=True)
class TimeChange:
    """What adding or removing a unit did to the clocks."""

    tick: Moves = Moves()
    told: Moves = Moves()
    minutes: Moves = Moves()

    def __bool__(self) -> bool:
        return bool(self.tick or self.told or self.minutes)
