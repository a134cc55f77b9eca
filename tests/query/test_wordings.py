"""Questions of yes or no, of kin, colour, kind and fate, answered by how recorded sentences word it; and what must not be answered so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.ask.answer import Reply
from narraworld.query.situation import Situation
from narraworld.world import World

STORY = """Mina Doyle had worked at the salt works for six years. She was deaf in her left ear. She wore a brown apron with deep pockets.

Mina's brother Lorcan climbed the tower every day. Lorcan had been a postman in Trim until the fire. The gardener, Ivo Strand, slept in the shed.

"Where's the ladder?" asked Mina.

"Ivo has it," said Lorcan. "He borrowed ninety kroner from the bank."

"Did you know about the bees?" Mina asked Ivo.

"No," said Ivo. "Lorcan told his aunt that they were wasps."

Lorcan sold the hives in May. Lorcan did not sell the smoker. In June Aunt Petra drowned off the weir. Mina begged Ivo to mend the gate. Ivo had never learned to swim.

"Petra pulled the rope," said Mina. "She pulled it because the bell was late."
"""

ANSWERS = [
    ("How long had Mina been working at the salt works?", ["for six years"]),
    ("In which ear is Mina deaf?", ["left ear"]),
    ("What colour was Mina's apron?", ["brown"]),
    ("Who is Mina's brother?", ["Lorcan"]),
    ("What had Lorcan been before the fire?", ["a postman in Trim"]),
    ("Who is the gardener?", ["Ivo Strand"]),
    ("Who has the ladder?", ["Ivo"]),
    ("How much money did Ivo borrow from the bank?", ["ninety kroner"]),
    ("What did Lorcan tell his aunt?", ["that they were wasps"]),
    ("What did Mina beg Ivo to do?", ["to mend the gate"]),
    ("Why did Petra pull the rope?", ["because the bell was late"]),
]

VERDICTS = [
    ("Did Ivo know about the bees?", False),
    ("Can Ivo swim?", False),
    ("Did Lorcan sell the hives?", True),
    ("Did Lorcan sell the smoker?", False),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("wordings"), create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, STORY)).delta)
        yield world


def asked(world: World, question: str) -> Reply:
    return world.ask(question, Situation.questioner())


@pytest.mark.parametrize(("question", "answers"), ANSWERS)
def test_a_wording_answers(world: World, question: str, answers: list[str]) -> None:
    reply = asked(world, question)
    assert (reply.outcome, [line.words for line in reply.lines]) == ("derived", answers)


@pytest.mark.parametrize(("question", "yes"), VERDICTS)
def test_a_sentence_says_yes_or_no(world: World, question: str, yes: bool) -> None:
    reply = asked(world, question)
    assert (reply.outcome, reply.verdict) == ("derived", yes)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("In which eye is Mina deaf?", id="no eye is spoken of"),
        pytest.param("What colour was Ivo's apron?", id="it is another's"),
        pytest.param("Who is Ivo's brother?", id="he is another's"),
        pytest.param("Who has the smoker?", id="nobody is said to"),
        pytest.param("Did Mina sell the hives?", id="another did"),
        pytest.param("Did Lorcan sell the ladder?", id="nothing is said of it"),
        pytest.param("Why did Mina beg Ivo to mend the gate?", id="what was asked about is no reason for it"),
    ],
)
def test_no_wording_answers(world: World, question: str) -> None:
    assert asked(world, question).lines == ()


def test_through_somebodys_eyes_no_wording_answers(world: World) -> None:
    assert world.ask("Who has the ladder?", Situation.character("Mina", at="ch01")).lines == ()
