"""A model as planner of memory, as a mind that answers questions in words and as one that says what a scene needs: the ports of the query
room, answered by whoever is at hand.

The model chooses and words; the query room looks everything up, runs every query and holds every answer against its lines. Knows no provider:
whoever answers is handed in, as something to be opened for each question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from narraworld.base.settings import DEFAULTS
from narraworld.extract.model.port import Asks, Prompt
from narraworld.query.ask.in_words.shown import QuestionShown, SaidInWords
from narraworld.query.memory.by_mind.scene_shown import SaidNeed, SaidNeeds, SceneShown
from narraworld.query.memory.model_planner import Chosen, Wanted, model_planner

if TYPE_CHECKING:
    from narraworld.query.ask.in_words.shown import MindAtHand
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
    from narraworld.query.memory.context import Planner

__all__ = [
    "ANSWERING",
    "CHOOSING",
    "NeedsAnswer",
    "Opens",
    "WordedAnswer",
    "answering_with",
    "choosing_with",
    "forecast_of",
    "planner_with",
    "prompt_of",
    "said_needs",
]

Opens: TypeAlias = Callable[[], AbstractAsyncContextManager[Asks]]
Answer = TypeVar("Answer", bound=BaseModel)

ANSWERING, CHOOSING = "answering", "choosing"


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


class WordedAnswer(BaseModel):
    """A question answered in words."""

    outcome: Literal["answered", "not in the text"]
    answer: str = Field("", description="one sentence or less; empty where it is not in the text")
    verdict: Literal["yes", "no", ""] = Field("", description="where the question asks for yes or no")
    rests_on: list[int] = Field([], description="numbers of the lines that carry the answer")
    query: str = Field("", description="a query to be run, if the lines cannot hold the answer")


class NeedAnswer(BaseModel):
    """One thing that the writer of the scene must know."""

    need: str = Field(description="a short sentence of your own")
    rests_on: list[int] = Field(
        [], description="numbers of the lines that meet it, the one that says most first"
    )


class NeedsAnswer(BaseModel):
    """What a scene needs, and the lines that tell it."""

    needs: list[NeedAnswer]


def planner_with(opens: Opens, *, with_preview: bool = True) -> Planner:
    """A planner that asks the model behind ``opens``."""

    def choose(system: str, user: str) -> Chosen:
        given = _asked(opens, Prompt("planning", system, user), PlanAnswer)
        needs = tuple(Wanted(one.kind, tuple(one.about), one.words) for one in given.needs)
        return Chosen(given.form, tuple(given.focal), given.query, tuple(given.selected), needs)

    return model_planner(choose, with_preview=with_preview)


def answering_with(opens: Opens) -> MindAtHand:
    """A mind that answers questions in words: the model behind ``opens``."""

    def answer(shown: QuestionShown) -> SaidInWords:
        said, by = _told(opens, prompt_of(shown), WordedAnswer)
        verdict = {"yes": True, "no": False}.get(said.verdict)
        answered = said.outcome == "answered"
        return SaidInWords(
            answered, said.answer.strip(), verdict, tuple(said.rests_on), said.query.strip("` \n"), by
        )

    return answer


def choosing_with(opens: Opens) -> ChoosingMind:
    """A mind that says what a scene needs: the model behind ``opens``."""

    def choose(shown: SceneShown) -> SaidNeeds:
        said, by = _told(opens, prompt_of(shown), NeedsAnswer)
        return said_needs(said, by)

    return choose


def said_needs(given: NeedsAnswer, by: str) -> SaidNeeds:
    """An answer as the query room takes it."""
    return SaidNeeds(tuple(SaidNeed(one.need.strip(), tuple(one.rests_on)) for one in given.needs), by)


def prompt_of(shown: QuestionShown | SceneShown) -> Prompt:
    """The question as it goes out."""
    name = CHOOSING if isinstance(shown, SceneShown) else ANSWERING
    return Prompt(name, shown.system, shown.text, shown.given)


def forecast_of(shown: QuestionShown | SceneShown, model: str | None = None) -> str:
    """With which model, and for how many tokens and dollars, this would be asked; counted, not asked."""
    from narraworld.models.environment import ModelSettings, Secret
    from narraworld.models.prices import CostRange, Expected, estimate_tokens, forecast, known_prices
    from narraworld.models.recordings import shape_of

    settings = ModelSettings.from_environment(model=model, key=Secret("not-needed-to-count"))
    choosing = isinstance(shown, SceneShown)
    shape = shape_of(NeedsAnswer if choosing else WordedAnswer)
    size = sum(map(estimate_tokens, (shown.system, shown.text, shape)))
    most = DEFAULTS.memory.choosing.answer if choosing else DEFAULTS.memory.in_words.answer
    expected = forecast([Expected(size, CostRange(most // 2, most))], known_prices().get(settings.model))
    return f"{settings.model} at {settings.endpoint}: {expected}"


def _asked(opens: Opens, prompt: Prompt, answer: type[Answer]) -> Answer:
    return _told(opens, prompt, answer)[0]


def _told(opens: Opens, prompt: Prompt, answer: type[Answer]) -> tuple[Answer, str]:
    """The answer, and what whoever gave it is called."""

    async def talk() -> tuple[Answer, str]:
        async with opens() as asks:
            return (await asks.ask(prompt, answer)).answer, asks.model

    return asyncio.run(talk())
