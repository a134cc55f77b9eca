"""The telling, walked from front to back: which calendar time it has reached, and where flashbacks go.

A `Line` is a telling with a running calendar time: the story itself, or one flashback. On the story's line
records stand where they are told. A time expression either moves the line ahead or, when it goes back (or
is marked as a flashback), opens a line of its own whose records stand just before the first thing already
told that is dated later; without a date, before everything.

Where a record stands is a *path*, compared like a word in a dictionary: `(tick, 0)` is the default place of
what is told at `tick`; `(tick, -1, told, 0)` lies just before it and `(tick, 1, told, 0)` just after, in
told order; and so on, so that there is always room between two places. `clock.py` turns paths into ticks.
Pure values in, no store.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.change_log import ChangeLog
from narraworld.kb.time.clock_values import (
    Anchor,
    ClockScene,
    ClockSettings,
    ConflictKind,
    TimeConflict,
    Timed,
    UnitTimes,
)
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.when import CalendarMoment, Unplaced, When, place

__all__ = ["Path", "Timeline", "TimelineBlock", "beside"]

Path: TypeAlias = tuple[int, ...]


def beside(path: Path, side: int, told: int) -> Path:
    """The place just before (side -1) or after (side 1) `path`, in told order with others there.

    >>> beside((5000, 0), -1, 7) < beside((5000, 0), -1, 8) < (5000, 0) < beside((5000, 0), 1, 6)
    True
    """
    return (*path[:-1], side, told, 0)


@dataclass(eq=False)
class TimelineBlock:
    """The records of a flashback without a date; a statement about one of them leads them all."""

    ids: list[str] = field(default_factory=list)


class Mark(NamedTuple):
    """The first thing told at a calendar minute, and where it stands."""

    minutes: int
    path: Path


@dataclass(eq=False)
class TimelineStretch:
    """A telling with a running time: `now`, a calendar minute if `dated`, else minutes since it began."""

    spot: Path | None = None  # the place its records stand just before; None: where they are told
    now: int = 0
    dated: bool = False
    known: bool = False  # whether any expression has set `now`
    limit: int | None = None  # a flashback's clock may run on, but it marks nothing beyond where it was put
    marks: dict[bool, list[Mark]] = field(default_factory=lambda: {True: [], False: []})
    owner: bool = True  # the marks are its own, not those of the line around it
    first: Path | None = None
    block: TimelineBlock | None = None
    marked: tuple[bool, int] | None = None  # the time last marked: most records share it with the one before

    def mark(self, path: Path) -> None:
        self.first = self.first or path
        if self.marked == (self.dated, self.now):
            return
        self.marked = self.dated, self.now
        marks = self.marks[self.dated]
        here = bisect_left(marks, self.now, key=lambda mark: mark.minutes)
        taken = here < len(marks) and marks[here].minutes == self.now
        if not taken and (self.limit is None or self.now < self.limit):
            marks.insert(here, Mark(self.now, path))

    def next_after(self, minutes: int, dated: bool) -> Mark | None:
        marks = self.marks[dated]
        place = bisect_right(marks, minutes, key=lambda mark: mark.minutes)
        return marks[place] if place < len(marks) else None


class Dating(NamedTuple):
    """What the anchors of one subject come to: a moment, on the calendar or on the line's own count."""

    moment: CalendarMoment | None
    dated: bool
    flashback: bool


