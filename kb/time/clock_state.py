"""The clock's working state: takes units in told order and answers with ticks, positions and minutes.

The order of work is the same for one unit appended and for a whole story: enter the records, tie those that
share a time, walk the telling, settle the statements, number the places. `clock.py` decides which of the
two it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.change_log import ChangeLog
from narraworld.kb.time.clock_values import (
    Anchor,
    ClockSettings,
    Order,
    TimeChange,
    TimeConflict,
    Times,
    UnitTimes,
)
from narraworld.kb.time.ordering import Precedence, circles, give_way, settle
from narraworld.kb.time.register import ReachesBack, Register
from narraworld.kb.time.timeline import Path, Timeline, TimelineBlock

__all__ = ["ReachesBack", "StoryTime"]


class StoryTime:
    """Everything the clock knows about the units taken so far."""

    def __init__(self, calendar: Calendar, settings: ClockSettings) -> None:
        self.settings = settings
        self.tick, self.minutes = ChangeLog(), ChangeLog()
        self.register = Register(settings)
        self.timeline = Timeline(calendar, settings, self.minutes)
        self.statements: list[Precedence] = []
        self.places = _Places(settings)
        self.last_order = -1
        self.gave_way = False

    @property
    def told(self) -> ChangeLog:
        return self.register.told

    def could_append(self, unit: UnitTimes) -> bool:
        """Whether the unit comes last, is new in all its ids, and makes statements about itself only."""
        own = _ids(unit)
        subjects = {order.event for order in unit.relations} | {anchor.subject for anchor in unit.anchors}
        new = not any(id in self.register or id in self.register.waiting for id in own)
        return (
            unit.order > self.last_order
            and new
            and subjects <= own
            and not (unit.relations and self.gave_way)
        )

    def take(self, units: Sequence[UnitTimes], *, appending: bool = False) -> None:
        """Take in units that come after all others; `ReachesBack` if appending moves what was there."""
        own = {id for unit in units for id in _ids(unit)} if appending else None
        units = [self.register.enter(unit) for unit in units]
        self.register.tie(units, own)
        anchors = self._anchors(units, own)
        for unit in units:
            self.timeline.walk(unit, self.told.values, self.register.tied.keys(), anchors)
            self.last_order = unit.order
        self._settle(units, own)
        self._number(units)

    def times(self) -> Times:
        conflicts = self.register.conflicts | self.timeline.conflicts | self._date_conflicts()
        conflicts |= set(self.places.crowded.values())
        return Times(
            dict(self.tick.values),
            dict(self.told.values),
            dict(self.minutes.values),
            frozenset(self.timeline.stated),
            tuple(sorted(conflicts)),
        )

    def close(self) -> TimeChange:
        return TimeChange(self.tick.close(), self.told.close(), self.minutes.close())

    def settle(self) -> None:
        """The same where nobody asks what changed."""
        for ledger in (self.tick, self.told, self.minutes):
            ledger.settle()

    def undo(self) -> None:
        """Take back the numbers of a failed append; the rest of the state is to be thrown away."""
        for ledger in (self.tick, self.told, self.minutes):
            ledger.undo()

    # --- what the text says -------------------------------------------------------------------------------

    def _anchors(self, units: Sequence[UnitTimes], own: set[str] | None) -> dict[str, list[Anchor]]:
        """Anchors by what they date; one on a tied record dates the record whose time it shares."""
        found: dict[str, list[Anchor]] = {}
        for unit in units:
            for anchor in _said(unit):
                if anchor.subject not in self.register:
                    self.register.miss(anchor.subject, unit.unit)
                    continue
                root = self.register.root(anchor.subject)
                if own is not None and root not in own:
                    raise ReachesBack
                found.setdefault(root, []).append(anchor)
        return found

    def _settle(self, units: Sequence[UnitTimes], own: set[str] | None) -> None:
        statements, leads = self._statements(units, own)
        if own is None:
            statements = self._without_circles(statements)
        path, told = self.timeline.path, self.told.values
        settle(statements, leads, self.timeline.block_of, path, told)
        self.statements += statements
        if all(statement.holds(path) for statement in statements):
            return
        if own is not None:
            raise ReachesBack
        give_way(statements, path, told)
        self.gave_way = True

    def _statements(
        self, units: Sequence[UnitTimes], own: set[str] | None
    ) -> tuple[list[Precedence], dict[TimelineBlock, tuple[int, str]]]:
        """The statements about before and after between roots, and what leads each undated flashback."""
        statements: list[Precedence] = []
        leads: dict[TimelineBlock, tuple[int, str]] = {}
        register, block_of = self.register, self.timeline.block_of
        for order in (order for unit in units for order in unit.relations):
            reference = self._reference(order)
            if reference is None:
                continue
            mover, fixed = register.root(order.event), register.root(reference)
            side = -1 if order.relation == "before" else 1
            block = block_of.get(order.event)
            if block is not None and block_of.get(fixed) is not block:
                leads.setdefault(block, (side, fixed))
            if order.relation in ("before", "after"):
                statements += self._precedence(mover, side, fixed, own)
        return statements, leads

    def _reference(self, order: Order) -> str | None:
        """What an order refers to; nothing, and a note of it, where either end is not told of."""
        reference = self.register.find(order.reference, last=order.relation == "after")
        if reference is None:
            self.register.miss(order.reference, order.event)
        elif order.event not in self.told.values:
            self.register.miss(order.event, order.reference)
            return None
        return reference

    def _precedence(self, mover: str, side: int, fixed: str, own: set[str] | None) -> list[Precedence]:
        if own is not None and mover not in own:
            raise ReachesBack
        if mover == fixed:
            self.register.report("contradiction", (mover,), "before or after something at the same time")
            return []
        return [Precedence(mover, -1 if side < 0 else 1, fixed)]

    def _without_circles(self, statements: list[Precedence]) -> list[Precedence]:
        circle_of: dict[str, frozenset[str]] = {}
        for circle in circles(statements):
            circle_of |= dict.fromkeys(circle, circle)
            ids = tuple(sorted(circle, key=lambda id: (self.told.values[id], id)))
            self.register.report("cycle", ids, "the statements about their order go in a circle")
        return [each for each in statements if each.later not in circle_of.get(each.earlier, ())]

    def _date_conflicts(self) -> set[TimeConflict]:
        """Statements about order that the dates of both events deny."""
        stated, undated, minutes = self.timeline.stated, self.timeline.undated, self.minutes.values
        return {
            TimeConflict("contradiction", (each.earlier, each.later), "said to come before, but dated after")
            for each in self.statements
            if {each.earlier, each.later} <= stated
            and (each.earlier in undated) == (each.later in undated)  # else they count from different days
            and minutes[each.earlier] > minutes[each.later]
        }

    # --- numbers ------------------------------------------------------------------------------------------

    def _number(self, units: Sequence[UnitTimes]) -> None:
        records = [record.id for unit in units for record in unit.records]
        roots = [id for id in records if id not in self.register.tied]
        path = self.timeline.path
        for id, tick in self.places.number({id: path[id] for id in roots}, self.told.values):
            self.tick.put(id, tick)
            for follower in self.register.followers.get(id, ()):
                self.tick.put(follower, tick)
        for id in records:
            if id in self.register.tied:
                self.tick.put(id, self.tick.values[self.register.root(id)])


_BOUNDLESS = 1 << 40


class _Places:
    """Displaced records by the told tick they stand beside, and the ticks they get there.

    Those before a tick fill its gap from the middle on, those after it from the front, so that one more at
    the end of either moves no other. Each side may use half of the way to its neighbour; beyond that ticks
    are shared and that is reported.
    """

    def __init__(self, settings: ClockSettings) -> None:
        self.settings = settings
        self.taken: list[int] = []
        self.beside: dict[int, dict[str, Path]] = {}
        self.crowded: dict[tuple[int, int], TimeConflict] = {}

    def number(self, path: dict[str, Path], told: dict[str, int]) -> list[tuple[str, int]]:
        """Ticks of new records, and of those that share a gap with them."""
        for id in path:
            insort(self.taken, told[id] * self.settings.step)
        ticks = []
        touched: set[int] = set()
        for id, where in path.items():
            host = where[0]
            if len(where) == 2:
                ticks.append((id, host))
            else:
                self.beside.setdefault(host, {})[id] = where
                touched.add(host)
        for host in sorted(touched):
            ticks += self._beside(host, -1) + self._beside(host, 1)
        return ticks

    def _beside(self, host: int, side: int) -> list[tuple[str, int]]:
        here = {id: path for id, path in self.beside[host].items() if path[1] == side}
        ranks = {path: rank for rank, path in enumerate(sorted(set(here.values())))}
        room = self._room(host, side) // 2
        width = min(max(self.settings.step // 2, len(ranks) + 1), room)
        start = host - width if side < 0 else host + 1
        slots = width if side < 0 else width - 1
        if len(ranks) > slots:
            ids = tuple(sorted(here))
            self.crowded[host, side] = TimeConflict("crowded", ids, "more records than ticks in one gap")
            return [(id, start + ranks[path] * max(slots, 1) // len(ranks)) for id, path in here.items()]
        return [(id, start + ranks[path]) for id, path in here.items()]

    def _room(self, host: int, side: int) -> int:
        """Ticks to the next told one on that side; ahead, at most to the end of the unit."""
        if side < 0:
            below = bisect_left(self.taken, host)
            return host - self.taken[below - 1] if below else _BOUNDLESS
        unit = self.settings.unit_length * self.settings.step
        above = bisect_right(self.taken, host)
        end = (host // unit + 1) * unit
        return min(end, self.taken[above] if above < len(self.taken) else end) - host


def _said(unit: UnitTimes) -> list[Anchor]:
    """The unit's anchors; its own, said again of something in it ("three days later"), counts once."""
    if not unit.anchor:
        return list(unit.anchors)
    own = unit.anchor.casefold()
    again = [
        anchor for anchor in unit.anchors if anchor.expression.casefold() == own and not anchor.flashback
    ]
    return [Anchor(unit.unit, unit.anchor), *(anchor for anchor in unit.anchors if anchor not in again)]


def _ids(unit: UnitTimes) -> set[str]:
    return {unit.unit, *(record.id for record in unit.records), *(scene.id for scene in unit.scenes)}
