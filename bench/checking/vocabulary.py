"""vocabulary: contradictions in natural wording, as records: how many a check finds, and how many silent twins it does not.

Four lists of our own in `bench/data/vocabulary`: forty natural ones with eleven controls in the rules' own words, forty by an
author who saw neither table nor rules, and their silent twins. Each item is a world of one unit, read through the door of
record files and checked down to notes. A natural item counts when a check that it names finds it, a fresh one when any does.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from bench.frame import Figures, show
from narraworld.world import World

__all__ = ["add_options", "run", "unit_of"]

DATA = Path(__file__).parents[1] / "data" / "vocabulary"
ROLES = ("agent", "patient", "recipient", "instrument", "origin", "destination", "place")
Item: TypeAlias = Mapping[str, Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only", default="", metavar="IDS", help="items to run, by the beginning of their ids"
    )
    parser.add_argument("--lists", default="natural,fresh,silent", metavar="NAMES", help="lists to run")


def run(options: argparse.Namespace) -> Figures:
    figures: dict[str, object] = {}
    rows = []
    for name in options.lists.split(","):
        for item in _items(name):
            if not item["id"].startswith(tuple(options.only.split(","))):
                continue
            found = _findings(item)
            counted = "controls" if item.get("control") else name
            hit = bool(found & set(item["want"])) if "want" in item else bool(found)
            figures[counted] = int(str(figures.get(counted, 0))) + hit
            rows.append((item["id"], "found" if hit else "-", " ".join(sorted(found)), item["what"]))
    show("Contradictions in natural wording", ("item", "outcome", "checks", "what"), rows)
    return figures


def _items(name: str) -> list[Item]:
    return list(tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))["item"])


def _findings(item: Item) -> set[str]:
    """The checks that speak up about one item."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "unit.toml"
        file.write_text(unit_of(item), encoding="utf-8")
        with World.open(Path(folder) / "world", create=True) as world:
            refused = [
                refusal for unit in world.read(file) if unit.committed for refusal in unit.committed.refusals
            ]
            if refused:
                raise ValueError(f"{item['id']}: {refused[0]}")
            return {finding.rule.id for finding in world.check(least="note").findings}


# -- an item as a file of records


def unit_of(item: Item) -> str:
    """The item as a record file: its cast, and for every line an event and what is said in it."""
    cast = [
        _table(one["sort"], id=one["id"], name=one["name"], quote=_cast(one["id"]))
        for one in item["entities"]
    ]
    text = " ".join(
        (*(_cast(one["id"]) for one in item["entities"]), *(line["say"] for line in item["lines"]))
    )
    unit = f'[unit]\nid = "u1"\norder = 1\ntext = {_quoted(text)}\n'
    return "\n".join([unit, *cast, *(one for n, line in enumerate(item["lines"]) for one in _line(n, line))])


def _cast(entity: str) -> str:
    return f"Cast<{entity}>."


def _line(number: int, line: Item) -> Iterator[str]:
    quote, event = line["say"].rstrip("."), f"e{number}"
    if "said_by" in line:
        yield _table(
            "speech",
            id=event,
            kind="say",
            speaker=line["said_by"],
            manner="asserts",
            claim=line["states"],
            quote=quote,
        )
        return
    deed = line.get("event", {"kind": "appear"})
    roles = {role: deed[role] for role in ROLES if role in deed}
    realis = {"realis": "dreamed"} if "dreamt_by" in line else {}
    yield _table("event", id=event, kind=deed["kind"], **roles, **realis, quote=quote)
    tied = {"at": event} if "dreamt_by" in line or line.get("effects") else {}
    yield from (_table("state", proposition=said, quote=quote, **tied) for said in line["states"])
    for words in line.get("times", ()):
        yield _table("timeAnchor", event=event, expression=words, quote=words)


def _table(name: str, /, **fields: Any) -> str:
    return f"[[{name}]]\n" + "".join(
        f"{field} = {_quoted(value)}\n" for field, value in fields.items() if value
    )


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
