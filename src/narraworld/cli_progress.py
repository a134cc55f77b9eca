"""How far a reading has come: a bar on the terminal with the chapter, the tokens and the cost so far.

Where stderr is no terminal there is no bar: the line that each unit leaves behind says enough. Knows no reader and no model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(titles: Sequence[str], spent: Callable[[], str]) -> Iterator[Callable[[], None]]:
    """Gives what to call when a unit is finished; ``spent`` is asked whenever the bar is drawn."""
    if not sys.stderr.isatty() or not titles:
        yield lambda: None
        return
    with _bar(spent) as bar:
        task, following = bar.add_task(titles[0], total=len(titles)), iter([*titles[1:], "plotlines"])
        yield lambda: bar.update(task, advance=1, description=next(following, ""))


def _bar(spent: Callable[[], str]) -> Progress:
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
    from rich.text import Text

    class Spent(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(spent())

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
    )
    return Progress(
        *columns,
        Spent(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # lines for a file go to the file
    )
