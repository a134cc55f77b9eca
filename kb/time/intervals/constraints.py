"""What anchors say about the days between events: each expression is a bound on a distance, labelled with the record that says it.

Days, not minutes: a story's "three days later" means the day, not the hour. A distance that the text does not give outright (the same day, because only
an hour is named; a next day that is told far away) is assumed and not sure. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import IntervalSettings
from narraworld.kb.time.calendar import Calendar, Date, Length
from narraworld.kb.time.when import Shift, When

__all__ = ["ORIGIN", "DayBound", "DayLink", "SaidTime", "links", "windows"]

ORIGIN = ""  # day 0 of the calendar, as an event


@dataclass(frozen=True, slots=True)
class SaidTime:
    """One anchor: the record, the event it dates, what it says, and where it is told."""

    record: str
    event: str
    when: When
    told: int
    unit: str

    @property
    def exact(self) -> bool:
        shift = self.when.shift
        return not self.when.approximate and (shift is None or shift.least == shift.most)


class DayBound(NamedTuple):
    """`event` comes at most `days` after `since`, say `records`; `sure` if the text gives it outright."""

    since: str
    event: str
    days: int
    records: tuple[str, ...]
    sure: bool


class DayLink(NamedTuple):
    """Between `least` and `most` days lie between two events; minutes too, where the text counts them."""

    since: SaidTime
    event: SaidTime
    least: int
    most: int
    sure: bool
    minutes: tuple[int, int] | None = None

    def bounds(self) -> Iterator[DayBound]:
        records = (self.since.record, self.event.record)
        yield DayBound(self.since.event, self.event.event, self.most, records, self.sure)
        yield DayBound(self.event.event, self.since.event, -self.least, records, self.sure)


def links(said: Iterable[SaidTime], calendar: Calendar, settings: IntervalSettings) -> Iterator[DayLink]:
    """The distances that the telling gives, from each dated event to the one before it, and between counted days."""
    last: SaidTime | None = None
    counted: SaidTime | None = None
    for _, group in groupby(sorted(said, key=lambda one: (one.told, one.event)), key=lambda one: one.event):
        anchors = list(group)
        if last is not None:
            yield from _from_last(last, anchors, calendar, settings)
        for one in anchors:
            if one.when.count is not None and counted is not None:
                days = one.when.count - (counted.when.count or 0)
                yield DayLink(counted, one, days, days, one.exact)
            counted = one if one.when.count is not None else counted
        if not any(_goes_back(one.when) for one in anchors):
            last = _best(anchors)


def _best(anchors: Sequence[SaidTime]) -> SaidTime:
    """The anchor that says most of the day."""
    return max(anchors, key=lambda one: (one.when.weekday is not None) + (one.when.day is not None))


def _goes_back(when: When) -> bool:
    back = when.shift is not None and (when.shift.most.months < 0 or when.shift.most.minutes < 0)
    return back or (when.frame is not None and when.frame.step < 0) or when.toward == "last"


def _from_last(
    last: SaidTime, anchors: Sequence[SaidTime], calendar: Calendar, settings: IntervalSettings
) -> Iterator[DayLink]:
    dated = any(_tells_day(one.when) for one in anchors)
    for one in anchors:
        found = _days(one.when, calendar)
        if found is None or (dated and _resumes(one.when)):
            continue
        least, most = found
        if _at_night(last.when, settings) and one.when.frame is not None:
            least = min(least, max(least - 1, 0))  # in the small hours "the next morning" is the same day
        minutes = _minutes(one.when, calendar, settings)
        yield DayLink(last, one, least, most, _told_outright(last, one, settings), minutes)


def _told_outright(last: SaidTime, one: SaidTime, settings: IntervalSettings) -> bool:
    """Whether the text itself counts from the one to the other, near it and exactly."""
    near = one.unit == last.unit and one.told - last.told <= settings.near
    relative = one.when.shift is not None or one.when.frame is not None
    return near and relative and one.exact and last.exact


def _resumes(when: When) -> bool:
    """Says `that day` and nothing more: where its event has a date of its own, the day of that date, not of the event before."""
    return when.frame is not None and when.frame.step == 0 and not _tells_day(when)


def _tells_day(when: When) -> bool:
    names = (when.year, when.month, when.day, when.weekday, when.season, when.holiday, when.count, when.moon)
    return any(name is not None for name in names)


def _days(when: When, calendar: Calendar) -> tuple[int, int] | None:
    """The days from the last dated event to this one; none where the expression leaves them open."""
    if when.holiday is not None and when.shift is not None:
        return None
    if when.shift is not None:
        return _shifted(when.shift, calendar)
    if when.frame is not None:
        return (when.frame.step, when.frame.step) if when.frame.unit == "day" else None
    return None if _tells_day(when) else (0, 0)  # an hour: of the same day, we take it


def _shifted(shift: Shift, calendar: Calendar) -> tuple[int, int] | None:
    day = calendar.minutes_per_day
    ends = [_spread(length, calendar) for length in (shift.least, shift.most)]
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    if -day < least and most < day:  # hours: of this day, or over midnight
        return (0, 1) if least >= 0 else (-1, 0)
    return least // day, -(-most // day)


def _spread(length: Length, calendar: Calendar) -> tuple[int, int]:
    """A length in minutes; months differ."""
    days = [month.days for month in calendar.months]
    extra = calendar.leap.days if calendar.leap else 0
    years, rest = divmod(abs(length.months), len(days))
    sign = -1 if length.months < 0 else 1
    low = years * sum(days) + sum(sorted(days)[:rest])
    high = years * (sum(days) + extra) + sum(sorted(days, reverse=True)[:rest]) + (extra if rest else 0)
    ends = sorted(sign * each * calendar.minutes_per_day + length.minutes for each in (low, high))
    return ends[0], ends[1]


def _minutes(when: When, calendar: Calendar, settings: IntervalSettings) -> tuple[int, int] | None:
    """The minutes that an expression counts, with room for rounding; only within a day."""
    if when.shift is None or when.shift.least.months or when.shift.most.months:
        return None
    least, most = sorted((when.shift.least.minutes, when.shift.most.minutes))
    if not 0 < least <= most < calendar.minutes_per_day // 2:
        return None
    return least - least // settings.rounding, most + most // settings.rounding


def _at_night(when: When, settings: IntervalSettings) -> bool:
    late = when.start is not None and when.end is not None and when.end < when.start
    return late or (when.start is not None and when.start < settings.small_hours)


def windows(said: Iterable[SaidTime], calendar: Calendar) -> Iterator[DayBound]:
    """Where a year is named: the days between the calendar's first and the event."""
    day = calendar.minutes_per_day
    for one in said:
        when = one.when
        if when.year is None:
            continue
        if when.day is not None and when.month is not None:
            first = calendar.minutes(Date(when.year, when.month, when.day)) // day
            last = first
        elif when.month is not None:
            first = calendar.minutes(Date(when.year, when.month)) // day
            last = first + calendar.days_in_month(when.year, when.month) - 1
        else:
            first = calendar.minutes(Date(when.year)) // day
            last = first + calendar.days_in_year(when.year) - 1
        yield DayBound(ORIGIN, one.event, last, (one.record,), one.exact)
        yield DayBound(one.event, ORIGIN, -first, (one.record,), one.exact)
