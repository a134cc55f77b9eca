"""Base rows out of one file of tables into another: one statement a relation, and no row passes through Python.

Knows two files and which rows are wanted; decides nothing and derives nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.engines.sql.writer import Writer, quoted

__all__ = ["RowsElsewhere", "copy_rows", "within_reach"]

SOURCE = "elsewhere"  # what the other file is called while it is within reach
WANTED = quoted("@wanted")


@dataclass(frozen=True, slots=True)
class RowsElsewhere:
    """Rows in the tables of another file: relations taken ``whole``; of the others, the rows about ``nodes``.

    A row is about what stands in its first column. Without ``nodes`` every relation is taken whole.
    """

    path: str
    tables: Mapping[str, str]  # what the table of a relation is called there
    whole: frozenset[str] = frozenset()
    nodes: Collection[str] | None = None
    but: frozenset[str] = frozenset()  # relations that are not taken at all


@contextmanager
def within_reach(connection: sqlite3.Connection, rows: RowsElsewhere | None) -> Iterator[None]:
    """The other file beside our own; it must be there before a transaction begins."""
    if rows is None:
        yield
        return
    connection.execute(f"ATTACH DATABASE ? AS {SOURCE}", (rows.path,))
    try:
        yield
    finally:
        connection.execute(f"DETACH DATABASE {SOURCE}")


def copy_rows(connection: sqlite3.Connection, sql: Writer, rows: RowsElsewhere) -> None:
    """Fill our base tables, inside the transaction that made them."""
    connection.execute(f"CREATE TEMP TABLE {WANTED} (node TEXT PRIMARY KEY) WITHOUT ROWID")
    connection.executemany(f"INSERT INTO temp.{WANTED} VALUES (?)", ((node,) for node in rows.nodes or ()))
    for name in sql.program.base():
        if name not in rows.but and name in rows.tables:
            connection.execute(_statement(sql, rows, name))
    connection.execute(f"DROP TABLE temp.{WANTED}")


def _statement(sql: Writer, rows: RowsElsewhere, name: str) -> str:
    columns = sql.columns(name)
    every = rows.nodes is None or name in rows.whole
    where = "" if every else f" WHERE {columns[0]} IN (SELECT node FROM temp.{WANTED})"
    source = f"{SOURCE}.{quoted(rows.tables[name])}"
    return f"INSERT OR IGNORE INTO main.{sql.table(name)} SELECT {', '.join(columns)} FROM {source}{where}"
