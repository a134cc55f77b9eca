"""The situation of a request: when in the story, how far in the telling, who tells whom, through whose eyes, on which branch.

Moments are given as people give them (`moments`); here they become a horizon on the clocks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypedDict

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.time.clock_values import ClockSettings
from narraworld.query.errors import EmptyName, UnknownMoment
from narraworld.query.moments import Moment, MomentText, Tick, moment_of, revision_of
from narraworld.query.names import ReadAs, rows
from narraworld.rules.engines import Engine
from narraworld.rules.living.cut import FAR, Horizon, ToldStretch

__all__ = [
    "NOW",
    "READER",
    "Purpose",
    "Situation",
    "SituationParts",
    "Tick",
    "horizon_of",
    "placed",
    "situation_of",
]

Purpose: TypeAlias = Literal["writing", "question", "role-play"]
READER = "reader"


@dataclass(frozen=True, slots=True)
class Situation:
    """``at`` bounds story time, ``told`` the telling, ``revision`` the commits; None means now, on all three.
    A moment is a text or a chapter's number; a tick is `Tick(2)` or "tick:2".

    ``focalizer`` is the character through whose eyes the world is seen, ``teller`` the character who tells it, ``recipient``
    to whom. A teller without a focalizer tells what the teller holds. An author, who has neither, sees every mind, each
    under its holder's name. ``purpose`` is what the memory is for.
    """

    at: MomentText | None = None
    told: MomentText | None = None
    revision: int | None = None
    branch: str = "main"
    focalizer: str | None = None
    teller: str | None = None
    recipient: str | None = None
    purpose: Purpose = "writing"

    def __post_init__(self) -> None:
        """A name left empty would be nobody's eyes, and so the author's, who sees everything."""
        for part in ("focalizer", "teller", "recipient"):
            name = getattr(self, part)
            if name is not None and not name.strip():
                raise EmptyName(part)

    @property
    def eyes(self) -> str | None:
        """Whose information may be expressed; None for an author."""
        return self.teller if self.focalizer is None else self.focalizer

    # -- presets: the usual situations, each one line away from any other

    @classmethod
    def author(cls, *, at: MomentText | None = None, branch: str = "main") -> Situation:
        """Everything written so far (or as of ``at``), every mind labelled with its holder."""
        return cls(at=at, branch=branch)

    @classmethod
    def reader(cls, told: MomentText, *, branch: str = "main") -> Situation:
        """Somebody who has read to the end of ``told`` and no further."""
        return cls(told=told, branch=branch, recipient=READER)

    @classmethod
    def character(cls, who: str, *, at: MomentText | None = None, branch: str = "main") -> Situation:
        """Only what ``who`` could tell at that moment, mistakes and all."""
        return cls(at=at, branch=branch, focalizer=who)

    @classmethod
    def questioner(cls, *, told: MomentText | None = None, branch: str = "main") -> Situation:
        """Somebody who wants an answer, not a scene: no hypotheticals unless asked for."""
        return cls(told=told, branch=branch, purpose="question")

    @classmethod
    def role_play(
        cls, who: str, *, to: str | None = None, at: MomentText | None = None, branch: str = "main"
    ) -> Situation:
        """``who`` speaks for themselves, to ``to``: what they hold, and what they take the other to hold."""
        return cls(at=at, branch=branch, teller=who, recipient=to, purpose="role-play")


NOW = Situation()


class SituationParts(TypedDict, total=False):
    """A situation in keywords: when, how far told, through whose eyes, to whom, on which branch, as of which commit."""

    at: MomentText | None
    told: MomentText | None
    as_: str | None
    to: str | None
    branch: str
    revision: int | str | None


def situation_of(situation: Situation, parts: SituationParts) -> Situation:
    """The situation with these parts in place of its own."""
    own = {"as_": "focalizer", "to": "recipient"}
    given: dict[str, Any] = {own.get(name, name): value for name, value in parts.items()}
    if "revision" in given:
        given["revision"] = revision_of(given["revision"])
    return replace(situation, **given)


def placed(engine: Engine, situation: Situation, clock: ClockSettings) -> tuple[Horizon, tuple[ReadAs, ...]]:
    """Where the situation's moments lie in the telling, and how they were read."""
    at = moment_of(engine, situation.at) if situation.at is not None else None
    told = moment_of(engine, situation.told) if situation.told is not None else None
    horizon = Horizon(_story(engine, at, clock) if at else None, _told(engine, told, clock) if told else None)
    return horizon, tuple(moment.read_as for moment in (at, told) if moment and moment.id != moment.text)


def horizon_of(engine: Engine, situation: Situation, clock: ClockSettings) -> Horizon:
    """Where the situation's moments lie in the telling."""
    return placed(engine, situation, clock)[0]


def _story(engine: Engine, moment: Moment, clock: ClockSettings) -> int | ToldStretch | None:
    if moment.tick is not None:
        return max(-FAR, min(moment.tick, FAR))  # as far as clocks go, either way
    if moment.edge is not None:
        return -FAR if moment.edge == "start" else None
    return _stretch(engine, moment, clock)


def _told(engine: Engine, moment: Moment, clock: ClockSettings) -> int | None:
    if moment.tick is not None:
        raise UnknownMoment(moment.text, (), "the telling has no ticks: name a chapter, as in --told 2")
    if moment.edge is not None:
        return -1 if moment.edge == "start" else None
    return _stretch(engine, moment, clock).end


def _stretch(engine: Engine, moment: Moment, clock: ClockSettings) -> ToldStretch:
    """The piece of the telling at whose end one stands."""
    unit = moment.unit or ""
    [(_, order)] = rows(engine, "unit", unit)
    first = int(order) * clock.unit_length
    if moment.scene is None:
        return ToldStretch(unit, first, first + clock.unit_length - 1)
    scenes = sorted((int(start), int(end)) for _, _, start, end in rows(engine, "scene", None, unit))
    start, end = scenes[moment.scene - 1]
    return ToldStretch(unit, first + start, first + end - 1)
