"""Everything the rules derive, and single questions: generated SQL and pyDatalog next to hand-written SQL and Python.

All engines get the same made-up story (`workload`), each in a process of its own; results must have equal digests.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.frame import Figures, alone, show
from bench.rules.laps import Asked, Derived, ask_pydatalog, ask_sqlite, by_duckdb, by_python, by_window_sql
from bench.rules.shipped import measured_shipped, shipped_figures
from bench.rules.workload import Story, write

__all__ = ["Size", "add_options", "run"]

SQL, PYTHON, OURS = "SQL by hand (DuckDB)", "Python by hand", "ours (DuckDB)"
KEPT, GOAL = "ours, kept (SQLite)", "ours, asked (pyDatalog)"
ENGINES: Mapping[str, Callable[[Path], Derived]] = {SQL: by_window_sql, PYTHON: by_python, OURS: by_duckdb}

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SHIPPED = (100_000, 1_000_000)
MOST_ASKED = 100_000  # above this a row-by-row load takes longer than it tells


@dataclass(frozen=True, slots=True)
class Size:
    """What was measured on one story; of several rounds the fastest counts."""

    events: int
    facts: int
    derived: Mapping[str, Derived]
    asked: Mapping[str, Asked]

    @property
    def equal(self) -> bool:
        whole = [lap.rows for lap in self.derived.values()]
        single = [lap.rows for lap in self.asked.values()]
        return all(rows == whole[0] for rows in whole) and all(rows == single[0] for rows in single)

    def ratio(self, engine: str) -> float:
        return self.derived[engine].seconds / self.derived[SQL].seconds

    def slowest_goal(self, engine: str) -> float | None:
        return max(self.asked[engine].ms.values()) if engine in self.asked else None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes", type=_numbers, default=SIZES, help="events, by commas (default: 1000 to 1000000)"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="laps per engine; the fastest counts (default: 3)"
    )
    parser.add_argument(
        "--shipped",
        type=_numbers,
        default=SHIPPED,
        help="base rows for all shipped rules (default: 100000,1000000)",
    )
    parser.add_argument(
        "--skew", type=int, default=0, help="percentage of states about one hero (default: 0)"
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.replace("_", "").split(",") if number)


def run(options: argparse.Namespace) -> Figures:
    sizes = []
    for events in options.sizes:
        sizes.append(measure(Story(events, options.skew), options.rounds))
        print_size(sizes[-1])
    return {**figures(sizes), **shipped_figures(measured_shipped(options.shipped))}


def measure(story: Story, rounds: int) -> Size:
    with TemporaryDirectory(prefix="narraworld-bench-") as name:
        folder = Path(name)
        facts = alone(write, story, folder)
        # Rounds go around all engines, so that a busy minute of the machine hits each of them.
        laps = [{engine: alone(task, folder) for engine, task in ENGINES.items()} for _ in range(rounds)]
        best = {engine: min((lap[engine] for lap in laps), key=lambda lap: lap.seconds) for engine in ENGINES}
        asked = {}
        if story.events <= MOST_ASKED:
            asked = {KEPT: alone(ask_sqlite, folder, folder / "kept.db"), GOAL: alone(ask_pydatalog, folder)}
        return Size(story.events, facts, best, asked)


# ---- telling


def print_size(size: Size) -> None:
    title = (
        f"{size.events:,} events, {size.facts:,} base facts; results {'equal' if size.equal else 'DIFFER'}"
    )
    show(title, ("everything derived", "processor s", "× SQL by hand", "peak MB"), _derived_rows(size))
    if size.asked:
        show("", ("one question", "beliefs of one, ms", "events of a plot, ms", "peak MB"), _asked_rows(size))


def _derived_rows(size: Size) -> Iterator[tuple[object, ...]]:
    for engine, lap in size.derived.items():
        yield engine, f"{lap.seconds:.3f}", f"{size.ratio(engine):.2f}", f"{lap.rss_mb:,.0f}"


def _asked_rows(size: Size) -> Iterator[tuple[object, ...]]:
    for engine, lap in size.asked.items():
        yield engine, f"{lap.ms['believes']:.2f}", f"{lap.ms['plot_event']:.2f}", f"{lap.rss_mb:,.0f}"


def figures(sizes: list[Size]) -> Figures:
    """Figures of a size that was not run are null."""
    by_events = {size.events: size for size in sizes}
    middle, large = by_events.get(100_000), by_events.get(1_000_000)
    return {
        "equal": all(size.equal for size in sizes),
        "goal_ms_100k": middle and rounded(middle.slowest_goal(KEPT)),
        "pydatalog_goal_ms": {
            str(size.events): rounded(size.slowest_goal(GOAL)) for size in sizes if size.asked
        },
        "ratio_to_python": {
            str(size.events): rounded(size.ratio(OURS) / size.ratio(PYTHON)) for size in sizes
        },
        "ratio_to_sql": {str(size.events): rounded(size.ratio(OURS)) for size in sizes},
        "ratio_to_sql_100k": middle and rounded(middle.ratio(OURS)),
        "ratio_to_sql_1m": large and rounded(large.ratio(OURS)),
        "rss_mb_1m": large and large.derived[OURS].rss_mb,
        "seconds": {str(size.events): rounded(size.derived[OURS].seconds) for size in sizes},
        "sqlite_goal_ms": {
            str(size.events): rounded(size.slowest_goal(KEPT)) for size in sizes if size.asked
        },
    }


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
