"""Files of records: a unit and what was read from it, written by hand or by a program.

TOML whose tables are classes of the ontology and whose keys are its properties; `quote` is the supporting text and
`id` the local name. Turns such a file into a delta; commits nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from narraworld.base.errors import NarraWorldError
from narraworld.base.given_files import read_given_text, toml_of
from narraworld.extract.errors import BadRecordFile
from narraworld.kb.delta import Delta, lasts
from narraworld.kb.units import Unit
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.vocabulary import vocabulary

__all__ = ["parse_records", "read_records"]

UNIT_KEYS: dict[str, type | tuple[type, ...]] = {
    "id": str, "order": int, "text": str, "title": str, "source": str, "branch": str, "authority": str,
    "time_anchor": str, "participants": (str, list), "teller": str, "focalizer": str,
}  # fmt: skip


def read_records(path: Path, *, branch: str = "main") -> Delta:
    """The delta a record file describes."""
    try:
        text = read_given_text(path)
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
        tables = toml_of(text)
    except ValueError as error:  # no TOML, or written to do harm
        raise BadRecordFile(f"is not TOML: {error}", where=where) from error
    delta = Delta(_unit(tables.pop("unit", None), where, source, branch))
    records = [
        (_class_of(table, where), record, f"{where}: [[{table}]] number {number}")
        for table, rows in tables.items()
        for number, record in enumerate(_rows(rows, table, where), 1)
    ]
    delta.reserve(
        str(record["id"])
        for kind, record, _ in records
        if "id" in record and not lasts(vocabulary().cls(kind))
    )
    for kind, record, place in records:
        _add(delta, kind, dict(record), place)
    return delta


def _add(delta: Delta, kind: str, fields: dict[str, Any], where: str) -> None:
    local, quote = fields.pop("id", None), fields.pop("quote", None)
    if local is not None and not isinstance(local, str):
        raise BadRecordFile(f"id is {local!r}", where=where, fix="put it in quotes")
    for name, value in fields.items():
        if any(isinstance(one, (dict, list)) for one in (value if isinstance(value, list) else [value])):
            raise BadRecordFile(f"{name} is {value!r}", where=where, fix="give one value, or a list of them")
    try:
        delta.add(kind, local, quote=quote, **fields)
    except NarraWorldError as error:
        raise BadRecordFile(error.what, where=where, fix=error.fix) from error


def _unit(table: Any, where: str, source: str | None, branch: str) -> Unit:
    if not isinstance(table, dict):
        raise BadRecordFile("has no [unit] table", where=where, fix="begin with [unit], id, order and text")
    wrong = [
        *(f"no {key}" for key in ("id", "order", "text") if key not in table),
        *(f"unknown key {key}" for key in sorted(table.keys() - UNIT_KEYS)),
        *(f"{key} = {value!r}" for key, value in table.items() if not _fits(key, value)),
    ]
    if wrong:
        raise BadRecordFile(f"[unit] has {', '.join(wrong)}", where=where)
    participants = table.get("participants", [])
    values: dict[str, Any] = {"source": source, "branch": branch} | table
    values["participants"] = (participants,) if isinstance(participants, str) else tuple(participants)
    try:
        return Unit(**values | {"text": values["text"].strip()})
    except NarraWorldError as error:
        raise BadRecordFile(error.what, where=where, fix=error.fix) from error


def _fits(key: str, value: Any) -> bool:
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        return False
    return key not in UNIT_KEYS or (isinstance(value, UNIT_KEYS[key]) and not isinstance(value, bool))


def _class_of(table: str, where: str) -> str:
    try:
        return vocabulary().cls(table[:1].upper() + table[1:]).name
    except OntologyError as error:
        raise BadRecordFile(error.what, where=where, fix=error.fix) from error


def _rows(rows: Any, table: str, where: str) -> list[dict[str, Any]]:
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise BadRecordFile(f"[{table}] should be written [[{table}]], once per record", where=where)
