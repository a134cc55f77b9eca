"""What words mean beyond themselves: numbers and lengths of time, parts of names, dates.

Rules compare; they cannot spell. Whatever a check needs to know about a word is worked out here, from base rows, into rows
of the relations that `rules/checks/findings.dl` declares `from words`. Pure: asks nothing, writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import combining, normalize

from narraworld.kb.english import wordmap, wordset
from narraworld.kb.name_words import TITLES
from narraworld.kb.numbers import whole_number
from narraworld.kb.time.calendar import Calendar, Date
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.when import Unplaced, When
from narraworld.ontology.respects import respects
from narraworld.rules.language.ir import Row, Value

__all__ = [
    "RELATIONS",
    "amount_of",
    "date_rows",
    "is_rough",
    "lasting_times",
    "name_parts",
    "named_doers",
    "times_told",
    "told_back",
    "told_words",
    "uses_noticed",
    "value_rows",
]

RELATIONS = (
    "amount", "about_so", "for_good", "one_letter_off", "name_part", "no_such_day", "spelled_day", "spelled_month", "spelled_season",
    "spelled_year", "spelled_weekday", "first_of_month", "long_after", "words_of", "told_back", "by_name", "misspelled", "month_of", "clash", "within_a_day", "noticed_only", "goes_on", "garment", "another_day", "misdated", "year_beside",
)  # fmt: skip


ROUGH = wordset("values.rough")
METRES: Mapping[str, int] = wordmap("values.metres")
MONTHS = 2  # after which things may be otherwise for no reason told
LONG = wordset("values.long_ago")
FOR_GOOD = wordset("values.for_good")
NOTICING, USE = tuple(wordset("values.noticing")), "use"
GOING_ON, WHEN = tuple(f"{word} " for word in wordset("values.going_on")), "when"
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
        number = whole_number(words[:-1])
        return None if number is None else number * METRES[unit]
    number = whole_number(words)
    return number if number is not None else _minutes(text, calendar)


def is_rough(text: str) -> bool:
    """Whether the words leave room: `about forty`, `dozens`."""
    return any(word.lower() in ROUGH for word in _WORD.findall(text))


def _minutes(text: str, calendar: Calendar) -> int | None:
    when = understand(f"{text} later", calendar)
    if not isinstance(when, When) or when.shift is None:
        return None
    least = when.shift.least
    return least.minutes if not least.months else calendar.plus(0, least)


def value_rows(
    propositions: Iterable[Row], normal: Iterable[Row], numbers: Iterable[Row], calendar: Calendar
) -> Iterator[tuple[str, Row]]:
    """Amounts: of normal forms their number, of propositions that of their normal form, else what their value spells; and what no time heals.

    Only values can be told by `:` in their notation.
    """
    known = _exact_numbers(normal, numbers)
    yield from (("amount", (matter, number)) for matter, number in known.items())
    for row in propositions:
        text = str(row[3])
        if f".{row[2]}:" in str(row[0]) and FOR_GOOD.intersection(_WORD.findall(text.lower())):
            yield "for_good", (str(row[0]),)
        if row[0] in known or f".{row[2]}:" not in str(row[0]) or _is_no_length(str(row[2]), text):
            continue
        if (number := amount_of(text, calendar)) is not None:
            yield "amount", (str(row[0]), number)
            if is_rough(text):
                yield "about_so", (str(row[0]),)


def _is_no_length(respect: str, text: str) -> bool:
    """Whether a way is given in something else than a length: a mill `five minutes` off is not nearer than one a mile off."""
    row = respects().named(respect)
    words = text.lower().split()
    return (
        row is not None
        and row.value == "length"
        and bool(words)
        and words[-1].removesuffix("s") not in METRES
    )


def _exact_numbers(normal: Iterable[Row], numbers: Iterable[Row]) -> dict[str, int]:
    """The one number of a normal form, and of a proposition that says just that."""
    exact = {str(row[0]): int(row[3]) for row in numbers if row[3] == row[4]}
    own = {str(row[0]): exact[str(row[2])] for row in normal if str(row[2]) in exact and _says_so(row)}
    return exact | own


def _says_so(row: Row) -> bool:
    return row[1] == "yes" and _same(row)


def _same(row: Row) -> bool:
    """Whether a normal form speaks of what its proposition's predicate speaks of, and of nothing narrower."""
    named = respects().named(str(row[0]).partition(".")[2].partition(":")[0])
    return named is not None and named.name == row[6]


