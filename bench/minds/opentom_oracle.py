"""OpenToM with gold observation flags: who thinks the thing is where, decided by the belief rules alone.

The move and the `observed` flag are given; beliefs of first and second order are derived. A number here proves the
rules, not the reading. The mover's view of the observer is reported too: the gold labels there assume that a mover
always thinks to have been seen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.frame import Figures, dataset, show
from bench.minds.oracle import Cast, one_world, story
from narraworld.kb.delta import Delta
from narraworld.kb.spans import TextRange
from narraworld.query.names import rows
from narraworld.world import World

__all__ = ["DATA", "run"]

DATA = "opentom"


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    stories = json.loads((folder / "meta_data.json").read_text(encoding="utf-8"))
    with one_world() as world:
        told = {key: _tell(world, number, stories[key]) for number, key in enumerate(stories)}
        scores = _score(world, told, stories, folder)
    shares = {name: right / total for name, (right, total) in scores.items()}
    show(
        "OpenToM, oracle track (gold events and observed flag)",
        ["question", "right", "of", "share"],
        [[n, r, t, f"{r / t:.4f}"] for n, (r, t) in scores.items()],
    )
    return {
        "first_order": shares["first order, yes or no"], "first_order_place": shares["first order, place"],
        "second_order": shares["second order, observer's side"], "second_order_mover": shares["second order, mover's side"],
        "stories": len(stories), "gold": "events and observed flag",
    }  # fmt: skip


def _tell(world: World, number: int, gold: Mapping[str, Any]) -> dict[str, str]:
    """One story as records: both notice the thing, the mover moves it, the observer sees it or does not."""
    delta = story(number, gold["plot"])
    cast, info = Cast(delta), gold["plot_info"]
    mover, observer = cast("Character", info["mover"]), cast("Character", info["observer"])
    thing, old, new = (
        cast("Object", info["eoi"]),
        cast("Place", info["original_place"]),
        cast("Place", info["move_to_place"]),
    )
    lines = _lines(gold["plot"])
    _notice(
        delta, (mover, observer), f"{thing}.location.{old}", next(r for text, r in lines if "noticed" in text)
    )
    _move(delta, mover, observer, f"{thing}.location.{new}", lines[-1][1], gold["observed"])
    world.commit(delta)
    return {"mover": mover, "observer": observer, "old": f"{thing}.location.{old}", "new": f"{thing}.location.{new}",
            info["mover"]: mover, info["observer"]: observer}  # fmt: skip


def _lines(plot: str) -> list[tuple[str, TextRange]]:
    found, start = [], 0
    for line in plot.split("\n"):
        found.append((line, TextRange(start, start + len(line))))
        start += len(line) + 1
    return found


def _notice(delta: Delta, who: tuple[str, ...], proposition: str, quote: TextRange) -> None:
    event = delta.add("Event", "notice", kind="notice", experiencer=who, quote=quote)
    delta.add("State", proposition=proposition, quote=quote)
    for one in who:
        delta.add("Access", holder=one, proposition=proposition, mode="observation", at="notice", quote=quote)
    assert event.endswith("notice")


def _move(
    delta: Delta, mover: str, observer: str, proposition: str, quote: TextRange, observed: bool
) -> None:
    delta.add("Event", "move", kind="move", agent=mover, quote=quote)
    delta.add("State", proposition=proposition, at="move", quote=quote)
    if observed:
        delta.add("Access", holder=observer, event="move", mode="observation", at="move", quote=quote)


def _score(
    world: World, told: Mapping[str, Any], stories: Mapping[str, Any], folder: Path
) -> dict[str, tuple[int, int]]:
    engine = world.scope().engine
    counts: dict[str, list[bool]] = {}
    for key, cast in told.items():
        info = stories[key]["plot_info"]
        for question in _questions(folder, "location_cg_fo")[key]:
            held = _first(engine, cast, _who(question, info))
            counts.setdefault("first order, yes or no", []).append(_initial(held, cast) == question["answer"])
        for question in _questions(folder, "location_fg_fo_new")[key]:
            if "narrator" not in question["question"]:
                held = _first(engine, cast, _who(question, info))
                counts.setdefault("first order, place", []).append(
                    _place(held, cast, info) == question["answer"]
                )
        for question in _questions(folder, "location_cg_so")[key]:
            who = _who(question, info)
            other = info["observer"] if who == info["mover"] else info["mover"]
            held = {str(row[2]) for row in rows(engine, "believes2", cast[who], cast[other])}
            side = "observer's" if who == info["observer"] else "mover's"
            counts.setdefault(f"second order, {side} side", []).append(
                _initial(held, cast) == question["answer"]
            )
    return {name: (sum(found), len(found)) for name, found in counts.items()}


def _questions(folder: Path, name: str, _read: dict[str, Any] = {}) -> Mapping[str, list[dict[str, str]]]:  # noqa: B006
    if name not in _read:
        _read[name] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return _read[name]  # type: ignore[no-any-return]


def _who(question: Mapping[str, str], info: Mapping[str, str]) -> str:
    return next(
        info[role]
        for role in ("mover", "observer")
        if question["question"].startswith(f"From {info[role]}'s")
    )


def _first(engine: Any, cast: Mapping[str, str], who: str) -> set[str]:
    return {str(row[1]) for row in rows(engine, "believes", cast[who])}


def _initial(held: set[str], cast: Mapping[str, str]) -> str:
    return "Yes" if cast["old"] in held else "No"


def _place(held: set[str], cast: Mapping[str, str], info: Mapping[str, str]) -> str:
    return (
        info["original_place"]
        if cast["old"] in held
        else info["move_to_place"]
        if cast["new"] in held
        else ""
    )
