"""The three clocks' story time and discourse position: when things happen, and where the reader is told.

`assign` is the whole answer as a pure function of the visible units; `Clock` keeps the same answer up to
date, unit by unit. By default things happen in the order in which they are told, and the tick of a record
depends on nothing but its own place in the text. Statements ("before the fire"), flashbacks and dates move
single records or whole scenes into the gaps between those ticks (`timeline.py`, `ordering.py`), so adding a
chapter leaves the earlier ones where they are.

>>> feast = UnitTimes("ch01", 0, records=(Timed("ch01/feast", 10), Timed("ch01/oath", 50)))
>>> memory = Anchor("ch02/fire", "ten years earlier")
>>> fire = UnitTimes("ch02", 1, records=(Timed("ch02/fire", 0),), anchors=(memory,))
>>> assign([feast, fire]).tick
{'ch01/feast': 10000, 'ch01/oath': 50000, 'ch02/fire': 9500}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.change_log import difference
from narraworld.kb.time.clock_state import ReachesBack, StoryTime
from narraworld.kb.time.clock_values import (
    Anchor,
    ClockError,
    ClockScene,
    ClockSettings,
    Moves,
    Order,
    TimeChange,
    TimeConflict,
    Timed,
    Times,
    UnitTimes,
)

__all__ = [
    "Anchor",
    "Clock",
    "ClockError",
    "ClockScene",
    "ClockSettings",
    "Moves",
    "Order",
    "Recalled",
    "TimeChange",
    "TimeConflict",
    "Timed",
    "Times",
    "UnitTimes",
    "assign",
    "check",
]

_SETTINGS = ClockSettings()


def assign(
    units: Iterable[UnitTimes], calendar: Calendar = GREGORIAN, settings: ClockSettings = _SETTINGS
) -> Times:
    """Ticks, positions and minutes of all records of `units`, whatever order they are given in."""
    return _from_scratch(units, calendar, settings).times()


class Recalled(NamedTuple):
    """What a clock once said: ticks, positions and minutes by id."""

    tick: Mapping[str, int]
    told: Mapping[str, int]
    minutes: Mapping[str, int]


class Clock:
    """The same answer as `assign`, kept up to date.

    A unit added at the end that speaks only of itself and of what is known costs as much as the unit is
    long. Anything else (a unit in the middle, a removed one, statements that move earlier records) is
    worked out anew.
    """

    def __init__(self, calendar: Calendar = GREGORIAN, settings: ClockSettings = _SETTINGS) -> None:
        self._calendar, self._settings = calendar, settings
        self._units: dict[str, UnitTimes] = {}
        self._story = StoryTime(calendar, settings)
        self._recalled: Recalled | None = None

    @classmethod
    def recalled(
        cls,
        units: Iterable[UnitTimes],
        said: Recalled,
        calendar: Calendar = GREGORIAN,
        settings: ClockSettings = _SETTINGS,
    ) -> Clock:
        """A clock that knows these units and what it said of them; only a change makes it work anything out."""
        clock = cls(calendar, settings)
        clock._units, clock._recalled = {unit.unit: unit for unit in units}, said
        return clock

    def add(self, unit: UnitTimes) -> TimeChange:
        """Take in a unit, or a new version of one that is known."""
        check(unit, self._settings)
        appended = self._recalled is None and unit.unit not in self._units and self._append(unit)
        self._units[unit.unit] = unit
        return self._story.close() if appended else self._anew()

    def take(self, units: Iterable[UnitTimes]) -> TimeChange:
        """Take in many units at once, worked out once, whatever they say of each other."""
        self._units.update((unit.unit, unit) for unit in units)
        return self._anew()

    def remove(self, unit: str) -> TimeChange:
        if unit not in self._units:
            raise ClockError(f"there is no unit {unit}", where="clock")
        del self._units[unit]
        return self._anew()

    def times(self) -> Times:
        if self._recalled is not None:
            self._anew()
        return self._story.times()

    def _append(self, unit: UnitTimes) -> bool:
        if not self._story.could_append(unit):
            return False
        try:
            self._story.take([unit], appending=True)
        except ReachesBack:
            self._story.undo()
            return False
        return True

    def _anew(self) -> TimeChange:
        old = self._recalled or _said(self._story)
        self._story = _from_scratch(self._units.values(), self._calendar, self._settings)
        self._recalled = None
        return TimeChange(*map(difference, old, _said(self._story)))


def _said(story: StoryTime) -> Recalled:
    return Recalled(story.tick.values, story.told.values, story.minutes.values)


def _from_scratch(units: Iterable[UnitTimes], calendar: Calendar, settings: ClockSettings) -> StoryTime:
    ordered = sorted(units, key=lambda unit: (unit.order, unit.unit))
    for unit in ordered:
        check(unit, settings)
    story = StoryTime(calendar, settings)
    story.take(ordered)
    story.settle()
    return story


def check(unit: UnitTimes, settings: ClockSettings) -> None:
    """ClockError for a unit that has no place on the clocks."""
    if not 0 <= unit.order <= settings.last_order:
        raise ClockError(f"order {unit.order} is not between 0 and {settings.last_order}", where=unit.unit)
    for record in unit.records:
        if not 0 <= record.offset < settings.unit_length:
            raise ClockError(
                f"{record.id} is at {record.offset}, but a unit has at most {settings.unit_length} characters",
                where=unit.unit,
                fix="split the unit, or raise ClockSettings.unit_length",
            )
