"""The port to a language model: all that reading needs from one.

A prompt goes in, a checked answer comes out, with what it cost. Who answers (a provider, a recording, a script of a test)
is the caller's business; nothing here knows a provider or a network.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from narraworld.extract.errors import ExtractError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from narraworld.ontology.validate import Refusal

__all__ = ["Asks", "ModelFailed", "Overflow", "Prompt", "StillOpen", "Told", "Usage", "in_order"]

Answer = TypeVar("Answer", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. ``system`` is constant for a stage, so that providers can cache it; ``user`` is this story's part.

    ``given`` are the texts that ``user`` was made of, by name, so that a recording can say which of them has changed.
    """

    name: str
    system: str
    user: str
    given: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)

    def digest(self, model: str, schema: str) -> str:
        """What a recording or a cache knows this question by: every byte the model would see."""
        whole = "\x1f".join((model, schema, self.name, self.system, self.user))
        return sha256(whole.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost; ``cached`` answers cost nothing now."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
            self.cached + other.cached,
        )


@dataclass(frozen=True, slots=True)
class Told(Generic[Answer]):
    """A checked answer and what it cost."""

    answer: Answer
    usage: Usage = field(default_factory=Usage)


class ModelFailed(ExtractError):
    """The model gave no usable answer; says why, after every retry and repair that was allowed."""


class Overflow(ModelFailed):
    """The answer was cut off by its length: ask about less text at a time."""


class StillOpen(ExtractError):
    """The question is laid out and its answer is to come: nothing failed, and nothing can go on without it."""

    refused: tuple[Refusal, ...] = ()  # of what was answered before in the same unit


class Asks(Protocol):
    """Whoever answers. Safe to use for several questions at once."""

    model: str

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        """Answer, or raise ModelFailed; StillOpen where somebody will answer later."""


# -- Several questions at once, with results in the order in which they were put

Result = TypeVar("Result")


async def in_order(questions: Sequence[Callable[[], Awaitable[Result]]], jobs: int) -> list[Result]:
    """All results in order, with at most ``jobs`` questions under way.

    After a failure no more are begun; those under way are waited for, since they are paid and a cache keeps them. Of
    several failures the first in order is raised. One that is still open keeps no other from being put.
    """
    waiting = iter(enumerate(questions))
    results, failures, still_open = dict[int, Result](), dict[int, ModelFailed](), list[StillOpen]()

    async def work() -> None:
        for place, question in waiting:
            try:
                results[place] = await question()
            except ModelFailed as failure:
                failures[place] = failure
            except StillOpen as one:
                still_open.append(one)
            if failures:
                return

    await asyncio.gather(*(work() for _ in range(max(1, min(jobs, len(questions))))))
    if failures:
        raise failures[min(failures)]
    if still_open:
        raise still_open[0]
    return [results[place] for place in sorted(results)]
