"""Author-defined calendars: a table, as TOML has them, checked and turned into a `Calendar`.

What a table leaves out is Gregorian, unless it hangs on the months. Never touches files or the store: the
caller brings the table.

    months = [{name = "Frostmoon", days = 30}, {name = "Thaw", days = 31}]
    weekdays = ["Firstday", "Seconday", "Thirdday"]      # default: Monday … Sunday
    first_weekday = "Seconday"                           # weekday of minute 0; default: the first of the list
    hour = 60                                            # minutes
    day = 24                                             # hours
    leap = {every = 4, except = 100, unless = 400, month = "Thaw", days = 1}
    seasons = {winter = ["Frostmoon"]}                   # months in the order in which they follow each other
    eras = {AC = 1, BC = {first = 0, backwards = true}}  # the year that is the era's year one
    parts = {noon = "12:00", night = "21:00-05:00"}      # an instant or a stretch of the day
    units = {sennight = "7 days", "great year" = "12 years"}
    holidays = {Longnight = "30 Frostmoon", Carnival = "1 Thaw, 10 days"}  # one that moves lies within so many days
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from narraworld.kb.english import usual_calendar
from narraworld.kb.time.calendar import (
    Calendar,
    CalendarError,
    Date,
    DayPart,
    Era,
    Holiday,
    Leap,
    Length,
    Month,
    Season,
)

__all__ = ["GREGORIAN", "Calendar", "CalendarError", "Date", "Length", "calendar_from"]

_USUAL = usual_calendar()
_OF_MONTHS = ("months", "leap", "seasons", "eras", "holidays")  # that go with the months they speak of
_KEYS = (
    "months",
    "weekdays",
    "first_weekday",
    "first_year",
    "hour",
    "day",
    "leap",
    "seasons",
    "eras",
    "parts",
    "units",
    "holidays",
)


def calendar_from(table: Mapping[str, Any]) -> Calendar:
    """Read and check a calendar.

    >>> thaw = calendar_from({"months": [{"name": "Frostmoon", "days": 30}, {"name": "Thaw", "days": 31}]})
    >>> thaw.date(40 * 24 * 60)
    Date(year=1, month=2, day=11, hour=0, minute=0)
    """
    return _Table(table).calendar()


class _Table:
    """A calendar table on its way to becoming a `Calendar`; every complaint names the key."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        for key in table:
            if key not in _KEYS:
                raise _bad(str(key), "is not a key of a calendar", _did_you_mean(str(key), _KEYS))
        # Leap days, seasons and eras speak of months, so they come from the same place as the months.
        self.table = table if "months" in table else {**{key: _USUAL[key] for key in _OF_MONTHS}, **table}

    def calendar(self) -> Calendar:
        months, weekdays = self.months(), self.weekdays()
        hour, day = (_whole(key, self.table.get(key, usual), 1) for key, usual in (("hour", 60), ("day", 24)))
        names = [month.name for month in months]
        first = self.table.get("first_weekday", weekdays[0] if weekdays else None)
        return Calendar(
            months=months,
            weekdays=weekdays,
            parts=self.parts(hour, day),
            first_year=_whole("first_year", self.table.get("first_year", 1)),
            first_weekday=_index("first_weekday", first, weekdays) if weekdays else 0,
            minutes_per_hour=hour,
            hours_per_day=day,
            leap=self.leap(names),
            seasons=tuple(_season(name, value, names) for name, value in self.group("seasons")),
            eras=tuple(_era(name, value) for name, value in self.group("eras")),
            units=self.units(Length(minutes=hour), Length(minutes=hour * day), len(months), len(weekdays)),
            holidays=tuple(_holiday(name, value, months) for name, value in self.group("holidays")),
        )

    def group(self, key: str) -> Iterable[tuple[str, Any]]:
        return _mapping(key, self.table.get(key, {})).items()

    def months(self) -> tuple[Month, ...]:
        given = self.table["months"]
        if not isinstance(given, (list, tuple)) or not given:
            raise _bad("months", "must be a list of at least one month", '[{name = "Frostmoon", days = 30}]')
        rows = [_mapping(f"months[{place}]", row) for place, row in enumerate(given)]
        months = tuple(
            Month(
                _word(f"months[{place}].name", row.get("name")),
                _whole(f"months[{place}].days", row.get("days"), 1),
            )
            for place, row in enumerate(rows)
        )
        _distinct("months", (month.name for month in months))
        return months

    def weekdays(self) -> tuple[str, ...]:
        given = self.table.get("weekdays", _USUAL["weekdays"])
        if not isinstance(given, (list, tuple)):
            raise _bad("weekdays", "must be a list of names, empty for a world without weeks")
        names = tuple(_word(f"weekdays[{place}]", name) for place, name in enumerate(given))
        _distinct("weekdays", names)
        return names

    def leap(self, months: list[str]) -> Leap | None:
        if "leap" not in self.table:
            return None
        rule = _mapping("leap", self.table["leap"])
        for key in rule:
            if key not in ("every", "except", "unless", "month", "days"):
                raise _bad(f"leap.{key}", "is not part of a leap rule", "every, except, unless, month, days")
        every = _whole("leap.every", rule.get("every"), 1)
        skips = _whole("leap.except", rule["except"], 1) if "except" in rule else None
        keeps = _whole("leap.unless", rule["unless"], 1) if "unless" in rule else None
        _nested("leap.except", skips, every)
        _nested("leap.unless", keeps, skips)
        month = _index("leap.month", rule.get("month"), months) + 1
        return Leap(every, month, skips, keeps, _whole("leap.days", rule.get("days", 1), 1))

    def parts(self, hour: int, day: int) -> tuple[DayPart, ...]:
        if "parts" in self.table:
            return tuple(_part(name, text, hour, day) for name, text in self.group("parts"))
        usual = (_part(name, text, 60, 24) for name, text in _USUAL["parts"].items())
        return tuple(DayPart(p.name, p.start * hour * day // 1440, p.end * hour * day // 1440) for p in usual)

    def units(self, hour: Length, day: Length, year: int, week: int) -> tuple[tuple[str, Length], ...]:
        """The usual units, then the author's, each of which may build on those before it."""
        known = {
            "minute": Length(minutes=1),
            "hour": hour,
            "day": day,
            "month": Length(1),
            "year": Length(year),
        }
        known |= {"decade": Length(10 * year), "century": Length(100 * year)}
        if week:
            known |= {"week": day * week, "fortnight": day * week * 2}
        for name, text in self.group("units"):
            known[name.casefold()] = _unit(f"units.{name}", text, known)
        return tuple(known.items())


def _bad(key: str, complaint: str, fix: str | None = None) -> CalendarError:
    return CalendarError(f"{key} {complaint}", where="calendar", fix=fix)


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    known = tuple(known)
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else f"one of: {', '.join(known)}"


def _whole(key: str, value: object, least: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        raise _bad(
            key, f"must be a whole number{'' if least is None else f' of at least {least}'}, not {value!r}"
        )
    return value


def _word(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _bad(key, f"must be a name, not {value!r}")
    return value.strip()


def _mapping(key: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _bad(key, f"must be a table, not {value!r}")
    return value


def _distinct(key: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise _bad(key, f"names {name} twice")
        seen.add(name.casefold())


def _index(key: str, name: object, known: Iterable[str]) -> int:
    known = tuple(known)
    word = _word(key, name)
    for place, candidate in enumerate(known):
        if candidate.casefold() == word.casefold():
            return place
    raise _bad(key, f"names {word}, which is not in the list", _did_you_mean(word, known))


def _nested(key: str, inner: int | None, outer: int | None) -> None:
    """An exception must fall on years of the rule it excepts from, or counting leap years goes wrong."""
    if inner is not None and (outer is None or inner % outer):
        raise _bad(key, f"must be a multiple of the rule it is an exception to, not {inner}")


def _season(name: str, value: object, months: list[str]) -> Season:
    if not isinstance(value, (list, tuple)) or not value:
        raise _bad(f"seasons.{name}", "must be a list of months")
    numbers = tuple(_index(f"seasons.{name}", month, months) + 1 for month in value)
    if any(later != earlier % len(months) + 1 for earlier, later in pairwise(numbers)):
        raise _bad(f"seasons.{name}", "must list months that follow each other")
    return Season(name, numbers)


def _era(name: str, value: object) -> Era:
    if isinstance(value, Mapping):
        first = _whole(f"eras.{name}.first", value.get("first"))
        return Era(name, first, backwards=value.get("backwards") is True)
    return Era(name, _whole(f"eras.{name}", value))


def _holiday(name: str, value: object, months: tuple[Month, ...]) -> Holiday:
    """Such as "24 June", or "22 March, 35 days" for one that moves."""
    key = f"holidays.{name}"
    date, _, room = _word(key, value).partition(",")
    day, _, month = date.strip().partition(" ")
    number = _index(key, month or date, [each.name for each in months])
    days = room.strip().removesuffix("days").strip() or "1"
    if not (day.isdecimal() and days.isdecimal() and 1 <= int(day) <= months[number].days and int(days)):
        raise _bad(key, f"must be a day such as '24 June' or '22 March, 35 days', not {value!r}")
    return Holiday(name, number + 1, int(day), int(days))


def _part(name: str, text: object, hour: int, day: int) -> DayPart:
    key = f"parts.{name}"
    start, _, end = _word(key, text).partition("-")
    first = _time_of_day(key, start, hour, day)
    return DayPart(name, first, _time_of_day(key, end, hour, day) if end else first)


def _time_of_day(key: str, text: str, hour: int, day: int) -> int:
    hours, _, minutes = text.strip().partition(":")
    if not (hours.isdecimal() and minutes.isdecimal() and int(hours) < day and int(minutes) < hour):
        raise _bad(key, f"must be a time of day such as 06:00 or 06:00-12:00, not {text!r}")
    return int(hours) * hour + int(minutes)


def _unit(key: str, text: object, known: Mapping[str, Length]) -> Length:
    number, _, name = _word(key, text).partition(" ")
    unit = known.get(name.casefold()) or known.get(name.casefold().removesuffix("s"))
    if not number.isdecimal() or unit is None:
        raise _bad(key, f"must be a number of known units such as '7 days', not {text!r}")
    return unit * int(number)


GREGORIAN = calendar_from({})
