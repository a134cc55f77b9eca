"""The style sheet as text, Markdown, one HTML page, CSV and JSON. Values in, words out; leaves nothing out and judges nothing."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, TypeAlias

from narraworld.base.quotation_marks import in_brief, in_marks
from narraworld.query.checks.report.report import plural
from narraworld.query.sheet.style_rows import SheetRow, StyleSheet
from narraworld.query.shown.page_templates import Environment, Filters, page_environment

__all__ = ["HEADINGS", "SHEET_FORMATS", "render_sheet", "respect_in_words", "sheet_json"]

SheetBlock: TypeAlias = tuple[str, list[tuple[str, list[SheetRow]]]]  # heading, and whose rows
HEADINGS = {
    "differs": "TWO VALUES",
    "people": "PEOPLE",
    "places": "PLACES",
    "times": "TIME LINE",
    "things": "THINGS",
    "names": "NAMES",
    "numbers": "NUMBERS",
    "rules": "RULES",
}
COLUMNS = (
    "owner", "owner_p", "kind", "respect", "value", "normal", "said_by", "unit", "line", "column", "quote", "differs", "whose",
)  # fmt: skip
QUOTE, VALUE, KIND = 90, 34, 13  # widths of the text form


def render_sheet(sheet: StyleSheet, form: str) -> str:
    """The sheet in one of the formats."""
    return SHEET_FORMATS[form](sheet)


def respect_in_words(respect: str) -> str:
    """A respect as the sheet calls it: `alive or dead`, `member of`, `husband of`."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", respect).lower().replace("-", " ")
    return _called().get(respect, plain)


@cache
def _called() -> Mapping[str, str]:
    lists = (files("narraworld.query.sheet") / "lists.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(lists)["called"])


def _blocks(sheet: StyleSheet) -> Iterator[SheetBlock]:
    """What differs first, then the sections; in each, whose rows, in their order."""
    differing = [row for row in sheet.rows if row.differs]
    if differing:
        yield HEADINGS["differs"], _by_owner(differing)
    rest = sorted(sheet.rows, key=lambda row: list(HEADINGS).index(row.section))
    for section, rows in groupby(rest, key=lambda row: row.section):
        yield HEADINGS[section], _by_owner(rows)


def _by_owner(rows: Iterable[SheetRow]) -> list[tuple[str, list[SheetRow]]]:
    groups: dict[str, list[SheetRow]] = {}
    for row in rows:
        groups.setdefault(row.owner or row.kind, []).append(row)
    return list(groups.items())


def _place(row: SheetRow) -> str:
    line = f":{row.line}" if row.line is not None else f" {row.start}–{row.end}"
    return f"{row.chapter or row.unit}{line}"


def _value(row: SheetRow) -> str:
    whose = f" (whose? {', '.join(row.unsure)})" if row.unsure else ""
    said = "" if row.said_by is None else f" (said by {row.said_by or 'somebody'})"
    return f"{row.value}{whose}{said}"


def _quote(row: SheetRow) -> str:
    return in_brief(" ".join(row.quote.split()), QUOTE)


def _head(sheet: StyleSheet) -> str:
    unsure = sum(bool(row.unsure) for row in sheet.rows)
    whole = f"{plural(len(sheet.chapters), 'chapter')}, {plural(sheet.words, 'word')}"
    return f"{whole}; {plural(len(sheet.rows), 'line')}, {unsure} of them of somebody unsure"


# -- the formats


def as_table(sheet: StyleSheet) -> str:
    lines = [f"STYLE SHEET   {sheet.title}", f"              {_head(sheet)}"]
    for heading, groups in _blocks(sheet):
        lines += ["", heading]
        for owner, rows in groups:
            lines.append(f"  {owner}")
            lines += map(_line, rows)
    return "\n".join(lines) + "\n"


def _line(row: SheetRow) -> str:
    """What is nothing but the words of the page is told once, as a quotation."""
    quote, respect = in_marks(_quote(row)), f"    {respect_in_words(row.respect):{KIND}}"
    if row.value == row.quote and _value(row) == row.value:
        return f"{respect}  {quote:{VALUE}}  {_place(row)}"
    return f"{respect}  {_value(row):{VALUE}}  {_place(row)}  {quote}"


def as_markdown(sheet: StyleSheet) -> str:
    return _environment(escape=False).get_template("sheet.md.j2").render(_told(sheet))


def as_html(sheet: StyleSheet) -> str:
    return _environment(escape=True).get_template("sheet.html.j2").render(_told(sheet))


def as_csv(sheet: StyleSheet) -> str:
    """One row for each detail; `normal` and `whose` are joined by semicolons."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(row) for row in sheet.rows)
    return out.getvalue()


def _cells(row: SheetRow) -> Sequence[object]:
    quote = " ".join(row.quote.split())
    return (
        row.owner, row.owner_p, row.kind, row.respect, row.value, "; ".join(row.normal), row.said_by or "", row.unit, row.line, row.column,
        quote, "yes" if row.differs else "", "; ".join(row.unsure),
    )  # fmt: skip


def sheet_json(sheet: StyleSheet) -> dict[str, Any]:
    """The sheet as the command, the page's twin and whoever else speaks JSON tell it."""
    return {
        "title": sheet.title,
        "words": sheet.words,
        "chapters": list(sheet.chapters),
        "rows": [asdict(row) for row in sheet.rows],
    }


def as_json(sheet: StyleSheet) -> str:
    return json.dumps(sheet_json(sheet), ensure_ascii=False, indent=2) + "\n"


SHEET_FORMATS: dict[str, Callable[[StyleSheet], str]] = {
    "table": as_table,
    "markdown": as_markdown,
    "html": as_html,
    "csv": as_csv,
    "json": as_json,
}


def _told(sheet: StyleSheet) -> dict[str, object]:
    return {"sheet": sheet, "head": _head(sheet), "blocks": list(_blocks(sheet))}


def _environment(*, escape: bool) -> Environment:
    filters: Filters = {
        "place": _place,
        "value": _value,
        "quote": _quote,
        "cell": _cell,
        "respect": respect_in_words,
    }
    return page_environment("narraworld.query.sheet", filters, escape=escape)


def _cell(text: str) -> str:
    """Words that must not end a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")
