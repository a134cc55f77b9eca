"""TRIP with gold states: which of two stories cannot be, and which two sentences clash, decided by `check`.

Each sentence is an event that requires its gold preconditions and starts its gold effects; an effect that the gold
leaves open unsettles the state. Where something is (`location`) is a code for the kind of motion in this data,
not a state, and is left out. A number here proves the rules, not the reading.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from bench.checking.trip import Pair, clashing, figures, gold_stories
from bench.frame import Figures
from bench.minds.oracle import Cast, one_world, story
from narraworld.checking.check_world import check_world
from narraworld.kb.delta import Delta
from narraworld.kb.spans import TextRange
from narraworld.world import World

__all__ = ["run"]

ATTRIBUTES = ("h_location", "conscious", "wearing", "h_wet", "hygiene", "location", "exist", "clean", "power",
              "functional", "pieces", "wet", "open", "temperature", "solid", "contain", "running", "moveable",
              "mixed", "edible")  # fmt: skip
MOTION = frozenset({"h_location", "location"})
OPEN, FALSE, TRUE = 0, 1, 2
CANNOT_HAPPEN = "NW104"
TOGETHER = 20  # stories in one world


def run(options: argparse.Namespace) -> Figures:
    stories = gold_stories(options)
    clashes: list[list[Pair]] = []
    for first in range(0, len(stories), TOGETHER):
        with one_world() as world:
            some = stories[first : first + TOGETHER]
            units = [_tell(world, number, gold) for number, gold in enumerate(some)]
            found = check_world(world.story, select=(CANNOT_HAPPEN,)).findings
            clashes += [
                clashing(unit, gold["sentences"], found) for unit, gold in zip(units, some, strict=True)
            ]
    return {**figures("TRIP, oracle track (gold states)", stories, clashes), "gold": "states"}


def _tell(world: World, number: int, gold: Mapping[str, Any]) -> str:
    """The unit of a story, once its gold states are committed."""
    delta = story(number, "\n".join(gold["sentences"]))
    cast, spans = Cast(delta), list(_spans(gold["sentences"]))
    things = [cast("Object", name) for name in gold["entities"]]
    for sentence, span in enumerate(spans):
        states = [(thing, gold["states"][i][sentence]) for i, thing in enumerate(things)]
        _sentence(delta, f"e{sentence}", span, states)
    world.commit(delta)
    return delta.unit.id


def _spans(sentences: list[str]) -> Iterator[TextRange]:
    start = 0
    for sentence in sentences:
        yield TextRange(start, start + len(sentence))
        start += len(sentence) + 1


def _sentence(delta: Delta, event: str, span: TextRange, states: list[tuple[str, Any]]) -> None:
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
