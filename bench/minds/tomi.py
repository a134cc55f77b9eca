"""ToMi from raw text: who will look where, at first and second order, with memory and reality.

The stories are read by the embedded reader; each question becomes one query of the ordinary rules.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.frame import Figures, dataset, show
from bench.minds.telling import Told, add_workers, in_batches, located, share, told, without_numbers
from narraworld.query.names import rows

__all__ = ["DATA", "add_options", "run"]

DATA = "tomi"


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, whether it was answered rightly, and how the reading of its story went."""

    type: str
    right: bool
    refused: int
    unread: int
    note: str


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=20)
    parser.add_argument("--limit", type=int, help="read only so many stories")
    parser.add_argument("--wrong", action="store_true", help="print the stories answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    lines = (dataset(DATA, options.data) / "tomi.jsonl").read_text(encoding="utf-8").splitlines()
    asked = sorted((json.loads(line) for line in lines[: options.limit]), key=lambda one: str(one["story"]))
    judged = in_batches(_judge, asked, options)
    counts: dict[str, list[bool]] = {}
    for one in judged:
        counts.setdefault(one.type, []).append(one.right)
        if options.wrong and not one.right:
            print(one.note, end="\n\n")
    every = [one.right for one in judged]
    table = [
        [name, sum(found), len(found), share(sum(found), len(found))]
        for name, found in sorted(counts.items())
    ]
    whole = ["all", sum(every), len(every), share(sum(every), len(every))]
    show("ToMi, raw text", ["question", "right", "of", "share"], [*table, whole])
    return {
        "accuracy": sum(every) / len(every), "questions": len(every), "refused": sum(one.refused for one in judged),
        "unread_sentences": sum(one.unread for one in judged),
        "by_type": {name: sum(found) / len(found) for name, found in sorted(counts.items())},
    }  # fmt: skip


def _judge(asked: Sequence[Any]) -> list[Judged]:
    with told((without_numbers(one["story"]) for one in asked), "sight") as (scope, stories):
        return [_judged(scope.engine, stories[without_numbers(one["story"])], one) for one in asked]


def _judged(engine: Any, story: Told, one: Any) -> Judged:
    answer = _answer(engine, story, one["question"])
    note = "\n".join([one["story"], one["question"], one["answer"], str(answer)])
    right = answer == {story.id(one["answer"])}
    return Judged(one["question_type"], right, story.refused, story.unread, note)


def _answer(engine: Any, story: Told, question: str) -> set[str]:
    """The question as a query; the places in its answer."""
    if found := re.match(r"Where will (\w+) look for the (\S+)\?", question):
        held = located(engine, "believes", story.id(found[1]))
        return _places(held, story.id(found[2]))
    if found := re.match(r"Where does (\w+) think that (\w+) searches for the (\S+)\?", question):
        held = located(engine, "believes2", story.id(found[1]), story.id(found[2]))
        return _places(held, story.id(found[3]))
    if found := re.match(r"Where was the (\S+) at the beginning\?", question):
        return _first(engine, story.id(found[1]))
    found = re.match(r"Where is the (\S+) really\?", question)
    assert found is not None, question
    now = {str(row[1]) for row in rows(engine, "inside", story.id(found[1]))}
    return now


def _places(held: set[str], thing: str) -> set[str]:
    start = f"{thing}.location."
    return {one.removeprefix(start) for one in held if one.startswith(start)}


def _first(engine: Any, thing: str) -> set[str]:
    """Where the earliest state of the world has it."""
    found = [
        (row[3], str(row[1]))
        for matter in {str(row[0]) for row in rows(engine, "about", None, thing, "location")}
        for row in rows(engine, "lasts", None, matter, "yes")
    ]
    return {min(found)[1].rpartition(".")[2]} if found else set()
