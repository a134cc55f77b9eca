"""Whether an answer in words holds: it rests on lines that were shown, and says nothing that stands neither there nor in the question.

Words alone are compared: that its lines say it is for whoever reads them beside it. Asks nothing, knows no provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import InWordsSettings
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.in_words.asked_for import falls_short
from narraworld.query.ask.in_words.shown import words_table
from narraworld.query.memory.lines.given_lines import with_numbers

if TYPE_CHECKING:
    from narraworld.query.ask.in_words.shown import QuestionShown, SaidInWords
    from narraworld.query.memory.lines.given_lines import GivenLine

__all__ = ["WeighedAnswer", "weighed"]

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_BEGINS = re.compile(r"(?:^|[.!?:;…])[\s“”\"'‘(—–-]*$")


class WeighedAnswer(NamedTuple):
    """The lines an answer rests on; why it is refused, or nothing; and those of its words that are its own."""

    rests_on: tuple[GivenLine, ...]
    refused: str = ""
    own: tuple[str, ...] = ()


def weighed(said: SaidInWords, shown: QuestionShown, settings: InWordsSettings) -> WeighedAnswer:
    """What holds of an answer to a question that was shown."""
    rests, unknown = with_numbers(said.rests_on, shown.lines)
    given = _stems_given(rests, shown)
    if said.verdict is not None:
        given |= {stem for word in words_table()["verdicts"]["said"] for stem in analyse(word)}
    own = tuple(_own_words(said.words, given))
    return WeighedAnswer(rests, _refused(said, shown, rests, unknown, own, settings), own)


def _refused(
    said: SaidInWords,
    shown: QuestionShown,
    rests: Sequence[GivenLine],
    unknown: Sequence[int],
    own: Sequence[str],
    settings: InWordsSettings,
) -> str:
    """The first thing that is wrong with it."""
    made_up = [one for one in own if _tells_apart(one, said.words)]
    telling = [one for one in _WORD.findall(said.words) if analyse(one)]
    if not said.words.strip() and said.verdict is None:
        return "it says nothing"
    if unknown:
        return f"it rests on line {unknown[0]}, and there are {len(shown.lines)}"
    if not rests:
        return "it rests on no line"
    if len(rests) > settings.rests_on:
        return f"it rests on {len(rests)} lines, and {settings.rests_on} are the most that can be looked up"
    if made_up:
        return f"{', '.join(map(repr, made_up))} stands neither in its lines nor in the question"
    if len(own) > settings.own_words * len(telling):
        return f"most of it stands neither in its lines nor in the question: {', '.join(map(repr, own))}"
    return falls_short(said, shown, _stems_of_lines(rests), settings.known)


def _stems_given(rests: Sequence[GivenLine], shown: QuestionShown) -> set[str]:
    """What the lines and the question have, which may call people otherwise."""
    names = (name for one in shown.called for name in one)
    return _stems_of_lines(rests) | {stem for text in (shown.question, *names) for stem in analyse(text)}


def _stems_of_lines(rests: Sequence[GivenLine]) -> set[str]:
    """What the lines have, with their chapters and all their words on the page."""
    texts = [text for line in rests for text in (line.words, line.chapter)]
    quotes = [span.quote for line in rests for span in line.spans]
    return {stem for text in (*texts, *quotes) for stem in analyse(text)}


def _own_words(words: str, given: set[str]) -> Iterator[str]:
    """The telling words that were not given."""
    yield from dict.fromkeys(
        one for one in _WORD.findall(words) if (found := set(analyse(one))) and not found <= given
    )


def _tells_apart(word: str, words: str) -> bool:
    """Whether a word is a number in figures, or a name by how it is written: never at the head of a sentence alone."""
    if any(letter.isdigit() for letter in word):
        return True
    places = [one.start() for one in re.finditer(rf"\b{re.escape(word)}\b", words)]
    return word[:1].isupper() and any(not _BEGINS.search(words[:place]) for place in places)
