"""Words that place a sentence in time: all of them found, and some cut out before the grammar is asked, because they confuse small parsers. Pure.

Finding and cutting are two things: what is found is handed on with its place (`kb/time/finding`), what is cut is a whole phrase or nothing. Idle phrases
(`to her surprise`, `could not help but`) change nothing that is told, and are left out too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import endings, pattern
from narraworld.kb.spans import TextRange
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.finding.finder import TimeExpression, find_times
from narraworld.kb.time.when import When

__all__ = ["TimeWords", "goes_back", "without_time"]

_JOINT = re.compile(r",?\s*")


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What was said of time: every expression in order, and the one that was cut out, if any, with its place."""

    expression: str | None = None
    where: TextRange | None = None
    found: tuple[TimeExpression, ...] = ()


def goes_back(words: str) -> bool:
    """Whether the telling goes back: `three years before`."""
    return words.casefold().endswith(endings("endings.time_back"))


def without_time(
    text: str, tokens: Sequence[Token], names: frozenset[str] = frozenset()
) -> tuple[list[Token], TimeWords]:
    """The sentence without its time words, and these; ``names`` are words of the calendar that somebody bears."""
    if not tokens:
        return [], TimeWords()
    base, end = tokens[0].start, tokens[-1].end
    sentence = text[base:end]
    found = _joined(_found(sentence, base, names), text)
    cut = [
        TextRange(base + one.start(), base + one.end()) for one in pattern("idle.phrase").finditer(sentence)
    ]
    if lead := pattern("time.sequence").match(sentence):
        cut.append(TextRange(base, base + lead.end()))
    cut += _phrases(pattern("time.hour").finditer(sentence), base, found, text)
    dated = pattern("time.expression").search(sentence)
    main = next(_phrases([dated] if dated else [], base, found, text), None)
    said = TimeWords(main.cut(text).rstrip(",").strip() if main else None, main, found)
    cut += [main] if main else []
    cut += _edges(found, base, end, text)
    kept = [token for token in tokens if not any(one.start <= token.start < one.end for one in cut)]
    if any(token.text.isalpha() for token in kept):
        return kept, said
    return list(tokens), TimeWords(found=found)


def _found(sentence: str, base: int, names: frozenset[str]) -> Iterator[TimeExpression]:
    for one in find_times(sentence, names=names):
        yield TimeExpression(base + one.start, base + one.end, one.sort, one.words)


def _joined(found: Iterator[TimeExpression], text: str) -> tuple[TimeExpression, ...]:
    """Neighbours that tell one time are one expression: `the next day, at six`."""
    joined = list[TimeExpression]()
    for one in found:
        last = joined[-1] if joined else None
        if last and _one_time(last, one, text):
            joined[-1] = TimeExpression(last.start, one.end, last.sort, text[last.start : one.end])
        else:
            joined.append(one)
    return tuple(joined)


def _one_time(last: TimeExpression, one: TimeExpression, text: str) -> bool:
    beside = last.tells_when and one.tells_when and _JOINT.fullmatch(text, last.end, one.start)
    return bool(beside) and isinstance(understand(text[last.start : one.end]), When)


def _phrases(
    matches: Sequence[re.Match[str]] | Iterator[re.Match[str]],
    base: int,
    found: Sequence[TimeExpression],
    text: str,
) -> Iterator[TextRange]:
    """The whole phrase of each match; none where it is part of a habit, or of something the calendar knows nothing of."""
    for match in matches:
        start, end = base + match.start(), base + match.end()
        whole = [one for one in found if one.start < end and start < one.end]
        if any(one.sort == "habit" or not _known(one, match[0]) for one in whole):
            continue
        first, last = min([start, *(one.start for one in whole)]), max([end, *(one.end for one in whole)])
        yield TextRange(first, last + text.startswith(",", last))


def _edges(found: Sequence[TimeExpression], base: int, end: int, text: str) -> Iterator[TextRange]:
    """Expressions that open or close the sentence, where the calendar understands them: the grammar misses nothing."""
    usual = any(one.sort == "habit" for one in found)
    for one in () if usual else found:
        opens = one.start == base and pattern("time.opened").match(text, one.end)
        closes = not any(letter.isalnum() for letter in text[one.end : end])
        if (opens or closes) and pattern("time.hanging").match(one.words) and one.by_name and _known(one, ""):
            yield TextRange(one.start, one.end + text.startswith(",", one.end))


def _known(one: TimeExpression, matched: str) -> bool:
    """Whether an expression is no more than what was matched, or the calendar understands it whole."""
    return len(one.words) <= len(matched) or isinstance(understand(one.words), When)
