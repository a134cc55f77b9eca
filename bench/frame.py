"""What every bench shares: its shape, its data folder, its table, and a process of its own for each lap.

A bench is a module with `run(options) -> Figures` and, where it has options of its own, `add_options(parser)`; it finds
external data by `dataset(name, options.data)`. The first line of its docstring is what `--list` says about it.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

__all__ = ["Figures", "MissingDataError", "alone", "dataset", "peak_mb", "show", "the_file"]

Figures: TypeAlias = Mapping[str, object]
P = ParamSpec("P")
T = TypeVar("T")


class MissingDataError(Exception):
    """The data set a bench measures on is not there."""


def dataset(name: str, folder: Path | None) -> Path:
    """The folder of one data set, or MissingDataError in one line."""
    advice = "give --data DIR or set NARRAWORLD_DATA"
    if folder is None:
        raise MissingDataError(f"this bench needs the data set {name!r}: {advice}")
    if not (folder / name).is_dir():
        raise MissingDataError(f"there is no data set {name!r} in {folder}: {advice}")
    return folder / name


def the_file(folder: Path, pattern: str) -> Path:
    """The one file of a data set that looks so, whatever part of the set it holds; MissingDataError without exactly one."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise MissingDataError(f"{folder} should hold one file {pattern}, but holds {names}")
    return found[0]


def alone(task: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `task` in a fresh interpreter, so that its memory and its warm caches are its own."""
    spawn = get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn, initializer=_be_a_script) as pool:
        return pool.submit(task, *args, **kwargs).result()


def _be_a_script() -> None:
    """DuckDB takes a main module without a file for a person at a prompt, and paints progress bars."""
    sys.modules["__main__"].__file__ = __file__


def peak_mb() -> float:
    """The most memory this process has held; the kernel's own mark where it keeps one."""
    status = Path("/proc/self/status")
    if status.exists():
        [kilobytes] = [
            line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")
        ]
        return round(int(kilobytes) / 1024, 1)
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def show(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """One readable table; text to the left, numbers to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for nth, column in enumerate(columns):
        table.add_column(column, justify="right" if nth else "left", no_wrap=True)
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    Console(width=120).print(table)
