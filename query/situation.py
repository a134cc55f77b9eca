"""The situation of a question: when in the story, how far in the telling, through whose eyes, on which branch.

Moments are given as people give them, `ch02` or `ch02 scene 2` or a tick; here they become a horizon on the clocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from narraworld.kb.timed import ClockSettings
from narraworld.query.errors import UnknownMoment
from narraworld.query.names import rows
from narraworld.rules.cut import Horizon, Stretch
from narraworld.rules.engines import Engine

__all__ = ["Situation", "horizon_of"]

_TICK = re.compile(r"-?\d+")
_SCENE = re.compile(r"^(?P<unit>\S+?)(?:\s+scene\s+|/scene-)(?P<number>\d+)$")


@dataclass(frozen=True, slots=True)
class Situation:
    """``at`` bounds story time, ``told`` the telling, ``revision`` the commits; None means now, on all three.

    ``focalizer`` is the character through whose eyes the world is seen.
    """

    at: str | None = None
    told: str | None = None
    revision: int | None = None
    branch: str = "main"
    focalizer: str | None = None


def horizon_of(engine: Engine, situation: Situation, clock: ClockSettings) -> Horizon:
    """Where the situation's moments lie in the telling."""
    story = _moment(engine, situation.at, clock) if situation.at is not None else None
    told = _stretch(engine, situation.told, clock).end if situation.told is not None else None
    return Horizon(story, told)


def _moment(engine: Engine, text: str, clock: ClockSettings) -> int | Stretch:
    return int(text) if _TICK.fullmatch(text) else _stretch(engine, text, clock)


def _unit_of(engine: Engine, text: str) -> str:
    scene = _SCENE.match(text)
    unit = scene["unit"] if scene else text
    if not rows(engine, "unit", unit):
        raise UnknownMoment(text, [str(name) for name, _ in rows(engine, "unit")])
    return unit


def _stretch(engine: Engine, text: str, clock: ClockSettings) -> Stretch:
    unit = _unit_of(engine, text)
    [(_, order)] = rows(engine, "unit", unit)
    first = int(order) * clock.unit_length
    scene = _SCENE.match(text)
    if scene is None:
        return Stretch(unit, first, first + clock.unit_length - 1)
    scenes = sorted((int(start), int(end)) for _, _, start, end in rows(engine, "scene", None, unit))
    number = int(scene["number"])
    if not 1 <= number <= len(scenes):
        raise UnknownMoment(text, [f"{unit} scene {n}" for n in range(1, len(scenes) + 1)])
    start, end = scenes[number - 1]
    return Stretch(unit, first + start, first + end - 1)
