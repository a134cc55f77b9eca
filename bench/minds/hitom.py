"""Hi-ToM from raw text: what A thinks that B thinks … where the thing is, orders 0 to 4, without and with lies.

Rule files that are not loaded by default say what the game assumes: whoever comes in sees what is there (`rules/options/sight.dl`),
and, where there is talk, who is trusted (`rules/options/testimony_hitom.dl`). Each question becomes one query of `believes`, `believes2` … `believes4`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from bench.frame import Figures, dataset, show
from bench.minds.telling import Told, add_workers, in_batches, located, share, told, without_numbers
from narraworld.query.names import rows

__all__ = ["DATA", "add_options", "run"]

DATA = "hitom"
BELIEVES = ("", "believes", "believes2", "believes3", "believes4")
HALVES = {"no_tell": ("sight",), "tell": ("sight", "testimony_hitom")}

Judged = tuple[int, bool, str]  # the order of the question, whether it was answered rightly, and how


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=20)
    parser.add_argument("--half", choices=[*HALVES, "both"], default="both")
    parser.add_argument("--limit", type=int, help="ask only so many questions of each half")
    parser.add_argument("--wrong", action="store_true", help="print what was answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    lines = (dataset(DATA, options.data) / "hitom.jsonl").read_text(encoding="utf-8").splitlines()
    asked = sorted((json.loads(line) for line in lines), key=lambda one: str(one["story"]))
    chosen = [half for half in HALVES if options.half in {half, "both"}]
    judged = {half: _half(half, asked, options) for half in chosen}
    table, by_order = [], dict[str, float]()
    for half, found in judged.items():
        for order in sorted({order for order, _, _ in found}):
            rights = [right for each, right, _ in found if each == order]
            table.append([half, order, sum(rights), len(rights), share(sum(rights), len(rights))])
            by_order[f"{half}_{order}"] = sum(rights) / len(rights)
    show("Hi-ToM, raw text", ["half", "order", "right", "of", "share"], table)
    whole = {half: sum(right for _, right, _ in found) / len(found) for half, found in judged.items()}
    return whole | {"by_order": by_order, "lowest": {half: _lowest(half, by_order) for half in judged}}


def _lowest(half: str, by_order: dict[str, float]) -> float:
    return min(value for name, value in by_order.items() if name.rpartition("_")[0] == half)


def _half(half: str, asked: Sequence[Any], options: argparse.Namespace) -> list[Judged]:
    mine = [one for one in asked if one["deception"] == (half == "tell")][: options.limit]
    found = in_batches(partial(_judge, HALVES[half]), mine, options)
    if options.wrong:
        print(*(note for _, right, note in found if not right), sep="\n\n")
    return found


def _judge(rules: tuple[str, ...], asked: Sequence[Any]) -> list[Judged]:
    with told((without_numbers(one["story"]) for one in asked), *rules) as (scope, stories):
        return [_judged(scope.engine, stories[without_numbers(one["story"])], one) for one in asked]


def _judged(engine: Any, story: Told, one: Any) -> Judged:
    answer = _answer(engine, story, one["question"])
    note = "\n".join([one["story"], one["question"], one["answer"], str(answer)])
    return one["question_order"], answer == {story.id(one["answer"])}, note


def _answer(engine: Any, story: Told, question: str) -> set[str]:
    """`Where does A think B thinks the x is?` as one query."""
    holders = [story.id(name) for name in re.findall(r"(\w+)(?: really)? thinks?\b", question)]
    thing = re.search(r"the (\S+) (?:is|really)", question)
    assert thing is not None, question
    if not holders:
        return {str(row[1]) for row in rows(engine, "inside", story.id(thing[1]))}
    start = f"{story.id(thing[1])}.location."
    held = located(engine, BELIEVES[len(holders)], *holders)
    return {one.removeprefix(start) for one in held if one.startswith(start)}
