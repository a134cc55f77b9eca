"""Hi-ToM from raw text: what A thinks that B thinks … where the thing is, orders 0 to 4, without and with lies.

Rule files that are not loaded by default say what the game assumes: whoever comes in sees what is there (`rules/options/sight.dl`),
and, where there is talk, who is trusted (`rules/options/testimony_hitom.dl`). Each question becomes one query of `believes`, `believes2` … `believes4`.
"""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from bench.frame import Figures, dataset, show
from bench.telling import Told, located, share, tell, with_rules, without_numbers
from narraworld.query.names import rows

__all__ = ["DATA", "add_options", "run"]

DATA = "hitom"
BELIEVES = ("", "believes", "believes2", "believes3", "believes4")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--half", choices=["no-tell", "tell", "both"], default="both")
    parser.add_argument("--limit", type=int, help="read only so many stories of each half")
    parser.add_argument("--wrong", action="store_true", help="print what was answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    lines = (dataset(DATA, options.data) / "hitom.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    counts: dict[tuple[str, int], list[bool]] = {}
    for half, rules in (("no-tell", ("sight",)), ("tell", ("sight", "testimony_hitom"))):
        if options.half in {half, "both"}:
            _half(
                half, rules, [one for one in asked if one["deception"] == (half == "tell")], counts, options
            )
    table = [
        [half, order, sum(found), len(found), share(sum(found), len(found))]
        for (half, order), found in sorted(counts.items())
    ]
    show("Hi-ToM, raw text", ["half", "order", "right", "of", "share"], table)
    return {f"{half}_{order}": sum(found) / len(found) for (half, order), found in sorted(counts.items())}


def _half(
    half: str,
    rules: tuple[str, ...],
    asked: list[Any],
    counts: dict[tuple[str, int], list[bool]],
    options: argparse.Namespace,
) -> None:
    texts = list(dict.fromkeys(one["story"] for one in asked))[: options.limit]
    with with_rules(*rules) as world:
        told = dict(zip(texts, tell(world, map(without_numbers, texts)), strict=True))
        engine = world.scope().engine
        for one in (each for each in asked if each["story"] in told):
            story = told[one["story"]]
            answer = _answer(engine, story, one["question"])
            right = answer == {story.id(one["answer"])}
            counts.setdefault((half, one["question_order"]), []).append(right)
            if options.wrong and not right:
                print(one["story"], one["question"], one["answer"], answer, sep="\n", end="\n\n")


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
