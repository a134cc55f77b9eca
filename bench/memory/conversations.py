"""Long conversations as LoCoMo has them, read into a world through the normal door.

A session is a unit named by its date, a turn is speech, an observation is what its speaker holds, with the turn as evidence.
Questions keep their gold evidence apart: nothing here shows it to memory.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from narraworld.kb.delta import Delta, slug
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.world import World

__all__ = ["CATEGORIES", "Line", "Question", "lines_of", "questions_of", "remembered", "turn_of"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}


@dataclass(frozen=True, slots=True)
class Line:
    """One turn or observation: who, what, and the turns it is evidence for."""

    session: int
    date: str
    speaker: str
    text: str
    turns: tuple[str, ...]
    observed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answer: str
    category: str
    evidence: frozenset[str]


def lines_of(conversation: Mapping[str, Any]) -> Iterator[Line]:
    talk, observed = conversation["conversation"], conversation["observation"]
    sessions = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key))
    for number in sessions:
        date = _day(talk[f"session_{number}_date_time"])
        for turn in talk[f"session_{number}"]:
            picture = f" [shows {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Line(number, date, turn["speaker"], _flat(turn["text"] + picture), (turn["dia_id"],))
        for speaker, facts in observed.get(f"session_{number}_observation", {}).items():
            for text, turns in facts:
                yield Line(number, date, speaker, _flat(text), _ids(turns), observed=True)


def questions_of(conversation: Mapping[str, Any]) -> Iterator[Question]:
    for asked in conversation["qa"]:
        evidence = frozenset(_ids(asked.get("evidence", [])))
        if asked["category"] in CATEGORIES and evidence:
            yield Question(
                asked["question"], str(asked.get("answer", "")), CATEGORIES[asked["category"]], evidence
            )


def _ids(given: str | list[str]) -> tuple[str, ...]:
    """Some ids are several in one string."""
    several = [given] if isinstance(given, str) else given
    return tuple(one for text in several for one in re.split(r"[;,\s]+", text) if one)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _day(moment: str) -> str:
    """`1:56 pm on 8 May, 2023` as the name of a unit: `8-May-2023`."""
    return "-".join(re.findall(r"\w+", moment.rpartition(" on ")[2]))


# -- in through the normal door


@contextmanager
def remembered(lines: Iterable[Line]) -> Iterator[World]:
    """A world that has read these sessions."""
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        by_session: dict[int, list[Line]] = {}
        for line in lines:
            by_session.setdefault(line.session, []).append(line)
        for number, session in by_session.items():
            reading = world.commit(_delta(number, _name(world, session[0].date), session))
            assert not reading.refusals, reading.refusals[:3]
        yield world


def _name(world: World, day: str) -> str:
    """The day, or the day and a letter where there were more sessions on it."""
    taken = {entry.unit for entry in world.log()}
    return next(name for name in (day, *(f"{day}-{letter}" for letter in "bcdefgh")) if name not in taken)


def _delta(number: int, name: str, lines: list[Line]) -> Delta:
    turns = [line for line in lines if not line.observed]
    text = "\n".join(f"{turn.speaker}: {turn.text}" for turn in turns)
    made = Delta(Unit(name, number, text))
    for name in dict.fromkeys(line.speaker for line in lines):
        made.add("Character", slug(name), name=name)
    places = _places(turns)
    everyone = dict.fromkeys(line.speaker for line in turns)
    for turn in turns:
        others = [slug(name) for name in everyone if name != turn.speaker]
        made.add(
            "Speech", _local(turn.turns[0]), kind="say", speaker=slug(turn.speaker), addressee=others,
            quote=places[turn.turns[0]],
        )  # fmt: skip
    for nth, line in enumerate(one for one in lines if one.observed):
        made.add(
            "Attitude", f"o{nth}", holder=slug(line.speaker), attitude="knows",
            proposition=Statement(slug(line.speaker), "observed", value=line.text),
            quote=[places[turn] for turn in line.turns if turn in places],
        )  # fmt: skip
    return made


def _places(turns: list[Line]) -> dict[str, TextRange]:
    found, start = {}, 0
    for turn in turns:
        begin = start + len(turn.speaker) + 2
        found[turn.turns[0]] = TextRange(begin, begin + len(turn.text))
        start = begin + len(turn.text) + 1
    return found


def _local(turn: str) -> str:
    return turn.replace(":", "-")


def turn_of(record: str) -> str:
    """The turn that a speech record was made of."""
    return record.rpartition("/")[2].replace("-", ":")
