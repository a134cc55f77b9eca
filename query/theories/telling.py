"""Analyses as text: table, CSV, JSON, HTML. Values in, text out; asks nothing but the analysis it is handed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from narraworld.query.theories.analysis import Analysis, PieceName, TheoryResult, stories_by_features
from narraworld.query.theories.frame import Cell, TheoryFrame

__all__ = ["as_html_page", "as_json_value", "table_text"]

SHOWN = 20  # rows of a result in a table on the terminal
DIGITS = 4
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:.6rem 0;display:block;overflow-x:auto}"
    "td,th{border-bottom:1px solid #ddd;padding:.2rem .7rem;text-align:left}"
    ".missing{color:#8a4b00}svg{max-width:100%;height:auto}"
)


def table_text(analyses: Sequence[Analysis], by: PieceName = "story") -> Iterator[str]:
    """Stories × features; for one whole story also what each result says."""
    first = analyses[0]
    yield first.pack.head.title
    yield from first.pack.head.cite
    yield ""
    yield from _lines(stories_by_features(analyses, by))
    for one in analyses:
        prefix = f"{one.story}: " if len(analyses) > 1 else ""
        yield from (f"{prefix}{sentence}" for sentence in one.not_evaluated)
    if len(analyses) == 1 and by == "story":
        for result in first.results:
            yield from _result(result)


def _result(result: TheoryResult) -> Iterator[str]:
    yield ""
    yield f"{result.relation}  {result.says.partition(':')[2].strip() or result.says}"
    if result.not_evaluated:
        yield from (f"  {sentence}" for sentence in result.not_evaluated)
    elif not result.rows:
        yield "  none"
    else:
        yield from (f"  {line}" for line in _padded([result.columns, *result.words[:SHOWN]]))
        if len(result.rows) > SHOWN:
            yield f"  … and {len(result.rows) - SHOWN} more (--format json or csv has all)"


def _lines(frame: TheoryFrame) -> Iterator[str]:
    """One story is told downwards, several across."""
    if len(frame) == 1:
        cells = list(zip(frame.columns, frame.rows[0], strict=True))
        yield from _padded([(name, _shown(cell)) for name, cell in cells])
        return
    yield from _padded([frame.columns, *([_shown(cell) for cell in row] for row in frame.rows)])


def _padded(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _shown(cell: Cell) -> str:
    if cell is None:
        return "–"
    return str(round(cell, DIGITS)) if isinstance(cell, float) else str(cell)


def as_json_value(analyses: Sequence[Analysis], by: PieceName = "story") -> Any:
    """One object for one story, a list for several."""
    found = [_json_of(one, by) for one in analyses]
    return found[0] if len(found) == 1 else found


def _json_of(one: Analysis, by: PieceName) -> dict[str, Any]:
    told: dict[str, Any] = {
        "pack": one.pack.name,
        "title": one.pack.head.title,
        "cite": list(one.pack.head.cite),
        "story": one.story,
        "revision": one.revision,
        "features": one.features,
        "not_evaluated": list(one.not_evaluated),
        "results": {result.relation: _result_json(result) for result in one.results},
    }
    return told if by == "story" else told | {"by": by, by + "s": list(one.by(by))}


def _result_json(result: TheoryResult) -> dict[str, Any]:
    return {
        "says": result.says,
        "columns": list(result.columns),
        "rows": [list(row) for row in result.rows],
        "words": [list(row) for row in result.words],
        "not_evaluated": list(result.not_evaluated),
    }


def as_html_page(analyses: Sequence[Analysis], by: PieceName = "story") -> str:
    """One page that needs nothing but itself: features, figure, every result."""
    first = analyses[0]
    parts = [
        f"<h1>{escape(first.pack.head.title)}</h1>",
        *(f"<p>{escape(one)}</p>" for one in first.pack.head.cite),
    ]
    parts.append(stories_by_features(analyses, by).to_html())
    for one in analyses:
        parts.append(f"<h2>{escape(one.story)}</h2>" if len(analyses) > 1 else "")
        parts += [f'<p class="missing">{escape(sentence)}</p>' for sentence in one.not_evaluated]
        parts.append(one.figure.svg)
        parts += [_result_html(result) for result in one.results]
    body = "\n".join(part for part in parts if part)
    title = escape(f"{first.pack.name}: {', '.join(one.story for one in analyses)}")
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>{body}</html>\n'


def _result_html(result: TheoryResult) -> str:
    head = f"<h3>{escape(result.relation)}</h3><p>{escape(result.says)}</p>"
    if result.not_evaluated:
        return head + "".join(f'<p class="missing">{escape(one)}</p>' for one in result.not_evaluated)
    return head + (TheoryFrame(result.columns, result.words).to_html() if result.rows else "<p>none</p>")
