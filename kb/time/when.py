"""When something happens, as a value: what an expression says (`When`) and where that falls (`Moment`).

`expressions.py` makes a `When` from words; `place` finds its moment from a reference moment and a calendar.
Pure; no words here.

The choices `place` makes, so that nobody has to guess:
- A distance ("three days later") is counted from the reference. Months and years keep the day of the month.
- A day, month or year without anything finer begins at its first minute; if the reference already lies
  within it, the moment is the reference itself ("that day" does not turn the clock back).
- A partial date ("in Frostmoon", "on Monday", "at noon") is the nearest one that has not ended at the
  reference; in a flashback, the nearest one that ended before it. "Next" and "last" mean one that begins
  after, or ended before, the reference.
- An approximate distance ("a few days later") has its middle as the moment.
- The small hours belong to the day before: at two in the morning "the next morning" is four hours away. A
  moment exactly at midnight counts as its own day, because that is how a date without an hour is placed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.time.calendar import Calendar, CalendarError, Date, Holiday, Length, Season

__all__ = ["CalendarFrame", "CalendarMoment", "FrameUnit", "Shift", "Unplaced", "When", "place"]

FrameUnit: TypeAlias = Literal["day", "week", "month", "year"]

# How many years, months or days away a partial date is looked for; Friday, 29 February needs 40.
SEARCH_HORIZON = 64
SOON = 60  # days within which a day of the month is taken for what it says, even beside a wrong weekday


@dataclass(frozen=True, slots=True)
class Shift:
    """A distance from the reference, negative for the past; `least` and `most` differ if approximate."""

    least: Length
    most: Length


@dataclass(frozen=True, slots=True)
class CalendarFrame:
    """The day, week, month or year that lies `step` steps from the reference's own."""

    unit: FrameUnit
    step: int


@dataclass(frozen=True, slots=True)
class When:
    """What a time expression says. Fields it does not mention are None.

    `relative` counts from the reference, `absolute` names a year, `partial` leaves the year (or more) open.
    Months and days count from 1, weekdays from 0; `start` and `end` are minutes of the day, `minute` one of the running
    hour; `nth` says which of its weekdays; `moon` is new (0), half (1) or full (2); `count` is the number of a day ("Day 9").
    Moon and count date nothing by themselves: they hold against what is dated.
    """

    expression: str
    kind: Literal["relative", "absolute", "partial"]
    shift: Shift | None = None
    frame: CalendarFrame | None = None
    toward: Literal["next", "last"] | None = None
    side: Literal["later", "earlier"] | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    season: Season | None = None
    start: int | None = None
    end: int | None = None
    approximate: bool = False
    minute: int | None = None
    nth: int | None = None
    holiday: Holiday | None = None
    moon: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Unplaced:
    """An expression we do not understand or cannot place, and why: data for the author, not an error.

    ``no_such_day``: it is plain what it says, and the calendar has no such day.
    """

    expression: str
    why: str
    no_such_day: bool = False


@dataclass(frozen=True, slots=True)
class CalendarMoment:
    """A point in calendar minutes with the bounds it may move in; `certain` if nothing had to be guessed."""

    minutes: int
    earliest: int
    latest: int
    certain: bool = True


class _Window(NamedTuple):
    """From the first to the last minute, both included."""

    first: int
    last: int


def place(
    when: When, reference: int, calendar: Calendar, *, flashback: bool = False
) -> CalendarMoment | Unplaced:
    """The moment `when` means if it is said at `reference` (calendar minutes)."""
    if when.shift is not None:
        return _place_shifted(when, when.shift, reference, calendar, flashback)
    if when.minute is not None:
        ahead = (when.minute - reference) % calendar.minutes_per_hour
        return CalendarMoment(reference + ahead, reference, reference + ahead, certain=False)
    if (when.moon, when.count) != (None, None) and not _names_a_time(when):
        return CalendarMoment(reference, reference, reference, certain=False)
    window = _find(when, reference, calendar, flashback)
    if window is None:
        return Unplaced(when.expression, "this calendar has no such day")
    return _moment(when, window, reference)


def _names_a_time(when: When) -> bool:
    fields = (
        when.frame,
        when.year,
        when.month,
        when.day,
        when.weekday,
        when.season,
        when.start,
        when.holiday,
    )
    return any(field is not None for field in fields)


def _place_shifted(
    when: When, shift: Shift, reference: int, calendar: Calendar, flashback: bool
) -> CalendarMoment | Unplaced:
    if when.holiday is not None:  # "two days before Christmas"
        feast = _search(replace(when, shift=None), reference, calendar, flashback)
        reference = feast.first if feast else reference
    least, most = sorted((calendar.plus(reference, shift.least), calendar.plus(reference, shift.most)))
    middle = (least + most) // 2
    if when.start is None and when.weekday is None:
        return CalendarMoment(middle, least, most, certain=least == most and not when.approximate)
    day = CalendarFrame("day", 0) if when.weekday is None else None
    there = When(when.expression, "relative", None, day, weekday=when.weekday, start=when.start, end=when.end)
    return place(there, middle, calendar, flashback=flashback)


def _moment(when: When, window: _Window, reference: int) -> CalendarMoment:
    first, last = window
    if when.side == "later":
        first, last = max(first, reference), max(last, reference)
    elif when.side == "earlier":
        first, last = min(first, reference - 1), min(last, reference - 1)
    within = first <= reference <= last
    guessed = when.approximate or when.kind == "partial" or when.side is not None
    return CalendarMoment(reference if within else first, first, last, certain=not guessed)


