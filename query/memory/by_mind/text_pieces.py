"""The text in pieces that can be understood alone: sentences that follow one another, with the names that they leave out.

A sentence of a conversation by itself says little; a piece of a few costs hardly more. Only admitted sentences are joined, and whom a piece
is about is said as the records on it have it, so through somebody's eyes nothing more is told than sentence by sentence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.search.search_words import analyse
from narraworld.query.evidence import Span
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.lines.given_lines import lines_table
from narraworld.query.memory.needs import MemoryItem
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["TextPiece", "TextPieces"]

SAME_PARAGRAPH = 1  # characters between two of its sentences
NEXT_PARAGRAPH = 3  # and at most between the last of one and the first of the next


class TextPiece(NamedTuple):
    """A piece as an item, and the places of its sentences in the search."""

    item: MemoryItem
    sentences: range


class TextPieces:
    """The pieces of one scope, in the order of the telling."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._most = scope, DEFAULTS.memory.choosing.piece
        passages = scope.once(Search).passages
        self.pieces = [self._piece(passages, sentences) for sentences in self._cut(passages)]
        self._starts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        for one in passages:
            self._starts.setdefault(one.unit, []).append(one.start)
            self._ends.setdefault(one.unit, []).append(one.end)

    def has(self, span: Span) -> bool:
        """Whether these words begin within a sentence."""
        nth = bisect_right(self._starts.get(span.unit, []), span.start) - 1
        return nth >= 0 and span.start < self._ends[span.unit][nth]

    def _cut(self, passages: Sequence[AdmittedPassage]) -> Iterator[range]:
        """Sentences together as long as the piece is short; a new paragraph begins a new one where there is enough."""
        first = 0
        for nth in range(1, len(passages) + 1):
            if nth == len(passages) or not self._goes_on(passages, first, nth):
                yield range(first, nth)
                first = nth

    def _goes_on(self, passages: Sequence[AdmittedPassage], first: int, nth: int) -> bool:
        start, before, this = passages[first], passages[nth - 1], passages[nth]
        if this.unit != before.unit:
            return False
        gap, most = this.start - before.end, self._most
        if gap > SAME_PARAGRAPH:
            most //= 2
            if before.end - start.start >= most:
                return False
        return gap <= NEXT_PARAGRAPH and this.end - start.start <= self._most

    def _piece(self, passages: Sequence[AdmittedPassage], sentences: range) -> TextPiece:
        several = [passages[nth] for nth in sentences]
        text = " ".join(one.words for one in several)
        spans = tuple(self._span(one) for one in several)
        told = self._scope.once(Search).position(several[0].unit, several[0].start)
        key = f"T|{several[0].unit}@{several[0].start}-{several[-1].end}"
        left_out = self._left_out(text, [record for one in several for record in one.rests])
        return TextPiece(MemoryItem(key, "T", f"{text}{left_out}", (), spans, told=told), sentences)

    def _span(self, one: AdmittedPassage) -> Span:
        return Span(one.unit, one.start, one.end, one.words, self._scope.place_of(one.unit, one.start))

    # -- whom it is about and does not name

    def _left_out(self, text: str, records: Sequence[str]) -> str:
        said, forms = set(analyse(text)), lines_table()["lines"]
        speakers = self._unnamed(self._speakers(records), said)
        others = [one for one in self._unnamed(self._people(records), said) if one not in speakers]
        names = [forms["speaking"].format(who=", ".join(speakers))] if speakers else []
        names += [", ".join(others)] if others else []
        return forms["of_whom"].format(names="; ".join(names)) if names else ""

    def _unnamed(self, people: Iterable[str], said: set[str]) -> list[str]:
        """The names of these of which no word is said."""
        names = dict.fromkeys(self._scope.names(one) for one in people)
        return [name for name in names if not said & set(analyse(name))]

    def _speakers(self, records: Sequence[str]) -> Iterator[str]:
        for record in records:
            yield from (str(row[1]) for row in rows(self._scope.at_once, "speech", record))

    def _people(self, records: Sequence[str]) -> Iterator[str]:
        for record in records:
            for _, who, _ in rows(self._scope.at_once, "role", record):
                if rows(self._scope.at_once, "entity", who, "character"):
                    yield str(who)
