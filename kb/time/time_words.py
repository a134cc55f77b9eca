"""The words of time: tables of numbers, units, directions and parts, with the names of one calendar added.

`expressions.py` reads with it. Tables and a look-up, no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import Guesses
from narraworld.kb.english import wordmap, wordrow, wordset
from narraworld.kb.time.calendar import Calendar, DayPart, Length
from narraworld.kb.time.when import CalendarFrame, Shift

__all__ = ["FRAME_UNITS", "Guesses", "TimeLexicon", "TimeWord", "lexicon", "number_of", "number_word"]

FRAME_UNITS = ("day", "week", "month", "year")
LONGEST = (
    12  # signs of a number in a text: no date is longer, and Python reads no number of thousands of digits
)


@dataclass(frozen=True, slots=True)
class TimeWord:
    """A word or phrase of an expression: its text, what kind of word it is, and what it stands for."""

    text: str
    kind: str
    value: Any = None
    plural: bool = False


_SMALL = wordrow("numbers.ones")
_TENS = wordrow("numbers.tens")
_ORDINALS = wordrow("numbers.ordinals")
_NUMBERS = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "a": 1,
    "an": 1,
}


def number_of(word: str) -> int | None:
    """What a counting word counts, below a hundred: `two`, `second`, `twenty-one`."""
    tens, _, ones = word.casefold().partition("-")
    if ones:
        return (
            10 * (_TENS.index(tens) + 2) + _SMALL.index(ones)
            if tens in _TENS and ones in _SMALL[1:10]
            else None
        )
    if tens in _ORDINALS:
        return _ORDINALS.index(tens) + 1
    return _NUMBERS.get(tens) if tens not in ("a", "an") else None


def number_word(number: int) -> str:
    """The word for a small number, the digits of a larger one."""
    return _SMALL[number] if 0 <= number <= 12 else str(number)


_STEPS = {"next": 1, "this": 0, "last": -1}

# kind of word → {phrase: what it stands for}; the same for every calendar
_WORDS: dict[str, dict[str, Any]] = {
    "number": _NUMBERS,
    "scale": dict(wordmap("time.scales")),
    "ordinal": {**{word: value for value, word in enumerate(_ORDINALS, 1)}, "thirtieth": 30},
    "direction": dict(wordmap("time.direction")),
    "step": {word: _STEPS[step] for word, step in wordmap("time.step").items()},
    "fixed": {
        **{
            word: (("frame", CalendarFrame("day", days)),) for word, days in wordmap("time.days_away").items()
        },
        **dict.fromkeys(wordrow("time.at_once"), (("shift", Shift(Length(), Length())),)),
    },
    "half": {"half": True},
    "quarter": {"quarter": True},
    "past": {"past": "past", "to": "to"},
    "o'clock": {"o'clock": True, "oclock": True},
    "half of day": {"am": "am", "pm": "pm"},
    "about": dict.fromkeys(wordrow("time.about")),
    "filler": {**{word: word for word in wordrow("time.filler")}, **wordmap("time.other_fillers")},
    "zero": {"oh": 0},
    "moon": dict(wordmap("time.moons")),
}
_MOMENTS = wordrow("time.moments")


@dataclass(frozen=True)
class TimeLexicon:
    """Phrase → word; phrases are tuples of lower-case words, `longest` is the length of the longest."""

    phrases: dict[tuple[str, ...], TimeWord]
    longest: int

    def words(self, expression: str) -> tuple[TimeWord, ...]:
        """The expression cut into known words, longest phrases first; unknown ones say so."""
        return tuple(self._cut(_split(expression)))

    def _cut(self, texts: list[str]) -> Iterator[TimeWord]:
        at = 0
        while at < len(texts):
            sizes = range(min(self.longest, len(texts) - at), 0, -1)
            size = next((size for size in sizes if tuple(texts[at : at + size]) in self.phrases), 0)
            yield self.phrases[tuple(texts[at : at + size])] if size else _literal(texts[at])
            at += size or 1


@lru_cache(maxsize=32)
def lexicon(calendar: Calendar, guesses: Guesses) -> TimeLexicon:
    """The words of time of one calendar; the calendar's own names win over the common words."""
    words = [TimeWord(text, kind, value) for kind, table in _WORDS.items() for text, value in table.items()]
    words += _vague_words(guesses)
    words += _calendar_words(calendar)
    phrases = {tuple(_split(word.text)): word for word in words}
    return TimeLexicon(phrases, max(map(len, phrases)))


