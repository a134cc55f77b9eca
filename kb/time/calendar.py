"""Counting time by a calendar: dates to minutes and back, weekdays, seasons, lengths.

All arithmetic is on whole minutes; minute 0 is the first minute of `first_year`. Years run on through zero
and below, as astronomers count. `calendar.py` reads these values from an author's table. Never touches
files or the store.
"""

from __future__ import annotations

from functools import cached_property

from narraworld.base.errors import NarraWorldError
from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "Calendar",
    "CalendarError",
    "Date",
    "DayPart",
    "Era",
    "Holiday",
    "Leap",
    "Length",
    "Month",
    "Season",
]


class CalendarError(NarraWorldError):
    """A calendar that contradicts itself, or a date that it does not have."""


@dataclass(frozen=True, slots=True)
class Month:
    name: str
    days: int


@dataclass(frozen=True, slots=True)
class Leap:
    """Every `every` years, but not every `skips`, except every `keeps`, `month` has `days` more."""

    every: int
    month: int
    skips: int | None = None
    keeps: int | None = None
    days: int = 1

    def count(self, year: int) -> int:
        """Leap years up to and including `year`, from year 1 on; only differences mean anything below."""
        skipped = year // self.skips if self.skips else 0
        kept = year // self.keeps if self.keeps else 0
        return year // self.every - skipped + kept

    def has(self, year: int) -> bool:
        return self.count(year) > self.count(year - 1)


@dataclass(frozen=True, slots=True)
class Season:
    """A season and its months, numbered from 1, in the order in which they follow each other."""

    name: str
    months: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Holiday:
    """A day of the year with a name; one that moves falls somewhere in `days` days from its month and day on."""

    name: str
    month: int
    day: int
    days: int = 1


@dataclass(frozen=True, slots=True)
class Era:
    """A named count of years; `first` is the calendar year that the era calls one."""

    name: str
    first: int
    backwards: bool = False

    def year(self, number: int) -> int:
        return self.first - (number - 1) if self.backwards else self.first + (number - 1)


@dataclass(frozen=True, slots=True)
class DayPart:
    """A named part of the day; `end` is `start` for an instant, and smaller if midnight lies between."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time: calendar months (which differ in days) and minutes."""

    months: int = 0
    minutes: int = 0

    def __add__(self, other: Length) -> Length:
        return Length(self.months + other.months, self.minutes + other.minutes)

    def __mul__(self, times: int) -> Length:
        return Length(self.months * times, self.minutes * times)

    def __neg__(self) -> Length:
        return self * -1


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """A date of some calendar; month and day count from 1, hour and minute from 0."""

    year: int
    month: int = 1
    day: int = 1
    hour: int = 0
    minute: int = 0


@dataclass(frozen=True)
class Calendar:
    """How one world counts time.

    >>> from narraworld.kb.time.calendar_file import GREGORIAN
    >>> GREGORIAN.minutes(Date(1, 1, 2, 0, 30))
    1470
    >>> GREGORIAN.date(1470)
    Date(year=1, month=1, day=2, hour=0, minute=30)
    >>> GREGORIAN.weekday_of(GREGORIAN.minutes(Date(1805, 10, 21)))
    'Monday'
    """

    months: tuple[Month, ...]
    weekdays: tuple[str, ...]
    parts: tuple[DayPart, ...]
    first_year: int = 1
    first_weekday: int = 0
    minutes_per_hour: int = 60
    hours_per_day: int = 24
    leap: Leap | None = None
    seasons: tuple[Season, ...] = ()
    eras: tuple[Era, ...] = ()
    units: tuple[tuple[str, Length], ...] = ()
    holidays: tuple[Holiday, ...] = ()

    @cached_property
    def minutes_per_day(self) -> int:
        return self.minutes_per_hour * self.hours_per_day

    def days_in_month(self, year: int, month: int) -> int:
        extra = self.leap.days if self.leap and self.leap.month == month and self.leap.has(year) else 0
        return self.months[month - 1].days + extra

    def days_in_year(self, year: int) -> int:
        extra = self.leap.days if self.leap and self.leap.has(year) else 0
        return self._common_year + extra

    def minutes(self, date: Date) -> int:
        """Minutes from the epoch to `date`; a date the calendar does not have is a `CalendarError`."""
        self._check(date)
        before = sum(self.days_in_month(date.year, month) for month in range(1, date.month))
        days = self._days_before(date.year) + before + date.day - 1
        return (days * self.hours_per_day + date.hour) * self.minutes_per_hour + date.minute

    def date(self, minutes: int) -> Date:
        day, minute_of_day = divmod(minutes, self.minutes_per_day)
        year = self._year_of(day)
        day -= self._days_before(year)
        month = 1
        while day >= self.days_in_month(year, month):
            day -= self.days_in_month(year, month)
            month += 1
        return Date(year, month, day + 1, *divmod(minute_of_day, self.minutes_per_hour))

    def weekday_of(self, minutes: int) -> str | None:
        """The weekday's name; None for a calendar without weeks."""
        if not self.weekdays:
            return None
        return self.weekdays[self.weekday_number(minutes)]

    def weekday_number(self, minutes: int) -> int:
        """The place of the weekday in `weekdays`, from 0; the calendar must have weeks."""
        return (minutes // self.minutes_per_day + self.first_weekday) % len(self.weekdays)

    def plus(self, minutes: int, length: Length) -> int:
        """`length` later. A day the target month does not have becomes its last day.

        >>> from narraworld.kb.time.calendar_file import GREGORIAN
        >>> GREGORIAN.date(GREGORIAN.plus(GREGORIAN.minutes(Date(1804, 2, 29)), Length(months=12)))
        Date(year=1805, month=2, day=28, hour=0, minute=0)
        """
        if not length.months:
            return minutes + length.minutes
        date = self.date(minutes)
        years, month = divmod(date.month - 1 + length.months, len(self.months))
        year, month = date.year + years, month + 1
        day = min(date.day, self.days_in_month(year, month))
        return self.minutes(Date(year, month, day, date.hour, date.minute)) + length.minutes

    def _check(self, date: Date) -> None:
        if not 1 <= date.month <= len(self.months):
            raise CalendarError(f"there is no month {date.month}", where="calendar")
        days, name = self.days_in_month(date.year, date.month), self.months[date.month - 1].name
        if not 1 <= date.day <= days:
            raise CalendarError(f"{name} {date.year} has {days} days, not {date.day}", where="calendar")
        if not (0 <= date.hour < self.hours_per_day and 0 <= date.minute < self.minutes_per_hour):
            raise CalendarError(f"there is no {date.hour}:{date.minute:02} in a day", where="calendar")

    @cached_property
    def _common_year(self) -> int:
        return sum(month.days for month in self.months)

    def _days_before(self, year: int) -> int:
        days = (year - self.first_year) * self._common_year
        if self.leap:
            days += self.leap.days * (self.leap.count(year - 1) - self.leap.count(self.first_year - 1))
        return days

    def _year_of(self, day: int) -> int:
        """Guessed without leap days, then nearer by as many years as fit into what is left for certain, however far away."""
        longest = self._common_year + max(0, self.leap.days if self.leap else 0)
        year = self.first_year + day // self._common_year
        while (ahead := self._days_before(year) - day) > 0:
            year -= max(1, ahead // longest)
        while (behind := day - self._days_before(year + 1)) >= 0:
            year += max(1, behind // longest)
        return year
