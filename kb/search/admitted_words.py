"""How well documents match texts by words, where only some of the documents count: BM25 among these alone.

Pure arithmetic over the postings of an index; reads no file.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.kb.search.search_words import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.base.settings import Bm25
    from narraworld.kb.search.inverted_index import LexicalIndex

    Numbers: TypeAlias = NDArray[np.float32]
    Sums: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["AdmittedWords"]

TERMS = 64  # whose worth is kept


class AdmittedWords:
    """The documents of one state of an index that count: how many they are and how long is worked out once, and what a term is worth
    to each of them is kept for the next text that has it."""

    def __init__(self, index: LexicalIndex, allowed: Mask) -> None:
        self._index, self._allowed, self._many = index, allowed, int(allowed.sum())
        self._usual: dict[str, float] = {}
        self._worth: dict[tuple[object, ...], tuple[Places, Sums]] = {}

    def scores(self, text: str, bm25: Bm25) -> Numbers:
        """Of every document of the index, any word counting."""
        total = np.zeros(len(self._allowed), dtype=np.float32)
        for name, boost in bm25.boosts.items():
            for term, times in Counter(analyse(text)).items():
                places, worth = self._kept(name, term, boost * times, bm25)
                total[places] += worth
        return total

    def _kept(self, name: str, term: str, boost: float, bm25: Bm25) -> tuple[Places, Sums]:
        key = name, term, boost, bm25.k1, bm25.b
        if key not in self._worth:
            if len(self._worth) >= TERMS:
                del self._worth[next(iter(self._worth))]
            self._worth[key] = self._worked_out(name, term, boost, bm25)
        return self._worth[key]

    def _worked_out(self, name: str, term: str, boost: float, bm25: Bm25) -> tuple[Places, Sums]:
        places, often = self._index.posting(name, term)
        seen = self._allowed[places]
        places, often = places[seen], often[seen]
        rarity = np.log1p((self._many - len(places) + 0.5) / (len(places) + 0.5))
        usual = self._usual_length(name) or 1.0
        weight = bm25.k1 * (1 - bm25.b + bm25.b * self._index.lengths[name][places] / usual)
        return places, boost * rarity * often * (bm25.k1 + 1) / (often + weight)

    def _usual_length(self, name: str) -> float:
        if name not in self._usual:
            whole = int(
                self._index.lengths[name][self._allowed].sum()
            )  # of whole numbers: in any order the same
            self._usual[name] = whole / self._many if self._many else 0.0
        return self._usual[name]
