"""Results that show themselves: one line for a prompt, a small table for a notebook, rows for pandas. Knows no result; each brings its rows.

The door to pandas, which is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from narraworld.base.errors import NarraWorldError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

__all__ = ["MOST_ROWS", "TabledResult", "html_table", "prose_row"]

MOST_ROWS = 50  # of a table in a notebook
STYLE = (
    ".nw{border-collapse:collapse;font:13px/1.45 system-ui,sans-serif;color:inherit}"
    ".nw caption{text-align:left;font-weight:600;padding:.3em 0}"
    ".nw th{text-align:left;font-weight:600;opacity:.75;border-bottom:1px solid currentColor;padding:.2em 1em .2em 0}"
    ".nw td{vertical-align:top;border-bottom:1px solid rgba(128,128,128,.35);padding:.2em 1em .2em 0;text-align:left}"
)


class TabledResult:
    """A result with rows. A class that is one says `to_dicts` and `in_short`."""

    __slots__ = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows, each a dictionary."""
        raise NotImplementedError

    def in_short(self) -> str:
        """What it is and how much, in a few words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.in_short()}>"

    def _repr_html_(self) -> str:
        return html_table(self.in_short(), self.to_dicts())

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame."""
        try:
            import pandas
        except ModuleNotFoundError as missing:
            raise NarraWorldError(
                "to_pandas needs the notebook extra", fix='pip install "narraworld[notebook]"'
            ) from missing
        return pandas.DataFrame(self.to_dicts())


def prose_row(line: str) -> dict[str, Any]:
    """A line of a proof in prose: how deep it stands, what it says, the words it rests on and where those are."""
    depth = (len(line) - len(line.lstrip())) // 2
    sentence, _, cited = line.strip().partition("  “")
    quote, _, where = cited.partition("” (")
    return {
        "depth": depth,
        "sentence": sentence,
        "quote": quote or None,
        "where": where.split(")")[0] or None,
    }


def html_table(title: str, found: Sequence[Mapping[str, Any]]) -> str:
    """At most fifty rows, and how many more there are."""
    columns = list(dict.fromkeys(name for row in found for name in row))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{_cells(row, columns)}</tr>" for row in found[:MOST_ROWS])
    more = f"<p>and {len(found) - MOST_ROWS} more</p>" if len(found) > MOST_ROWS else ""
    caption = f"<caption>{escape(title)}</caption>"
    return f'<style>{STYLE}</style><table class="nw">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}'


def _cells(row: Mapping[str, Any], columns: Iterable[str]) -> str:
    return "".join(f"<td>{escape(_said(row.get(name)))}</td>" for name in columns)


def _said(value: Any) -> str:
    return "" if value is None else str(value)
