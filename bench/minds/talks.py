"""Invented talks: who comes and goes when, by what the talkers say; departures, arrivals, and talks in which nobody moves.

`--talks FILE` names them: written by somebody who has not seen the cues. A departure is right if that person hears none of the next
turns by others and still hears the turn it is said in; an arrival if that person hears from its turn on and nothing just before; a
talk without moves if nobody is taken to come or go.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.frame import Figures, MissingDataError, show
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.talk.absences import moves
from narraworld.extract.embedded.talk.participants import Utterance

__all__ = ["add_options", "run"]

GOODBYES = 2  # turns by others in which whoever goes may still be there
Talk = Mapping[str, Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--talks", type=Path, help="a TOML file of [[talk]]s with turns, start and moves")
    parser.add_argument("--wrong", action="store_true", help="print what was judged wrongly")


def run(options: argparse.Namespace) -> Figures:
    if options.talks is None or not options.talks.is_file():
        raise MissingDataError("this bench needs a file of talks: give --talks FILE")
    talks: list[Talk] = tomllib.loads(options.talks.read_text(encoding="utf-8"))["talk"]
    with speaking(LANGUAGE):
        judged = [one for talk in talks for one in _judged(talk)]
    if options.wrong:
        print(*(f"{sort}: {what}" for sort, right, what in judged if not right), sep="\n")
    counts = {
        sort: [right for each, right, _ in judged if each == sort]
        for sort in ("leaves", "comes", "nobody moves")
    }
    table = [
        [sort, sum(found), len(found), f"{sum(found) / len(found):.3f}"] for sort, found in counts.items()
    ]
    show("invented talks", ["", "right", "of", "share"], table)
    moved = counts["leaves"] + counts["comes"]
    return {
        "moves": sum(moved) / len(moved), "departures": sum(counts["leaves"]) / len(counts["leaves"]),
        "arrivals": sum(counts["comes"]) / len(counts["comes"]),
        "still": sum(counts["nobody moves"]) / len(counts["nobody moves"]), "talks": len(talks),
    }  # fmt: skip


def _judged(talk: Talk) -> Iterator[tuple[str, bool, str]]:
    hears = _hearers(talk["turns"])
    many = len(hears)
    if not talk["moves"]:
        still = all(some == hears[0] for some in hears)
        yield "nobody moves", still, f"{talk['id']} {_changes(hears)}"
    for move in talk["moves"]:
        at, who = move["turn"] - 1, move["who"]
        if move["does"] == "leaves":
            back = next((nth for nth in range(at + 1, many) if talk["turns"][nth]["by"] == who), many)
            soon = back - 1 if back < many else many  # whoever is soon back was away just before
            after = min(at + 1 + GOODBYES, soon)
            gone = [who not in hears[nth] for nth in range(after, min(back, at + 3 + GOODBYES))]
            yield "leaves", who in hears[at] and all(gone), f"{talk['id']} {who}: {talk['turns'][at]['says']}"
        else:
            there = all(who in hears[nth] for nth in range(at, min(many, at + 2)))
            absent = at == 0 or who not in hears[at - 1]
            yield "comes", there and absent, f"{talk['id']} {who}: {talk['turns'][at]['says']}"


def _hearers(turns: Sequence[Mapping[str, str]]) -> list[frozenset[str]]:
    """Who is there at each turn."""
    script = [Utterance((turn["by"],), turn["says"]) for turn in turns]
    there, found = set[str](), list[frozenset[str]]()
    coming = moves(script)
    for nth in range(len(script)):
        for move in coming:
            if move.at == nth:
                (there.discard if move.movement == "leaves" else there.add)(move.who)
        found.append(frozenset(there))
    return found


def _changes(hears: Sequence[frozenset[str]]) -> str:
    return "; ".join(
        f"{nth + 1}: {' '.join(sorted(before ^ after))}"
        for nth, (before, after) in enumerate(pairwise(hears), 1)
        if before != after
    )
