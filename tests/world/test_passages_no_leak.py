"""No sentence is shown before it has been told, before it has happened, or to a mind that did not meet all it says."""

from __future__ import annotations

import tempfile

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.errors import UnknownName
from narraworld.query.memory.index.search import Search
from narraworld.query.names import rows
from narraworld.query.situation import Situation
from narraworld.world import World

SENTENCES = (
    "Ann hid the cup.",
    "Ben slept.",
    "It rained, and nobody knew why.",
    "Ann told Ben a lie.",
    "The hall was cold.",
)
PEOPLE = ("ann", "ben")
SITUATIONS = [
    Situation(told="ch01"), Situation(told="ch02"), Situation(at="ch01"), Situation(at="ch02"),
    *(Situation(at=at, focalizer=who) for at in ("ch01", "ch03") for who in PEOPLE),
]  # fmt: skip

# For each sentence of a chapter: which one, who does what it tells (or nobody: then no record rests on it), and who sees it.
told = st.tuples(st.sampled_from(SENTENCES), st.sampled_from((None, *PEOPLE)), st.booleans())
stories = st.lists(st.lists(told, min_size=1, max_size=4), min_size=3, max_size=3)


def chapter(number: int, sentences: list[tuple[str, str | None, bool]]) -> Delta:
    texts = [f"{text[:-1]} {number} {nth}." for nth, (text, _, _) in enumerate(sentences)]
    made = Delta(Unit(f"ch0{number}", number, " ".join(texts)))
    for who in PEOPLE:
        made.add("Character", who, name=who.capitalize())
    for nth, (text, (_, who, part)) in enumerate(zip(texts, sentences, strict=True)):
        if who:
            quote = (
                text[: text.index(" ", 5)] if part else text[:-1]
            )  # a part of the sentence, or all its words
            made.add("Event", f"e{nth}", kind="do", agent=who, quote=quote)
    return made


def leaks(world: World, situation: Situation) -> list[str]:
    """The passages that a situation shows and must not; whoever was not met yet sees nothing."""
    try:
        scope = world.scope(situation)
    except UnknownName:
        return []
    seen = {str(node) for node, _ in rows(scope.engine, "instance")}
    known = {str(row[1]) for row in rows(scope.engine, "knows_of", situation.focalizer)}
    last = int((situation.told or situation.at or "ch09")[-1])
    return [
        one.id
        for one in scope.once(Search).passages
        if int(one.unit[-1]) > last
        or not set(one.rests) <= seen
        or (situation.focalizer and not (one.rests and set(one.rests) <= known))
    ]


@given(stories)
@settings(deadline=None, max_examples=5, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_no_passage_leaks(story: list[list[tuple[str, str | None, bool]]]) -> None:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        for number, sentences in enumerate(story, 1):
            world.commit(chapter(number, sentences))
        assert [leaks(world, one) for one in SITUATIONS] == [[]] * len(SITUATIONS)


def test_through_eyes_a_sentence_is_shown_only_if_all_its_words_were_met() -> None:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        world.commit(
            chapter(
                1, [(SENTENCES[0], "ann", False), (SENTENCES[2], "ann", True), (SENTENCES[4], None, False)]
            )
        )
        ann = world.scope(Situation(focalizer="ann"))
        assert [one.words for one in ann.once(Search).passages] == ["Ann hid the cup 1 0."]
        assert [one.words for one in world.scope(Situation(focalizer="ben")).once(Search).passages] == []


@pytest.mark.parametrize(("told", "many"), [("ch01", 2), ("ch02", 4), (None, 6)])
def test_a_reader_finds_what_was_told(told: str | None, many: int) -> None:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        for number in (1, 2, 3):
            world.commit(chapter(number, [(SENTENCES[0], "ann", False), (SENTENCES[2], None, False)]))
        assert len(world.scope(Situation(told=told)).once(Search).passages) == many
