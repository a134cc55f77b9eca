"""A question is laid beside sentences by its grammar: its pattern, the parts that may answer, and what is sure enough to be an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.ask.aligned.answers import answer_by_alignment
from narraworld.query.ask.aligned.asked import pattern_of
from narraworld.query.ask.aligned.candidates import candidates_of
from narraworld.query.ask.aligned.fitting import is_of_kind
from narraworld.query.ask.aligned.grammar import ParsedWord, ParseTree
from narraworld.query.ask.answer import ask
from narraworld.query.ask.found import passages_by_nearness
from narraworld.query.situation import Situation
from narraworld.reading.with_embedded import parsed
from narraworld.world import World

NAMES = frozenset({"Odo", "Vane", "Tib"})


def tree(text: str) -> ParseTree:
    [words] = parsed([text], NAMES)
    return ParseTree(text, words)


@pytest.mark.parametrize(
    ("question", "kind", "verb", "role", "by"),
    [
        ("Who mended the lamp?", "who", "mended", "subject", ""),
        ("What did Odo carry to the quay?", "what", "carry", "object", ""),
        ("What did Odo make the table from?", "what", "make", "oblique", "from"),
        ("On what condition did Odo take the flat?", "which", "take", "oblique", "on"),
        ("How many lamps did Tib carry?", "count", "carry", "adverb", ""),
        ("In which month did Odo leave?", "when", "leave", "oblique", "in"),
        ("What did Odo do?", "deed", "do", "object", ""),
    ],
)
def test_a_question_is_a_pattern_with_a_hole(question: str, kind: str, verb: str, role: str, by: str) -> None:
    found = pattern_of(tree(question))
    assert found is not None
    assert (found.kind, found.verb.text, found.role, found.by) == (kind, verb, role, by)


@pytest.mark.parametrize(
    "question",
    ["Did Odo mend the lamp?", "Did Odo mend the lamp when it broke?", "Was Tib asleep where Odo lay?"],
)
def test_what_asks_for_nothing_is_no_pattern(question: str) -> None:
    assert pattern_of(tree(question)) is None


def test_whoever_is_to_answer_may_be_asked_by_a_helping_verb() -> None:
    assert pattern_of(tree("Do you know where Odo slept?")) is not None


def test_the_parts_of_a_sentence() -> None:
    sentence = tree("Odo hid the brass lamp under the stairs.")
    found = {sentence.words_of(range(one.first, one.last + 1)) for one in candidates_of(sentence)}
    assert {"Odo", "the stairs", "under the stairs", "hid the brass lamp under the stairs"} <= found


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "other"),
    [
        pytest.param(
            "Where did Odo sleep?", "Odo slept in the barn in August.", "in the barn", "in August", id="place"
        ),
        pytest.param(
            "How many lamps did Tib carry?",
            "Tib carried six lamps and two jugs.",
            "six lamps",
            "two jugs",
            id="number",
        ),
        pytest.param(
            "How old was Tib?", "Tib was sixty and had three hens.", "sixty", "three hens", id="age"
        ),
        pytest.param(
            "When did Odo leave?", "Odo left the house in March.", "in March", "the house", id="time"
        ),
    ],
)
def test_what_is_of_the_wrong_kind_answers_nothing(
    question: str, sentence: str, answer: str, other: str
) -> None:
    asked, told = pattern_of(tree(question)), tree(sentence)
    assert asked is not None
    parts = {told.words_of(range(one.first, one.last + 1)): one for one in candidates_of(told)}
    fitting = {words for words, one in parts.items() if is_of_kind(asked, told, one, person=words in NAMES)}
    assert other in parts
    assert answer in fitting
    assert other not in fitting


STORY = """On Friday Assumpta drove Malachy to the clinic in Galway. The roads were wet, and he slept until noon.

Malachy did not pay the doctor. Perhaps Odo would pay for the glasses.

Odo hid the letters under the stairs in October. The bell had hung over the harbour for forty years.

Tib carried six lamps to the pier, because the boats were late."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("aligned"), create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, STORY)).delta)
        yield world


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who drove Malachy to the clinic?", ["Assumpta"]),
        ("Where did Odo hide the letters?", ["under the stairs"]),
        ("When did Odo hide the letters?", ["in October"]),
        ("What did Odo hide under the stairs?", ["the letters"]),
        ("How many lamps did Tib carry to the pier?", ["six lamps"]),
        ("Why did Tib carry the lamps to the pier?", ["because the boats were late"]),
        pytest.param("Who paid the doctor?", [], id="it was not done"),
        pytest.param("Who paid for the glasses?", [], id="it only may be done"),
        pytest.param("Where did Tib hide the letters?", [], id="another did"),
        pytest.param("Who drove Odo to the clinic?", [], id="it was done to another"),
    ],
)
def test_the_sentence_that_fits_answers(world: World, question: str, answers: list[str]) -> None:
    scope = world.scope(Situation.questioner())
    near = list(passages_by_nearness(question, scope))
    found = answer_by_alignment(question, near, scope, parsed)
    assert [one.words for one in found.found] == answers
    assert sorted(found.order) == sorted(nth for nth, _ in near)


def test_through_somebodys_eyes_nothing_is_laid_beside(world: World) -> None:
    reply = world.ask("Who drove Malachy to the clinic in Galway?", Situation.character("Malachy", at="ch01"))
    assert "by the sentence it fits" not in reply.form


def test_one_word_alone_is_not_worth_a_parser(world: World) -> None:
    def never(texts: Sequence[str], names: frozenset[str]) -> list[list[ParsedWord]]:
        raise AssertionError(texts)

    assert ask("Why Galway?", world.scope(Situation.questioner()), parse=never).lines == ()
