"""Words of the records, findable: an inverted index that is brought up to date unit by unit.

Postings are kept in SQLite, one row for each term of a unit (`search_words` turns text into terms). Scores are computed here, because they must not depend on anything outside the situation that asks: frequencies and lengths are
counted over admitted documents alone, so a record that may not be seen cannot move another by one place. A cache:
the file can be deleted.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, count, groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from narraworld.base.atomic_files import make_file, make_folder
from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import Bm25
from narraworld.kb.search.admitted_words import AdmittedWords
from narraworld.kb.search.search_words import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]
    Places: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["Bm25", "Document", "Hit", "LexicalIndex"]

FORMAT = 4  # part of the file's name: an index of another make is left alone and never read
PATIENCE = 0.5  # seconds to wait for another process that writes
SCHEMA = """
create table if not exists unit (unit text primary key, version text) without rowid;
create table if not exists document (number integer primary key, id text, unit text, kind text,
    start integer, end integer, words integer, about integer, vector blob, rests text, said text);
create table if not exists posting (field text, term text, unit text, numbers blob,
    primary key (field, term, unit)) without rowid;
"""
INDEXES = {"by_unit": "document (unit)", "of_unit": "posting (unit)"}


@dataclass(frozen=True, slots=True)
class Document:
    """One record, or one passage, as words: what it quotes and where, what it is about, whom it names and whose it is.

    ``vector`` is kept for the caller, who alone knows what it means. Of a passage, ``rests`` are the records that rest on it
    and ``said`` its very words.
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
    rests: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document and how well it matches."""

    id: str
    score: float


class LexicalIndex:
    """Documents of records, by word and by entity. In memory without a folder.

    What was read once is kept and comes from one state of the file: another process may go on writing meanwhile.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._sql = _open(folder)
        self._postings: dict[tuple[str, str], tuple[Places, Numbers]] = {}

    # -- in

    def update(
        self, add: Iterable[Document], drop: Iterable[str] = (), units: Mapping[str, str] | None = None
    ) -> None:
        """Take out the documents of the units in ``drop``, then put in ``add``; all of it or nothing.

        ``units`` are in with these versions, even those that have no document.
        """
        added = sorted(add, key=attrgetter("unit"))
        with self._writing() as sql:
            freed = [number for unit in drop for number in _taken_out(sql, unit)]
            [(fresh,)] = sql.execute("select coalesce(max(number), -1) + 1 from document")
            numbers = chain(sorted(freed), count(max([fresh, *(one + 1 for one in freed)])))
            versions = {one.unit: one.version for one in added} | dict(units or {})
            sql.executemany("insert or replace into unit values (?, ?)", versions.items())
            postings: list[_Posting] = []
            with _indexed_after(sql, first=not fresh):
                for unit, some in groupby(added, key=attrgetter("unit")):
                    postings += _put_in(
                        sql, unit, zip(some, numbers, strict=False)
                    )  # so that no number is lost
                postings.sort()  # rows that come in their order fill pages one after the other
                sql.executemany("insert into posting values (?, ?, ?, ?)", postings)

    def add(self, *documents: Document) -> None:
        self.update(documents)

    def delete(self, *units: str) -> None:
        self.update((), units)

    def clear(self) -> None:
        """Hold nothing, so that everything is put in again."""
        self.update((), self.units)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. While another process writes, this one goes on with a copy of its own."""
        self._forget()
        try:
            self._sql.execute("begin immediate")
        except sqlite3.OperationalError:
            alone = _connected(":memory:")
            self._sql.backup(alone)
            self._sql.close()
            self._sql = alone
            alone.execute("begin immediate")
        try:
            yield self._sql
        except BaseException:
            self._sql.execute("rollback")
            raise
        self._sql.execute("commit")

    def close(self) -> None:
        self._forget()
        self._sql.close()

    # -- out

    @cached_property
    def documents(self) -> Sequence[tuple[Any, ...]]:
        """Id, unit, start, end and the lengths, by number; a number that is not used has nothing."""
        columns = "number, id, unit, start, end, words, about"
        rows = self._asked(f"select {columns} from document order by number").fetchall()
        found: list[tuple[Any, ...]] = [()] * (rows[-1][0] + 1 if rows else 0)
        for number, *stored in rows:
            found[number] = tuple(stored)
        return found

    @cached_property
    def vectors(self) -> Sequence[bytes]:
        """The caller's vectors, by number."""
        found = [b""] * len(self.documents)
        for number, vector in self._asked("select number, vector from document"):
            found[number] = vector
        return found

    def of_kind(self, kind: str) -> list[tuple[int, str, int, int, tuple[str, ...], str]]:
        """Number, unit, start, end, records and words of every document of a kind, in the order of the text."""
        columns = "number, unit, start, end, rests, said"
        found = self._asked(f"select {columns} from document where kind = ? order by unit, start", kind)
        return [
            (number, unit, start, end, tuple(rests.split()), said)
            for number, unit, start, end, rests, said in found
        ]

    @cached_property
    def kinds(self) -> Sequence[str]:
        """What kind of record each document is, by number; a number that is not used is of none."""
        found = [""] * len(self.documents)
        for number, kind in self._asked("select number, kind from document"):
            found[number] = kind
        return found

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Where each record stands."""
        return {stored[0]: number for number, stored in enumerate(self.documents) if stored}

    @cached_property
    def units(self) -> Mapping[str, str]:
        """The units that are in, and of which version."""
        return dict(self._asked("select unit, version from unit").fetchall())

    def search(
        self, text: str, k: int, *, admitted: Mask | None = None, bm25: Bm25 | None = None
    ) -> list[Hit]:
        """The best ``k`` documents that share a word with ``text``."""
        scores = self.scores(text, admitted=admitted, bm25=bm25)
        best = np.argsort(-scores, kind="stable")[:k]
        return [Hit(self.documents[i][0], float(scores[i])) for i in best if scores[i] > 0]

    def scores(self, text: str, *, admitted: Mask | None = None, bm25: Bm25 | None = None) -> Numbers:
        """BM25 of every document, any word counting; what is not admitted has nothing and counts for nothing."""
        return self.among(admitted).scores(text, bm25 or Bm25())

    def among(self, admitted: Mask | None = None) -> AdmittedWords:
        """The same for many texts: what they share is worked out once."""
        return AdmittedWords(self, self.present if admitted is None else admitted & self.present)

    def having(self, term: str) -> tuple[Places, Numbers]:
        """The documents whose words have this term, and how often."""
        return self.posting("words", term)

    def naming(self, entity: str) -> Places:
        """The documents that name this entity."""
        return self.posting("entities", entity)[0]

    def of(self, holder: str) -> Places:
        """The documents that are this holder's: said, done, held or lived by."""
        return self.posting("holders", holder)[0]

    @cached_property
    def present(self) -> Mask:
        return np.array([bool(stored) for stored in self.documents], dtype=bool)

    @cached_property
    def lengths(self) -> Mapping[str, Places]:
        pairs = np.array([stored[-2:] or (0, 0) for stored in self.documents], dtype=np.int64).reshape(-1, 2)
        return {"words": pairs[:, 0].copy(), "about": pairs[:, 1].copy()}

    def posting(self, name: str, term: str) -> tuple[Places, Numbers]:
        if (name, term) not in self._postings:
            self._postings[name, term] = self._read_posting(name, term)
        return self._postings[name, term]

    def _read_posting(self, name: str, term: str) -> tuple[Places, Numbers]:
        rows = self._asked("select numbers from posting where field = ? and term = ?", name, term)
        pairs = np.frombuffer(b"".join(blob for (blob,) in rows), dtype=np.int32).reshape(-1, 2)
        pairs = pairs[np.argsort(pairs[:, 0])]
        return pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.float32)

    def _asked(self, question: str, *values: str) -> sqlite3.Cursor:
        """The first question opens a reading that later ones share, until something is written."""
        if not self._sql.in_transaction:
            self._sql.execute("begin")
        return self._sql.execute(question, values)

    def _forget(self) -> None:
        if self._sql.in_transaction:
            self._sql.execute("rollback")
        self._postings.clear()
        for name in ("documents", "vectors", "kinds", "numbers", "units", "present", "lengths"):
            self.__dict__.pop(name, None)


