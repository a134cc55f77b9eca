"""Questions about deeds, answered from the recorded sentences of one small story: exact answers, and what must not be answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.ask.answer import Reply
from narraworld.query.ask.from_sentences.deed_questions import deed_questions
from narraworld.query.situation import Situation
from narraworld.world import World

STORY = """Wanda Pruss was a baker. She was forty-four. She worked nights at the mill on Lock Lane, and she slept in the room over the stable.

Wanda had nine geese. The geese were in the cellar, because the roof had blown off in the gale. A ladder cost thirty pounds that year.

On Thursday Otto Lindqvist mended the roof. Otto did not mend the gate. He gave Wanda a brass lamp. The ferry leaves at six.

Otto went back to the mill, since he had left his hammer behind. The mill was two miles from the ferry.

"Where did you learn your trade?" Wanda asked him.

"My aunt's yard," said Otto. "I built boats for eleven years."

Otto fed Petronel, the oldest cat of the mill. Zilla Marr kept the ferry. Zilla was late at the lock. She had missed the tide. Perhaps Otto would marry Zilla.

Wanda believed now that Otto had stolen the money. Zilla thought of the tide and sold her boat.
"""

ANSWERS = [
    ("Where does Wanda work?", ["at the mill on Lock Lane"]),
    ("Where did Wanda sleep?", ["in the room over the stable"]),
    ("How old is Wanda?", ["forty-four"]),
    ("Who mended the roof?", ["Otto"]),
    ("When did Otto mend the roof?", ["On Thursday, ch01"]),
    ("On which day did Otto mend the roof?", ["On Thursday, ch01"]),
    ("When does the ferry leave?", ["at six, ch01"]),
    ("Why did Otto go back to the mill?", ["since he had left his hammer behind"]),
    ("How many geese does Wanda have?", ["nine geese"]),
    ("How much did the ladder cost?", ["thirty pounds"]),
    ("How far is the mill from the ferry?", ["two miles"]),
    ("How long did Otto build boats?", ["for eleven years"]),
    ("Where did Otto learn his trade?", ["My aunt's yard I built boats for eleven years."]),
    ("Why was Zilla late?", ["She had missed the tide"]),
    ("Who sold the boat?", ["Zilla"]),
    ("Who is Petronel?", ["the oldest cat of the mill"]),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("deeds"), create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, STORY)).delta)
        yield world


def asked(world: World, question: str) -> Reply:
    return world.ask(question, Situation.questioner())


@pytest.mark.parametrize(("question", "answers"), ANSWERS)
def test_a_deed_answers(world: World, question: str, answers: list[str]) -> None:
    reply = asked(world, question)
    assert (reply.outcome, [line.words for line in reply.lines]) == ("derived", answers)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Who mended the gate?", id="it was not done"),
        pytest.param("Who married Zilla?", id="it only may be done"),
        pytest.param("Who stole the money?", id="it is only believed"),
        pytest.param("Who built the mill?", id="nobody is said to have"),
        pytest.param("Where does Otto work?", id="another does"),
        pytest.param("What did Otto wear on his head?", id="nothing is said of it"),
        pytest.param("What happened after the gale?", id="all there is would be no answer"),
    ],
)
def test_no_deed_answers(world: World, question: str) -> None:
    assert asked(world, question).lines == ()


def test_an_answer_rests_on_a_record_and_shows_its_sentence_and_others(world: World) -> None:
    reply = asked(world, "Where does Wanda work?")
    [line] = reply.lines
    [span] = line.spans
    assert line.records and span.quote.startswith("She worked nights at the mill")
    assert reply.passages and line.holder == "the world"


def test_what_somebody_says_is_told_as_theirs(world: World) -> None:
    [line] = asked(world, "How long did Otto build boats?").lines
    assert line.holder == "Otto"


@pytest.mark.parametrize("question", [question for question, _ in ANSWERS])
def test_no_sentence_answers_through_eyes(world: World, question: str) -> None:
    reply = world.ask(question, Situation.character("Otto"))
    assert not any("of a deed" in reply.form or ", by " in reply.form for _ in reply.lines)


@pytest.mark.parametrize(
    ("question", "subject", "verb", "rest"),
    [
        ("Where does Wanda work?", "Wanda", "work", ""),
        ("Who had been paying the bill?", "", "paying", "the bill"),
        ("On which day may Mr Otto steer the barge?", "Mr Otto", "steer", "the barge"),
        ("What did Wanda's father die of?", "Wanda 's father", "die", ""),
    ],
)
def test_a_question_is_taken_apart(question: str, subject: str, verb: str, rest: str) -> None:
    ways = [(" ".join(one.subject), one.verb, " ".join(one.rest)) for one in deed_questions(question)]
    assert (subject, verb, rest) in ways
