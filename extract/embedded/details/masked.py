"""A sentence in which everybody's name is written ¤ and every noun for one person §, letter by letter, so that places stay the same.

Forms of details are patterns over it: they need not know what anybody is called. Resolves nobody.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.people.trail import PersonMention, Trail
from narraworld.kb.spans import TextRange
from narraworld.kb.time.finding.finder import TimeExpression

__all__ = ["MaskedSentence", "masked_sentences"]

NAME, NOUN = "¤", "§"
MASKS = {"name": NAME, "noun": NOUN}


@dataclass(frozen=True, slots=True)
class MaskedSentence:
    """A sentence with and without its people, who is mentioned in it, in which turn it is said, and its words of time."""

    where: TextRange
    text: str
    named: str  # with the names alone masked
    masked: str
    mentions: tuple[PersonMention, ...]
    turn: int | None  # None: told
    said: bool
    times: tuple[TimeExpression, ...]
    words: Sequence[Word] = ()  # its grammar, where it was parsed
    clauses: Sequence[Clause] = ()


def masked_sentences(text: str, document: UnitDocument, trail: Trail) -> Iterator[MaskedSentence]:
    """Every sentence of a unit in the order of the text, told or said."""
    narration = without_speech(text, document.quoted)
    turns = {where.start: number for number, talk in enumerate(trail.talk) for where in talk.quotations}
    lines: list[tuple[Sentence, str, int | None, bool]]
    lines = [(line, narration, None, False) for line in document.told]
    for quotation, spoken in zip(document.quoted, document.spoken, strict=True):
        turn = turns.get(quotation.where.start)
        lines += [(line, text, turn, True) for line in spoken]
    starts = [one.start for one in trail.mentions]
    for line, source, turn, said in sorted(lines, key=lambda one: one[0].where.start):
        yield _masked(line, source, turn, said, trail, starts)


def _masked(
    line: Sentence, source: str, turn: int | None, said: bool, trail: Trail, starts: Sequence[int]
) -> MaskedSentence:
    where = line.where
    written = where.cut(source)
    first, last = bisect_left(starts, where.start), bisect_left(starts, where.end)
    mentions = tuple(one for one in trail.mentions[first:last] if _stands(one, written, where))
    named = _with(written, where, [one for one in mentions if one.sort == "name"])
    masked = _with(named, where, [one for one in mentions if one.sort == "noun"])
    return MaskedSentence(
        where, written, named, masked, mentions, turn, said, line.time.found, line.words, line.clauses
    )


def _with(written: str, where: TextRange, mentions: Sequence[PersonMention]) -> str:
    """The sentence with these mentions masked."""
    letters = list(written)
    for one in mentions:
        begin, end = one.where.start - where.start, min(one.where.end, where.end) - where.start
        letters[begin:end] = MASKS[one.sort] * (end - begin)
    return "".join(letters)


def _stands(one: PersonMention, written: str, where: TextRange) -> bool:
    """Whether a mention is one of this sentence, and not of a speech that it surrounds."""
    return not written[one.start - where.start : one.start - where.start + 1].isspace()
