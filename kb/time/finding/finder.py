"""Every time expression of a text, with its place and its sort: a grammar over tagged words (`grammar.toml`), the longest match first.

Sorts: clock, date, weekday, part, relative, duration, age, season, holiday, habit, moon. Finding is not understanding: what an expression means is for
`expressions.understand`, and whether it dates anything is for whoever reads the sentence. Pure.

>>> [(one.sort, one.words) for one in find_times("Every Sunday she rang at ten past six.")]
[('habit', 'Every Sunday'), ('clock', 'at ten past six')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, cast

from narraworld.base.kept_patterns import KeptPatterns
from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.finding.tagging import Tagged, Tagger, table

__all__ = ["TimeExpression", "borne_names", "find_times"]

_SLOT = re.compile(r"<([^<>]+)>(?!\w)")
_PART = re.compile(r"\{(\w*[a-z_]\w*)\}")
_STRUCTURE = re.compile(r"(?P<slot>(?<=<)[^<>]+(?=>(?!\w)))>|[()|]")


@dataclass(frozen=True, slots=True, order=True)
class TimeExpression:
    """Words that tell a time, where they stand, and of which sort they are."""

    start: int
    end: int
    sort: str
    words: str

    @property
    def tells_when(self) -> bool:
        """Whether it can place anything: not how often, how old or how long."""
        return self.sort not in ("habit", "age", "duration")

    @property
    def by_name(self) -> bool:
        """Whether it names its time instead of counting from another."""
        return self.tells_when and self.sort not in ("relative", "moon")

    @property
    def by_number(self) -> bool:
        """Whether it gives an hour or a day, and not only a stretch that has a name."""
        return self.sort in ("clock", "date", "weekday")


def find_times(
    text: str, calendar: Calendar = GREGORIAN, names: frozenset[str] = frozenset()
) -> list[TimeExpression]:
    """The time expressions of a text in order, none overlapping; ``names`` are words that people bear in it."""
    grammar = _grammar(calendar)
    tagged = grammar.tagger.tag(text, names)
    return sorted(
        TimeExpression(start, end, sort, text[start:end]) for start, end, sort in grammar.matches(tagged)
    )


def borne_names(text: str, calendar: Calendar = GREGORIAN) -> frozenset[str]:
    """Names of the calendar that somebody bears in this text (`June laughed`): said more than once, and never of a time."""
    names = [*calendar.weekdays, *(month.name for month in calendar.months)]
    return frozenset(name for name in names if text.count(name) > 1 and not _of_time(name).search(text))


@lru_cache(maxsize=256)
def _of_time(name: str) -> re.Pattern[str]:
    """How a name of the calendar stands where it is one: `in June`, `4 June`, `June 1902`, `Monday morning`."""
    before = str(table("words")["before_name"]).split()
    behind = str(table("words")["behind_name"]).split()
    return re.compile(
        rf"\b(?i:{'|'.join(before)})\s+{re.escape(name)}\b|\d(?:st|nd|rd|th)?\s+{re.escape(name)}\b"
        rf"|\b{re.escape(name)},? (?:\d|(?:{'|'.join(behind)})\b)"
    )


Needs = frozenset[frozenset[str]]


class _Row:
    """A row over signs; compiled when a text first has what it cannot do without, as most rows are seldom wanted."""

    def __init__(self, sort: str, pattern: str, tagger: Tagger, kept: KeptPatterns) -> None:
        self.sort, self._text, self._kept = sort, _signs(pattern, tagger), kept
        self.needs = frozenset(frozenset(tagger.bearing(slot.split("|"))) for slot in _needed(pattern))

    @cached_property
    def over_signs(self) -> re.Pattern[str]:
        return self._kept[self._text]


@dataclass(frozen=True)
class _Grammar:
    """The rows of the grammar in the signs of one tagger."""

    tagger: Tagger
    rows: tuple[_Row, ...]
    cue: re.Pattern[str]

    @cached_property
    def _met_by(self) -> dict[str, Needs]:
        """What each sign gives of what rows cannot do without; a need is signs of which one must be there."""
        needs = Needs().union(*(row.needs for row in self.rows))
        return {sign: frozenset(need for need in needs if sign in need) for sign in set(chain(*needs))}

    def matches(self, tagged: Tagged) -> Iterator[tuple[int, int, str]]:
        if not self.cue.search(tagged.signs):
            return
        met = Needs().union(*(self._met_by.get(sign, ()) for sign in set(tagged.signs)))
        found = [
            (match.start() - match.end(), order, match.start(), match.end(), row.sort)
            for order, row in enumerate(self.rows)
            if row.needs <= met
            for match in row.over_signs.finditer(tagged.signs)
            if match.end() > match.start()
        ]
        taken = bytearray(len(tagged.signs))
        for _, _, start, end, sort in sorted(found):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                yield tagged.places[start][0], tagged.places[end - 1][1], sort


@lru_cache(maxsize=32)
def _grammar(calendar: Calendar) -> _Grammar:
    said = cast(dict[str, Any], table("grammar"))
    rows = [(row["sort"], _whole(each, said["part"])) for row in said["row"] for each in row["any"]]
    tagger = Tagger(calendar, sorted(_literals(each for _, each in rows)))
    cue = re.compile(f"[{re.escape(tagger.bearing(CUES))}]")
    kept = KeptPatterns("times", (_signs(each, tagger) for _, each in rows) if calendar == GREGORIAN else ())
    return _Grammar(tagger, tuple(_Row(sort, each, tagger, kept) for sort, each in rows), cue)


# A text without any of these has no time in it: most sentences need no grammar.
CUES = (
    "number", "unit", "units", "own_unit", "part", "parts", "instant", "meal", "happening", "season", "seasons", "weekday", "weekdays", "month",
    "holiday", "fixed", "once", "now", "clock", "clock_dot", "hour_pm", "iso", "year", "decade", "decade_digits", "military", "ordinal", "soon",
    "adverb", "=since", "=long", "=moon", "=while", "=quarter", "=age", "=dark",
)  # fmt: skip


def _whole(pattern: str, parts: dict[str, str]) -> str:
    """A row with its parts written out."""
    while _PART.search(pattern):
        pattern = _PART.sub(lambda part: parts[part[1]], pattern)
    return pattern


def _needed(pattern: str) -> list[str]:
    """The slots of a row that every match fills: outside all groups, and not said to be optional."""
    depth, found = 0, list[str]()
    for mark in _STRUCTURE.finditer(pattern):
        depth += (mark[0] == "(") - (mark[0] == ")")
        if depth == 0 and mark[0] == "|":
            return []
        if depth == 0 and mark["slot"] and not pattern.startswith(("?", "*", "{"), mark.end()):
            found.append(mark["slot"])
    return found


def _literals(patterns: Iterable[str]) -> set[str]:
    slots = (slot[1] for pattern in patterns for slot in _SLOT.finditer(pattern))
    return {tag[1:] for slot in slots for tag in slot.split("|") if tag.startswith("=")}


def _signs(pattern: str, tagger: Tagger) -> str:
    """A row as a pattern over signs."""
    return _SLOT.sub(lambda slot: _one_of(tagger.bearing(slot[1].split("|"))), pattern)


def _one_of(signs: Sequence[str]) -> str:
    return f"[{''.join(signs)}]" if signs else "(?!)"
