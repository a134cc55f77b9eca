"""A short sentence is shown with those beside it: never too long, never across a break, never over what may not be seen."""

from __future__ import annotations

from dataclasses import replace
from tempfile import TemporaryDirectory

import pytest

from narraworld.base.settings import FoundSettings, Weights
from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.ask.found import nearest_passages, stretch_of
from narraworld.query.memory.index.admission import AdmittedPassage
from narraworld.query.memory.index.answer_kinds import shown_by
from narraworld.query.memory.index.search import Search
from narraworld.query.situation import Situation
from narraworld.world import World

TEXT = "It was brass. There was a ling living in it. Nobody knew. The end came on a Sunday, in the rain, while all of them slept."


def passages(*texts: tuple[str, str], gap: int = 1) -> list[AdmittedPassage]:
    made, at = list[AdmittedPassage](), 0
    for nth, (unit, words) in enumerate(texts):
        made.append(AdmittedPassage(nth, unit, at, at + len(words), (), words))
        at += len(words) + gap
    return made


SENTENCES = [("ch1", f"{words.strip()}.") for words in TEXT.rstrip(".").split(".")]


@pytest.mark.parametrize(
    ("longest", "shown"),
    [
        pytest.param(10, [1], id="a long one stands alone"),
        pytest.param(44, [1, 2], id="what follows comes first"),
        pytest.param(60, [0, 1, 2], id="then what stands before"),
        pytest.param(200, [0, 1, 2, 3], id="all there is"),
    ],
)
def test_as_long_as_it_may_be(longest: int, shown: list[int]) -> None:
    assert list(stretch_of(passages(*SENTENCES), 1, FoundSettings(longest=longest))) == shown


def test_not_across_chapters_nor_over_a_gap() -> None:
    other = passages(SENTENCES[0], SENTENCES[1], ("ch2", "Morning."))

    assert list(stretch_of(other, 1)) == [0, 1]
    assert list(stretch_of(passages(*SENTENCES, gap=9), 1)) == [1]


STORY = """Odo Vane was late for the ferry. Odo waved to Odo Vane's aunt. Odo sang on the quay.

Odo stood by the crates with his cap in his hand. He was sixty-three. The gulls walked about.

Odo bought a ticket. Odo lost the ticket. Odo found Odo's ticket again."""


def place(question: str, sentence: str, alone: float) -> int:
    """Where a sentence stands among the nearest, by how much what is asked for counts where little else is asked."""
    settings = FoundSettings(weights=replace(Weights(), alone=alone))
    with TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, STORY)).delta)
        scope = world.scope(Situation.questioner())
        passages = scope.once(Search).passages
        order = [passages[nth].words for nth in nearest_passages(question, scope, settings)]
        return order.index(sentence)


def test_what_is_asked_for_counts_more_where_only_a_name_is_asked_with() -> None:
    asked = ("How old is Odo?", "He was sixty-three.")
    assert place(*asked, Weights().alone) < place(*asked, 0.0)


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        pytest.param("Is Odo dead?", "They buried him on Monday.", "Odo has a cap.", id="death"),
        pytest.param("What does Odo do for a living?", "He was a tailor.", "Odo has a cap.", id="occupation"),
        pytest.param("How is Odo related to Ida?", "Her uncle paid.", "Odo has a cap.", id="kin"),
    ],
)
def test_what_an_answer_looks_like(question: str, sentence: str, other: str) -> None:
    shape = shown_by(question)
    assert shape is not None and shape.search(sentence) and not shape.search(other)
