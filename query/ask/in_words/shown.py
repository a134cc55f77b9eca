"""What a mind is shown to answer a question, and what it says: plain values, and how they read. Asks nothing, decides nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any, Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.evidence import Span

__all__ = ["GivenLine", "LinePart", "MindAtHand", "QuestionShown", "SaidInWords", "words_table"]

LinePart: TypeAlias = Literal["text", "minds", "records"]
"""A line is a piece of the text, says who holds what, or tells what records and rules have besides."""


@dataclass(frozen=True, slots=True)
class GivenLine:
    """One line: what it says, in which chapter, and what it rests on; of a matter on minds, which."""

    part: LinePart
    words: str
    chapter: str = ""
    records: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    matter: str = ""


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
            "situation": self.situation, "vocabulary": self.vocabulary, "lines": "\n".join(self._numbered()),
            "question": self.question,
        }  # fmt: skip

    @property
    def text(self) -> str:
        """Every part between marks that its words cannot close."""
        mark = sha256("\x1f".join(self.given.values()).encode()).hexdigest()[:8]
        return "\n".join(
            f"<{name} {mark}>\n{text or '(none)'}\n</{name} {mark}>" for name, text in self.given.items()
        )

    def _numbered(self) -> Iterator[str]:
        titles = words_table()["parts"]
        numbered = enumerate(self.lines, 1)
        for (part, chapter), several in groupby(numbered, key=lambda one: (one[1].part, one[1].chapter)):
            yield f"[{titles[part].format(chapter=chapter)}]"
            yield from (f"{number}. {line.words}" for number, line in several)


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
    """How lines are headed and said, and which relations a query is told of."""
    return tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))


@cache
def _instructions() -> str:
    return (files(__package__) / "instructions.md").read_text(encoding="utf-8").strip()