def _find(when: When, reference: int, calendar: Calendar, flashback: bool) -> _Window | None:
    if when.year is not None:
        return _narrow(when, _year(when.year, calendar), calendar)
    if when.frame is not None:
        day = _day_in_mind(reference, calendar) if _counts_days(when) else reference
        return _narrow(when, _frame(when.frame, day, calendar), calendar)
    return _search(when, reference, calendar, flashback)


def _search(when: When, reference: int, calendar: Calendar, flashback: bool) -> _Window | None:
    """The nearest window that fits, looking ahead, or back for flashbacks and "last".

    A day of the month that comes soon is that day, whatever weekday stands beside it: an author who is wrong about
    the weekday does not leap years ahead, and the slip is for the checks to tell.
    """
    back = flashback or when.toward == "last"
    if when.weekday is not None and when.day is not None:
        soon = _nearest(replace(when, weekday=None), reference, calendar, back)
        if soon is not None and abs(soon.first - reference) <= SOON * calendar.minutes_per_day:
            return soon
    return _nearest(when, reference, calendar, back)


def _nearest(when: When, reference: int, calendar: Calendar, back: bool) -> _Window | None:
    horizon = max(SEARCH_HORIZON, len(calendar.weekdays) + 2)
    for distance in range(-1, horizon):  # -1: a winter or a night may have begun in the year or day before
        frame = CalendarFrame(_repeats_each(when), -distance if back else distance)
        window = _narrow(when, _frame(frame, reference, calendar), calendar)
        if window is not None and _fits(when, window, reference, back):
            return window
    return None


def _fits(when: When, window: _Window, reference: int, back: bool) -> bool:
    if back:
        return window.last < reference
    return window.first > reference if when.toward == "next" else window.last >= reference


def _repeats_each(when: When) -> FrameUnit:
    if when.month is not None or when.season is not None or when.holiday is not None:
        return "year"
    return "day" if when.day is None else "month"


def _counts_days(when: When) -> bool:
    frame = when.frame
    return frame is not None and frame.unit == "day" and (frame.step != 0 or when.start is not None)


def _day_in_mind(reference: int, calendar: Calendar) -> int:
    """The day people would say it is: the small hours of a night still belong to the day before."""
    minute = reference % calendar.minutes_per_day
    small_hours = any(part.end < part.start and 0 < minute < part.end for part in calendar.parts)
    return reference - calendar.minutes_per_day if small_hours else reference


def _frame(frame: CalendarFrame, reference: int, calendar: Calendar) -> _Window:
    day = calendar.minutes_per_day
    date = calendar.date(reference)
    if frame.unit == "year":
        return _year(date.year + frame.step, calendar)
    if frame.unit == "month":
        years, month = divmod(date.month - 1 + frame.step, len(calendar.months))
        return _month(date.year + years, month + 1, calendar)
    first = reference // day * day
    if frame.unit == "day":
        return _days(first + frame.step * day, 1, calendar)
    week = len(calendar.weekdays)
    return _days(first + (frame.step * week - calendar.weekday_number(reference)) * day, week, calendar)


def _days(first: int, days: int, calendar: Calendar) -> _Window:
    return _Window(first, first + days * calendar.minutes_per_day - 1)


def _year(year: int, calendar: Calendar) -> _Window:
    return _days(calendar.minutes(Date(year)), calendar.days_in_year(year), calendar)


def _month(year: int, month: int, calendar: Calendar) -> _Window:
    return _days(calendar.minutes(Date(year, month)), calendar.days_in_month(year, month), calendar)


def _narrow(when: When, window: _Window, calendar: Calendar) -> _Window | None:
    """The part of `window` that the finer fields name: the first one, or None if it has none."""
    date = calendar.date(window.first)
    if when.season is not None:
        window = _season(when.season, date.year, calendar)
    if when.holiday is not None:
        feast = when.holiday
        window = _days(calendar.minutes(Date(date.year, feast.month, feast.day)), feast.days, calendar)
    if when.month is not None:
        window = _month(date.year, when.month, calendar)
    if when.day is not None:
        day = _day_of(when.day, calendar.date(window.first), calendar)
        if day is None:
            return None
        window = day
    if when.weekday is not None:
        day = _first_weekday(when, window, calendar)
        if day is None:
            return None
        window = day
    return _time_of_day(when, window, calendar)


def _season(season: Season, year: int, calendar: Calendar) -> _Window:
    first = _month(year, season.months[0], calendar)
    last = calendar.plus(first.first, Length(months=len(season.months))) - 1
    return _Window(first.first, last)


def _day_of(day: int, month: Date, calendar: Calendar) -> _Window | None:
    try:
        first = calendar.minutes(Date(month.year, month.month, day))
    except CalendarError:
        return None
    return _days(first, 1, calendar)


def _first_weekday(when: When, window: _Window, calendar: Calendar) -> _Window | None:
    wanted = when.weekday or 0
    ahead = (wanted - calendar.weekday_number(window.first)) % len(calendar.weekdays)
    if when.nth is not None and when.month is not None:
        ahead += (when.nth - 1) * len(calendar.weekdays)
    day = _days(window.first + ahead * calendar.minutes_per_day, 1, calendar)
    return day if day.last <= window.last else None


def _time_of_day(when: When, window: _Window, calendar: Calendar) -> _Window:
    if when.start is None:
        return window
    end = when.start + 1 if when.end is None or when.end == when.start else when.end
    length = (end - when.start) % calendar.minutes_per_day
    first = window.first + when.start
    return _Window(first, first + length - 1)