# -- names


def name_parts(name: str) -> Iterator[tuple[str, str]]:
    """Title, given and family name, and the whole without title; nothing for what is not a proper name.

    >>> dict(name_parts("Captain Ines Corvo"))
    {'title': 'captain', 'whole': 'Ines Corvo', 'given': 'Ines', 'family': 'Corvo'}
    """
    words = name.replace("’", "'").removesuffix("'s").split()
    titles = [word for word in words if word.lower().rstrip(".") in TITLES]
    own = [word for word in words if word not in titles]
    if not own or not all(map(_is_proper, own)):
        return
    if titles and words[0] == titles[0]:
        yield "title", titles[0].lower().rstrip(".")
    yield "whole", " ".join(own)
    yield from _given_and_family(own)


def _is_proper(word: str) -> bool:
    return word[:1].isupper() and _is_word(word)


def _given_and_family(own: list[str]) -> Iterator[tuple[str, str]]:
    match own:
        case [single]:
            yield "single", single
        case [given, family]:
            yield "given", given
            if not PATRONYMIC.search(_without_accents(family)):
                yield "family", family


def _without_accents(word: str) -> str:
    return "".join(sign for sign in normalize("NFKD", word) if not combining(sign))


def _is_word(word: str) -> bool:
    return word.replace("-", "").replace("'", "").isalpha()


# -- what is told of events

ASKED = frozenset({"allergy", "food", "language"})  # respects whose words are looked for in what is told


def told_words(
    normal: Iterable[Row], events: Iterable[Row], evidence: Iterable[Row], quotes: Iterable[Row]
) -> Iterator[tuple[str, Row]]:
    """Words of foods and languages in the quotes of events, where somebody is said to avoid or not to speak such."""
    asked = {str(row[8]) for row in normal if row[7] in ASKED}
    if not asked:
        return
    texts, told = {row[0]: str(row[1]) for row in quotes}, {row[0]: set[str]() for row in events}
    for record, span in evidence:
        if record in told:
            told[record].update(map(str.lower, _WORD.findall(texts[span])))
    wanted = asked.union(respects().words.kinds_of.values())
    for event, words in told.items():
        meant = set[str]().union(*map(_meant_by, words))
        yield from (("words_of", (str(event), one)) for one in meant & wanted)


def _meant_by(word: str) -> set[str]:
    """A word, its singular and its plural, and the kind of food it is."""
    return {word, word.removesuffix("s"), f"{word}s", respects().words.kinds_of.get(word, word)}


_BACK = re.compile(r"\bhad\b|['’]d (?:been|had|\w+ed)\b", re.IGNORECASE)


def told_back(
    events: Iterable[Row], evidence: Iterable[Row], quotes: Iterable[Row]
) -> Iterator[tuple[str, Row]]:
    """Events whose words stand in the past perfect."""
    back = {row[0] for row in quotes if _BACK.search(str(row[1]))}
    happened = {row[0] for row in events}
    yield from (
        ("told_back", (str(record),)) for record, span in evidence if span in back and record in happened
    )


