"""How far a reading has come: a bar on the terminal with the chapter, the tokens and the cost so far.

Where stderr is no terminal there is no bar: the line that each unit leaves behind says enough. Knows no reader and no model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["progress_bar", "working"]

ProgressStep: TypeAlias = AbstractContextManager[None]

BAR_WIDTH = 10


@contextmanager
def progress_bar(steps: Sequence[str], spent: Callable[[], str]) -> Iterator[Callable[[], ProgressStep]]:
    """Gives a ``with`` for what is printed when a step is finished; ``spent`` is asked whenever the bar is drawn."""
    if sys.stderr is None or not sys.stderr.isatty() or not steps:  # None: closed
        yield nullcontext
        return
    with _bar(spent) as bar:
        task, following = bar.add_task(steps[0], total=len(steps)), iter(steps[1:])

        @contextmanager
        def finished() -> Iterator[None]:
            bar.stop()  # away with the bar, so that lines begin where lines begin
            yield
            bar.update(task, advance=1, description=next(following, ""))
            bar.start()

        yield finished


@contextmanager
def working(words: str, *, quiet: bool = False) -> Iterator[Callable[[str], object] | None]:
    """Say on a terminal what takes so long; gives the way to say something else there, and None elsewhere."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(words) as status:
        yield lambda other: status.update(escape(other))


def _bar(spent: Callable[[], str]) -> Progress:
    """One line however narrow the terminal is: a long title gives way, nothing wraps."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.table import Column
    from rich.text import Text

    class Spent(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(spent())

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True)),
        BarColumn(BAR_WIDTH),
        MofNCompleteColumn(table_column=Column(no_wrap=True)),
        Spent(table_column=Column(no_wrap=True)),
        TimeElapsedColumn(table_column=Column(no_wrap=True)),
        console=Console(stderr=True),
        expand=True,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
