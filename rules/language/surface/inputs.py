"""Rows that a rule file brings along in tables beside it: `.input sighting(filename="sightings.csv", delimiter=",")`.

As in Soufflé: tab-separated unless `delimiter` says otherwise, `r.facts` unless `filename` does, `headers=true` skips the
first line, `rfc4180=true` reads quoted cells. A table lies in the folder of its rule file or below, never elsewhere.
Values are checked against the columns of the relation; a wrong one is an error with its line. Reads tables, writes nothing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Column, Facts, Relation, Row, SourcePlace, Value
from narraworld.rules.language.surface.statements import Directive, RuleText

__all__ = ["given_rows", "read_rows", "tables"]

KNOWN = {"IO", "filename", "delimiter", "headers", "rfc4180", "name"}
BY_LINE = "\t"


def given_rows(sources: Iterable[RuleText], relations: Mapping[str, Relation]) -> Facts:
    """What the tables beside rule files hold, by relation."""
    found: dict[str, tuple[Row, ...]] = {}
    for source in sources:
        for directive, path in tables(source, relations):
            rows = read_rows(relations[directive.relation], path, dict(directive.parameters))
            found[directive.relation] = (*found.get(directive.relation, ()), *rows)
    return found


def tables(source: RuleText, relations: Mapping[str, Relation]) -> Iterator[tuple[Directive, Path]]:
    """The tables that a file reads. One that it names must be there; `r.facts` is read where it is there."""
    for directive in source.directives:
        if directive.keyword != "input" or directive.relation not in relations:
            continue
        named = dict(directive.parameters)
        path = _inside(source, named.get("filename", f"{directive.relation}.facts"), directive.place)
        lying_there = path.is_file() and not relations[directive.relation].bindings
        if "filename" in named or lying_there:
            yield directive, path


def _inside(source: RuleText, name: str, place: SourcePlace) -> Path:
    folder = Path(source.file).resolve().parent
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        fix = "put the table beside the rule file, or in a folder below"
        raise RuleError(f"{name} lies outside the folder of this rule file", place, fix=fix)
    return path


def read_rows(relation: Relation, path: Path, parameters: Mapping[str, str]) -> list[Row]:
    """The rows of one table, as the columns of the relation want them."""
    if strange := {name for name in parameters if name not in KNOWN} or _strange_source(parameters):
        fix = f"known are {', '.join(sorted(KNOWN))}, and IO=file"
        raise RuleError(
            f"{relation.name} cannot be read with {', '.join(sorted(strange))}", relation.place, fix=fix
        )
    return [
        _row(relation.columns, cells, SourcePlace(str(path), line, 1))
        for line, cells in _cells(relation, path, parameters)
    ]


def _strange_source(parameters: Mapping[str, str]) -> set[str]:
    source = parameters.get("IO", "file")
    return set() if source == "file" else {f"IO={source}"}


def _cells(relation: Relation, path: Path, parameters: Mapping[str, str]) -> Iterator[tuple[int, list[str]]]:
    quoted = parameters.get("rfc4180") == "true"
    delimiter = parameters.get("delimiter", "," if quoted else BY_LINE)
    lines = _lines(path)
    rows = (
        csv.reader(lines, delimiter=delimiter)
        if quoted
        else (_split(relation, line, delimiter) for line in lines)
    )
    first = 2 if parameters.get("headers") == "true" else 1
    for number, cells in enumerate(rows, 1):
        if number >= first:
            yield number, cells


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RuleError(
            f"this table cannot be read: {error.strerror}", SourcePlace(str(path), 1, 1)
        ) from error
    except UnicodeDecodeError as error:
        raise RuleError("this table is not UTF-8 text", SourcePlace(str(path), 1, 1)) from error
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def _split(relation: Relation, line: str, delimiter: str) -> list[str]:
    """A single column takes the whole line; a relation without columns holds the row `()`."""
    return [] if not relation.columns else [line] if relation.arity == 1 else line.split(delimiter)


def _row(columns: tuple[Column, ...], cells: list[str], place: SourcePlace) -> Row:
    if len(cells) != len(columns):
        fix = f"its columns are {', '.join(column.name for column in columns)}"
        raise RuleError(f"{len(cells)} values where {len(columns)} are wanted", place, fix=fix)
    return tuple(_value(column, cell, place) for column, cell in zip(columns, cells, strict=True))


def _value(column: Column, cell: str, place: SourcePlace) -> Value:
    if column.type == "symbol":
        return cell
    try:
        number = float(cell) if column.type == "float" else int(cell, 0 if cell[:2] in ("0x", "0b") else 10)
    except ValueError:
        raise RuleError(
            f"{cell!r} is no number, but column {column.name} holds {column.type}s", place
        ) from None
    if isinstance(number, float):
        if not isfinite(number):
            raise RuleError(f"{cell} is no fraction", place)
    elif not -(2**63) <= number < 2**63:
        raise RuleError(f"{cell} does not fit in 64 bits", place)
    return number
