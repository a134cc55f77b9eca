"""What a mind is shown to say what a scene needs, and what it says: plain values, and how they read. Asks nothing, decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.memory.lines.given_lines import GivenLine, fenced, mark_of, numbered

__all__ = ["ChoosingMind", "SaidNeed", "SaidNeeds", "SceneShown"]


@dataclass(frozen=True, slots=True)
class SceneShown:
    """A request for a scene with all that a mind may choose from; passage and outline guide and are no evidence."""

    request: str
    situation: str
    cast: str
    room: str
    lines: tuple[GivenLine, ...]
    passage: str = ""
    outline: str = ""

    @property
    def system(self) -> str:
        """The instructions, the same for every scene."""
        return _instructions()

    @property
    def given(self) -> Mapping[str, str]:
        """The parts of the question by name."""
        guides = {"passage": self.passage, "outline": self.outline}
        return {
            "situation": self.situation, "cast": self.cast, **{name: text for name, text in guides.items() if text},
            "lines": "\n".join(numbered(self.lines)), "room": self.room, "request": self.request,
        }  # fmt: skip

    @property
    def mark(self) -> str:
        """What tells it from any other."""
        return mark_of(self.given)

    @property
    def text(self) -> str:
        """Every part between marks that its words cannot close."""
        return fenced(self.given)


@dataclass(frozen=True, slots=True)
class SaidNeed:
    """One thing that the scene needs, in the mind's words; ``rests_on`` are numbers of lines that meet it."""

    words: str
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidNeeds:
    """All that a mind says a scene needs, the weightiest first, and what the mind is called."""

    needs: tuple[SaidNeed, ...]
    by: str = ""


ChoosingMind: TypeAlias = Callable[[SceneShown], SaidNeeds]
"""A mind at hand that says what a scene needs: a model, the relay, a recording."""


@cache
def _instructions() -> str:
    return (files(__package__) / "instructions.md").read_text(encoding="utf-8").strip()
