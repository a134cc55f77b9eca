"""What reading a file gives: a source unit, its scenes, the author's notes, and the way back to the file. Pure values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from narraworld.extract.sources.places import Places
from narraworld.kb.units import Unit

__all__ = ["AuthorNote", "Piece", "SceneRange"]


class SceneRange(NamedTuple):
    """One scene: half-open range of the unit's text, with the title its heading gives it."""

    start: int
    end: int
    title: str | None


class AuthorNote(NamedTuple):
    """What the author says beside the text: `pov`, `char`, `location`, `time` …; it holds from `start` on."""

    kind: str
    value: str
    start: int


@dataclass(frozen=True, slots=True)
class Piece:
    unit: Unit
    scenes: tuple[SceneRange, ...]
    notes: tuple[AuthorNote, ...]
    places: Places
