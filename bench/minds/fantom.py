"""Percept-FANToM from raw text: who hears each utterance of a talk that people join and leave.

A part of a conversation is read as the script it is; comings and goings become Presence records, and the ordinary rules say who
perceives each Speech. Right is the exact set of perceivers.
"""

from __future__ import annotations

import argparse
import ast
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bench.frame import Figures, dataset, show
from bench.minds.telling import Told, add_workers, in_batches, share, told
from narraworld.query.names import rows

__all__ = ["DATA", "PUBLISHED", "Part", "add_options", "perceivers", "run"]

Heard: TypeAlias = dict[tuple[str, int], set[str]]  # unit and place in it → who hears what is said there

DATA = "percept_fantom"
PUBLISHED = {"everybody present": 41.7, "simple cue regexes": 85.5}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a conversation: its utterances, and who hears each."""

    utterances: tuple[str, ...]
    heard: tuple[frozenset[str], ...]

    @property
    def text(self) -> str:
        return "\n".join(self.utterances)

    def starts(self) -> Iterator[int]:
        """Where each utterance begins in the text."""
        at = 0
        for one in self.utterances:
            yield at
            at += len(one) + 1


@dataclass(frozen=True, slots=True)
class Judged:
    """For each utterance of a part whether its hearers were found, and how the reading went."""

    right: tuple[bool, ...]
    refused: int
    wrong: tuple[str, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=20)
    parser.add_argument("--limit", type=int, help="read only so many parts")
    parser.add_argument("--wrong", action="store_true", help="print the utterances answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    parts = list(_parts(dataset(DATA, options.data) / "Percept-FANToM.csv"))[: options.limit]
    judged = in_batches(_judge, parts, options)
    if options.wrong:
        print(*(line for one in judged for line in one.wrong), sep="\n")
    right, total = (sum(count(one.right) for one in judged) for count in (sum, len))
    whole = sum(all(one.right) for one in judged)
    table = [
        ["exact sets", right, total, share(right, total)],
        ["parts exact", whole, len(parts), share(whole, len(parts))],
    ]
    show("Percept-FANToM, raw text", ["", "right", "of", "share"], table)
    return {"exact_sets": right / total, "parts_exact": whole / len(parts), "utterances": total, "parts": len(parts),
            "refused": sum(one.refused for one in judged), "published": PUBLISHED}  # fmt: skip


def _judge(parts: Sequence[Part]) -> list[Judged]:
    with told(part.text for part in parts) as (scope, stories):
        heard = perceivers(scope.engine)
        return [_judged(stories[part.text], part, heard) for part in parts]


def _judged(story: Told, part: Part, heard: Heard) -> Judged:
    answers = list(_answers(story, part, heard))
    right = tuple(gold == answer for gold, answer in zip(part.heard, answers, strict=True))
    wrong = tuple(
        f"{sorted(gold)} {sorted(answer)} {said}"
        for said, gold, answer in zip(part.utterances, part.heard, answers, strict=True)
        if gold != answer
    )
    return Judged(right, story.refused, wrong)


def _parts(path: Path) -> Iterator[Part]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            said = " ".join(row["utterance"].split())
            found.setdefault(row["part_id"], []).append(
                (said, frozenset(ast.literal_eval(row["perceivers"])))
            )
    for lines in found.values():
        yield Part(tuple(said for said, _ in lines), tuple(heard for _, heard in lines))


def perceivers(engine: Any) -> Heard:
    """Who perceives what is said, by unit and the place where its words begin."""
    spans = {str(span): (str(unit), int(start)) for span, unit, start, _ in rows(engine, "span")}
    places = {
        str(record): spans[str(span)] for record, span in rows(engine, "evidence") if str(span) in spans
    }
    speeches = {str(row[0]) for row in rows(engine, "speech")}
    found: dict[tuple[str, int], set[str]] = {}
    for who, event, _ in rows(engine, "perceives"):
        if str(event) in speeches:
            found.setdefault(places[str(event)], set()).add(str(who))
    return found


def _answers(story: Told, part: Part, heard: Heard) -> Iterator[frozenset[str]]:
    """For each utterance the names of those who hear it."""
    everybody = {name for some in part.heard for name in some} | {
        one.partition(":")[0] for one in part.utterances
    }
    names = {story.id(name): name for name in sorted(everybody)}
    for start in part.starts():
        yield frozenset(names.get(who, who) for who in heard.get((story.unit, start), ()))
