"""Search over the records and passages of one situation: by word, by meaning, by name.

The index is kept for the whole branch and brought up to date unit by unit; a mask admits what this situation may see. A record is
admitted by the cut and by the eyes it is seen through, a passage by `admission.py`. Ranks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from narraworld.base.one_thread import one_thread
from narraworld.base.undisturbed import undisturbed
from narraworld.kb.search.admitted_words import AdmittedWords
from narraworld.kb.search.inverted_index import Bm25, LexicalIndex
from narraworld.kb.time.clock_values import ClockSettings
from narraworld.query.memory.index import vectors as semantic
from narraworld.query.memory.index.admission import AdmittedPassage, admitted_passages
from narraworld.query.memory.index.documents import PASSAGE, SEARCHED, TOLD_AS_TEXT, TextOf, documents_of
from narraworld.query.memory.index.neighbours import Layout
from narraworld.query.memory.index.stretches import Stretches, Worded
from narraworld.query.names import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.base.settings import Weights
    from narraworld.kb.journal.store import Snapshot
    from narraworld.query.scope import Scope
    from narraworld.rules.engines import Engine

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["Search", "Shelf", "versions_of"]

KEPT = 16  # texts that were looked for last
Key = TypeVar("Key")
Made = TypeVar("Made")


@dataclass(slots=True)
class Shelf:
    """Where the index of a branch is kept, and what it must hold: the units of ``source``, their versions and texts."""

    index: LexicalIndex
    source: Engine
    versions: Mapping[str, str]
    whole: bool = True
    text_of: TextOf = lambda unit: ""
    clock: ClockSettings = field(default_factory=ClockSettings)
    filled: bool = False  # the index held nothing before it was last brought up to date

    def refresh(self) -> LexicalIndex:
        """Documents of exactly these versions of these units."""
        self.filled = not self.index.units
        while (kept := self.index.units) != self.versions:  # another process may have moved it meanwhile
            stale = [unit for unit in kept if unit not in self.versions]
            fresh = {unit: version for unit, version in self.versions.items() if kept.get(unit) != version}
            with undisturbed(keeping=True):
                self.index.update(documents_of(self.source, fresh, self.text_of), [*stale, *fresh], fresh)
        return self.index


class Search:
    """Everything a scope can find. Arrays run parallel to ``documents``: the admitted records in the order of their ids, then
    the admitted passages in the order of the text, so that not even the order of a sum depends on what else the index holds."""

    def __init__(self, scope: Scope) -> None:
        self.engine, self.eyes = scope.engine, scope.focalizer
        shelf = scope.shelf() if scope.shelf else None
        shelf = shelf if isinstance(shelf, Shelf) else _own(scope.engine)
        self.index, self._whole, self._clock = shelf.refresh(), shelf.whole, shelf.clock
        self.filled = shelf.filled
        self._close: dict[tuple[str, ...], Numbers] = {}
        self._by_word: dict[tuple[str, float, float], Numbers] = {}
        self._marks: dict[tuple[str, ...], Numbers] = {}
        self._worded: dict[tuple[object, ...], Worded] = {}

    @cached_property
    def documents(self) -> list[str]:
        """The ids of what may be found."""
        return [*self.records, *(passage.id for passage in self.passages)]

    @cached_property
    def records(self) -> list[str]:
        kinds = self.index.kinds
        known = {record for record, number in self.index.numbers.items() if kinds[number] != PASSAGE}
        everything = self._whole and self.eyes is None
        return sorted(known if everything else {record for record in self._visible() if record in known})

    @cached_property
    def passages(self) -> list[AdmittedPassage]:
        """The sentences that may be seen, in the order of the telling."""
        stored = [AdmittedPassage(*columns) for columns in self.index.of_kind(PASSAGE)]
        order = self._units
        told = sorted(
            (one for one in stored if one.unit in order),
            key=lambda one: (order[one.unit], one.unit, one.start),
        )
        if self._whole and self.eyes is None:
            return told
        return admitted_passages(told, order, frozenset(self.records), self.engine, self.eyes, self._clock)

    @cached_property
    def standing(self) -> Mapping[str, tuple[AdmittedPassage, ...]]:
        """For each record the passages it rests on."""
        found: dict[str, list[AdmittedPassage]] = {}
        for passage in self.passages:
            for record in passage.rests:
                found.setdefault(record, []).append(passage)
        return {record: tuple(several) for record, several in found.items()}

    @cached_property
    def in_passages(self) -> NDArray[np.int64]:
        """Where the records stand that are told by the passages they rest on: they lend these their score, and have none."""
        kinds = self.index.kinds
        told = [
            nth
            for nth, record in enumerate(self.records)
            if kinds[self._numbers[nth]] in TOLD_AS_TEXT and record in self.standing
        ]
        return np.array(told, dtype=np.int64)

    def position(self, unit: str, start: int) -> int:
        """Where a letter of a unit stands in the telling, as records are told there."""
        return self._units.get(unit, 0) * self._clock.unit_length + start

    @cached_property
    def _units(self) -> Mapping[str, int]:
        return {str(unit): int(nth) for unit, nth in rows(self.engine, "unit")}

    def _visible(self) -> Iterable[str]:
        return (str(node) for node, kind in rows(self.engine, "instance") if kind in SEARCHED)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        known = [self.index.numbers[record] for record in self.records]
        return np.array([*known, *(passage.number for passage in self.passages)], dtype=np.int64)

    @cached_property
    def _admitted(self) -> AdmittedWords:
        """The words of the records among the documents of the index."""
        mask = np.zeros(len(self.index.documents), dtype=bool)
        mask[self._numbers[: len(self.records)]] = True
        return self.index.among(mask)

    @cached_property
    def _vectors(self) -> tuple[Numbers, NDArray[np.int64]]:
        """The different vectors, and which of them each document has: records that quote one sentence mean the same."""
        kept = [self.index.vectors[number] for number in self._numbers]
        places = {vector: nth for nth, vector in enumerate(dict.fromkeys(kept))}
        return semantic.from_bytes(list(places)), np.array(
            list(map(places.__getitem__, kept)), dtype=np.int64
        )

    @cached_property
    def layout(self) -> Layout:
        """Where records and passages stand in the telling: a record stands at the first passage it rests on."""
        scenes = [(str(unit), int(start)) for _, unit, start, _ in rows(self.engine, "scene")]
        own = (self.index.documents[number] for number in self._numbers[: len(self.records)])
        places = [
            (first.unit, first.start, first.end) if (first := self._first(record)) else (unit, start, end)
            for record, unit, start, end, *_ in own
        ]
        return Layout.of([*places, *((one.unit, one.start, one.end) for one in self.passages)], scenes)

    def _first(self, record: str) -> AdmittedPassage | None:
        return next(iter(self.standing.get(record, ())), None)

    @cached_property
    def stretches(self) -> Stretches:
        """The admitted passages with what stands around each of them."""
        return Stretches(self.index, self.passages)

    def by_word(self, text: str, bm25: Bm25) -> Numbers:
        """BM25 of the records alone: passages are scored with what stands around them."""
        records = self._numbers[: len(self.records)]
        key = text, bm25.k1, bm25.b
        return _kept(self._by_word, key, lambda: self._admitted.scores(text, bm25)[records])

    def by_meaning(self, *things: Sequence[str]) -> list[Numbers]:
        """For each thing, given in one wording or several, how close every document is to it."""
        return [_kept(self._close, tuple(one), partial(self._closeness, one)) for one in things]

    def _closeness(self, wordings: Sequence[str]) -> Numbers:
        wanted = semantic.embed([text for text in wordings if text]).sum(axis=0)
        vectors, which = self._vectors
        with one_thread():  # one thing at a time: for so few, multiplying matrices takes twice as long
            near = np.maximum(vectors @ np.asarray(wanted, dtype=np.float32), 0.0)
        return near[which]

    def worded(self, text: str, named: Mapping[str, tuple[str, ...]], weights: Weights) -> Worded:
        """How well every passage matches a text by words; ``named`` says whom a word of it names."""
        scales, bm25 = weights.scales, weights.bm25
        key = text, *named.items(), scales, bm25.k1, bm25.b, weights.unnamed, weights.covers
        return _kept(
            self._worded,
            key,
            lambda: self.stretches.worded(text, named, scales, bm25, weights.unnamed, weights.covers),
        )

    def naming(self, entities: Iterable[str]) -> Numbers:
        """1 for each document that names one of these entities."""
        several = tuple(entities)
        return _kept(self._marks, ("naming", *several), lambda: self._marked(map(self.index.naming, several)))

    def of(self, holders: Iterable[str]) -> Numbers:
        """1 for each document that is one of these holders'."""
        several = tuple(holders)
        return _kept(self._marks, ("of", *several), lambda: self._marked(map(self.index.of, several)))

    def _marked(self, several: Iterable[NDArray[np.int64]]) -> Numbers:
        found = np.zeros(len(self.index.documents), dtype=np.float32)
        for numbers in several:
            found[numbers] = 1.0
        return found[self._numbers]


def _kept(known: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    """What was made for a key; the oldest goes where there are many. What a scene to be written is about is asked with every request."""
    if key not in known:
        if len(known) >= KEPT:
            del known[next(iter(known))]
        known[key] = make()
    return known[key]


def versions_of(engine: Engine, snapshot: Snapshot) -> dict[str, str]:
    """The version of every unit the engine has."""
    found = {str(unit): snapshot.find(str(unit)) for unit, _ in rows(engine, "unit")}
    return {unit: entry.body_sha for unit, entry in found.items() if entry}


def _own(engine: Engine) -> Shelf:
    """An index for this engine alone, kept nowhere."""
    return Shelf(LexicalIndex(), engine, {str(unit): "" for unit, _ in rows(engine, "unit")})
