"""Words of the records, findable: an inverted index that is brought up to date unit by unit.

The only door to whoosh, which analyses, stores and hands back postings. Scores are computed here, because they must
not depend on anything outside the situation that asks: frequencies and lengths are counted over admitted documents
alone, so a record that may not be seen cannot move another by one place. Everything in the folder can be deleted.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from narraworld.kb.stems import base_form

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]
    Places: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["Bm25", "Document", "Hit", "LexicalIndex"]

SCRAPS = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})  # what an apostrophe leaves behind
FORMAT = 2  # part of the folder's name: an index of another make is left alone and never read


@dataclass(frozen=True, slots=True)
class Bm25:
    """How often and how long a document says it; ``boosts`` weigh the fields."""

    k1: float = 1.0
    b: float = 0.6
    boosts: Mapping[str, float] = field(default_factory=lambda: {"words": 1.0, "about": 1.0})


@dataclass(frozen=True, slots=True)
class Document:
    """One record as words: what it quotes and where, what it is about, whom it names and whose it is.

    ``vector`` is kept for the caller, who alone knows what it means.
    """

    id: str
    unit: str
    version: str
    kind: str
    words: str
    about: str = ""
    entities: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    place: tuple[int, int] = (0, 0)
    vector: bytes = b""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document and how well it matches."""

    id: str
    score: float


