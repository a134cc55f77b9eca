"""OpenToM from prose: whether each of the two still thinks the thing is where it was, at first and second order.

The narrative is read by the embedded reader; no gold event and no observation flag is given. A question names two people
and a thing; it becomes a query of `believes` or `believes2`. Whom no news of a move has reached still thinks the thing
where it was; how often that was said without any belief being read is shown beside the figures, and so is what somebody gets
who reads nothing and says that the mover knows better and the observer does not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from bench.frame import Figures, dataset, show
from bench.minds.telling import Told, add_workers, in_batches, share, told
from narraworld.query.names import rows

__all__ = ["DATA", "add_options", "run"]

DATA = "opentom"
OPEN = "open"

WITHOUT_READING = {
    "mover": "No",
    "observer": "Yes",
}  # whoever moved it knows; whoever else was about does not

Judged = tuple[str, bool, str, bool]
"""The sort of question, whether it was answered rightly, how, and whether it can be answered without reading."""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=10)
    parser.add_argument("--limit", type=int, help="read only so many stories")
    parser.add_argument("--wrong", action="store_true", help="print what was answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    stories = json.loads((folder / "meta_data.json").read_text(encoding="utf-8"))
    asked = {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("location_cg_fo", "location_cg_so")
    }
    cases = [(stories[key], [one for found in asked.values() for one in found[key]]) for key in stories]
    judged = [one for found in in_batches(_judge, cases[: options.limit], options) for one in found]
    if options.wrong:
        print(*(note for _, right, note, _ in judged if not right), sep="\n\n")
    counts = {
        sort: [right for each, right, *_ in judged if each == sort]
        for sort in sorted({one[0] for one in judged})
    }
    show("OpenToM, prose", ["question", "right", "of", "share", "without evidence", "without reading"], [
        [sort, sum(found), len(found), share(sum(found), len(found)), _open(judged, sort), f"{_unread(judged, sort):.4f}"]
        for sort, found in counts.items()
    ])  # fmt: skip
    shares = {sort: sum(found) / len(found) for sort, found in counts.items()}
    firsts = [right for sort, right, *_ in judged if sort.startswith("first")]
    return {
        "first_order": sum(firsts) / len(firsts), "first_order_without_reading": _unread(judged, "first order"),
        "first_order_observer": shares["first order, observer's side"],
        "first_order_observer_without_reading": _unread(judged, "first order, observer"), "second_order": shares["second order, observer's side"],
        "second_order_mover": shares["second order, mover's side"], "stories": len(cases[: options.limit]),
    }  # fmt: skip


def _open(judged: Sequence[Judged], sort: str) -> int:
    return sum(note.endswith(OPEN) for each, _, note, _ in judged if each == sort)


def _unread(judged: Sequence[Judged], sort: str) -> float:
    """The share of a sort of question that is answered rightly without reading."""
    found = [unread for each, _, _, unread in judged if each.startswith(sort)]
    return sum(found) / len(found)


Case = tuple[Mapping[str, Any], Sequence[Mapping[str, str]]]


def _judge(cases: Sequence[Case]) -> list[list[Judged]]:
    with told((gold["narrative"] for gold, _ in cases)) as (scope, stories):
        return [_story(scope.engine, stories[gold["narrative"]], gold, asked) for gold, asked in cases]


def _story(
    engine: Any, story: Told, gold: Mapping[str, Any], asked: Sequence[Mapping[str, str]]
) -> list[Judged]:
    names = gold["plot_info"]
    called = _called(story, names["eoi"])
    things = {one for one in called if list(rows(engine, "about", None, one, "location"))} or called
    found = list[Judged]()
    for one in asked:
        side = next(
            role for role in ("mover", "observer") if one["question"].startswith(f"From {names[role]}'s")
        )
        who, other = story.id(names[side]), story.id(names["observer" if side == "mover" else "mover"])
        first = one["type"].endswith("fo")
        said = rows(engine, "believes", who) if first else rows(engine, "believes2", who, other)
        answer = _still_there(engine, things, {str(row[-1]) for row in said})
        right = one["answer"] == ("Yes" if answer == OPEN else answer)
        note = "\n".join([gold["narrative"], one["question"], f"expected {one['answer']}, got {answer}"])
        unread = one["answer"] == WITHOUT_READING[side]
        found.append((f"{'first' if first else 'second'} order, {side}'s side", right, note, unread))
    return found


def _called(story: Told, noun: str) -> set[str]:
    """The entities that the story calls by this noun, in the singular or plural."""
    noun = noun.replace("_", " ").split()[-1]
    forms = {
        noun,
        f"{noun}s",
        f"{noun}es",
        noun.removesuffix("s"),
        noun.removesuffix("es"),
        f"{noun[:-1]}ies",
    }
    return {id for name, id in story.called if name.split()[-1] in forms}


def _still_there(engine: Any, things: set[str], held: set[str]) -> str:
    """Whether, by what is held, the thing is where the story first had it."""
    first = _first(engine, things)
    places = {one for one in held if one.split(".location.")[0] in things and ".location." in one}
    holders = {one.rpartition(".")[2] for one in first}  # what it was in may have been moved with it
    gone = held & {f"not.{one}" for one in first} or _carried_off(engine, things | holders, held - first)
    if gone or (places and not places & first):
        return "No"
    return "Yes" if places else OPEN


def _carried_off(engine: Any, things: set[str], held: set[str]) -> bool:
    """Whether, by what is held, somebody has moved or taken one of these."""
    links = (".location.", ".possession.")
    places = {one for one in held for link in links if link in one and one.split(link)[0] in things}
    return any(
        rows(engine, "role", event, None, "agent")
        for matter in places
        for event, *_ in rows(engine, "effect", None, matter, "yes")
    )


def _first(engine: Any, things: set[str]) -> set[str]:
    """Where the thing was to begin with, unless the first the story says of it is what somebody did with it."""
    found = [
        (
            int(row[3]),
            str(row[1]),
            any(rows(engine, "role", event, None, "agent") for _, event in rows(engine, "tied", row[0])),
        )
        for thing in things
        for link in ("location", "possession")
        for matter in {str(row[0]) for row in rows(engine, "about", None, thing, link)}
        for row in rows(engine, "lasts", None, matter, "yes")
    ]
    return {place for when, place, brought in found if when == min(found)[0] and not brought}
