"""The ranker: chains along a trail, odds taken together, and a table of named numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from narraworld.extract.embedded.before_telling import trail_through
from narraworld.extract.embedded.lexicon.language import spoken
from narraworld.extract.embedded.people.rank_features import Chain, PronounScene
from narraworld.extract.embedded.people.ranker import (
    CROSSED,
    FEATURES,
    PronounQuestion,
    RankTable,
    odds_of,
    rank_table,
    walk,
)
from narraworld.extract.embedded.people.trail import CASES, PersonMention, Trail
from narraworld.kb.spans import TextRange


def latest(question: PronounQuestion) -> Sequence[float]:
    return [0.9, *(0.0 for _ in question.chains[1:])]


def trail(*words: str, gender: str = "female") -> Trail:
    """A sentence to each word: `she` is a pronoun, `the girl` picks somebody up, `a girl` is new."""
    found = []
    for place, word in enumerate(words):
        where, noun = TextRange(10 * place, 10 * place + 5), word.rpartition(" ")[2]
        pronoun = word == "she"
        one = PersonMention(
            where, "pronoun" if pronoun else "noun", noun, place, None, gender, role="subject"
        )
        one.case, one.picks_up = "nominative" if pronoun else "", word.startswith("the ")
        found.append(one)
    return Trail(found)


def test_two_good_ones_lower_each_other() -> None:
    alone, both = odds_of(np.array([0.8])), odds_of(np.array([0.8, 0.8]))
    assert alone[0] == pytest.approx(0.8)
    assert both.tolist() == pytest.approx([4 / 9, 4 / 9])


@pytest.mark.parametrize(
    ("words", "same"),
    [
        pytest.param(("a girl", "the girl"), True, id="picked up"),
        pytest.param(("a girl", "a girl"), False, id="another one"),
        pytest.param(("a girl", *["the tide"] * 31, "the girl"), False, id="too long ago"),
    ],
)
def test_a_noun_is_one_person_while_it_picks_up(words: tuple[str, ...], same: bool) -> None:
    chains = walk(trail(*words), latest).chains
    assert (chains[0] is chains[10 * (len(words) - 1)]) is same


def test_what_was_answered_is_seen_by_the_next() -> None:
    found = walk(trail("a girl", "a nurse", "she", "she"), latest)
    assert found.chains[20] is found.chains[30] is found.chains[10]
    assert found.answers[30].chain is found.chains[10]


def test_an_unlikely_answer_is_not_entered() -> None:
    found = walk(trail("a girl", "she"), lambda question: [0.29] * len(question.chains))
    assert found.answers[10].probability == 0.29
    assert 10 not in found.chains


def test_nobody_is_asked_from_later_text() -> None:
    asked = list[int]()
    walk(
        trail("she", "a girl", "she"),
        lambda question: [0.9 for _ in question.chains if not asked.append(question.mention.start)],
    )  # type: ignore[func-returns-value]
    assert asked == [20]


def test_the_table_is_written_as_it_is_read() -> None:
    table = RankTable(
        np.arange(len(FEATURES)) / 8, {case: np.ones(len(CROSSED)) * n for n, case in enumerate(CASES)}, -1.5
    )
    said = json.loads(table.write())
    assert (said["bias"], said["all"][FEATURES[2]], said["possessive"][CROSSED[0]]) == (-1.5, 0.25, 2.0)
    assert {*said} == {"bias", "all", *CASES}


def test_the_table_that_ships_knows_every_feature() -> None:
    said = json.loads((spoken().tables / "owners.json").read_text("utf-8"))
    assert list(said["all"]) == list(FEATURES)
    assert rank_table().weights.shape == (len(FEATURES),)


# -- features


def test_every_candidate_has_every_feature() -> None:
    one, other, she = trail("a girl", "a nurse", "she").mentions
    chains = [Chain(None, "nurse", "female", other), Chain(None, "girl", None, one)]
    for chain, mention in zip(chains, (other, one), strict=True):
        chain.add(mention)
    rows = PronounScene(she, chains, (), None, chains[1]).rows()
    assert [len(row) for row in rows] == [len(FEATURES)] * 2
    said = [dict(zip(FEATURES, row, strict=True)) for row in rows]
    assert [row["latest"] for row in said] == [1, 0]
    assert [row["only of the gender"] for row in said] == [1, 0]
    assert [row["last pronoun"] for row in said] == [0, 1]
    assert [row["one ago"] for row in said] == [1, 0]


# -- the trail


def test_a_trail_has_names_nouns_and_pronouns_with_what_they_do() -> None:
    found = trail_through("Mara saw the girl. She took her hat and gave it to her.").mentions
    assert [(one.word, one.sort, one.role, one.case) for one in found] == [
        ("Mara", "name", "subject", ""),
        ("girl", "noun", "object", ""),
        ("she", "pronoun", "subject", "nominative"),
        ("her", "pronoun", "owner", "possessive"),
        ("her", "pronoun", "oblique", "objective"),
    ]


def test_what_is_said_knows_its_turn_and_the_narration_none() -> None:
    found = trail_through("“Leave her alone,” said Mara. She left.")
    turns = {one.word: one.turn for one in found.mentions}
    assert turns == {"her": 0, "Mara": None, "she": None}
    assert found.talk[0].speaker is not None
    assert found.talk[0].speaker.main == "Mara"
