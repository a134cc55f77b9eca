"""Where the tokens of a reading go: for each stage its instructions, its schema, and each list it is shown; read from recordings.

Counted by tiktoken (o200k_base) over the questions as they are put, instructions and schemas with each of them; and as the relay
puts them, with the instructions of a kind once and the shape in short. Needs no model.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bench.frame import Figures, show
from narraworld.extract.model.port import Asks, Prompt, Told
from narraworld.extract.sources import read_sources
from narraworld.models.recordings import Replay, digest_of
from narraworld.project.opened import OpenStory
from narraworld.query.memory.tokens import counter
from narraworld.reading.order import in_place
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.relay.open_questions import OpenQuestion

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["add_options", "run"]

Answer = TypeVar("Answer", bound="BaseModel")

HERE = Path(__file__).parents[1]
STORIES = Path(__file__).parents[2] / "src" / "narraworld" / "stories"
RECORDED = {
    "crossing": (STORIES / "crossing" / "chapters", STORIES / "crossing" / "recorded.jsonl"),
    **{
        name: (HERE / "data" / "unseen" / name, HERE / "data" / "unseen" / name / "strong.jsonl")
        for name in ("labels", "slack_water", "registered_players")
    },
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=sorted(RECORDED), nargs="*", help="some of the stories")


@dataclass(slots=True)
class Weights:
    """Tokens by (stage, part) of one story; ``once`` is what the relay shows to one answerer."""

    words: int = 0
    calls: int = 0
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    once: int = 0
    seen: set[str] = field(default_factory=set)

    def total(self, stage: str | None = None, part: str | None = None) -> int:
        return sum(n for (s, p), n in self.tokens.items() if stage in (None, s) and part in (None, p))

    def per_thousand(self, tokens: float) -> float:
        return tokens * 1000 / self.words


def run(options: argparse.Namespace) -> Figures:
    return {name: _figures(name, _weighed(*RECORDED[name])) for name in options.only or RECORDED}


def _figures(name: str, found: Weights) -> Figures:
    stages = sorted({stage for stage, _ in found.tokens}, key=lambda stage: -found.total(stage))
    parts = sorted({part for _, part in found.tokens}, key=lambda part: -found.total(part=part))
    rows = [
        [part, *(f"{found.per_thousand(found.total(stage, part)):,.0f}" for stage in [*stages, None])]
        for part in [*parts, None]
    ]
    show(f"{name}: tokens in for 1,000 words", ["", *stages, "all"], [[r[0] or "all", *r[1:]] for r in rows])
    return {
        "words": found.words,
        "calls_per_8800_words": found.calls * 8_800 / found.words,
        "tokens_in_per_1000_words": found.per_thousand(found.total()),
        "through_the_relay": found.per_thousand(found.once),
    }


def _weighed(chapters: Path, recording: Path) -> Weights:
    found = Weights()
    with tempfile.TemporaryDirectory() as folder, closing(OpenStory.open(folder, create=True)) as story:
        pieces = in_place(story, read_sources([str(path) for path in sorted(chapters.glob("[0-9]*.md"))]))
        found.words = sum(len(piece.unit.text.split()) for piece in pieces)
        asyncio.run(_read(story, pieces, Scale(Replay(recording), found)))
    return found


async def _read(story: OpenStory, pieces: list, asks: Asks) -> None:  # type: ignore[type-arg]
    async for one in read_with_model(story, pieces, asks, settings=ReadingSettings()):
        if one.outcome == "failed":
            print(f"{one.unit}: {one.why}")


class Scale:
    """Passes questions on and weighs their parts."""

    def __init__(self, asks: Asks, found: Weights) -> None:
        self.model, self._asks, self._found = asks.model, asks, found

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        told = await self._asks.ask(prompt, answer)
        self._weigh(prompt, answer)
        return told

    def _weigh(self, prompt: Prompt, answer: type[BaseModel]) -> None:
        count, found = counter(), self._found
        parts = {name: count(text) for name, text in prompt.given.items()}
        parts["fences and heads"] = count(prompt.user) - sum(parts.values())
        parts["instructions"] = count(prompt.system)
        parts["schema"] = count(json.dumps(answer.model_json_schema(), separators=(",", ":")))
        found.calls += 1
        for part, tokens in parts.items():
            found.tokens[prompt.name, part] += tokens
        question = OpenQuestion.of(prompt, answer, digest_of(self.model, prompt, answer), "reading")
        fresh = [(key, text) for key, text in question.instructions() if key not in found.seen]
        found.seen |= {key for key, _ in fresh}
        found.once += count(prompt.user) + sum(count(text) for _, text in fresh)
