"""All shipped rules on a made-up story of so many base rows: what deriving everything costs, by each engine that can.

The story is that of `latency`: it grows as stories do, more slowly in people than in deeds. Its records become rows without a store
(`corpus.kernel`), once for each size; every engine then loads and derives in a process of its own, and must give the same rows.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.frame import Figures, alone, peak_mb, show
from bench.memory.latency import RECORDS_A_UNIT, unit_of
from bench.rules.workload import digest
from narraworld.corpus.kernel import Kernel
from narraworld.corpus.shared_rules import corpus_setup
from narraworld.kb.delta import Delta
from narraworld.rules.engines import Limits
from narraworld.rules.engines.sql.writer import stored
from narraworld.rules.language.ir import Row
from narraworld.rules.living.cut import every_row

__all__ = ["ShippedLap", "measured_shipped", "shipped_figures"]

MOST_FACTS = 100_000_000
GROWTH_BAR = 12.0  # a tenfold story may cost so many times as much


@dataclass(frozen=True, slots=True)
class ShippedLap:
    """One engine on one story: processor seconds to load and to derive, its memory, and a digest of all that follows."""

    engine: str
    base_rows: int
    load_s: float
    derive_s: float
    rss_mb: float
    rows: str

    @property
    def seconds(self) -> float:
        return self.load_s + self.derive_s


def measured_shipped(sizes: tuple[int, ...]) -> list[ShippedLap]:
    """Each engine on a story of each size, and the table of it."""
    laps = []
    for size in sizes:
        with TemporaryDirectory(prefix="narraworld-bench-") as name:
            file = Path(name) / "rows.pickle"
            alone(_write, size, file)
            laps += [alone(task, file) for task in ENGINES.values()]
    show("all shipped rules", ("engine", "base rows", "load s", "derive s", "s per 100,000", "peak MB"), map(_told, laps))  # fmt: skip
    return laps


def shipped_figures(laps: list[ShippedLap]) -> Figures:
    """Seconds per 100,000 rows, and how they grow from the smallest story to the largest, per tenfold."""
    per_100k = {f"{lap.engine} {lap.base_rows}": round(lap.seconds / lap.base_rows * 1e5, 3) for lap in laps}
    by_size: dict[int, set[str]] = {}
    for lap in laps:
        by_size.setdefault(lap.base_rows, set()).add(lap.rows)
    return {
        "shipped_s_per_100k": per_100k,
        "shipped_growth": {engine: _growth([lap for lap in laps if lap.engine == engine]) for engine in ENGINES},
        "shipped_equal": all(len(digests) == 1 for digests in by_size.values()),
    }  # fmt: skip


def _growth(laps: list[ShippedLap]) -> dict[str, float] | None:
    """Rows and seconds of the largest story against the smallest."""
    if len(laps) < 2:
        return None
    first, last = laps[0], laps[-1]
    return {
        "rows": round(last.base_rows / first.base_rows, 2),
        "seconds": round(last.seconds / first.seconds, 2),
    }


def _told(lap: ShippedLap) -> list[str]:
    per = lap.seconds / lap.base_rows * 1e5
    return [lap.engine, f"{lap.base_rows:,}", f"{lap.load_s:.2f}", f"{lap.derive_s:.2f}", f"{per:.2f}", f"{lap.rss_mb:,.0f}"]  # fmt: skip


# -- the story


def _write(size: int, file: Path) -> None:
    kernel = Kernel(corpus_setup())
    told = kernel.begun()
    for delta in _units():
        if kernel.take(told, delta) >= size:
            break
    rows = {name: list(some) for name, some in told.rows.items() if name in kernel.setup.program.relations}
    given = {name: list(some) for name, some in kernel.setup.settings_rows.items()}
    file.write_bytes(pickle.dumps({**rows, **given}))


def _units() -> Iterator[Delta]:
    return (unit_of(number, RECORDS_A_UNIT * number) for number in count())


# -- the engines


def _by_sqlite(file: Path) -> ShippedLap:
    """Ours, kept: loads and derives in one go, into a file."""
    from narraworld.rules.engines.sqlite.engine import SqliteEngine

    program, rows = corpus_setup().program, _read(file)
    with closing(SqliteEngine(program, file.with_name("kept.db"), limits=Limits(facts=MOST_FACTS))) as engine:
        began = time.process_time()
        engine.load(rows)
        spent = time.process_time() - began
        memory = peak_mb()
        said = digest(row for name in sorted(stored(program)) for row in every_row(engine, name))
    return ShippedLap(SQLITE, sum(map(len, rows.values())), 0.0, spent, memory, said)


def _by_duckdb(file: Path) -> ShippedLap:
    from narraworld.rules.engines.duckdb import DuckEngine

    program, rows = corpus_setup().program, _read(file)
    with closing(DuckEngine(program, Limits(facts=MOST_FACTS))) as engine:
        began = time.process_time()
        engine.load(rows)
        loaded = time.process_time()
        engine.derive()
        ended = time.process_time()
        memory = peak_mb()
        said = digest(row for name in sorted(stored(program)) for row in every_row(engine, name))
    return ShippedLap(DUCKDB, sum(map(len, rows.values())), loaded - began, ended - loaded, memory, said)


def _read(file: Path) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = pickle.loads(file.read_bytes())
    return rows


SQLITE, DUCKDB = "kept (SQLite)", "bulk (DuckDB)"
ENGINES: Mapping[str, Callable[[Path], ShippedLap]] = {SQLITE: _by_sqlite, DUCKDB: _by_duckdb}
