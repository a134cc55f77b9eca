"""Answers of a mind to the questions of gold: laid out as pages for whoever is to answer them, taken in from there, and replayed.

A page has what `ask --with-model` shows, and nothing of gold but the question. What it was made of is kept beside the pages, so that an answer
is recorded as one to that page, whatever a rule shows today; replayed, its lines are found by their words (`chosen_lines`), and an answer that
rests on one that is no longer shown counts as none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from narraworld.extract.model.port import Prompt, StillOpen, Told
from narraworld.models.planner import WordedAnswer, answering_with
from narraworld.models.recordings import CarriedOver, Recorder, Replay, digest_of
from narraworld.relay.open_questions import OpenQuestion

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.query.ask.answer import Reply
    from narraworld.query.ask.in_words.shown import Answers

__all__ = ["RECORDED", "lay_out", "recorded_mind", "take_in"]

Answer = TypeVar("Answer", bound=BaseModel)

RECORDED = "asked.jsonl"
STRONG = "strong-reader"  # what whoever answered the pages is called, as in the recordings of the readings


def lay_out(folder: Path, number: int, ask: Callable[[Answers], Reply]) -> None:
    """Write the page of a question, unless it is answered."""
    if not _answer_file(folder, number).is_file():
        with suppress(StillOpen):
            ask(answering_with(lambda: _Opened(_Page(folder, number))))


def take_in(folder: Path, file: Path) -> int:
    """Record the answers that stand beside their pages, and say how many."""
    given = {page: _answer_file(folder, int(page.stem)) for page in sorted((folder / "kept").glob("*.json"))}
    answered = {page: answer for page, answer in given.items() if answer.is_file()}
    if answered:
        file.unlink(missing_ok=True)
    for page, answer in answered.items():
        question = OpenQuestion.from_text(page.read_text(encoding="utf-8"))
        recorder = Recorder(_Given(question, answer.read_text(encoding="utf-8")), file)
        asyncio.run(recorder.ask(question.prompt, WordedAnswer))
    return len(answered)


def recorded_mind(file: Path) -> Answers:
    """The mind that was recorded."""
    return answering_with(lambda: _Opened(CarriedOver(file, Replay(file))))


class _Opened:
    """Whoever answers, opened for one question."""

    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    async def __aenter__(self) -> Asks:
        return self._asks

    async def __aexit__(self, *_: object) -> None:
        return None


class _Page:
    """Lays a question out, and answers nothing."""

    model = STRONG

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._number = folder, number

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        question = OpenQuestion.of(prompt, answer, digest_of(self.model, prompt, answer), "bench")
        (self._folder / "kept").mkdir(parents=True, exist_ok=True)
        (self._folder / "kept" / f"{self._number:02}.json").write_text(question.to_text(), encoding="utf-8")
        told = "\n\n".join(part for _, part in question.instructions())
        page = self._folder / f"{self._number:02}-question.md"
        page.write_text(f"{told}\n\n---\n\n{question.user}\n", encoding="utf-8")
        raise StillOpen("waits for its answer", where=str(page))


class _Given:
    """The answer that stands in a file, if it has the shape asked for."""

    model = STRONG

    def __init__(self, question: OpenQuestion, text: str) -> None:
        self._question, self._text = question, text

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        return Told(answer.model_validate(self._question.read_answer(self._text).model_dump()))


def _answer_file(folder: Path, number: int) -> Path:
    return folder / f"{number:02}-answer.json"
