"""MindAtHand of a mind to the questions of gold: laid out as pages for whoever is to answer them, taken in from there, and replayed.

A page has what `ask --with-model` shows, and nothing of gold but the question. What it was made of is kept beside the pages, so that an answer
is recorded as one to that page, whatever a rule shows today; replayed, its lines are found by their words (`chosen_lines`), and an answer that
rests on one that is no longer shown counts as none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pydantic import BaseModel

from bench.minds.minds_gold import GoldStory
from bench.minds.minds_gold import Told as ToldOfGold
from bench.minds.minds_matching import stems
from narraworld.base.errors import NarraWorldError
from narraworld.extract.model.port import Prompt, StillOpen, Told
from narraworld.models.planner import Opens, answering_with
from narraworld.models.recordings import CarriedOver, Recorder, Replay, digest_of
from narraworld.relay.open_questions import OpenQuestion

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.query.ask.answer import Reply
    from narraworld.query.ask.in_words.shown import MindAtHand
    from narraworld.world import World

__all__ = [
    "RECORDED",
    "judged_questions",
    "lay_out",
    "lay_out_all",
    "opened",
    "plain",
    "recorded_mind",
    "take_in",
]

Judged: TypeAlias = Iterator[tuple[str, int, str]]  # what is counted, how much, and what to say of it

Answer = TypeVar("Answer", bound=BaseModel)
Mind = TypeVar("Mind")

RECORDED = "asked.jsonl"
NOT_SAID = "not said"
HALF = 0.5
STRONG = "strong-reader"  # what whoever answered the pages is called, as in the recordings of the readings


def lay_out(
    folder: Path, number: int, ask: Callable[[Mind], object], mind_with: Callable[[Opens], Mind]
) -> None:
    """Write the page of a question, unless it is answered."""
    if not _answer_file(folder, number).is_file():
        with suppress(StillOpen):
            ask(mind_with(lambda: opened(_Page(folder, number))))


def take_in(folder: Path, file: Path) -> int:
    """Record the answers that stand beside their pages, and say how many."""
    given = {page: _answer_file(folder, int(page.stem)) for page in sorted((folder / "kept").glob("*.json"))}
    answered = {page: answer for page, answer in given.items() if answer.is_file()}
    if answered:
        file.unlink(missing_ok=True)
    for page, answer in answered.items():
        question = OpenQuestion.from_text(page.read_text(encoding="utf-8"))
        recorder = Recorder(_Given(question, answer.read_text(encoding="utf-8")), file)
        asyncio.run(recorder.ask(question.prompt, question.form.answer()))
    return len(answered)


def recorded_mind(file: Path) -> MindAtHand:
    """The mind that was recorded."""
    return answering_with(lambda: opened(CarriedOver(file, Replay(file))))


def lay_out_all(world: World, story: GoldStory, pages: Path) -> str:
    """The pages of a story's questions; what was answered of them is recorded beside its gold."""
    for number, gold in enumerate(story.of("question"), 1):
        lay_out(pages, number, partial(_asked_now, world, story, gold), answering_with)
    many = take_in(pages, story.folder / RECORDED)
    return f"{story.name}: {many} of {len(story.of('question'))} questions answered in {pages}"


@asynccontextmanager
async def opened(asks: Asks) -> AsyncIterator[Asks]:
    """Whoever answers, opened for one question."""
    yield asks


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


# -- judged


def judged_questions(world: World, story: GoldStory, reading: str) -> Judged:
    """By rule alone, and of a model's reading as a mind answered that was shown the same, where that was recorded."""
    mind = recorded_mind(story.asked) if story.asked and reading == "model" else None
    for gold in story.of("question"):
        by_rule = _asked(world, story, gold)
        if by_rule is None:
            continue
        yield from _judged(gold, by_rule, "ask_by_rules" if mind else "ask")
        if mind:
            told = _asked(world, story, gold, mind)
            yield "asked", told is not None, ""
            yield from _judged(gold, by_rule if told is None else told, "ask")


def _asked(
    world: World, story: GoldStory, gold: Mapping[str, Any], mind: MindAtHand | None = None
) -> Reply | None:
    """The reply to a question of gold; None where there is none at all."""
    try:
        return _asked_now(world, story, gold, mind)
    except NarraWorldError:
        return None


def _judged(gold: Mapping[str, Any], reply: Reply, part: str) -> Judged:
    """Right, or answered and wrong."""
    answered = bool(reply.lines) and (reply.outcome in ("derived", "unaware") or bool(reply.worded_by))
    right = not answered if gold["answer"] == NOT_SAID else _answers(gold, reply)
    said = "" if right else f"{gold['ask']} → {reply.outcome}: {[line.words for line in reply.lines][:3]}"
    yield part, 1, said
    yield f"{part} right", right, ""
    yield "wrong_answers" if part == "ask" else "wrong_by_rules", answered and not right, ""


def _asked_now(world: World, story: GoldStory, gold: Mapping[str, Any], mind: MindAtHand | None) -> Reply:
    """The reply to a question of gold, through the eyes it says."""
    who = ToldOfGold(world.scope(at=gold["after"]), story).who(gold["as"]) if "as" in gold else None
    return world.ask(gold["ask"], at=gold["after"], as_=who, mind=mind)


def _answers(gold: Mapping[str, Any], reply: Reply) -> bool:
    """Whether a reply is gold's answer: its yes or no, else gold's quotation or half of the words that the question had not."""
    answer = gold["answer"].casefold()
    if reply.verdict is not None and answer.startswith(("yes", "no")):
        return bool(answer.startswith("yes") == reply.verdict)
    quotes = [span.quote for line in reply.lines for span in line.spans]
    quotes = quotes or [span.quote for span in reply.passages[:3]]
    wanted = stems(gold["answer"]) - stems(gold["ask"])
    said = stems(" ".join([line.words for line in reply.lines] + quotes))
    return _quoted(gold, quotes) or (bool(wanted) and len(wanted & said) / len(wanted) >= HALF)


def _quoted(gold: Mapping[str, Any], quotes: Sequence[str]) -> bool:
    wanted = plain(gold["quote"]["words"]) if "quote" in gold else ""
    return bool(wanted) and any(plain(one) in wanted or wanted in plain(one) for one in quotes)


def plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").replace("\\n", " ").split())
