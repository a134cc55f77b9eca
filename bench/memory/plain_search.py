"""Search as anybody would write it: BM25, and BM25 with word vectors, over lines of text that fill a budget in their order.

What memory is held against. Analysis, stop words, BM25's settings, vectors and the count of tokens are the product's own, so
that a difference comes from memory and not from a better stemmer. Headings are counted once, and a line that says nothing
new is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.query.memory.index import vectors as semantic
from narraworld.query.memory.ranking import scaled, telling
from narraworld.query.memory.tokens import counter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["PlainLine", "PlainSearch", "words_there"]

WORDS = Bm25(boosts={"words": 1.0})


@dataclass(frozen=True, slots=True)
class PlainLine:
    """One line: what is searched, how it is told, under which heading, and what telling it would show."""

    searched: str
    told: str
    heading: str = ""
    shows: frozenset[Hashable] = frozenset()


class PlainSearch:
    """Lines, ranked by words alone or by words and meaning in equal parts."""

    def __init__(self, lines: Sequence[PlainLine]) -> None:
        self.lines, self._count = lines, counter()
        self._index = LexicalIndex()
        self._index.update(
            Document(f"{nth:06}", "all", "", "line", one.searched) for nth, one in enumerate(lines)
        )
        self._vectors = semantic.embed([one.searched for one in lines])

    def by_word(self, question: str) -> Numbers:
        return self._index.scores(telling(question), bm25=WORDS)

    def hybrid(self, question: str) -> Numbers:
        near = self._vectors @ semantic.embed([question, telling(question)]).sum(axis=0)
        meaning = np.maximum(near, 0.0).astype(np.float32)
        return np.asarray(scaled(self.by_word(question)) + scaled(meaning), dtype=np.float32)

    def order(self, scores: Numbers) -> list[int]:
        """The lines that score anything, the best first."""
        return [int(nth) for nth in np.argsort(-scores, kind="stable") if scores[nth] > 0]

    def filled(self, order: Iterable[int], budget: int) -> list[int]:
        """The lines that fit, taken in this order."""
        taken, headed, shown, said = list[int](), set[str](), set[Hashable](), set[str]()
        for nth in order:
            line = self.lines[nth]
            heading = f"[{line.heading}]\n" if line.heading and line.heading not in headed else ""
            cost = self._count(f"- {line.told}\n") + (self._count(heading) if heading else 0)
            new = line.told not in said and (not line.shows or not line.shows <= shown)
            if new and cost <= budget:
                taken.append(nth)
                budget -= cost
                headed.add(line.heading)
                shown |= line.shows
                said.add(line.told)
        return taken

    def text(self, taken: Iterable[int]) -> str:
        """What is told: lines under their headings, in the order of the text."""
        parts, heading = list[str](), ""
        for nth in sorted(taken):
            line = self.lines[nth]
            if line.heading != heading:
                parts.append(f"[{line.heading}]\n")
                heading = line.heading
            parts.append(f"- {line.told}\n")
        return "".join(parts)


def words_there(answer: str, text: str) -> float:
    """The share of the answer's words, in small letters, that stand in a text; 1 for an answer without words."""
    wanted = _words(answer)
    return len(wanted & _words(text)) / len(wanted) if wanted else 1.0


def _words(text: str) -> set[str]:
    plain = "".join(one if one.isalnum() else " " for one in text.lower())
    return set(plain.split())