@dataclass
class Timeline:
    """All lines so far; `walk` adds one unit at the end."""

    calendar: Calendar
    settings: ClockSettings
    minutes: ChangeLog
    path: dict[str, Path] = field(default_factory=dict)
    block_of: dict[str, TimelineBlock] = field(default_factory=dict)
    stated: set[str] = field(default_factory=set)
    conflicts: set[TimeConflict] = field(default_factory=set)
    story: TimelineStretch = field(default_factory=TimelineStretch)
    undated: set[str] = field(default_factory=set)  # ids whose minutes still count from the story's beginning

    def walk(
        self,
        unit: UnitTimes,
        told: Mapping[str, int],
        tied: Collection[str],
        anchors: Mapping[str, list[Anchor]],
    ) -> None:
        """Place the unit's records; `tied` ones stand elsewhere and are only noted."""
        line = self._enter(unit.unit, self.story, anchors)
        open_scenes: list[tuple[int, TimelineStretch]] = []
        for step in _steps(unit):
            offset = step.start if isinstance(step, ClockScene) else step.offset
            open_scenes = [(end, inner) for end, inner in open_scenes if end > offset]
            here = open_scenes[-1][1] if open_scenes else line
            if isinstance(step, ClockScene):
                open_scenes.append((step.end, self._enter(step.id, here, anchors)))
            else:
                self._record(step.id, told[step.id], here, step.id in tied, anchors)

    def _record(
        self, id: str, told: int, line: TimelineStretch, tied: bool, anchors: Mapping[str, list[Anchor]]
    ) -> None:
        if line.block is not None:
            self.block_of[id] = line.block
        if tied:
            return
        line = self._enter(id, line, anchors)
        tick = (told * self.settings.step, 0)
        self.path[id] = tick if line.spot is None else beside(line.spot, -1, told)
        line.mark(self.path[id])
        self._date(id, line)
        if line.block is not None:
            self.block_of[id] = line.block
            line.block.ids.append(id)

    def _date(self, id: str, line: TimelineStretch) -> None:
        ours = line.marks is self.story.marks
        if not line.known or not (line.dated or ours):
            return
        self.minutes.put(id, line.now)
        if not line.dated:
            self.undated.add(id)

    # --- anchors ------------------------------------------------------------------------------------------

    def _enter(
        self, subject: str, line: TimelineStretch, anchors: Mapping[str, list[Anchor]]
    ) -> TimelineStretch:
        """The line on which `subject` is told: `line`, perhaps moved ahead, or a flashback opened for it."""
        if subject not in anchors:
            return line
        dating = self._dating(subject, line, anchors[subject])
        if dating.moment is None:
            return self._undated_flashback(line) if dating.flashback else line
        line = self._go(subject, line, dating.moment, dating)
        self._date(subject, line)
        if subject in self.minutes.values:
            self.stated.add(subject)
        return line

    def _go(
        self, subject: str, line: TimelineStretch, moment: CalendarMoment, dating: Dating
    ) -> TimelineStretch:
        back = dating.dated == line.dated and moment.latest < line.now
        if dating.flashback or back:
            return self._dated_flashback(subject, line, moment, dating.dated)
        if dating.dated and not line.dated:
            self._begin_calendar(line, moment.minutes)
        line.now, line.known = max(line.now, moment.minutes), True
        return line

    def _dating(self, subject: str, line: TimelineStretch, anchors: Sequence[Anchor]) -> Dating:
        """All anchors of a subject, each read from where the one before it led; said twice counts once."""
        moment: CalendarMoment | None = None
        fixed: CalendarMoment | None = None
        flashback = any(anchor.flashback for anchor in anchors)
        for anchor in {each.expression.casefold(): each for each in anchors}.values():
            reference = line.now if moment is None else moment.minutes
            when = understand(anchor.expression, self.calendar)
            found = self._within_reach(_place(when, reference, self.calendar, flashback), anchor)
            if isinstance(found, Unplaced):
                self._report("expression", (subject,), f"“{found.expression}”: {found.why}")
                continue
            moment = found
            if isinstance(when, When) and when.kind == "absolute":
                if _apart(fixed, found):
                    self._report("contradiction", (subject,), f"“{anchor.expression}” is not its other date")
                fixed = found
        return Dating(moment, line.dated or fixed is not None, flashback)

    def _within_reach(self, found: CalendarMoment | Unplaced, anchor: Anchor) -> CalendarMoment | Unplaced:
        """A moment that the tables can hold; `a billion billion years later` is none."""
        if (
            isinstance(found, CalendarMoment)
            and max(abs(found.earliest), abs(found.latest)) > self.settings.farthest
        ):
            return Unplaced(anchor.expression, "it is farther away than can be counted")
        return found

    def _begin_calendar(self, line: TimelineStretch, minutes: int) -> None:
        """The first date of a line: what was counted from its beginning ends, in whole days, at it."""
        day = self.calendar.minutes_per_day
        shift = (minutes - line.now) // day * day
        if line.owner:
            for mark in line.marks[False]:
                insort(line.marks[True], Mark(mark.minutes + shift, mark.path))
            line.marks[False].clear()
        if line is self.story:
            for id in self.undated:
                self.minutes.put(id, self.minutes.values[id] + shift)
            self.undated.clear()
        line.dated, line.now, line.limit = True, minutes, None

    def _dated_flashback(
        self, subject: str, line: TimelineStretch, moment: CalendarMoment, dated: bool
    ) -> TimelineStretch:
        later = line.next_after(moment.minutes, dated)
        spot: Path | None = line.spot
        limit: int | None = line.now
        if later is not None:
            spot, limit = later.path, later.minutes
        elif dated != line.dated:
            spot, limit = line.first or line.spot, None
        elif moment.minutes > line.now:
            self._report("contradiction", (subject,), "a flashback to a time that the story has not reached")
        return TimelineStretch(spot, moment.minutes, dated, True, limit, line.marks, owner=False)

    def _undated_flashback(self, line: TimelineStretch) -> TimelineStretch:
        return TimelineStretch(line.first or line.spot, block=TimelineBlock())

    def _report(self, kind: ConflictKind, ids: tuple[str, ...], why: str) -> None:
        self.conflicts.add(TimeConflict(kind, ids, why))


def _apart(one: CalendarMoment | None, other: CalendarMoment) -> bool:
    return one is not None and (one.latest < other.earliest or other.latest < one.earliest)


def _place(
    when: When | Unplaced, reference: int, calendar: Calendar, flashback: bool
) -> CalendarMoment | Unplaced:
    return when if isinstance(when, Unplaced) else place(when, reference, calendar, flashback=flashback)


def _steps(unit: UnitTimes) -> list[ClockScene | Timed]:
    """Scenes and records in the order in which the reader meets them; a scene before what it holds."""
    scenes = sorted(unit.scenes, key=lambda scene: (scene.start, -scene.end))
    steps: list[tuple[int, int, ClockScene | Timed]] = [(scene.start, 0, scene) for scene in scenes]
    steps += [(record.offset, 1, record) for record in unit.records]
    return [step for _, _, step in sorted(steps, key=lambda step: step[:2])]
