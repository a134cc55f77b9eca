"""What the anchors of a story say together: rows of `clash`, for what cannot all be so.

Rules compare one day with another; a calendar they cannot try. What does not add up is worked out here, from base rows, by `kb/time/intervals`. Pure:
asks nothing, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.intervals.clashes import clashes
from narraworld.kb.time.intervals.constraints import DayBound, SaidTime
from narraworld.kb.time.when import When
from narraworld.rules.language.ir import Row

__all__ = ["clash_rows"]

SURE, LOOSE = "sure", "loose"


def clash_rows(
    anchored: Iterable[Row],
    told: Iterable[Row],
    occurs: Iterable[Row],
    ordered: Iterable[Row],
    calendar: Calendar,
) -> Iterator[tuple[str, Row]]:
    """Two anchors at a time that do not go together, whether all that leads there is told outright, and why."""
    place = {str(record): int(position) for record, position in told}
    unit = {str(node): str(where) for node, where in occurs}
    said = [
        SaidTime(str(record), str(event), when, place[str(event)], unit.get(str(record), ""))
        for record, event, words in anchored
        if str(event) in place and isinstance(when := understand(str(words), calendar), When)
    ]
    for clash in clashes(said, _stated(ordered), calendar):
        yield "clash", (clash.first, clash.second, SURE if clash.sure else LOOSE, clash.why)


def _stated(ordered: Iterable[Row]) -> Iterator[DayBound]:
    """What records put before and after each other: no later day, no earlier one."""
    for record, event, relation, reference in ordered:
        if relation in ("before", "after"):
            first, last = (event, reference) if relation == "before" else (reference, event)
            yield DayBound(str(last), str(first), 0, (str(record),), True)
