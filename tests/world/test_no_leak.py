"""Nothing that a mind has not met is shown through its eyes, by any verb, at any chapter; and what it has met is still there.

What must stay hidden is written down by hand for the bundled stories: words that stand only in what somebody has not met before a chapter.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from places import STORIES

from bench.minds.minds import shown_through
from narraworld.extract.sources import read_sources
from narraworld.models.recordings import Replay
from narraworld.query.ask.in_words.shown import QuestionShown, SaidInWords
from narraworld.query.figures.as_data import context_json
from narraworld.query.memory.by_mind.scene_shown import SaidNeed, SaidNeeds, SceneShown
from narraworld.query.names import rows
from narraworld.reading.order import in_place
from narraworld.reading.with_model import read_with_model
from narraworld.world import World

CROSSING = STORIES / "crossing"


@dataclass(frozen=True)
class Hidden:
    """Words that somebody must not be shown after these chapters."""

    story: str
    who: str
    after: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.story}, {self.who} after {self.after}"


HIDDEN = (
    Hidden("key", "Leo", "ch01", ("hollow", "mara")),
    Hidden("key", "Leo", "ch02", ("hollow", "mara", "tells leo")),
    Hidden("key", "Mara", "ch02", ("harbour", "tide", "come back")),
    Hidden("key", "Mara", "ch03", ("harbour", "tide")),
    Hidden("gate", "Leon", "ch02", ("unlock", "gains entry")),
    Hidden("crossing", "Ines", "02", ("chapel", "organ", "(lies)", "'lies'")),
    Hidden("crossing", "Ines", "03", ("chapel", "organ", "(lies)", "'lies'", "sold")),
    Hidden("crossing", "Tobias", "02", ("sold", "heard you lift")),
    Hidden("crossing", "Voss", "04", ("organ", "pipes", "hid it in the chapel")),
    Hidden("crossing", "Holt", "04", ("organ", "pipes", "hid it in the chapel")),
)


@pytest.fixture(scope="module")
def worlds(stories: dict[str, World], tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    """The key and the gate from records, The Crossing as a model read it."""
    with World.open(tmp_path_factory.mktemp("crossing"), create=True) as crossing:
        asyncio.run(replayed(crossing))
        yield {**stories, "crossing": crossing}


async def replayed(world: World) -> None:
    pieces = in_place(world.story, read_sources([str(CROSSING / "chapters")]))
    async for one in read_with_model(world.story, pieces, Replay(CROSSING / "recorded.jsonl")):
        assert one.outcome == "read", one.why


def in_words(world: World, hidden: Hidden) -> str:
    """What a mind is shown that is asked for them."""
    shown: list[str] = []

    def nobody(question: QuestionShown) -> SaidInWords:
        shown.append(question.text)
        return SaidInWords(answered=False)

    for question in ("Who knows what is hidden, and why?", "Where is it, and who put it there?"):
        world.ask(question, at=hidden.after, as_=hidden.who, mind=nobody)
    assert shown
    return "\n".join(shown)


def for_a_scene(world: World, hidden: Hidden) -> str:
    """What a mind is shown that says what their next scene needs, and what becomes of all of it."""
    shown: list[str] = []

    def everything(scene: SceneShown) -> SaidNeeds:
        shown.append(scene.text)
        every = range(1, len(scene.lines) + 1)
        needs = [SaidNeed(f"line {nth}", (nth,)) for nth in every]
        return SaidNeeds((SaidNeed("what is hidden, and who put it there"), *needs), "Ada")

    for request in ("Write the next scene.", "They find what is hidden, and learn who put it there."):
        made = world.context(request, at=hidden.after, as_=hidden.who, budget=8000, mind=everything)
        shown += [made.text, json.dumps(context_json(made), default=str)]
    assert any(shown)
    return "\n".join(shown).replace("what is hidden, and who put it there", "")


@pytest.mark.parametrize("hidden", HIDDEN, ids=str)
def test_no_verb_shows_what_a_mind_has_not_met(worlds: dict[str, World], hidden: Hidden) -> None:
    """Nor is silence an answer: all that the author's world says somebody holds, doubts and knows of is in that mind's own."""
    world = worlds[hidden.story]
    shown = {**shown_through(world, hidden.who, hidden.after), "asked in words": in_words(world, hidden)}
    shown["a scene by a mind"] = for_a_scene(world, hidden)
    leaks = [
        (verb, words) for verb, text in shown.items() for words in hidden.words if words in text.casefold()
    ]
    assert leaks == []
    own, author = world.scope(at=hidden.after, as_=hidden.who), world.scope(at=hidden.after)
    for relation in ("believes", "doubts", "knows_of"):
        held = {row[1] for row in rows(author.engine, relation, own.focalizer)}
        own_rows = {row[1] for row in rows(own.engine, relation, own.focalizer)}
        assert len(own_rows) == len(held)  # a lie has a symbol of its own in the mind of whoever is taken in
        assert {one for one in own_rows if "/" in str(one)} <= held
        assert held - own_rows <= {row[0] for row in rows(author.engine, "speech")}
    told = {belief.proposition for belief in own.views().beliefs.get(str(own.focalizer), ())}
    assert {str(row[1]) for row in rows(author.engine, "believes", own.focalizer)} <= told


def test_the_words_are_there_for_the_author(worlds: dict[str, World]) -> None:
    for hidden in HIDDEN:
        engine = worlds[hidden.story].scope().engine
        told = repr(
            [rows(engine, name) for name in ("quote", "summary", "titled", "speech", "named")]
        ).casefold()
        assert [words for words in hidden.words if words.strip("()") not in told] == [], hidden