# -- the file


def _open(folder: Path | None) -> sqlite3.Connection:
    if folder is None:
        return _prepared(":memory:")
    make_folder(folder)
    file = make_file(folder / f"lexical-{FORMAT}.sqlite")
    try:
        return _prepared(file)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        for part in (file, *folder.glob(f"{file.name}-*")):  # damaged: a cache is made anew
            part.unlink(missing_ok=True)
        return _prepared(file)


def _prepared(file: Path | str) -> sqlite3.Connection:
    sql = _connected(file)
    try:
        sql.executescript(f"pragma journal_mode = wal; pragma synchronous = normal; {SCHEMA}")
        _index(sql)
        for table in ("unit", "document", "posting"):
            sql.execute(f"select * from {table} limit 1").fetchone()
    except sqlite3.DatabaseError:
        sql.close()
        raise
    return sql


def _connected(file: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _taken_out(sql: sqlite3.Connection, unit: str) -> list[int]:
    """The numbers that the documents of a unit had."""
    found = [number for (number,) in sql.execute("select number from document where unit = ?", (unit,))]
    for table in ("document", "posting", "unit"):
        sql.execute(f"delete from {table} where unit = ?", (unit,))
    return found


def _index(sql: sqlite3.Connection) -> None:
    for name, of in INDEXES.items():
        sql.execute(f"create index if not exists {name} on {of}")


@contextmanager
def _indexed_after(sql: sqlite3.Connection, *, first: bool) -> Iterator[None]:
    """A stretch that fills the tables: when they get their first rows, the indexes are made once those are there."""
    for name in INDEXES if first else ():
        sql.execute(f"drop index if exists {name}")
    yield
    _index(sql)


_Posting: TypeAlias = tuple[str, str, str, bytes]
"""A field, a term, a unit, and in pairs the numbers of the unit's documents that have it, and how often."""


def _put_in(
    sql: sqlite3.Connection, unit: str, documents: Iterable[tuple[Document, int]]
) -> Iterator[_Posting]:
    """Put in the documents of one unit; gives the postings of their terms."""
    rows: list[tuple[object, ...]] = []
    postings: dict[tuple[str, str], array[int]] = {}
    for one, number in documents:
        words, about = analyse(one.words), analyse(one.about)
        known = (number, one.id, unit, one.kind, *one.place, len(words), len(about), one.vector)
        rows.append((*known, " ".join(one.rests), one.said))
        fields = {"words": words, "about": about, "entities": one.entities, "holders": one.holders}
        for name, terms in fields.items():
            for term, times in _counted(terms).items():
                key = name, term
                if key not in postings:
                    postings[key] = array("i")
                postings[key].extend((number, times))
    sql.executemany(f"insert into document values ({', '.join('?' * 11)})", rows)
    return ((name, term, unit, numbers.tobytes()) for (name, term), numbers in postings.items())


def _counted(terms: Iterable[str]) -> dict[str, int]:
    """How often each term occurs; for the few of one document a `Counter` takes four times as long."""
    found: dict[str, int] = {}
    for term in terms:
        found[term] = found.get(term, 0) + 1
    return found
