"""What the anchors of a story say together: rows of `clash`, for what cannot all be so.

Rules compare one day with another; a calendar they cannot try. What does not add up is worked out here, from base rows, by `kb/time/intervals`. Pure:
asks nothing, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from typing import NamedTuple

from narraworld.kb.english import wordset
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.intervals.clashes import clashes
from narraworld.kb.time.intervals.constraints import DayBound, SaidTime
from narraworld.kb.time.when import When
from narraworld.rules.language.ir import Row

__all__ = ["clash_rows", "told_date_rows"]

SURE, LOOSE = "sure", "loose"
WHEN, AGE = "when", "age"
BESIDE = 30  # letters between a date and the weekday that is said of it
NEXT = 14  # and between the weekday and the date that is said of it: `the Monday, which was the sixth`
SOME_DAY = tuple(f"{word} " for word in wordset("values.some_day"))
FORTNIGHT = 14  # days from a day without a month to one that names it
IN_ONE_SENTENCE = 120  # letters between an age and the year in which somebody has it


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


# -- what the narration names in passing


class _Told(NamedTuple):
    """An expression of time in passing, and where it stands."""

    record: str
    when: When
    words: str
    unit: str
    start: int
    end: int
    place: int
    said: bool


class _Day(NamedTuple):
    """A day of a month with its weekday."""

    record: str
    words: str
    month: int
    year: int | None
    number: int  # of the day
    first: int  # the weekday on which its month begins
    place: int


def told_date_rows(
    details: Iterable[Row], spoken: Iterable[Row], states: Iterable[Row], spans: Mapping[str, Row], told: Iterable[Row], calendar: Calendar
) -> Iterator[tuple[str, Row]]:  # fmt: skip
    """Days that no one month has, and the year beside each age; ``spans`` are the words of each record."""
    place = {str(record): int(position) for record, position in told}
    said = {str(row[0]) for row in spoken}
    rows = [row for row in details if str(row[0]) in spans and str(row[0]) in place]
    times = sorted(_times(rows, said, spans, place, calendar), key=_place_of)
    yield from (("misdated", row) for row in _misdated(times, calendar))
    for record in (*_told_ages(rows), *_ages_of_states(states, spans)):
        yield from (("year_beside", row) for row in _years_beside(record, spans[record], times))


def _misdated(times: Iterable[_Told], calendar: Calendar) -> Iterator[Row]:
    """Two dates that the narration gives to one month, and that would make it begin on two weekdays."""
    named = [one for one in times if not one.said and (one.when.day, one.when.weekday) != (None, None)]
    days = _with_months(sorted(_days_of_months(named, calendar), key=_place_of))
    for one, other in combinations(days, 2):
        if _of_one_month(one, other) and one.first != other.first:
            yield one.record, other.record, one.words, other.words


def _with_months(days: Sequence[_Day]) -> list[_Day]:
    """The days, each without a month in that of the next, where the month only goes on: Thursday the ninth, the twelfth of May."""
    filled = list(days[-1:])
    for one in reversed(days[:-1]):
        after = filled[0]
        goes_on = one.month == 0 and after.month > 0 and 0 < after.number - one.number <= FORTNIGHT
        filled.insert(0, one._replace(month=after.month, year=after.year) if goes_on else one)
    return filled


def _told_ages(details: Iterable[Row]) -> list[str]:
    """The records that give an age in passing."""
    return [str(row[0]) for row in details if row[1] == AGE]


def _ages_of_states(states: Iterable[Row], spans: Mapping[str, Row]) -> list[str]:
    """The states that are an age and have words of their own."""
    return [str(record) for record, said, *_ in states if f".{AGE}:" in str(said) and str(record) in spans]


def _place_of(one: _Told | _Day) -> int:
    return one.place


def _years_beside(record: str, span: Row, times: Iterable[_Told]) -> Iterator[Row]:
    """The years that are named in the sentence of a record."""
    _, unit, start, end = span
    for one in times:
        apart = max(int(start) - one.end, one.start - int(end))
        if one.when.year is not None and one.unit == unit and apart < IN_ONE_SENTENCE:
            yield record, one.when.year


def _times(
    rows: Iterable[Row],
    said: set[str],
    spans: Mapping[str, Row],
    place: Mapping[str, int],
    calendar: Calendar,
) -> Iterator[_Told]:
    for row in rows:
        record, words = str(row[0]), str(row[2])
        when = understand(words, calendar) if row[1] == WHEN else None
        if isinstance(when, When):
            _, unit, start, end = spans[record]
            yield _Told(record, when, words, str(unit), int(start), int(end), place[record], record in said)


def _days_of_months(times: Sequence[_Told], calendar: Calendar) -> Iterator[_Day]:
    """Dates that name their weekday, or have it beside them: `the first of August, a Tuesday`."""
    for one, after in zip_longest(times, times[1:]):
        if one.when.weekday is not None and one.when.day is not None:
            yield _day(one, one, calendar)
        elif after is not None and _beside(one, after):
            date, week = (one, after) if one.when.day is not None else (after, one)
            if date.when.weekday is None and _of_that_day(week, date):
                yield _day(date, week, calendar)


def _beside(one: _Told, after: _Told) -> bool:
    """Whether one of two expressions that stand side by side is a day of a month, and one a weekday."""
    near = one.unit == after.unit and 0 <= after.start - one.end <= BESIDE
    return near and {one.when.day is None, after.when.day is None} == {True, False}


def _of_that_day(week: _Told, date: _Told) -> bool:
    """Whether a weekday is said of a date: `a Tuesday` behind it, or right before it: `the Monday, which was the sixth`."""
    if week.when.weekday is None or date.when.month is None:
        return False
    some = week.words.lower().startswith(SOME_DAY)
    return some if week.start > date.start else not some and date.start - week.end <= NEXT


def _day(date: _Told, week: _Told, calendar: Calendar) -> _Day:
    first = ((week.when.weekday or 0) - (date.when.day or 1) + 1) % len(calendar.weekdays)
    words = date.words if week is date else f"{date.words}, {week.words}"
    return _Day(
        date.record, words, date.when.month or 0, date.when.year, date.when.day or 1, first, date.place
    )


def _of_one_month(one: _Day, other: _Day) -> bool:
    """Whether both are of a month of one name and, as far as is told, of one year."""
    one_year = one.year == other.year or None in (one.year, other.year)
    return one_year and one.month == other.month and one.month > 0
