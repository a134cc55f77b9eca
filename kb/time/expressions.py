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

from narraworld.kb.english import wordrow, wordset
from narraworld.kb.time.calendar import Calendar, Date, DayPart, Length
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.clock_phrases import clock, clock_range
from narraworld.kb.time.cursor import NoSuchDay, NotUnderstood, TimePhrase, amount, and_a_half, number
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
        return Unplaced(expression, str(reason), isinstance(reason, NoSuchDay))
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
    ("holiday", {"day", "month", "season"}, "it names a holiday and another day"),
    ("count", {"day", "month", "season", "shift", "year"}, "it counts days and names another"),
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
        raise NoSuchDay(f"{name} has no day {day}")
    if month is not None and year is not None:
        _check_weekday(reading, Date(year, month, day))


def _check_weekday(reading: TimePhrase, date: Date) -> None:
    calendar, weekday = reading.calendar, reading.found.get("weekday")
    if weekday is None:
        return
    minutes = calendar.minutes(date)
    if calendar.weekday_number(minutes) != weekday:
        raise NoSuchDay(f"that day is a {calendar.weekday_of(minutes)}")


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
    back = way is not None and way.value in wordset("time.backwards")
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


def _neighbour(reading: TimePhrase) -> bool:
    """Such as "the next morning", "that same year", "last Monday", "the night before"."""
    step = reading.take("step")
    while reading.take("step", 0):
        pass
    thing = reading.take("unit") or next(filter(None, map(reading.take, _NAMES)), None)
    if thing is None or thing.plural:
        return False
    beyond = None if step is not None else _step_beyond(reading)
    steps = step.value if step is not None else beyond or _trailing_step(reading)
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


def _step_beyond(reading: TimePhrase) -> int | None:
    """The "before last" of "the year before last", the "after next" of "the week after next"."""
    for words, steps in ((("before", "last"), -2), (("after", "next"), 2)):
        if reading.take_texts(*words):
            return steps
    return None


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
_OTHER_NAMES = ("holiday", "moon")
_NO_SEASON = [tuple(words.split()) for words in wordrow("time.no_season")]


def _named(reading: TimePhrase) -> bool:
    """Such as "Frostmoon", "Monday", "spring", "noon", "Christmas", "full moon"."""
    behind = tuple(reading.peek(-ahead).text for ahead in (2, 1, 0))
    if behind in _NO_SEASON:
        return False
    word = next(filter(None, map(reading.take, (*_NAMES, *_OTHER_NAMES))), None)
    if word is not None:
        reading.put(word.kind, word.value)
    return word is not None


def _counted_day(reading: TimePhrase) -> bool:
    """Such as "Day 9", "day nine": the days are counted from a beginning that only the story knows."""
    if reading.take("unit", "day") is None:
        return False
    days = None if reading.peek().text in ("a", "an") else number(reading)
    if days is None or reading.peek().kind != "end":
        return False
    reading.put("count", days)
    return True


def _nth_weekday(reading: TimePhrase) -> bool:
    """Such as "the second Friday": no day of the month."""
    nth = reading.take("ordinal")
    weekday = nth and reading.take("weekday")
    if nth is None or weekday is None:
        return False
    reading.put("nth", nth.value)
    reading.put("weekday", weekday.value)
    return True


def _iso_date(reading: TimePhrase) -> bool:
    """Such as "1987-03-12"."""
    date = reading.take("iso")
    if date is None:
        return False
    for name, value in zip(("year", "month", "day"), date.value, strict=True):
        reading.put(name, value)
    if not 1 <= date.value[1] <= len(reading.calendar.months):
        raise NotUnderstood(f"there is no month {date.value[1]}")
    return True


LAST_RANK = 3  # up to here an ordinal that stands alone ranks more often than it dates


def _ordinal_day(reading: TimePhrase) -> bool:
    """Such as "the 3rd", "twenty-first"."""
    tens = reading.take("number", 20, 30, 40, 50, 60, 70, 80, 90)
    ordinal = reading.take("ordinal")
    if reading.peek().kind in ("part", "season"):  # "the second night" is no day of the month
        return False
    ranked = ordinal is not None and len(reading.words) == 2 and ordinal.value <= LAST_RANK  # "the second"
    if ordinal is None or (ranked and reading.peek(-2).text == "the"):
        return False
    said = ordinal.value + (tens.value if tens else 0)
    month = "day" in reading.found and said <= len(reading.calendar.months)  # "the second of the ninth"
    reading.put("month" if month else "day", said)
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
    opened = reading.peek(-1).kind == "month" or "month" in reading.found
    said = reading.take("unit", "year") is not None
    before = reading.take("era")
    year = _spoken_year(reading) or number(reading)
    while reading.take("filler", "of", "the"):
        pass
    era = reading.take("era") or before
    if year is None or not (year >= FIRST_BARE_YEAR or any((opened, said, era))):
        return False
    reading.put("year", era.value.year(year) if era else year)
    return True


FIRST_BARE_YEAR = 1000  # a smaller number is a year only beside "year", an era or a month
CENTURIES = range(10, 21)


def _spoken_year(reading: TimePhrase) -> int | None:
    """Such as "nineteen ninety-five", "nineteen oh four"."""
    start = reading.at
    century = reading.take("number", *CENTURIES)
    zero = century and reading.take("zero")
    rest = number(reading) if century else None
    least, most = (1, 9) if zero else (10, 99)
    if century is None or rest is None or not least <= rest <= most:
        reading.at = start
        return None
    return int(century.value) * 100 + rest


def _filler(reading: TimePhrase) -> bool:
    bound = reading.peek(1).kind in (*_NAMES, "holiday") and reading.take("direction", "before", "after")
    if bound or reading.take("about") or reading.take("filler", *_BOUNDS):  # "before dawn", "by Monday"
        reading.put("approximate", True)
        return True
    return reading.take("filler") is not None or _free_place(reading)


_BOUNDS = wordrow("time.bounds")


def _free_place(reading: TimePhrase) -> bool:
    """What a name of time may be dressed with: "a Thursday", "one dark evening"."""
    free = _is_article(reading) or _is_adjective(reading)
    reading.at += free
    return free


def _is_article(reading: TimePhrase) -> bool:
    following = reading.peek(1).kind
    dressed = following in _NAMES or (following == "unknown" and reading.peek(2).kind in _NAMES)
    return reading.peek().text in wordset("time.articles") and (dressed or following in ("moon", "about"))


def _is_adjective(reading: TimePhrase) -> bool:
    """A plain word inside a phrase, just before a name of time."""
    word = reading.peek()
    plain = word.kind == "unknown" and word.text.isalpha() and word.text not in _NO_ADJECTIVE
    return plain and reading.at > 0 and reading.peek(1).kind in _NAMES


_NO_ADJECTIVE = wordset("time.no_adjective")


_READERS: tuple[Callable[[TimePhrase], bool], ...] = (
    clock_range,
    _distance,
    clock,
    _neighbour,
    _fixed,
    _counted_day,
    _nth_weekday,
    _named,
    _iso_date,
    _ordinal_day,
    _numbered_day,
    _year,
    _filler,
)
