"""TRIP with gold states: which of two stories cannot be, and which two sentences clash, decided by `check`.

Each sentence is an event that requires its gold preconditions and starts its gold effects; an effect that the gold
leaves open unsettles the state. Where something is (`location`) is a code for the kind of motion in this data,
not a state, and is left out. A number here proves the rules, not the reading.
"""

from __future__ import annotations

import argparse
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.frame import Figures, dataset, show
from bench.oracle import Cast, one_world, story
from narraworld.checking import check_world
from narraworld.kb.delta import Delta
from narraworld.kb.spans import Range
from narraworld.world import World

__all__ = ["DATA", "run"]

DATA = "trip"
ATTRIBUTES = ("h_location", "conscious", "wearing", "h_wet", "hygiene", "location", "exist", "clean", "power",
              "functional", "pieces", "wet", "open", "temperature", "solid", "contain", "running", "moveable",
              "mixed", "edible")  # fmt: skip
MOTION = frozenset({"h_location", "location"})
OPEN, FALSE, TRUE = 0, 1, 2
CANNOT_HAPPEN = "NW104"
TOGETHER = 20  # stories in one world


def run(options: argparse.Namespace) -> Figures:
    file = dataset(DATA, options.data) / "dev_curated.json"
    pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    stories = [one for pair in pairs for one in pair["stories"]]
    clashes: dict[int, list[tuple[int, int]]] = {}
    for first in range(0, len(stories), TOGETHER):
        with one_world() as world:
            for number, gold in enumerate(stories[first : first + TOGETHER], first):
                _tell(world, number, gold)
            clashes |= _clashes(world, stories)
    return _figures(stories, clashes)


def _tell(world: World, number: int, gold: Mapping[str, Any]) -> None:
    delta = story(number, "\n".join(gold["sentences"]))
    cast, spans = Cast(delta), list(_spans(gold["sentences"]))
    things = [cast("Object", name) for name in gold["entities"]]
    for sentence, span in enumerate(spans):
        states = [(thing, gold["states"][i][sentence]) for i, thing in enumerate(things)]
        _sentence(delta, f"e{sentence}", span, states)
    world.commit(delta)


def _spans(sentences: list[str]) -> Iterator[Range]:
    start = 0
    for sentence in sentences:
        yield Range(start, start + len(sentence))
        start += len(sentence) + 1


def _sentence(delta: Delta, event: str, span: Range, states: list[tuple[str, Any]]) -> None:
    needs, leads = [], []
    for thing, (before, after) in states:
        for attribute, was, becomes in zip(ATTRIBUTES, before, after, strict=True):
            if attribute in MOTION:
                continue
            proposition = f"{thing}.{attribute}:yes"
            if was != OPEN:
                needs.append(proposition if was == TRUE else f"not.{proposition}")
            if becomes != OPEN or was != OPEN:
                leads.append((proposition, {OPEN: "unknown", FALSE: "false", TRUE: "asserted"}[becomes]))
    delta.add("Event", event, kind="happen", requires=needs, quote=span)
    for proposition, truth in leads:
        delta.add("State", proposition=proposition, truth=truth, at=event, quote=span)


def _clashes(world: World, stories: Sequence[Mapping[str, Any]]) -> dict[int, list[tuple[int, int]]]:
    """For each story the pairs (sentence that made it so, sentence that needs it otherwise), earliest first."""
    found: dict[int, list[tuple[int, int]]] = {}
    for one in check_world(world, select=(CANNOT_HAPPEN,)).findings:
        number = int(one.passages[0].unit[1:])
        ends = [span.end for span in _spans(stories[number]["sentences"])]
        cause, needing = (bisect_right(ends, one.passages[place].start) for place in (0, -1))
        found.setdefault(number, []).append((cause, needing))
    return {number: sorted(pairs, key=lambda pair: (pair[1], -pair[0])) for number, pairs in found.items()}


def _figures(stories: list[Any], clashes: Mapping[int, list[tuple[int, int]]]) -> Figures:
    plausible = [number for number, gold in enumerate(stories) if gold["plausible"]]
    others = [number for number, gold in enumerate(stories) if not gold["plausible"]]
    alarms = sum(number in clashes for number in plausible)
    found = sum(number in clashes for number in others)
    exact = sum(list(clashes[n][0]) in stories[n]["confl_pairs"] for n in others if n in clashes)
    show("TRIP, oracle track (gold states)", ["", "right", "of", "share"], [
        ["stories judged", found + len(plausible) - alarms, len(stories), f"{(found + len(plausible) - alarms) / len(stories):.4f}"],
        ["clashing pair", exact, len(others), f"{exact / len(others):.4f}"],
        ["false alarms", alarms, len(plausible), f"{alarms / len(plausible):.4f}"],
    ])  # fmt: skip
    return {
        "accuracy": (found + len(plausible) - alarms) / len(stories), "pair": exact / len(others),
        "false_alarms": alarms / len(plausible), "stories": len(stories), "gold": "states",
    }  # fmt: skip
