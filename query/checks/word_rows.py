"""What words mean beyond themselves: numbers and lengths of time, parts of names, dates.

Rules compare; they cannot spell. Whatever a check needs to know about a word is worked out here, from base rows, into rows
of the relations that `rules/checks/findings.dl` declares `from words`. Pure: asks nothing, writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import combining, normalize

from narraworld.kb.time.calendar import Calendar, Date
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.when import Unplaced, When
from narraworld.rules.language.ir import Row

__all__ = ["RELATIONS", "amount_of", "date_rows", "is_rough", "name_parts", "value_rows"]

RELATIONS = (
    "amount", "about_so", "one_letter_off", "name_part", "no_such_day", "spelled_day", "spelled_month", "spelled_season",
    "month_of", "clash", "within_a_day",
)  # fmt: skip


def _words(text: str) -> list[str]:
    return text.split()


TITLES = frozenset(
    _words(
        "mr mrs miss ms dr sir lady lord madame mademoiselle monsieur captain colonel major general lieutenant sergeant corporal "
        "commander admiral aunt uncle king queen prince princess professor father mother sister brother inspector detective "
        "count countess duke duchess baron baroness rev reverend master mistress doctor judge mayor president senator elder chief "
        "nurse officer agent saint st old young little grandpa grandma emperor empress tsar tsarina czar czarina sultan pope cardinal "
        "bishop abbot abbess marshal governor marquis marquise marquess viscount viscountess vicomte comte comtesse"
    )
)
SMALL = {
    word: number
    for number, word in enumerate(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * number
    for number, word in enumerate(_words("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
ROUGH = frozenset(
    _words(
        "about around nearly almost roughly some approximately perhaps maybe over under more less least most dozens hundreds "
        "thousands several few many couple circa barely early late mid"
    )
)
METRES = {
    "metre": 1,
    "meter": 1,
    "yard": 1,
    "kilometre": 1000,
    "kilometer": 1000,
    "mile": 1609,
    "league": 4828,
}
PATRONYMIC = re.compile(
    r"(?:[oe]v(?:i?ch|na)|[nty]ich|inichna)$"
)  # Petrovich, Petrovna: a father's name, not the family's
_WORD = re.compile(r"[^\W\d_]+|\d[\d,]*")


# -- numbers


def amount_of(text: str, calendar: Calendar) -> int | None:
    """The whole number a value stands for; lengths of time in minutes, distances in metres.

    >>> from narraworld.kb.time.calendar_file import GREGORIAN
    >>> amount_of("twenty-one", GREGORIAN), amount_of("three days", GREGORIAN), amount_of("2 miles", GREGORIAN)
    (21, 4320, 3218)
    """
    words = [word.lower() for word in _WORD.findall(text) if word.lower() not in ROUGH]
    unit = words[-1].removesuffix("s") if words else ""
    if unit in METRES:
        number = _number(words[:-1])
        return None if number is None else number * METRES[unit]
    number = _number(words)
    return number if number is not None else _minutes(text, calendar)


def is_rough(text: str) -> bool:
    """Whether the words leave room: `about forty`, `dozens`."""
    return any(word.lower() in ROUGH for word in _WORD.findall(text))


def _number(words: Iterable[str]) -> int | None:
    whole, part, seen = 0, 0, False
    for word in words:
        if word in ("and", "a"):
            continue
        if word[0].isdigit():
            part += int(word.replace(",", ""))
        elif word in SMALL or word in TENS:
            part += SMALL.get(word, TENS.get(word, 0))
        elif word == "hundred":
            part = max(part, 1) * LARGE[word]
        elif word in LARGE:
            whole, part = whole + max(part, 1) * LARGE[word], 0
        else:
            return None
        seen = True
    return whole + part if seen else None


def _minutes(text: str, calendar: Calendar) -> int | None:
    when = understand(f"{text} later", calendar)
    if not isinstance(when, When) or when.shift is None:
        return None
    least = when.shift.least
    return least.minutes if not least.months else calendar.plus(0, least)


def value_rows(propositions: Iterable[Row], calendar: Calendar) -> Iterator[tuple[str, Row]]:
    """Amounts of the propositions whose value is one; only those can be told by `:` in their notation."""
    for row in propositions:
        text = str(row[3])
        if f".{row[2]}:" not in str(row[0]) or (number := amount_of(text, calendar)) is None:
            continue
        yield "amount", (str(row[0]), number)
        if is_rough(text):
            yield "about_so", (str(row[0]),)


# -- names


def name_parts(name: str) -> Iterator[tuple[str, str]]:
    """Title, given and family name, and the whole without title; nothing for what is not a proper name.

    >>> dict(name_parts("Captain Ines Corvo"))
    {'title': 'captain', 'whole': 'Ines Corvo', 'given': 'Ines', 'family': 'Corvo'}
    """
    words = name.replace("’", "'").removesuffix("'s").split()
    titles = [word for word in words if word.lower().rstrip(".") in TITLES]
    own = [word for word in words if word not in titles]
    if not own or not all(word[:1].isupper() for word in own) or not all(_is_word(word) for word in own):
        return
    if titles and words[0] == titles[0]:
        yield "title", titles[0].lower().rstrip(".")
    yield "whole", " ".join(own)
    if len(own) == 2:
        yield "given", own[0]
        if not PATRONYMIC.search(_without_accents(own[1])):
            yield "family", own[1]
    elif len(own) == 1:
        yield "single", own[0]


def _without_accents(word: str) -> str:
    return "".join(sign for sign in normalize("NFKD", word) if not combining(sign))


def _is_word(word: str) -> bool:
    return word.replace("-", "").replace("'", "").isalpha()


# -- dates


def date_rows(expressions: Iterable[str], calendar: Calendar) -> Iterator[tuple[str, Row]]:
    """What each expression of time names, or why there is no such day."""
    for expression in set(expressions):
        when = understand(expression, calendar)
        if isinstance(when, Unplaced):
            if when.why.startswith("that day is") or " has no day " in when.why:
                yield "no_such_day", (expression, when.why)
            continue
        if when.year is not None and when.month is not None and when.day is not None:
            minutes = calendar.minutes(Date(when.year, when.month, when.day))
            yield "spelled_day", (expression, minutes // calendar.minutes_per_day)
        if not any(
            (when.shift, when.frame, when.year, when.month, when.day, when.weekday, when.season, when.holiday)
        ):
            yield "within_a_day", (expression,)
        if when.month is not None:
            yield "spelled_month", (expression, when.month)
        if when.season is not None:
            yield "spelled_season", (expression, when.season.name)
    for season in calendar.seasons:
        for month in season.months:
            yield "month_of", (season.name, month)
