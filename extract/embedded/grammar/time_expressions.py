"""Words that place a sentence in time: all of them found, and some cut out before the grammar is asked, because they confuse small parsers. Pure.

Finding and cutting are two things: what is found is handed on with its place (`kb/time/finding`), what is cut is a whole phrase or nothing. Idle phrases
(`to her surprise`, `could not help but`) change nothing that is told, and are left out too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import pattern, wordrow
from narraworld.kb.spans import TextRange
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.finding.finder import TimeExpression, find_times
from narraworld.kb.time.when import When

__all__ = ["TimeWords", "goes_back", "without_time"]

_JOINT = re.compile(r",?\s*")


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Every time expression of a sentence, in order, and those of them that tell when and that the calendar understands."""

    found: tuple[TimeExpression, ...] = ()
    placed: tuple[TimeExpression, ...] = ()

    @property
    def usual(self) -> bool:
        """Whether the sentence tells of a habit: `every evening at six`."""
        return any(one.sort == "habit" for one in self.found)


def goes_back(words: str) -> bool:
    """Whether the telling goes back: `three years before`."""
    return words.casefold().endswith(wordrow("endings.time_back"))


def without_time(
    text: str,
    tokens: Sequence[Token],
    names: frozenset[str] = frozenset(),
    calendar: Calendar = GREGORIAN,
    *,
    told: bool = True,
) -> tuple[list[Token], TimeWords]:
    """The sentence without its time words, and these; ``names`` are words of the calendar that somebody bears.

    In speech (not ``told``) a day or an hour stays where it is: it is part of what is promised or claimed.
    """
    if not tokens:
        return [], TimeWords()
    where = TextRange(tokens[0].start, tokens[-1].end)
    found = tuple(_joined(_found(text, where, names, calendar), text, calendar))
    placed = tuple(one for one in found if one.tells_when and _understood(one.words, calendar))
    said = TimeWords(found, placed)
    cut = [*_idle(text, where), *_phrases(text, where, said), *(_edges(text, where, said) if told else ())]
    return _outside(tokens, cut), said


def _outside(tokens: Sequence[Token], cut: Sequence[TextRange]) -> list[Token]:
    """The tokens that no stretch covers; all of them where no word would be left."""
    kept = [token for token in tokens if not any(one.start <= token.start < one.end for one in cut)]
    return kept if any(token.text.isalpha() for token in kept) else list(tokens)


# -- finding


def _found(
    text: str, where: TextRange, names: frozenset[str], calendar: Calendar
) -> Iterator[TimeExpression]:
    for one in find_times(where.cut(text), calendar, names):
        yield TimeExpression(where.start + one.start, where.start + one.end, one.sort, one.words)


def _joined(found: Iterator[TimeExpression], text: str, calendar: Calendar) -> Iterator[TimeExpression]:
    """Neighbours that tell one time are one expression: `the next day, at six`."""
    last: TimeExpression | None = None
    for one in found:
        if last and _one_time(last, one, text, calendar):
            last = TimeExpression(last.start, one.end, last.sort, text[last.start : one.end])
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _one_time(last: TimeExpression, one: TimeExpression, text: str, calendar: Calendar) -> bool:
    beside = last.tells_when and one.tells_when and _JOINT.fullmatch(text, last.end, one.start)
    return bool(beside) and _understood(text[last.start : one.end], calendar)


def _understood(words: str, calendar: Calendar) -> bool:
    """Whether the calendar knows what is meant; also a day that it does not have, which is for a check to say."""
    said = understand(words, calendar)
    return isinstance(said, When) or said.no_such_day


# -- cutting


def _idle(text: str, where: TextRange) -> Iterator[TextRange]:
    """What changes nothing that is told, and what only says that it goes on."""
    sentence = where.cut(text)
    for match in (*pattern("idle.phrase").finditer(sentence), pattern("time.sequence").match(sentence)):
        if match:
            yield TextRange(where.start + match.start(), where.start + match.end())


def _phrases(text: str, where: TextRange, said: TimeWords) -> Iterator[TextRange]:
    """The whole phrases of what confuses the grammar; none of a habit, or of what the calendar does not understand whole."""
    sentence = where.cut(text)
    first = pattern("time.expression").search(sentence)
    for match in filter(None, (first, *pattern("time.hour").finditer(sentence))):
        phrase = TextRange(where.start + match.start(), where.start + match.end())
        around = [one for one in said.found if one.start < phrase.end and phrase.start < one.end]
        if all(_is_whole(one, phrase, said) for one in around):
            start = min(phrase.start, *(one.start for one in around), phrase.end)
            end = max(phrase.end, *(one.end for one in around), phrase.start)
            yield _with_comma(start, end, text)


def _is_whole(one: TimeExpression, phrase: TextRange, said: TimeWords) -> bool:
    """Whether the calendar understands it, or the phrase holds all of it."""
    inside = phrase.start <= one.start < one.end <= phrase.end
    return one.sort != "habit" and (inside or one in said.placed)


def _edges(text: str, where: TextRange, said: TimeWords) -> Iterator[TextRange]:
    """What opens the sentence and names its time, or closes it with a day or an hour: the grammar would stumble over it."""
    for one in () if said.usual else said.placed:
        opens = one.start == where.start and pattern("time.opened").match(text, one.end)
        closes = one.by_number and not any(letter.isalnum() for letter in text[one.end : where.end])
        if one.by_name and (opens or closes) and pattern("time.hanging").match(one.words):
            yield _with_comma(one.start, one.end, text)


def _with_comma(start: int, end: int, text: str) -> TextRange:
    return TextRange(start, end + text.startswith(",", end))
