"""Who is told where, and who shares whose time.

Records tied to an event (`at`) and events said to happen at the same time share one tick, that of their
*root*. The register knows the roots, finds what a reference means, and remembers the names that were asked
for in vain. Pure bookkeeping.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from narraworld.kb.time.change_log import ChangeLog
from narraworld.kb.time.clock_values import ClockSettings, ConflictKind, Order, TimeConflict, Timed, UnitTimes

__all__ = ["ReachesBack", "Register"]


class ReachesBack(Exception):
    """An appended unit moves something told before it. A signal to work the clock out anew, never shown."""


class Register:
    """All ids of the units taken so far."""

    def __init__(self, settings: ClockSettings) -> None:
        self.settings = settings
        self.told = ChangeLog()
        self.tied: dict[str, str] = {}
        self.followers: dict[str, list[str]] = {}
        self.spans: dict[str, tuple[str | None, str | None]] = {}
        self.waiting: set[str] = set()
        self.conflicts: set[TimeConflict] = set()

    def __contains__(self, id: str) -> bool:
        return id in self.told.values or id in self.spans

    def root(self, id: str) -> str:
        while id in self.tied:
            id = self.tied[id]
        return id

    def enter(self, unit: UnitTimes) -> UnitTimes:
        """Note where the unit's records are told; gives the unit back without ids that were told before."""
        records = []
        for record in unit.records:
            if record.id in self.told.values:
                self.report("duplicate", (record.id,), f"told again in {unit.unit}")
                continue
            self.told.put(record.id, unit.order * self.settings.unit_length + record.offset)
            records.append(record)
        self._enter_spans(unit, records)
        return replace(unit, records=tuple(records))

    def _enter_spans(self, unit: UnitTimes, records: Sequence[Timed]) -> None:
        """The first and last record of the unit and its scenes, but none that happens at another's time."""
        own = sorted((record for record in records if record.at is None), key=lambda record: record.offset)
        offsets = [record.offset for record in own]
        stretches = [(unit.unit, 0, self.settings.unit_length)]
        stretches += [(scene.id, scene.start, scene.end) for scene in unit.scenes]
        for id, start, end in stretches:
            inside = own[bisect_left(offsets, start) : bisect_left(offsets, end)]
            self.spans[id] = (inside[0].id, inside[-1].id) if inside else (None, None)

    def tie(self, units: Sequence[UnitTimes], own: set[str] | None) -> None:
        """Give each tied record its root. With `own`, moving an id outside it is a `ReachesBack`."""
        records = [record for unit in units for record in unit.records]
        for record in records:
            if record.at is not None:
                self._tie_record(record.id, record.at)
        for unit in units:
            self._tie_events(unit, own)
        for record in records:
            if record.id in self.tied:
                self.followers.setdefault(self.root(record.id), []).append(record.id)

    def _tie_events(self, unit: UnitTimes, own: set[str] | None) -> None:
        for order in unit.relations:
            if order.relation in ("during", "sameTime"):
                self._tie_event(order, own)

    def _tie_record(self, id: str, at: str) -> None:
        event = self.find(at, last=False)
        if event is None:
            self.miss(at, id)
        elif self.root(event) == id:
            self.report("cycle", (id, at), "each is said to happen at the time of the other")
        else:
            self.tied[id] = event

    def _tie_event(self, order: Order, own: set[str] | None) -> None:
        if order.event not in self.told.values:
            return  # reported with the statements about order
        reference = self.find(order.reference, last=False)
        if reference is None:
            return
        mover, root = self.root(order.event), self.root(reference)
        if mover == root:
            return
        if order.relation == "during" and mover != order.event:
            why = f"it has the time of {mover} already; one tick cannot also show {order.reference}"
            self.report("undecided", (order.event, order.reference), why)
            return
        if own is not None and mover not in own:
            raise ReachesBack
        self.tied[mover] = root

    def find(self, reference: str, *, last: bool) -> str | None:
        """The record a reference means: itself, or the first or last one of a unit or scene."""
        if reference in self.told.values:
            return reference
        first_last = self.spans.get(reference, (None, None))
        return first_last[1] if last else first_last[0]

    def miss(self, missing: str, *asking: str) -> None:
        self.waiting.add(missing)
        self.report("unknown", (*asking, missing), f"{missing} is not visible, or holds nothing that happens")

    def report(self, kind: ConflictKind, ids: tuple[str, ...], why: str) -> None:
        self.conflicts.add(TimeConflict(kind, ids, why))
