"""Candidates for plotlines: scenes that something runs through, and what is told in them.

Pure values. The caller fills them from committed records; a model sees lines by number only, and what it answers with a
number is looked up here again. Knows no engine, no graph, no files.
"""

from __future__ import annotations

from narraworld.base.quick_dataclass import dataclass

__all__ = ["PLOTLINES", "Candidate", "SceneCard", "SceneLine"]

PLOTLINES = "plotlines"  # the unit that holds what scenes were consolidated into


@dataclass(frozen=True, slots=True)
class SceneLine:
    """A committed record told in a scene, one of its spans, and both in words."""

    record: str
    span: str
    words: str


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A committed scene and what is told in it."""

    id: str
    lines: tuple[SceneLine, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Scenes, in the order of the telling, that something runs through: a development, or a state that changes."""

    carrier: str
    title: str
    scenes: tuple[SceneCard, ...]
    participants: tuple[str, ...] = ()
    development: str | None = None
