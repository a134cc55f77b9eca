"""Who carries what: the bookkeeping that lets a unit be edited or retracted without a trace.

Records belong to one unit and go with it. Entities, propositions and developments are shared: a row about them stays
as long as one unit still carries it. Remembers who does, and what each unit says about time. A cache: SQLite,
stamped with the snapshot it was made from, always rebuildable. Knows no rules.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from narraworld.kb.rows.bindings import BaseRow, Carried

__all__ = ["Carriers", "Overtaken", "RowChange", "owned"]

WAIT_SECONDS = 60.0  # for another process that derives
TABLES = ("shared", "clock", "stamp")
LAYOUT = 1  # of the tables below; a cache laid out otherwise is made anew
SCHEMA = (
    """create table shared (
    relation text, row text, node text, unit text, primary key (relation, row, unit, node)) without rowid""",
    "create table clock (unit text primary key, times text) without rowid",
    "create table stamp (only_row integer primary key check (only_row = 1), value text)",
)


class Overtaken(Exception):
    """Another process changed the cache since we looked. A signal to look again, never shown."""


def owned(node: str, unit: str) -> bool:
    """Whether ``node`` is a record of ``unit`` (and not a thing many units may speak of)."""
    return node == unit or node.startswith(f"{unit}/")


@dataclass(slots=True)
class RowChange:
    """Base rows that came and went, by relation; coming and going cancel out."""

    added: dict[str, set[BaseRow]] = field(default_factory=dict)
    removed: dict[str, set[BaseRow]] = field(default_factory=dict)

    def add(self, relation: str, row: BaseRow) -> None:
        _move(relation, row, self.removed, self.added)

    def remove(self, relation: str, row: BaseRow) -> None:
        _move(relation, row, self.added, self.removed)


def _move(
    relation: str, row: BaseRow, cancels: dict[str, set[BaseRow]], into: dict[str, set[BaseRow]]
) -> None:
    if row in cancels.get(relation, ()):
        cancels[relation].discard(row)
    else:
        into.setdefault(relation, set()).add(row)


class Carriers:
    """The shared rows of one branch and the units that carry them."""

    def __init__(self, path: Path | None = None) -> None:
        try:
            self._sql = _opened(path)
        except sqlite3.DatabaseError as error:
            if path is None or isinstance(error, sqlite3.OperationalError):
                raise
            for part in (path, *path.parent.glob(f"{path.name}-*")):  # no database: a cache is made anew
                part.unlink(missing_ok=True)
            self._sql = _opened(path)

    @property
    def stamp(self) -> str | None:
        found = self._sql.execute("select value from stamp").fetchone()
        return str(found[0]) if found else None

    @contextmanager
    def changing(self, stamp: str, *, after: str | None = None) -> Iterator[None]:
        """One transaction, stamped at its end; an error leaves everything as it was.

        With ``after`` the cache must still have that stamp, or it is `Overtaken`.
        """
        self._sql.execute("begin immediate")
        try:
            if after is not None and self.stamp != after:
                raise Overtaken
            yield
            self._sql.execute("insert or replace into stamp values (1, ?)", (stamp,))
        except BaseException:
            self._sql.execute("rollback")
            raise
        self._sql.execute("commit")

    def begin_as(self, other: Carriers) -> None:
        """Take over all that another one knows."""
        other._sql.backup(self._sql)

    def clear(self) -> None:
        """Forget everything (within a change)."""
        for table in TABLES[:-1]:
            self._sql.execute(f"delete from {table}")

    def fill(self, units: Iterable[tuple[str, Iterable[Carried]]], rows: dict[str, list[BaseRow]]) -> None:
        """Begin with what these units carry (within a change); all rows go to ``rows``, some of them perhaps twice."""
        self.clear()
        shared: dict[tuple[str, BaseRow], list[tuple[str, str]]] = {}
        for unit, carried in units:
            for node, relation, row in carried:
                if owned(node, unit):
                    rows[relation].append(row)
                else:
                    shared.setdefault((relation, row), []).append((node, unit))
        for relation, row in shared:
            rows[relation].append(row)
        spelled = ((relation, _text(row), who) for (relation, row), who in shared.items())
        lines = sorted((relation, text, *one) for relation, text, who in spelled for one in who)
        self._sql.executemany("insert or ignore into shared values (?, ?, ?, ?)", lines)

    def replace(self, unit: str, old: Iterable[Carried], new: Iterable[Carried], change: RowChange) -> None:
        """``unit`` carried ``old`` and now carries ``new``; what that means for all is noted in ``change``."""
        before, after = set(old), set(new)
        for carried in before - after:
            if owned(carried.node, unit) or self._let_go(unit, carried):
                change.remove(carried.relation, carried.row)
        for carried in after - before:
            if owned(carried.node, unit) or self._take_up(unit, carried):
                change.add(carried.relation, carried.row)

    def _let_go(self, unit: str, carried: Carried) -> bool:
        key = (carried.relation, _text(carried.row))
        gone = "delete from shared where relation = ? and row = ? and unit = ? and node = ?"
        self._sql.execute(gone, (*key, unit, carried.node))
        return not self._carried(key)

    def _take_up(self, unit: str, carried: Carried) -> bool:
        key = (carried.relation, _text(carried.row))
        fresh = not self._carried(key)
        self._sql.execute("insert or ignore into shared values (?, ?, ?, ?)", (*key, carried.node, unit))
        return fresh

    def _carried(self, key: tuple[str, str]) -> bool:
        sought = "select 1 from shared where relation = ? and row = ? limit 1"
        return self._sql.execute(sought, key).fetchone() is not None

    def shared(self, admits: Callable[[str, str], bool]) -> Iterator[tuple[str, BaseRow]]:
        """The shared rows that some admitted (node, unit) carries, each once."""
        seen: dict[tuple[str, str], None] = {}
        for relation, row, node, unit in self._sql.execute("select relation, row, node, unit from shared"):
            if (relation, row) not in seen and admits(node, unit):
                seen[relation, row] = None
        rows = json.loads(f"[{','.join(row for _, row in seen)}]")  # one by one would take ten times as long
        yield from ((relation, tuple(row)) for (relation, _), row in zip(seen, rows, strict=True))

    def keep_times(self, unit: str, times: str | None) -> None:
        """Remember what ``unit`` says about time, as its caller spells it; None forgets it."""
        self._sql.execute("delete from clock where unit = ?", (unit,))
        if times is not None:
            self._sql.execute("insert into clock values (?, ?)", (unit, times))

    def keep_all_times(self, times: Iterable[tuple[str, str]]) -> None:
        """The same for many units, of which nothing is remembered yet."""
        self._sql.executemany("insert into clock values (?, ?)", times)

    def times(self) -> list[str]:
        return [times for (times,) in self._sql.execute("select times from clock order by unit")]

    def close(self) -> None:
        self._sql.close()


def _opened(path: Path | None) -> sqlite3.Connection:
    sql = sqlite3.connect(
        path or ":memory:", timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        sql.executescript("pragma journal_mode = wal; pragma synchronous = normal")
        _lay_out(sql)
        for table in TABLES:
            sql.execute(f"select * from {table} limit 1").fetchone()
    except sqlite3.DatabaseError:
        sql.close()
        raise
    return sql


def _lay_out(sql: sqlite3.Connection) -> None:
    """Tables for what is to come; what an older layout held is forgotten, with the stamp that vouched for it."""
    if _laid_out(sql):
        return
    with sql:
        sql.execute("begin immediate")
        if not _laid_out(sql):  # another process may have been first
            for statement in (*(f"drop table if exists {table}" for table in TABLES), *SCHEMA):
                sql.execute(statement)
            sql.execute(f"pragma user_version = {LAYOUT}")


def _laid_out(sql: sqlite3.Connection) -> bool:
    return bool(sql.execute("pragma user_version").fetchone() == (LAYOUT,))


def _text(row: BaseRow) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))
