"""TRIP from text: which stories cannot be, and which two sentences clash, decided by `check` on what was read.

No gold state is given; each story is judged by itself, as in the oracle track, never against its pair.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from bench.frame import Figures, dataset, show, the_file
from bench.minds.telling import add_workers, in_batches, share, told_world
from narraworld.checking.check_world import check_world
from narraworld.query.checks.findings import Finding

__all__ = ["Pair", "add_options", "clashing", "figures", "gold_stories", "run"]

DATA = "trip"
# deeds that cannot be: as things stand, without the thing, with what does not work, asleep
CHECKS = ("NW104", "NW105", "NW106", "NW506")

Pair = tuple[int, int]  # the sentence that made it so, and the one that needs it otherwise


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=20)
    parser.add_argument("--limit", type=int, help="read only so many stories")
    parser.add_argument("--wrong", action="store_true", help="print the stories judged wrongly")


def run(options: argparse.Namespace) -> Figures:
    stories = gold_stories(options)[: options.limit]
    clashes = in_batches(_judge, [one["sentences"] for one in stories], options)
    if options.wrong:
        _print_wrong(stories, clashes)
    return figures("TRIP, text", stories, clashes)


def gold_stories(options: argparse.Namespace) -> list[Any]:
    """All stories, plausible or not, each for itself."""
    file = the_file(dataset(DATA, options.data), "*.json")
    pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [one for pair in pairs for one in pair["stories"]]


def _judge(stories: Sequence[list[str]]) -> list[list[Pair]]:
    """For each story the clashing pairs of sentences, earliest first."""
    with told_world(_text(one) for one in stories) as (world, units):
        found = check_world(world.story, select=CHECKS).findings
        return [clashing(units[_text(one)].unit, one, found) for one in stories]


def _text(sentences: list[str]) -> str:
    return "\n".join(sentences)


def clashing(unit: str, sentences: list[str], found: Sequence[Finding]) -> list[Pair]:
    """The pairs of sentences of one story that findings are about, earliest first."""
    mine = [one.passages for one in found if one.passages[0].unit == unit]
    pairs = {(_sentence(of[0].start, sentences), _sentence(of[-1].start, sentences)) for of in mine}
    return sorted(pairs, key=lambda pair: (pair[1], -pair[0]))


def _sentence(start: int, sentences: list[str]) -> int:
    """The sentence in which a passage begins."""
    ends = [sum(len(text) + 1 for text in sentences[: nth + 1]) for nth in range(len(sentences))]
    return next(nth for nth, end in enumerate(ends) if start < end)


def figures(title: str, stories: list[Any], clashes: list[list[Pair]]) -> Figures:
    judged = list(zip(stories, clashes, strict=True))
    plausible = [found for gold, found in judged if gold["plausible"]]
    others = [(gold, found) for gold, found in judged if not gold["plausible"]]
    alarms = sum(bool(found) for found in plausible)
    caught = sum(bool(found) for _, found in others)
    exact = sum(list(found[0]) in gold["confl_pairs"] for gold, found in others if found)
    right = caught + len(plausible) - alarms
    show(title, ["", "right", "of", "share"], [
        ["stories judged", right, len(stories), share(right, len(stories))],
        ["implausible ones found", caught, len(others), share(caught, len(others))],
        ["clashing pair", exact, len(others), share(exact, len(others))],
        ["false alarms", alarms, len(plausible), share(alarms, len(plausible))],
    ])  # fmt: skip
    return {
        "accuracy": right / len(stories), "pair": exact / len(others), "false_alarms": alarms / len(plausible),
        "stories": len(stories),
    }  # fmt: skip


def _print_wrong(stories: list[Any], clashes: list[list[Pair]]) -> None:
    for gold, found in zip(stories, clashes, strict=True):
        if bool(gold["plausible"]) == bool(found):
            print(*(f"{nth} {text}" for nth, text in enumerate(gold["sentences"])), sep="\n")
            print(f"expected {gold['confl_pairs']}, got {found}", end="\n\n")
