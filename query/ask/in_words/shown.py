"""What a mind is shown to answer a question, and what it says: plain values, and how they read. Asks nothing, decides nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.memory.lines.given_lines import GivenLine, fenced, numbered

__all__ = ["MindAtHand", "QuestionShown", "SaidInWords", "words_table"]


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """A question with all that a mind may go by; ``called`` are names of the question with those that the lines have instead."""

    question: str
    situation: str
    vocabulary: str
    lines: tuple[GivenLine, ...]
    called: tuple[tuple[str, str], ...] = ()

    @property
    def system(self) -> str:
        """The instructions, the same for every question."""
        return _instructions()

    @property
    def given(self) -> Mapping[str, str]:
        """The parts of the question by name."""
        return {
            "situation": self.situation, "vocabulary": self.vocabulary, "lines": "\n".join(numbered(self.lines)),
            "question": self.question,
        }  # fmt: skip

    @property
    def text(self) -> str:
        """Every part between marks that its words cannot close."""
        return fenced(self.given)


@dataclass(frozen=True, slots=True)
class SaidInWords:
    """What a mind says to a question; ``rests_on`` are numbers of lines."""

    answered: bool
    words: str = ""
    verdict: bool | None = None
    rests_on: tuple[int, ...] = ()
    query: str = ""
    by: str = ""  # what the mind is called


MindAtHand: TypeAlias = Callable[[QuestionShown], SaidInWords]
"""A mind at hand: a model, the relay, a recording."""


@cache
def words_table() -> Mapping[str, Any]:
    """How an answer by rule and the situation are said, and which relations a query is told of."""
    return tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))


@cache
def _instructions() -> str:
    return (files(__package__) / "instructions.md").read_text(encoding="utf-8").strip()
