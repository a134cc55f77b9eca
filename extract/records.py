"""Files of records: a unit and what was read from it, written by hand or by a program.

TOML whose tables are classes of the ontology and whose keys are its properties; `quote` is the supporting text and
`id` the local name. Turns such a file into a delta; commits nothing.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from narraworld.extract.errors import BadRecordFile
from narraworld.kb.delta import Delta, lasts
from narraworld.kb.units import Unit
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.terms import vocabulary

__all__ = ["parse_records", "read_records"]

UNIT_KEYS = frozenset({"id", "order", "title", "text", "source", "branch", "authority", "time_anchor",
                       "participants", "teller", "focalizer"})  # fmt: skip


def read_records(path: Path, *, branch: str = "main") -> Delta:
    """The delta a record file describes."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadRecordFile(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadRecordFile(
            "is not UTF-8 text", where=f"{path}: byte {error.start}", fix="save the file as UTF-8"
        ) from error
    return parse_records(text, where=str(path), source=path.name, branch=branch)


def parse_records(text: str, *, where: str, source: str | None = None, branch: str = "main") -> Delta:
    """The delta a record text describes; ``where`` names it in messages."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRecordFile(f"is not TOML: {error}", where=where) from error
    delta = Delta(_unit(tables.pop("unit", None), where, source, branch))
    records = [
        (_class_of(table, where), record)
        for table, rows in tables.items()
        for record in _rows(rows, table, where)
    ]
    delta.reserve(
        str(record["id"]) for kind, record in records if "id" in record and not lasts(vocabulary().cls(kind))
    )
    for kind, record in records:
        fields = dict(record)
        delta.add(kind, fields.pop("id", None), quote=fields.pop("quote", None), **fields)
    return delta


def _unit(table: Any, where: str, source: str | None, branch: str) -> Unit:
    if not isinstance(table, dict):
        raise BadRecordFile("has no [unit] table", where=where, fix="begin with [unit], id, order and text")
    missing = {"id", "order", "text"} - table.keys()
    strange = table.keys() - UNIT_KEYS
    if missing or strange:
        wrong = [
            *(f"no {key}" for key in sorted(missing)),
            *(f"unknown key {key}" for key in sorted(strange)),
        ]
        raise BadRecordFile(f"[unit] has {', '.join(wrong)}", where=where)
    values: dict[str, Any] = {"source": source, "branch": branch} | table
    values["participants"] = tuple(values.get("participants", ()))
    return Unit(**values | {"text": values["text"].strip()})


def _class_of(table: str, where: str) -> str:
    try:
        return vocabulary().cls(table[:1].upper() + table[1:]).name
    except OntologyError as error:
        raise BadRecordFile(error.what, where=where, fix=error.fix) from error


def _rows(rows: Any, table: str, where: str) -> list[dict[str, Any]]:
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise BadRecordFile(f"[{table}] should be written [[{table}]], once per record", where=where)
