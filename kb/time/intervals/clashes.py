"""What a story's times cannot all be: circles of bounds that leave no room, and names of days that do not fit their distance.

The bounds are differences between days (`constraints.py`). A circle whose lengths sum to less than nothing is a contradiction, and its members are
the explanation. Names (a weekday, a day of a month, a holiday, the moon, an hour) are tried on every day of every sort of year: only what
fits on none is a clash. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import DEFAULTS, IntervalSettings
from narraworld.kb.time.calendar import Calendar, Date, Holiday
from narraworld.kb.time.intervals.constraints import (
    ORIGIN,
    DayBound,
    DayLink,
    SaidTime,
    links,
    windows,
)
from narraworld.kb.time.when import When

__all__ = ["TimeClash", "clashes", "intervals"]

_SETTINGS = DEFAULTS.time.intervals


@dataclass(frozen=True, slots=True, order=True)
class TimeClash:
    """Two anchors that do not go together; `sure` if all that leads from one to the other is told outright."""

    first: str
    second: str
    sure: bool
    why: str


def clashes(
    said: Iterable[SaidTime],
    before: Iterable[DayBound],
    calendar: Calendar,
    settings: IntervalSettings = _SETTINGS,
) -> list[TimeClash]:
    """Everything about time that cannot all be so; `before` are bounds that records state outright."""
    times = sorted(said, key=lambda one: (one.told, one.record))
    told = list(links(times, calendar, settings))
    bounds = [*(bound for link in told for bound in link.bounds()), *windows(times, calendar), *before]
    found = [
        *_circles(bounds, times),
        *_names(bounds, times, calendar, settings),
        *_hours(told, times, calendar),
    ]
    best: dict[tuple[str, str], TimeClash] = {}
    for clash in found:
        known = best.get((clash.first, clash.second))
        best[clash.first, clash.second] = clash if known is None or clash.sure else known
    return sorted(best.values())


def intervals(
    said: Iterable[SaidTime],
    before: Iterable[DayBound],
    calendar: Calendar,
    settings: IntervalSettings = _SETTINGS,
) -> dict[str, tuple[int, int]]:
    """The earliest and latest day of the calendar for every event that a named year reaches."""
    times = list(said)
    bounds = [*windows(times, calendar), *before]
    bounds += [bound for link in links(times, calendar, settings) for bound in link.bounds()]
    latest = _farthest(ORIGIN, bounds)
    back = _farthest(ORIGIN, [bound._replace(since=bound.event, event=bound.since) for bound in bounds])
    return {event: (-back[event][0], days) for event, (days, _) in latest.items() if event and event in back}


Reached = tuple[int, tuple[DayBound, ...]]


def _farthest(start: str, bounds: Sequence[DayBound], hops: int | None = None) -> dict[str, Reached]:
    """How many days after `start` each event comes at most, and by which bounds (Bellman and Ford)."""
    reached: dict[str, Reached] = {start: (0, ())}
    for _ in range(hops or len(bounds)):
        news = {
            bound.event: (reached[bound.since][0] + bound.days, (*reached[bound.since][1], bound))
            for bound in bounds
            if bound.since in reached
            and bound.event != start
            and reached[bound.since][0] + bound.days < reached.get(bound.event, (_NEVER, ()))[0]
            and bound not in reached[bound.since][1]
        }
        if not news:
            break
        reached |= news
    return reached


_NEVER = 1 << 60


def _circles(bounds: Sequence[DayBound], times: Sequence[SaidTime]) -> Iterator[TimeClash]:
    """Bounds that lead back to where they began with less than no time left."""
    said = {one.record: one for one in times}
    beside = _neighbours(bounds)
    for bound in bounds:
        near = _around(bound.event, beside)
        back = _farthest(bound.event, near, len(near)).get(bound.since)
        if back is None or back[0] + bound.days >= 0:
            continue
        circle = (bound, *back[1])
        records = _said_in(circle, said)
        if len(records) > 1:
            words = _quoted(said[record].when.expression for record in records)
            yield TimeClash(records[0], records[-1], all(each.sure for each in circle), words)


def _said_in(circle: Iterable[DayBound], said: Mapping[str, SaidTime]) -> list[str]:
    """The records of a circle that say a time, as told."""
    members = [record for each in circle for record in each.records if record in said]
    return sorted(dict.fromkeys(members), key=lambda record: said[record].told)


def _neighbours(bounds: Iterable[DayBound]) -> Mapping[str, list[DayBound]]:
    beside = defaultdict[str, list[DayBound]](list)
    for bound in bounds:
        beside[bound.since].append(bound)
    return beside


def _around(event: str, beside: Mapping[str, list[DayBound]], hops: int = _SETTINGS.hops) -> list[DayBound]:
    """The bounds within reach of an event."""
    reach, found = {event}, dict[DayBound, None]()
    for _ in range(hops):
        found |= dict.fromkeys(bound for each in sorted(reach) for bound in beside.get(each, ()))
        reach = {bound.event for bound in found} | reach
    return list(found)


# -- names of days


def _names(
    bounds: Sequence[DayBound], times: Sequence[SaidTime], calendar: Calendar, settings: IntervalSettings
) -> Iterator[TimeClash]:
    """Pairs of named days whose distance no year allows."""
    beside = _neighbours(bounds)
    of_event = defaultdict[str, list[SaidTime]](list)
    for one in times:
        if _names_day(one.when):
            of_event[one.event].append(one)
    for event, own in of_event.items():
        for first, second in combinations(own, 2):
            yield from _misfit(first, second, (0, ()), (0, ()), calendar, settings)
        near = _around(event, beside, settings.hops)
        ahead = _farthest(event, near, settings.hops)
        back = _farthest(event, _reversed(near), settings.hops)
        known = (back.keys() & of_event.keys()) - {event}
        for other in [one for one in ahead if one in known]:
            for first, second in filter(_in_order, product(own, of_event[other])):
                yield from _misfit(first, second, ahead[other], back[other], calendar, settings)


def _reversed(bounds: Iterable[DayBound]) -> list[DayBound]:
    return [each._replace(since=each.event, event=each.since) for each in bounds]


def _in_order(pair: tuple[SaidTime, SaidTime]) -> bool:
    first, second = pair
    return (first.told, first.record) < (second.told, second.record)


def _misfit(
    first: SaidTime,
    second: SaidTime,
    ahead: Reached,
    back: Reached,
    calendar: Calendar,
    settings: IntervalSettings,
) -> Iterator[TimeClash]:
    least, most = -back[0], ahead[0]
    if not 0 <= most - least <= settings.window or _fits(
        first.when, second.when, (least, most), calendar, settings
    ):
        return
    sure = first.exact and second.exact and all(each.sure for each in (*ahead[1], *back[1]))
    apart = f"{least} to {most} days" if least != most else f"{least} day{'' if least == 1 else 's'}"
    why = f"“{first.when.expression}” and “{second.when.expression}” would be {apart} apart, and no year has them so"
    yield TimeClash(first.record, second.record, sure and _one_day(first.when) and _one_day(second.when), why)


def _names_day(when: When) -> bool:
    if when.shift is not None and when.holiday is not None:
        return False
    names = (when.year, when.month, when.day, when.weekday, when.season, when.holiday, when.moon)
    return any(name is not None for name in names)


def _one_day(when: When) -> bool:
    """Whether an expression names a day, and not only a month or a season."""
    return (
        when.weekday is not None
        or when.day is not None
        or (when.holiday is not None and when.holiday.days == 1)
    )


def _fits(
    first: When, second: When, apart: tuple[int, int], calendar: Calendar, settings: IntervalSettings
) -> bool:
    """Whether some day of some year bears the first name and another, so far from it, the second."""
    steps = [days for days in range(apart[0], apart[1] + 1) if _moons_fit(first, second, days, settings)]
    return any(
        _bears(second, day + days, calendar)
        for year in _years(first, second, calendar)
        for day in _days_of(first, year, calendar)
        for days in steps
    )


def _years(first: When, second: When, calendar: Calendar) -> Iterable[int]:
    """The years to try: the one that is named and its neighbours, or as many as bring every sort of year."""
    named = first.year if first.year is not None else second.year
    if named is not None:
        return range(named - 1, named + 2)
    start = calendar.first_year + 2000
    return range(
        start, start + len(calendar.weekdays or "1") * (calendar.leap.every if calendar.leap else 1) + 1
    )


def _days_of(when: When, year: int, calendar: Calendar) -> Iterator[int]:
    """The days of a year that bear the names; looked for in the months that can have them."""
    months = (when.month,) if when.month is not None else when.season.months if when.season else None
    for month in sorted(months or range(1, len(calendar.months) + 1)):
        first = calendar.minutes(Date(year, month)) // calendar.minutes_per_day
        days = range(first, first + calendar.days_in_month(year, month))
        yield from (day for day in days if _bears(when, day, calendar))


def _bears(when: When, day: int, calendar: Calendar) -> bool:
    """Whether a day of the calendar bears the names that an expression gives."""
    minutes = day * calendar.minutes_per_day
    if when.weekday is not None and calendar.weekday_number(minutes) != when.weekday:
        return False
    if when.holiday is None and when.season is None and (when.year, when.month, when.day) == (None,) * 3:
        return True  # a weekday and nothing more: most are, and a date is slow to work out
    date = calendar.date(minutes)
    if when.holiday is not None and not _keeps(when.holiday, date.year, day, calendar):
        return False
    return _is_date(when, date) and (when.season is None or date.month in when.season.months)


def _is_date(when: When, date: Date) -> bool:
    wanted = ((when.year, date.year), (when.month, date.month), (when.day, date.day))
    return all(name is None or name == own for name, own in wanted)


def _keeps(holiday: Holiday, year: int, day: int, calendar: Calendar) -> bool:
    """Whether a day is one of a holiday of that year."""
    feast = calendar.minutes(Date(year, holiday.month, holiday.day)) // calendar.minutes_per_day
    return 0 <= day - feast < holiday.days


def _moons_fit(first: When, second: When, days: int, settings: IntervalSettings) -> bool:
    if first.moon is None or second.moon is None:
        return True
    quarter = settings.moon / 4
    off = (days - (second.moon - first.moon) * quarter) % (
        settings.moon / (2 if 1 in (first.moon, second.moon) else 1)
    )
    cycle = settings.moon / (2 if 1 in (first.moon, second.moon) else 1)
    return min(off, cycle - off) <= settings.moon_slack


# -- hours


def _hours(told: Iterable[DayLink], times: Iterable[SaidTime], calendar: Calendar) -> Iterator[TimeClash]:
    """Two hours with a counted time between them that does not lead from one to the other, forenoon or afternoon."""
    half = calendar.minutes_per_day // 2
    hours = defaultdict[str, list[tuple[int, SaidTime]]](list)
    for one in times:
        if one.when.start is not None and one.when.end is None:
            hours[one.event].append((one.when.start, one))
    for link in told:
        if link.minutes is None:
            continue
        for (start, first), (end, second) in product(hours[link.since.event], hours[link.event.event]):
            if not _leads_there((end - start) % half, link.minutes, half):
                said = (first.when.expression, link.event.when.expression, second.when.expression)
                sure = link.sure and first.exact and second.exact
                yield TimeClash(first.record, second.record, sure, _quoted(dict.fromkeys(said)))


def _leads_there(minutes: int, counted: tuple[int, int], half: int) -> bool:
    least, most = counted
    return least <= minutes <= most or least <= minutes + half <= most


def _quoted(words: Iterable[str]) -> str:
    return f"{', '.join(f'“{each}”' for each in words)} do not add up"
