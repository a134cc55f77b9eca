"""A small table of values: what an analysis gives to a notebook or a statistics program. Holds values, asks nothing.

`TheoryFrame` shows itself as a table in a notebook, and becomes a pandas frame where pandas is installed; it is no dependency.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

from narraworld.base.errors import NarraWorldError

__all__ = ["Cell", "TheoryFrame", "joined"]

Cell: TypeAlias = str | int | float | None


@dataclass(frozen=True, slots=True)
class TheoryFrame:
    """Columns and rows; None is a cell that could not be evaluated, which is not 0."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def column(self, name: str) -> list[Cell]:
        """The values of one column, from top to bottom."""
        if name not in self.columns:
            raise NarraWorldError(f"there is no column {name!r}", fix=f"known are: {', '.join(self.columns)}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def to_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return out.getvalue()

    def to_pandas(self) -> Any:
        try:
            import pandas  # type: ignore[import-untyped]
        except ImportError as error:
            raise NarraWorldError("pandas is not installed", fix="pip install pandas") from error
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    def to_html(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    _repr_html_ = to_html


def joined(frames: Sequence[TheoryFrame]) -> TheoryFrame:
    """One table over many stories, which have the same columns."""
    return TheoryFrame(frames[0].columns, tuple(row for frame in frames for row in frame.rows))


def _cells(row: Sequence[Cell]) -> str:
    return "".join(f"<td>{'' if cell is None else escape(str(cell))}</td>" for cell in row)