def uses_noticed(details: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """Lines of the sheet by which a thing is only looked at, waited for or mended."""
    for record, respect, value, _, _ in details:
        first = next(iter(_WORD.findall(str(value).lower())), "")
        if respect == USE and first.startswith(NOTICING):
            yield "noticed_only", (str(record),)


def lasting_times(details: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """Words of time that say how long or since when, and so let no time go by."""
    for _, respect, value, _, _ in details:
        if respect == WHEN and str(value).lower().startswith(GOING_ON):
            yield "goes_on", (value,)


def times_told(details: Iterable[Row]) -> set[str]:
    """Every expression of time in passing, whether or not it dates an event."""
    return {str(value) for _, respect, value, _, _ in details if respect == WHEN}


def named_doers(
    roles: Iterable[Row], named: Iterable[Row], evidence: Iterable[Row], quotes: Iterable[Row]
) -> Iterator[tuple[str, Row]]:
    """Who does something and is called by name in the words for it."""
    texts, words = {row[0]: set(_WORD.findall(str(row[1]))) for row in quotes}, dict[Value, set[str]]()
    for _, who, name in named:
        words.setdefault(who, set()).update(_words_of_name(str(name)))
    doers: dict[Value, list[Value]] = {}
    for event, who, role in roles:
        if role == "agent":
            doers.setdefault(event, []).append(who)
    for record, span in evidence:
        for who in doers.get(record, ()):
            if words.get(who, set()) & texts.get(span, set()):
                yield "by_name", (str(record), str(who))


def _words_of_name(name: str) -> set[str]:
    parts = {part for _, part in name_parts(name)}
    return {word for part in parts for word in part.split() if word[:1].isupper()}


# -- dates


def date_rows(expressions: Iterable[str], calendar: Calendar) -> Iterator[tuple[str, Row]]:
    """What each expression of time names, or why there is no such day."""
    for expression in set(expressions):
        said = _said_by(expression, understand(expression, calendar), calendar)
        yield from ((name, (expression, *value)) for name, value in said)
    yield from (("month_of", (one.name, month)) for one in calendar.seasons for month in one.months)


def _said_by(expression: str, when: When | Unplaced, calendar: Calendar) -> Iterator[tuple[str, Row]]:
    if isinstance(when, When) and _is_later(when, calendar):
        yield "another_day", ()
    if _is_long(expression, when, calendar):
        yield "long_after", ()
    if not isinstance(when, Unplaced):
        yield from _spelled(when, calendar)
    elif when.no_such_day:
        yield "no_such_day", (when.why,)


def _spelled(when: When, calendar: Calendar) -> Iterator[tuple[str, Row]]:
    """What an expression names: a day, its parts, or only something within a day."""
    if when.year is not None and when.month is not None and when.day is not None:
        minutes = calendar.minutes(Date(when.year, when.month, when.day))
        yield "spelled_day", (minutes // calendar.minutes_per_day,)
    if when.year is not None:
        yield "spelled_year", (when.year,)
    if not any(
        (when.shift, when.frame, when.year, when.month, when.day, when.weekday, when.season, when.holiday)
    ):
        yield "within_a_day", ()
    if when.month is not None:
        yield "spelled_month", (when.month,)
    yield from _spelled_weekday(when, calendar)
    if when.season is not None:
        yield "spelled_season", (when.season.name,)


def _spelled_weekday(when: When, calendar: Calendar) -> Iterator[tuple[str, Row]]:
    if when.weekday is None:
        return
    yield "spelled_weekday", (calendar.weekdays[when.weekday].lower(),)
    if when.day is not None:
        yield "first_of_month", ((when.weekday - when.day + 1) % len(calendar.weekdays),)


def _is_later(when: When, calendar: Calendar) -> bool:
    """Whether an expression leads to another day than the one of which the telling was."""
    if when.shift is not None:
        least = when.shift.least
        return least.months != 0 or abs(least.minutes) >= calendar.minutes_per_day
    return (when.frame is not None and when.frame.step != 0) or (
        when.month is not None and when.day is not None
    )


def _is_long(expression: str, when: When | Unplaced, calendar: Calendar) -> bool:
    """Whether so much time goes by that most things may be otherwise; words that are not understood may say so too."""
    if expression.lower().startswith("for "):
        return False  # how long it has lasted, not how much later it is
    if isinstance(when, Unplaced):
        return any(word in LONG for word in re.findall(r"[a-z]+", expression.lower()))
    if when.shift is not None:
        least = when.shift.least
        return least.months >= MONTHS or least.minutes >= MONTHS * 30 * calendar.minutes_per_day
    return when.year is not None or when.season is not None
