"""A number, an age, a length of time or a time is answered from the sentence that accounts for the question, and from no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.ask.answer import Reply
from narraworld.query.ask.from_sentences.answer_phrases import ages
from narraworld.query.ask.from_sentences.by_kind import answers_by_kind, kind_question
from narraworld.query.situation import Situation
from narraworld.world import World

STORY = """There were fourteen hives along the orchard wall. His name was Osbert Vane, he was seventy-three, and he counted them every morning.

"Clara has gone away," said Osbert. "At Whitsun. She took the cart."

The schoolhouse stood empty after that, and Clara slept there for nine days before anybody knew. The carter waited three hours at the mill, and the smith two hours.

Osbert built a beehouse behind the chapel. A jug cost him five shillings. Clara kept six of them warm with her own shawl.

The boy under the sacks, whose name was Tib, took the bread. Clara came in to wash her hands. The smith came from the quarry to the feast.

Jem came up the path and Nell put down her basket. "Your father's lying," he said. Nell said nothing. "He gave me this when I was twenty-one," he said.
"""

DERIVED = [
    ("How many hives were there along the wall?", "fourteen hives"),
    ("How old was Osbert Vane?", "seventy-three"),
    ("When did Clara go away?", "At Whitsun"),
    ("How long did Clara sleep in the schoolhouse?", "nine days"),
]

NOT_DERIVED = [
    pytest.param("How many hives did Clara burn?", id="what was done to them is told nowhere"),
    pytest.param("How long did they wait at the mill?", id="two are equally good"),
    pytest.param("How old was Clara?", id="another's age"),
    pytest.param("When did Osbert marry?", id="no time of it"),
    pytest.param("How old is Nell?", id="whoever says I tells of their own age"),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("kinds"), create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, STORY)).delta)
        yield world


def asked(world: World, question: str) -> Reply:
    return world.ask(question, Situation.questioner())


@pytest.mark.parametrize(("question", "answer"), DERIVED)
def test_words_of_the_wanted_kind_answer(world: World, question: str, answer: str) -> None:
    _, found = answers_by_kind(question, world.scope(Situation.questioner()))
    assert [one.words for one in found] == [answer]
    assert asked(world, question).outcome == "derived"


@pytest.mark.parametrize("question", NOT_DERIVED)
def test_nothing_of_the_kind_answers(world: World, question: str) -> None:
    assert answers_by_kind(question, world.scope(Situation.questioner())) == ("", [])


def test_through_somebodys_eyes_no_kind_answers(world: World) -> None:
    assert (
        world.ask("How many hives were there along the wall?", Situation.character("Clara", at="ch01")).lines
        == ()
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        pytest.param(
            "Where did Osbert build the house?", ["behind the chapel"], id="joined with another word"
        ),
        pytest.param("What is the boy from the sacks called?", ["Tib"], id="named behind what tells which"),
        pytest.param(
            "Where did the smith come from to the feast?", ["from the quarry"], id="a source, not an end"
        ),
        pytest.param("Where did Clara come?", [], id="to wash is no place"),
    ],
)
def test_a_sentence_answers(world: World, question: str, answers: list[str]) -> None:
    assert [line.words for line in asked(world, question).lines] == answers


@pytest.mark.parametrize(
    ("question", "kind", "noun"),
    [
        ("How many of the boats are left?", "count", "boats"),
        ("For how long was she ill?", "duration", ""),
        ("In which month did he come?", "time", "month"),
        ("Why did he come?", None, None),
    ],
)
def test_the_word_that_asks_says_what_kind(question: str, kind: str | None, noun: str | None) -> None:
    found = kind_question(question)
    assert (found and found.kind, found and found.noun) == (kind, noun)


def test_a_sum_is_no_age() -> None:
    told = "She was forty. In the bag were forty thousand pounds, and in the loft were thirty hens. Ida was nine years old."
    assert list(ages(told)) == ["forty", "nine years old"]
