"""Rows into Parquet files and out of them, one file a relation. With `duckdb` the only door to DuckDB; derives nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from narraworld.rules.engines.sql.writer import DUCKDB, Writer, check_rows
from narraworld.rules.language.ir import Program, Row

__all__ = ["write_parquet"]


def write_parquet(folder: Path, program: Program, rows: Mapping[str, Iterable[Row]]) -> dict[str, int]:
    """Write `<relation>.parquet` for each relation that has rows, sorted; how many rows each has."""
    import duckdb

    sql, counts = Writer(program, DUCKDB), dict[str, int]()
    with duckdb.connect(":memory:") as connection:
        for name, some in sorted(rows.items()):
            if not (sorted_rows := sorted(some)):
                continue
            check_rows(program.relations[name], sorted_rows)
            connection.execute(sql.create(name))
            appender = connection.appender(sql.names[name])
            appender.append_rows(sorted_rows)
            appender.flush()
            connection.table(sql.table(name)).write_parquet(
                str(folder / f"{name}.parquet"), compression="zstd"
            )
            connection.execute(f"DROP TABLE {sql.table(name)}")
            counts[name] = len(sorted_rows)
    return counts
