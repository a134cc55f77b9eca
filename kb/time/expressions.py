"""Time expressions to values: "three days later", "the next morning", "on the 3rd of Frostmoon, 1204".

Words are looked up in a lexicon built from the calendar, so an author's months, weekdays, eras and units
("a sennight later") work like the usual ones. Then small readers take what they know from the front until
nothing is left. What is left over makes the expression `Unplaced`, with the reason: half an understanding
of a date is worse than none. Pure; `when.place` does the rest.

>>> understand("three days later").shift
Shift(least=Length(months=0, minutes=4320), most=Length(months=0, minutes=4320))
>>> understand("March 12, 1805").day
12
>>> understand("when the cows come home")
Unplaced(expression='when the cows come home', why="'when' is not a word of time we know")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from narraworld.kb.time.calendar import Calendar, Date, DayPart, Length
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.cursor import NotUnderstood, TimePhrase, amount, and_a_half, number
from narraworld.kb.time.time_words import FRAME_UNITS, Guesses, TimeWord, lexicon
from narraworld.kb.time.when import CalendarFrame, Shift, Unplaced, When

__all__ = ["understand"]


_GUESSES = Guesses()


@lru_cache(maxsize=4096)
def understand(
    expression: str, calendar: Calendar = GREGORIAN, guesses: Guesses = _GUESSES
) -> When | Unplaced:
    """What `expression` says about time in the words of `calendar`, or why we cannot tell.

    A bare hour ("at half past three") is taken as written unless "p.m." or a part of the day moves it.
    """
    reading = TimePhrase(lexicon(calendar, guesses).words(expression), calendar, guesses)
    try:
        _read(reading)
        _check(reading)
    except NotUnderstood as reason:
        return Unplaced(expression, str(reason))
    return When(expression, _kind(reading), **reading.found)


def _read(reading: TimePhrase) -> None:
    while reading.at < len(reading.words):
        if not any(_tries(reader, reading) for reader in _READERS):
            raise NotUnderstood(_complaint(reading.peek()))
    part: DayPart | None = reading.found.pop("part", None)
    if part is not None:
        _settle_part(reading, part)


def _tries(reader: Callable[[TimePhrase], bool], reading: TimePhrase) -> bool:
    """Let a reader take words; one that did not know what to do with them gives them back."""
    start = reading.at
    if reader(reading):
        return True
    reading.at = start
    return False


def _complaint(word: TimeWord) -> str:
    if word.kind == "unknown":
        return f"'{word.text}' is not a word of time we know"
    return f"we cannot make sense of '{word.text}' here"


def _settle_part(reading: TimePhrase, part: DayPart) -> None:
    """A part of the day says which half of the day an hour belongs to; alone, it is the time itself."""
    found, day = reading.found, reading.calendar.minutes_per_day
    if "start" not in found:
        found |= {"start": part.start, "end": part.end}
        return
    length = (part.end - part.start) % day
    halves = (found["start"], (found["start"] + day // 2) % day)
    found["start"] = next((time for time in halves if (time - part.start) % day <= length), halves[0])


def _kind(reading: TimePhrase) -> Literal["relative", "absolute", "partial"]:
    if reading.found.keys() & {"shift", "frame", "toward"}:
        return "relative"
    return "absolute" if "year" in reading.found else "partial"


# fields that cannot stand together, and what to tell the author
_CLASHES = (
    ("shift", {"year", "month", "day", "season", "frame"}, "it mixes a distance with a date"),
    ("season", {"day", "month"}, "it names a season and a day or month"),
)


def _check(reading: TimePhrase) -> None:
    found = reading.found
    if not found.keys() - {"side", "approximate"}:
        raise NotUnderstood("it says nothing about when")
    for name, others, why in _CLASHES:
        if name in found and found.keys() & others:
            raise NotUnderstood(why)
    if "day" in found:
        _check_day(reading, found["day"], found.get("month"), found.get("year"))


def _check_day(reading: TimePhrase, day: int, month: int | None, year: int | None) -> None:
    calendar = reading.calendar
    if month is None and year is not None:
        raise NotUnderstood("it names a day and a year but no month")
    months = (month,) if month else range(1, len(calendar.months) + 1)
    most = max(_most_days(calendar, each, year) for each in months)
    if not 1 <= day <= most:
        name = calendar.months[month - 1].name if month else "a month"
        raise NotUnderstood(f"{name} has no day {day}")
    weekday = reading.found.get("weekday")
    if month is not None and year is not None and weekday is not None:
        minutes = calendar.minutes(Date(year, month, day))
        if calendar.weekday_number(minutes) != weekday:
            raise NotUnderstood(f"that day is a {calendar.weekday_of(minutes)}")


def _most_days(calendar: Calendar, month: int, year: int | None) -> int:
    if year is not None:
        return calendar.days_in_month(year, month)
    leap = calendar.leap
    return calendar.months[month - 1].days + (leap.days if leap and leap.month == month else 0)


# --- readers: each takes what it knows from the front and says whether it did ---------------------


def _distance(reading: TimePhrase) -> bool:
    """Such as "two years and three days earlier", "a few days later", "after a week", "in three days"."""
    ahead = reading.take("filler", "in") or reading.take("direction", "after")
    lengths = list(_lengths(reading))
    way = reading.take("direction")
    if not lengths or not (way or ahead):
        return False
    least = sum((low for low, _ in lengths), Length())
    most = sum((high for _, high in lengths), Length())
    back = way is not None and way.value in ("earlier", "before", "ago")
    reading.put("shift", Shift(-least, -most) if back else Shift(least, most))
    return True


def _lengths(reading: TimePhrase) -> Iterator[tuple[Length, Length]]:
    """Each "three days" as its least and most; a plural alone ("years") is a guess, "one night" is a day."""
    while True:
        start = reading.at
        reading.take("filler", "and")
        many = amount(reading)
        reading.take("filler", "of")
        unit = reading.take("unit") or (reading.take("part") and _NIGHT)
        if unit is None or not (many or unit.plural):
            reading.at = start
            return
        least, most = many or reading.guesses.plural
        half = and_a_half(reading)  # "an hour and a half"
        length = dict(reading.calendar.units).get(unit.value, Length())  # a moment has no length
        yield _times(length, least + half, reading.calendar), _times(length, most + half, reading.calendar)


_NIGHT = TimeWord("night", "unit", "day")


def _times(length: Length, many: Fraction, calendar: Calendar) -> Length:
    """`many` times `length`; what is left of a broken month becomes minutes of an average one."""
    months, rest = divmod(length.months * many, 1)
    year = sum(month.days for month in calendar.months) * calendar.minutes_per_day
    return Length(int(months), int(length.minutes * many + rest * Fraction(year, len(calendar.months))))


def _clock(reading: TimePhrase) -> bool:
    """Such as "12:40", "half past three", "ten to four p.m.", "three o'clock", "at six"."""
    at = reading.take("filler", "at") is not None
    minutes = _spoken_time(reading, at)
    if minutes is None:
        return False
    if half := reading.take("half of day"):
        noon = reading.calendar.minutes_per_day // 2
        minutes = minutes % noon + (noon if half.value == "pm" else 0)
    reading.put("start", minutes % reading.calendar.minutes_per_day)
    return True


def _spoken_time(reading: TimePhrase, at: bool) -> int | None:
    hour, day = reading.calendar.minutes_per_hour, reading.calendar.hours_per_day
    if clock := reading.take("clock"):
        hours, minutes = clock.value
        return int(hours * hour + minutes) if hours < day and minutes < hour else None
    offset = _offset(reading, hour)
    spoken = number(reading)
    marked = reading.take("o'clock") or reading.peek().kind == "half of day" or offset is not None
    bare = at and reading.peek().kind not in ("month", "unit", "era")
    if spoken is None or spoken > day or not (marked or bare):
        return None
    return spoken * hour + (offset or 0)


def _offset(reading: TimePhrase, hour: int) -> int | None:
    """The "half past" and "ten minutes to" before an hour, as minutes to add to it."""
    start = reading.at
    share = _share_of_hour(reading, hour)
    way = reading.take("past")
    if share is None or way is None:
        reading.at = start
        return None
    return share if way.value == "past" else -share


def _share_of_hour(reading: TimePhrase, hour: int) -> int | None:
    if reading.take("half"):
        return hour // 2
    if reading.take("quarter") or reading.take_texts("a", "quarter"):
        return hour // 4
    minutes = number(reading)
    reading.take("unit", "minute")
    return minutes


def _neighbour(reading: TimePhrase) -> bool:
    """Such as "the next morning", "that same year", "last Monday", "the night before"."""
    step = reading.take("step")
    while reading.take("step", 0):
        pass
    thing = reading.take("unit") or next(filter(None, map(reading.take, _NAMES)), None)
    if thing is None or thing.plural:
        return False
    steps = step.value if step is not None else _trailing_step(reading)
    if steps is None:
        return False
    _put_neighbour(reading, thing, steps)
    return True


def _trailing_step(reading: TimePhrase) -> int | None:
    """The "before" or "after" of "the day before", if nothing that could be its object follows."""
    if reading.peek(1).kind != "end" and reading.peek(1).text != "at":
        return None
    way = reading.take("direction", "before", "after")
    return None if way is None else (-1 if way.value == "before" else 1)


def _put_neighbour(reading: TimePhrase, thing: TimeWord, steps: int) -> None:
    if thing.kind == "part":
        reading.put("frame", CalendarFrame("day", steps))
        reading.put("part", thing.value)
    elif thing.value in FRAME_UNITS:
        reading.put("frame", CalendarFrame(thing.value, steps))
    elif thing.kind == "unit":
        length = dict(reading.calendar.units).get(thing.value, Length()) * steps
        reading.put("shift", Shift(length, length))
    else:
        reading.put(thing.kind, thing.value)
        if steps:
            reading.put("toward", "next" if steps > 0 else "last")


def _fixed(reading: TimePhrase) -> bool:
    """Words that need no other: "yesterday", "tonight", "meanwhile", and the "later" of "later that day"."""
    if word := reading.take("fixed"):
        for name, value in word.value:
            reading.put(name, value)
        return True
    if word := reading.take("direction", "later", "earlier"):
        reading.put("side", word.value)
        return True
    return False


_NAMES = ("month", "weekday", "season", "part")


def _named(reading: TimePhrase) -> bool:
    """Such as "Frostmoon", "Monday", "spring", "noon"."""
    word = next(filter(None, map(reading.take, _NAMES)), None)
    if word is not None:
        reading.put(word.kind, word.value)
    return word is not None


def _ordinal_day(reading: TimePhrase) -> bool:
    """Such as "the 3rd", "twenty-first"."""
    tens = reading.take("number", 20, 30, 40, 50, 60, 70, 80, 90)
    ordinal = reading.take("ordinal")
    if ordinal is None:
        return False
    reading.put("day", ordinal.value + (tens.value if tens else 0))
    return True


def _numbered_day(reading: TimePhrase) -> bool:
    """Such as "12 March", "March 12"; a second number, or one no month is long enough for, is the year."""
    months = range(1, len(reading.calendar.months) + 1)
    longest = max(_most_days(reading.calendar, month, None) for month in months)
    after = reading.peek(-1).kind == "month"
    day = number(reading)
    reading.take("filler", "of")
    if day is None or day > longest or "day" in reading.found:
        return False
    if not (after or reading.peek().kind == "month"):
        return False
    reading.put("day", day)
    return True


def _year(reading: TimePhrase) -> bool:
    """Such as "1805", "the year 1204", "79 AD", "AD 79", "year 3 of the Second Age"."""
    before = reading.peek(-1)
    opened = before.text in ("in", "of") or before.kind in ("month", "ordinal", "number")
    said = reading.take("unit", "year") is not None
    era = reading.take("era")
    year = number(reading)
    while reading.take("filler", "of", "the"):
        pass
    era = reading.take("era") or era
    if year is None or not (opened or said or era or year > 99):
        return False
    reading.put("year", era.value.year(year) if era else year)
    return True


def _filler(reading: TimePhrase) -> bool:
    near = reading.peek(1).kind == "part" and reading.take("direction", "before", "after")  # "before dawn"
    if near or reading.take("about"):
        reading.put("approximate", True)
        return True
    return reading.take("filler") is not None


_READERS: tuple[Callable[[TimePhrase], bool], ...] = (
    _distance,
    _clock,
    _neighbour,
    _fixed,
    _named,
    _ordinal_day,
    _numbered_day,
    _year,
    _filler,
)
