"""How well sentences match, each with what stands around it: alone, with its neighbours, and with its whole unit.

An answer often lies beside the words that are asked with, so a sentence is as good as it is itself and as the stretches it
stands in. Every stretch is scored by the same BM25, over admitted passages alone: what may not be seen stands in no stretch and
counts for nothing. Pure arithmetic over an index; knows no engine and no plan.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from narraworld.base.settings import Scale
from narraworld.kb.search.inverted_index import Bm25, LexicalIndex
from narraworld.kb.search.search_words import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.query.memory.index.admission import AdmittedPassage

    Numbers: TypeAlias = NDArray[np.float32]
    Places: TypeAlias = NDArray[np.int64]
    Sums: TypeAlias = NDArray[np.float64]

__all__ = ["Scale", "Stretches", "Worded", "scaled"]

TERMS = 64  # that were asked for last


@dataclass(frozen=True, slots=True)
class _Ends:
    """For each passage where its stretch begins and ends, and how many words it has."""

    first: Places
    last: Places
    words: Places

    def total(self, sums: Sums) -> Numbers:
        """The sum over each stretch, of what has been added up passage by passage."""
        return np.asarray(sums[self.last] - sums[self.first], dtype=np.float32)


class _Meant(NamedTuple):
    """A term, whom it names, and what it is worth to be about them under another name."""

    words: str
    whom: tuple[str, ...]
    unnamed: float


class _Asked(NamedTuple):
    """A term, and how often it was asked for."""

    term: _Meant
    times: int


class _Kept(NamedTuple):
    """How often a term stands in the passages, added up, and inside stretches by their length."""

    added_up: Sums
    inside: dict[int | None, Numbers]


@dataclass(frozen=True, slots=True)
class Worded:
    """How well each passage matches a text by words: at every scale, and by how many of the words it has."""

    scales: tuple[Scale, ...]
    matches: tuple[Numbers | None, ...]
    covered: Numbers | None


def _added_up(values: Numbers) -> Sums:
    """Before each passage, and at the end, the sum of all before it: made once for stretches of every length."""
    return np.concatenate((np.zeros(1), np.cumsum(values, dtype=np.float64)))


class Stretches:
    """The admitted passages of a scope, in the order of the telling."""

    def __init__(self, index: LexicalIndex, passages: Sequence[AdmittedPassage]) -> None:
        self._index, self._passages = index, passages
        self._numbers: Places = np.array([one.number for one in passages], dtype=np.int64)
        self._marks: dict[re.Pattern[str], Numbers] = {}
        self._bounds: dict[int | None, _Ends] = {}
        self._terms: dict[_Meant, _Kept] = {}
        self._weights: dict[tuple[int | None, float, float], Sums] = {}

    def worded(
        self,
        text: str,
        named: Mapping[str, Iterable[str]],
        scales: Sequence[Scale],
        bm25: Bm25,
        unnamed: float = 0.5,
        covers: float = 0.0,
    ) -> Worded:
        """How well each passage matches ``text`` by words.

        ``named`` says whom a word of the text names: a passage that is about them under another name, or none, has the
        word too, ``unnamed`` times. ``covers`` is what it is worth to have all words of the text, beside it or in it.
        """
        asked = list(self._asked(text, named, unnamed))
        matches = tuple(
            scale.word * scaled(self._bm25(asked, scale.sides, bm25)) if scale.word else None
            for scale in scales
        )
        return Worded(tuple(scales), matches, covers * self._covered(asked) if covers and asked else None)

    def scores(self, worded: Worded, near: Numbers) -> Numbers:
        """How well each passage matches by words and ``near`` by meaning, over all scales, each by its weight."""
        found = np.zeros(len(self._passages), dtype=np.float32)
        nearness = _added_up(near)
        for scale, matching in zip(worded.scales, worded.matches, strict=True):
            bounds = self._stretch(scale.sides)
            if matching is not None:
                found += matching
            if scale.meaning:
                many = np.maximum(bounds.last - bounds.first, 1).astype(np.float32)
                found += scale.meaning * scaled(np.asarray(bounds.total(nearness) / many, dtype=np.float32))
        return found if worded.covered is None else found + worded.covered

    def _covered(self, asked: Sequence[_Asked]) -> Numbers:
        """The share of the words asked for that stand in each passage or just beside it."""
        having = sum((self._inside(one.term, 1) > 0).astype(np.float32) for one in asked)
        return np.asarray(having / len(asked), dtype=np.float32)

    def _asked(self, text: str, named: Mapping[str, Iterable[str]], unnamed: float) -> Iterator[_Asked]:
        meant = {term: tuple(whom) for word, whom in named.items() for term in analyse(word)}
        for term, times in Counter(analyse(text)).items():
            yield _Asked(_Meant(term, meant.get(term, ()), unnamed), times)

    def _frequency(self, term: _Meant) -> Sums:
        """How often it stands in each passage, added up."""
        found = self._spread(*self._index.having(term.words))
        for entity in term.whom:
            places = self._index.naming(entity)
            about = self._spread(places, np.full(len(places), term.unnamed, dtype=np.float32))
            found = np.maximum(found, about)
        return _added_up(found)

    def _inside(self, term: _Meant, sides: int | None) -> Numbers:
        """How often it stands in each stretch; kept, for what one request names the next one names again."""
        kept = self._terms.pop(term, None)
        if kept is None:
            kept = _Kept(self._frequency(term), {})
        self._terms[term] = kept  # the last one asked for
        if len(self._terms) > TERMS:
            del self._terms[next(iter(self._terms))]
        if sides not in kept.inside:
            kept.inside[sides] = self._stretch(sides).total(kept.added_up)
        return kept.inside[sides]

    def shared(self, text: str) -> NDArray[np.bool_]:
        """Which passages share a word with a text, or stand beside one that does."""
        found = np.zeros(len(self._passages), dtype=np.float32)
        for term in set(analyse(text)):
            found += self._spread(*self._index.having(term))
        return self._stretch(1).total(_added_up(found)) > 0

    def having(self, terms: Iterable[str]) -> NDArray[np.bool_]:
        """Which passages have all of these words."""
        found = np.ones(len(self._passages), dtype=bool)
        for term in terms:
            found &= self._spread(*self._index.having(term)) > 0
        return found

    def _spread(self, places: Places, often: Numbers) -> Numbers:
        whole = np.zeros(len(self._index.documents), dtype=np.float32)
        whole[places] = often
        return whole[self._numbers]

    def _bm25(self, asked: Sequence[_Asked], sides: int | None, settings: Bm25) -> Numbers:
        many, weight = len(self._passages), self._weight(sides, settings)
        total = np.zeros(many, dtype=np.float32)
        for one in asked:
            inside = self._inside(one.term, sides)
            having = np.count_nonzero(inside > 0)
            rarity = np.log1p((many - having + 0.5) / (having + 0.5))
            total += one.times * rarity * inside * (settings.k1 + 1) / (inside + weight)
        return total

    def _weight(self, sides: int | None, settings: Bm25) -> Sums:
        """What the length of each stretch takes from what it says."""
        key = sides, settings.k1, settings.b
        if key not in self._weights:
            words, many = self._stretch(sides).words, len(self._passages)
            usual = float(words.sum()) / many if many else 0.0
            weight = settings.k1 * (1 - settings.b + settings.b * words / (usual or 1.0))
            self._weights[key] = np.asarray(weight, dtype=np.float64)
        return self._weights[key]

    def marked(self, shape: re.Pattern[str]) -> Numbers:
        """1 for each passage in which this is found."""
        if shape not in self._marks:
            found = [shape.search(one.words) is not None for one in self._passages]
            self._marks[shape] = np.array(found, dtype=np.float32)
        return self._marks[shape]

    @cached_property
    def lengths(self) -> Places:
        """How many telling words each passage has."""
        return np.asarray(self._index.lengths["words"][self._numbers], dtype=np.int64)

    @cached_property
    def _unit(self) -> tuple[Places, Places]:
        """Where the unit of each passage begins and ends."""
        first, last, at = list[int](), list[int](), 0
        for _, several in groupby(self._passages, key=lambda one: one.unit):
            many = sum(1 for _ in several)
            first += [at] * many
            last += [at + many] * many
            at += many
        return np.array(first, dtype=np.int64), np.array(last, dtype=np.int64)

    def _stretch(self, sides: int | None) -> _Ends:
        if sides not in self._bounds:
            first, last = self._unit
            if sides is not None:
                own = np.arange(len(first), dtype=np.int64)
                first, last = np.maximum(first, own - sides), np.minimum(last, own + sides + 1)
            sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(self.lengths)))
            self._bounds[sides] = _Ends(first, last, sums[last] - sums[first])
        return self._bounds[sides]


def scaled(scores: Numbers) -> Numbers:
    """The same order between 0 and 1; all zero stays so."""
    top = float(scores.max(initial=0.0))
    return (scores / top).astype(np.float32) if top > 0 else scores
