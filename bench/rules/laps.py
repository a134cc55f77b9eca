"""One measured task each, to be run alone in a process: load, derive or ask, and say how long and how large.

Loading is not part of the time: every engine starts from base facts it holds in its own form. Memory is read
before the results are digested, so that checking costs nobody anything.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.frame import peak_mb
from bench.rules.baselines import RESULTS, WINDOW_SQL, derive_in_python
from bench.rules.workload import BASE, RULES, digest, digest_sql, read

if TYPE_CHECKING:
    from narraworld.rules.engines import Engine
    from narraworld.rules.language.ir import Atom
    from narraworld.rules.language.program import RuleBook

__all__ = [
    "GOALS",
    "Asked",
    "Derived",
    "ask_pydatalog",
    "ask_sqlite",
    "by_duckdb",
    "by_python",
    "by_window_sql",
]

# A goal is asked for several names, so that a remembered answer cannot pass for a fast one.
GOALS = {
    "believes": tuple(f"c{n}" for n in range(5, 12)),
    "plot_event": ("plot0", "plot1", "plot2"),
}
MOST_FACTS = 100_000_000


@dataclass(frozen=True, slots=True)
class Derived:
    """Everything was derived in so many `seconds` of processor time, all threads together; `rows` are the digests of the results."""

    seconds: float
    rss_mb: float
    rows: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """Milliseconds of processor time per question by goal, the median over its names; `rows` are the digests of the answers."""

    ms: Mapping[str, float]
    rss_mb: float
    rows: Mapping[str, str]


def timed(task: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, which others on the machine alter little, and what came of it."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    result = task()
    seconds = time.process_time() - start
    gc.enable()
    return seconds, result


# ---- everything at once


def by_window_sql(folder: Path) -> Derived:
    import duckdb

    with duckdb.connect() as db:
        for name in BASE:
            db.execute(f"CREATE TABLE {name} AS FROM '{folder / name}.parquet'")

        def derive() -> None:
            for name, query in WINDOW_SQL.items():
                db.execute(f"CREATE TABLE {name} AS {query}")

        seconds, _ = timed(derive)
        return Derived(seconds, peak_mb(), {name: _sql_digest(db, name) for name in RESULTS})


def _sql_digest(db: Any, relation: str) -> str:
    count, total = db.execute(digest_sql(relation, RESULTS[relation])).fetchone()
    return f"{count}:{int(total):x}"


def by_python(folder: Path) -> Derived:
    facts = read(folder)
    seconds, results = timed(lambda: derive_in_python(facts))
    return Derived(seconds, peak_mb(), {name: digest(rows) for name, rows in results.items()})


def by_duckdb(folder: Path) -> Derived:
    """Ours: SQL generated from the rule file."""
    from narraworld.rules.engines import Limits
    from narraworld.rules.engines.duckdb import DuckEngine

    with closing(DuckEngine(_program(), Limits(facts=MOST_FACTS))) as engine:
        engine.load_parquet(folder)
        seconds, _ = timed(engine.derive)
        return Derived(seconds, peak_mb(), {name: digest(engine.ask(_all_of(name))) for name in RESULTS})


# ---- one question


def ask_sqlite(folder: Path, database: Path) -> Asked:
    """Ours: derived tables that are kept, in a file."""
    from narraworld.rules.engines.sqlite.engine import SqliteEngine

    with closing(SqliteEngine(_program(), database)) as engine:
        engine.load(read(folder))
        return _asked(engine)


def ask_pydatalog(folder: Path) -> Asked:
    """Ours: nothing derived beforehand. The first question builds the look-ups and is not counted."""
    from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine

    with closing(PyDatalogEngine(_program(), facts=read(folder))) as engine:
        for relation in GOALS:
            engine.ask(_about(relation, "nobody"))
        return _asked(engine)


def _asked(engine: Engine) -> Asked:
    ms, rows = {}, {}
    for relation, names in GOALS.items():
        laps = [timed(partial(engine.ask, _about(relation, name))) for name in names]
        ms[relation] = 1000 * statistics.median(seconds for seconds, _ in laps)
        rows[relation] = digest(row for _, answer in laps for row in answer)
    return Asked(ms, peak_mb(), rows)


def _program() -> RuleBook:
    from narraworld.rules.language.program import load_program

    return load_program([RULES])


def _all_of(relation: str) -> Atom:
    return _goal(relation, RESULTS[relation])


def _about(relation: str, name: str) -> Atom:
    """The relation with its first column known."""
    return _goal(relation, RESULTS[relation][1:], name)


def _goal(relation: str, free: Iterable[str], *known: str) -> Atom:
    from narraworld.rules.language.ir import Atom, Const, Var

    return Atom(relation, (*map(Const, known), *(Var(column.upper()) for column in free)))
