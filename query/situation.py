"""The situation of a request: when in the story, how far in the telling, who tells whom, through whose eyes, on which branch.

Moments are given as people give them, `ch02` or `ch02 scene 2` or a tick; here they become a horizon on the clocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from narraworld.kb.time.clock_values import ClockSettings
from narraworld.query.errors import UnknownMoment
from narraworld.query.names import rows
from narraworld.rules.engines import Engine
from narraworld.rules.living.cut import FAR, Horizon, ToldStretch

__all__ = ["NOW", "READER", "Purpose", "Situation", "horizon_of"]

Purpose: TypeAlias = Literal["writing", "question", "role-play"]
READER = "reader"

_TICK = re.compile(r"-?\d{1,99}")
_SCENE = re.compile(r"^(?P<unit>\S+?)(?:\s+scene\s+|/scene-)(?P<number>\d{1,9})$")


@dataclass(frozen=True, slots=True)
class Situation:
    """``at`` bounds story time, ``told`` the telling, ``revision`` the commits; None means now, on all three.

    ``focalizer`` is the character through whose eyes the world is seen, ``teller`` the character who tells it, ``recipient``
    to whom. A teller without a focalizer tells what the teller holds. An author, who has neither, sees every mind, each
    under its holder's name. ``purpose`` is what the memory is for.
    """

    at: str | None = None
    told: str | None = None
    revision: int | None = None
    branch: str = "main"
    focalizer: str | None = None
    teller: str | None = None
    recipient: str | None = None
    purpose: Purpose = "writing"

    @property
    def eyes(self) -> str | None:
        """Whose information may be expressed; None for an author."""
        return self.focalizer or self.teller

    # -- presets: the usual situations, each one line away from any other

    @classmethod
    def author(cls, *, at: str | None = None, branch: str = "main") -> Situation:
        """Everything written so far (or as of ``at``), every mind labelled with its holder."""
        return cls(at=at, branch=branch)

    @classmethod
    def reader(cls, told: str, *, branch: str = "main") -> Situation:
        """Somebody who has read to the end of ``told`` and no further."""
        return cls(told=told, branch=branch, recipient=READER)

    @classmethod
    def character(cls, who: str, *, at: str | None = None, branch: str = "main") -> Situation:
        """Only what ``who`` could tell at that moment, mistakes and all."""
        return cls(at=at, branch=branch, focalizer=who)

    @classmethod
    def questioner(cls, *, told: str | None = None, branch: str = "main") -> Situation:
        """Somebody who wants an answer, not a scene: no hypotheticals unless asked for."""
        return cls(told=told, branch=branch, purpose="question")

    @classmethod
    def role_play(
        cls, who: str, *, to: str | None = None, at: str | None = None, branch: str = "main"
    ) -> Situation:
        """``who`` speaks for themselves, to ``to``: what they hold, and what they take the other to hold."""
        return cls(at=at, branch=branch, teller=who, recipient=to, purpose="role-play")


NOW = Situation()


def horizon_of(engine: Engine, situation: Situation, clock: ClockSettings) -> Horizon:
    """Where the situation's moments lie in the telling."""
    story = _moment(engine, situation.at, clock) if situation.at is not None else None
    told = _stretch(engine, situation.told, clock).end if situation.told is not None else None
    return Horizon(story, told)


def _moment(engine: Engine, text: str, clock: ClockSettings) -> int | ToldStretch:
    if not _TICK.fullmatch(text):
        return _stretch(engine, text, clock)
    return max(-FAR, min(int(text), FAR))  # as far as clocks go, either way


def _unit_of(engine: Engine, text: str) -> str:
    scene = _SCENE.match(text)
    unit = scene["unit"] if scene else text
    if not rows(engine, "unit", unit):
        raise UnknownMoment(text, [str(name) for name, _ in rows(engine, "unit")])
    return unit


def _stretch(engine: Engine, text: str, clock: ClockSettings) -> ToldStretch:
    unit = _unit_of(engine, text)
    [(_, order)] = rows(engine, "unit", unit)
    first = int(order) * clock.unit_length
    scene = _SCENE.match(text)
    if scene is None:
        return ToldStretch(unit, first, first + clock.unit_length - 1)
    scenes = sorted((int(start), int(end)) for _, _, start, end in rows(engine, "scene", None, unit))
    number = int(scene["number"])
    if not 1 <= number <= len(scenes):
        raise UnknownMoment(text, [f"{unit} scene {n}" for n in range(1, len(scenes) + 1)])
    start, end = scenes[number - 1]
    return ToldStretch(unit, first + start, first + end - 1)