def _vague_words(guesses: Guesses) -> Iterator[TimeWord]:
    for name in wordrow("time.vague"):
        yield TimeWord(name, "vague", getattr(guesses, name))


def _calendar_words(calendar: Calendar) -> Iterator[TimeWord]:
    """The calendar's names; nights count days and winters count years when there are several of them."""
    for part in calendar.parts:
        yield from _part_words(part)
    for season in calendar.seasons:
        yield TimeWord(season.name, "season", season)
        yield TimeWord(_plural(season.name), "unit", "year", plural=True)
    for unit in [name for name, _ in calendar.units]:
        yield TimeWord(unit, "unit", unit)
        yield TimeWord(_plural(unit), "unit", unit, plural=True)
    for moment in _MOMENTS:
        yield TimeWord(moment, "unit", "moment")
        yield TimeWord(_plural(moment), "unit", "moment", plural=True)
    yield TimeWord("seconds", "unit", "moment", plural=True)
    yield from (TimeWord(holiday.name, "holiday", holiday) for holiday in calendar.holidays)
    yield from (TimeWord(era.name, "era", era) for era in calendar.eras)
    yield from (TimeWord(weekday, "weekday", number) for number, weekday in enumerate(calendar.weekdays))
    yield from (TimeWord(month.name, "month", number) for number, month in enumerate(calendar.months, 1))


def _part_words(part: DayPart) -> Iterator[TimeWord]:
    yield TimeWord(part.name, "part", part)
    yield TimeWord(_plural(part.name), "unit", "day", plural=True)
    if part.name == "night":
        for tonight in wordrow("time.tonight"):
            yield TimeWord(tonight, "fixed", (("frame", CalendarFrame("day", 0)), ("part", part)))


def _plural(name: str) -> str:
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"


_DOTTED = re.compile(r"(?<=\d)\.(?=\d\d\b)")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_MILITARY = re.compile(r"0(\d)([0-5]\d)")


def _split(text: str) -> list[str]:
    """Lower-case words; commas, hyphens and the dots of "a.m." are not part of them, those of "9.30" are its colon."""
    plain = _ISO.sub(r"\1/\2/\3", text.casefold().replace("’", "'"))
    plain = _DOTTED.sub(":", plain).replace(".", "")
    return "".join(" " if mark in ',;-–—!?()"“”' else mark for mark in plain).split()


def _literal(text: str) -> TimeWord:
    """Digits: "1805", "3rd", "12:40"; anything else, and what is far too long, is unknown."""
    if len(text) > LONGEST:
        return TimeWord(text, "unknown")
    clock = _clock(text)
    if clock is not None:
        return TimeWord(text, "clock", clock)
    if text.isdecimal():
        return TimeWord(text, "number", int(text))
    if text[4:5] == "/" and text.replace("/", "").isdecimal():
        return TimeWord(text, "iso", tuple(map(int, text.split("/"))))
    if text[:-2].isdecimal() and text[-2:] in wordset("numbers.ordinal_endings"):
        return TimeWord(text, "ordinal", int(text[:-2]))
    return TimeWord(text, "unknown")


def _clock(text: str) -> tuple[int, int] | None:
    """Hour and minute of "0600", "12:40", "6pm"."""
    if military := _MILITARY.fullmatch(text):
        return int(military[1]), int(military[2])
    hours, colon, minutes = text.partition(":")
    if colon and hours.isdecimal() and minutes.isdecimal():
        return int(hours), int(minutes)
    if text[:-2].isdecimal() and text[-2:] in ("am", "pm"):
        return int(text[:-2]) % 12 + (12 if text.endswith("pm") else 0), 0
    return None