class LexicalIndex:
    """Documents of records, by word and by entity. In memory without a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._index = _open(folder)
        self._reader: Any = None
        self._postings: dict[tuple[str, str], tuple[Places, Numbers]] = {}

    # -- in

    def update(self, add: Iterable[Document], drop: Iterable[str] = ()) -> None:
        """Take out the documents of the units in ``drop``, then put in ``add``; all of it or nothing."""
        writer = self._writer()
        try:
            for unit in drop:
                writer.delete_by_term("unit", unit)
            for one in add:
                writer.add_document(**_stored(one))
        except BaseException:
            writer.cancel()
            raise
        writer.commit()
        self._forget()

    def add(self, *documents: Document) -> None:
        self.update(documents)

    def delete(self, *units: str) -> None:
        self.update((), units)

    def clear(self) -> None:
        """Hold nothing, so that everything is put in again."""
        self.update((), self.units)

    def _writer(self) -> Any:
        """While another process writes, this one goes on with a copy of its own."""
        try:
            return self._index.writer()
        except _whoosh().index.LockError:
            self._forget()
            self._index = _whoosh().filedb.filestore.copy_to_ram(self._index.storage).open_index()
            return self._index.writer()

    def close(self) -> None:
        self._forget()
        self._index.close()

    # -- out

    @cached_property
    def documents(self) -> Sequence[Mapping[str, Any]]:
        """What was stored, by document number; a number that is no longer used has nothing."""
        found: list[Mapping[str, Any]] = [{}] * self.reader.doc_count_all()
        for number, stored in self.reader.iter_docs():
            found[number] = stored
        return found

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Where each record stands."""
        return {stored["id"]: number for number, stored in enumerate(self.documents) if stored}

    @property
    def units(self) -> dict[str, str]:
        """The units that are in, and of which version."""
        return {stored["unit"]: stored["version"] for stored in self.documents if stored}

    def search(
        self, text: str, k: int, *, admitted: Mask | None = None, bm25: Bm25 | None = None
    ) -> list[Hit]:
        """The best ``k`` documents that share a word with ``text``."""
        scores = self.scores(text, admitted=admitted, bm25=bm25)
        best = np.argsort(-scores, kind="stable")[:k]
        return [Hit(self.documents[i]["id"], float(scores[i])) for i in best if scores[i] > 0]

    def scores(self, text: str, *, admitted: Mask | None = None, bm25: Bm25 | None = None) -> Numbers:
        """BM25 of every document, any word counting; what is not admitted has nothing and counts for nothing."""
        settings = bm25 or Bm25()
        allowed = self.present if admitted is None else admitted & self.present
        many = int(allowed.sum())
        total = np.zeros(len(self.documents), dtype=np.float32)
        for name, boost in settings.boosts.items():
            lengths = self._lengths[name]
            usual = (
                int(lengths[allowed].sum()) / many if many else 0.0
            )  # of whole numbers: in any order the same
            for term, times in _counted(analyse(text)).items():
                places, often = self._posting(name, term)
                seen = allowed[places]
                places, often = places[seen], often[seen]
                rarity = np.log1p((many - len(places) + 0.5) / (len(places) + 0.5))
                weight = settings.k1 * (1 - settings.b + settings.b * lengths[places] / (usual or 1.0))
                total[places] += boost * times * rarity * often * (settings.k1 + 1) / (often + weight)
        return total

    def naming(self, entity: str) -> Places:
        """The documents that name this entity."""
        return self._posting("entities", entity)[0]

    def of(self, holder: str) -> Places:
        """The documents that are this holder's: said, done, held or lived by."""
        return self._posting("holders", holder)[0]

    @cached_property
    def present(self) -> Mask:
        return np.array([bool(stored) for stored in self.documents], dtype=bool)

    @cached_property
    def _lengths(self) -> Mapping[str, Places]:
        return {
            name: np.array([stored.get(f"{name}_length", 0) for stored in self.documents], dtype=np.int64)
            for name in ("words", "about")
        }

    def _posting(self, name: str, term: str) -> tuple[Places, Numbers]:
        if (name, term) not in self._postings:
            self._postings[name, term] = self._read_posting(name, term)
        return self._postings[name, term]

    def _read_posting(self, name: str, term: str) -> tuple[Places, Numbers]:
        places: list[int] = []
        often: list[float] = []
        if (name, term) in self.reader:
            matcher = self.reader.postings(name, term)
            while matcher.is_active():
                places.append(matcher.id())
                often.append(matcher.weight())
                matcher.next()
        return np.array(places, dtype=np.int64), np.array(often, dtype=np.float32)

    @property
    def reader(self) -> Any:
        if self._reader is None:
            self._reader = self._index.reader()
        return self._reader

    def _forget(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None
        self._postings.clear()
        for name in ("documents", "numbers", "present", "_lengths"):
            self.__dict__.pop(name, None)


def analyse(text: str) -> list[str]:
    """The stems of the words that tell documents apart; irregular forms count as the word they are forms of."""
    words = (token.text for token in _words()(text.lower().replace("’", "'")))
    return [_stem(base_form(word)) for word in words]


@lru_cache(1 << 16)
def _stem(word: str) -> str:
    return str(_whoosh().lang.porter.stem(word))


@cache
def _words() -> Any:
    analysis = _whoosh().analysis
    return analysis.RegexTokenizer() | analysis.StopFilter(analysis.STOP_WORDS | SCRAPS, minsize=1)


@cache
def _whoosh() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its sources have escapes that newer Pythons warn of
        import whoosh
        import whoosh.analysis
        import whoosh.fields
        import whoosh.filedb.filestore
        import whoosh.index
        import whoosh.lang.porter
    return whoosh


def _schema() -> Any:
    fields = _whoosh().fields
    text = {"analyzer": _whoosh().analysis.SpaceSeparatedTokenizer(), "phrase": False}  # we analyse ourselves
    return fields.Schema(
        id=fields.STORED, unit=fields.ID(stored=True), version=fields.STORED, kind=fields.STORED,
        words=fields.TEXT(**text), about=fields.TEXT(**text), entities=fields.KEYWORD, holders=fields.KEYWORD,
        place=fields.STORED, vector=fields.STORED, words_length=fields.STORED, about_length=fields.STORED,
    )  # fmt: skip


def _open(folder: Path | None) -> Any:
    storage = _whoosh().filedb.filestore
    if folder is None:
        return storage.RamStorage().create_index(_schema())
    place = folder / f"lexical-{FORMAT}"
    place.mkdir(parents=True, exist_ok=True)
    try:
        return storage.FileStorage(str(place)).open_index()
    except (
        _whoosh().index.IndexError,
        OSError,
        EOFError,
        ValueError,
        UnpicklingError,
    ):  # none yet, or a damaged one
        for file in place.iterdir():
            file.unlink()
        return storage.FileStorage(str(place)).create_index(_schema())


def _stored(one: Document) -> dict[str, Any]:
    words, about = analyse(one.words), analyse(one.about)
    return {
        "id": one.id, "unit": one.unit, "version": one.version, "kind": one.kind, "words": " ".join(words),
        "about": " ".join(about), "entities": " ".join(one.entities), "holders": " ".join(one.holders),
        "place": one.place, "vector": one.vector,
        "words_length": len(words), "about_length": len(about),
    }  # fmt: skip


def _counted(terms: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for term in terms:
        found[term] = found.get(term, 0) + 1
    return found
