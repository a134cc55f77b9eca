"""A model as planner of memory and translator of questions: the port of `query.planning_model`, answered through `extract.asking`.

The model chooses and words; the query room looks everything up, parses every query and derives every answer. Knows no provider:
whoever answers is handed in, as something to be opened for each question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from narraworld.extract.model.port import Asks, Prompt
from narraworld.query.memory.model_planner import Chosen, Wanted, model_planner, model_translator

if TYPE_CHECKING:
    from narraworld.query.ask.answer import Translate
    from narraworld.query.memory.context import Planner

__all__ = ["Opens", "planner_with", "translator_with"]

Opens: TypeAlias = Callable[[], AbstractAsyncContextManager[Asks]]
Answer = TypeVar("Answer", bound=BaseModel)


class WantedAnswer(BaseModel):
    """One thing memory must still supply."""

    kind: Literal[
        "state", "belief", "knowledge", "event", "thread", "possibility", "relation", "place", "time"
    ]
    about: list[str] = Field(description="names of those it is about")
    words: str = Field(description="content words to search for")


class PlanAnswer(BaseModel):
    """What the next step needs of memory."""

    form: Literal["fact", "sequence", "cause", "perspective", "thread", "scene"]
    focal: list[str] = Field(description="names of the characters it turns on")
    selected: list[int] = Field(description="numbers of listed entries")
    query: str = Field(description="what is needed from memory, in content words")
    needs: list[WantedAnswer]


class QueryAnswer(BaseModel):
    """A question as a rule query."""

    query: str


def planner_with(opens: Opens, *, with_preview: bool = True) -> Planner:
    """A planner that asks the model behind ``opens``."""

    def choose(system: str, user: str) -> Chosen:
        given = _asked(opens, Prompt("planning", system, user), PlanAnswer)
        needs = tuple(Wanted(one.kind, tuple(one.about), one.words) for one in given.needs)
        return Chosen(given.form, tuple(given.focal), given.query, tuple(given.selected), needs)

    return model_planner(choose, with_preview=with_preview)


def translator_with(opens: Opens) -> Translate:
    """A translator of questions into rule queries, by the model behind ``opens``."""

    def write(system: str, user: str) -> str:
        return _asked(opens, Prompt("translating", system, user), QueryAnswer).query

    return model_translator(write)


def _asked(opens: Opens, prompt: Prompt, answer: type[Answer]) -> Answer:
    async def talk() -> Answer:
        async with opens() as asks:
            return (await asks.ask(prompt, answer)).answer

    return asyncio.run(talk())
