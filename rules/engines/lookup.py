"""Where rows are found by what is known of them: in memory, or in an SQLite file with nothing loaded.

A pattern of bound columns is indexed the first time it is asked for. Nothing here derives anything.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol, TypeAlias

from narraworld.rules.engines.sql import SQLITE, Writer, check_rows, quoted
from narraworld.rules.errors import EngineError
from narraworld.rules.ir import Facts, Program, Relation, Row, Value
from narraworld.rules.terms import LARGEST, SMALLEST

__all__ = ["Bound", "MemorySource", "Source", "SqliteSource", "Table"]

Bound: TypeAlias = tuple[tuple[int, Value], ...]
"""Known columns with their values, in column order."""


class Source(Protocol):
    """Base facts by pattern."""

    def find(self, relation: str, bound: Bound) -> Iterable[Row]:
        """The rows that carry these values in these columns; none for a relation without facts."""


class Table:
    """Rows of one relation, each once, with an index per pattern of columns that was ever asked for."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = set(rows)
        self._indexes: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    def find(self, bound: Bound) -> Collection[Row]:
        if not bound:
            return self.rows
        columns = tuple(column for column, _ in bound)
        index = self._indexes.get(columns)
        if index is None:
            # filled before it is shown, so that a second thread sees all of it or none
            index = self._indexes[columns] = _filled({}, columns, self.rows)
        return index.get(tuple(value for _, value in bound), ())

    def add(self, rows: Iterable[Row]) -> set[Row]:
        """Take the rows in; returns those that are new."""
        new = set(rows) - self.rows
        self.rows |= new
        for columns, index in self._indexes.items():
            _filled(index, columns, new)
        return new


def _filled(
    index: dict[Row, list[Row]], columns: tuple[int, ...], rows: Iterable[Row]
) -> dict[Row, list[Row]]:
    for row in rows:
        index.setdefault(tuple(row[column] for column in columns), []).append(row)
    return index


class MemorySource:
    """Base facts held in memory; checked once, because a malformed row would be lost in silence later."""

    def __init__(self, facts: Facts, relations: Mapping[str, Relation]) -> None:
        self._facts = {name: rows for name, rows in facts.items() if rows}
        for name, rows in self._facts.items():
            if name not in relations or not relations[name].base:
                raise EngineError(f"{name!r} is not a base relation of the program")
            check_rows(relations[name], list(rows))
        self._tables: dict[str, Table] = {}

    def find(self, relation: str, bound: Bound) -> Collection[Row]:
        table = self._tables.get(relation)
        if table is None:
            table = self._tables[relation] = Table(self._facts.get(relation, ()))
        return table.find(bound)


class SqliteSource:
    """Base facts in an SQLite database with one table per relation, such as a `SqliteEngine` keeps in its file.

    One SELECT per pattern; with `may_index` the pattern gets an index when it is first asked for.
    """

    def __init__(self, connection: sqlite3.Connection, program: Program, *, may_index: bool = False) -> None:
        self._connection, self._may_index = connection, may_index
        self._sql = Writer(program, SQLITE)
        self._selects: dict[tuple[str, tuple[int, ...]], str] = {}

    def find(self, relation: str, bound: Bound) -> list[Row]:
        values = tuple(value for _, value in bound)
        if any(isinstance(value, int) and not SMALLEST <= value <= LARGEST for value in values):
            return []  # SQLite cannot hold it, so no row has it
        columns = tuple(column for column, _ in bound)
        select = self._selects.get((relation, columns))
        if select is None:
            select = self._selects[relation, columns] = self._prepare(relation, columns)
        return self._connection.execute(select, values).fetchall()

    def _prepare(self, relation: str, columns: tuple[int, ...]) -> str:
        table, names = self._sql.table(relation), self._sql.columns(relation)
        bound = [names[column] for column in columns]
        if bound and self._may_index:
            index = quoted(f"{relation} by {' '.join(map(str, columns))}")
            self._connection.execute(f"CREATE INDEX IF NOT EXISTS {index} ON {table} ({', '.join(bound)})")
        where = f" WHERE {' AND '.join(f'{name} = ?' for name in bound)}" if bound else ""
        return f"SELECT {', '.join(names)} FROM {table}{where}"
