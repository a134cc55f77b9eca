"""What the encoder finds likely, in little stories that it has not been taught."""

from __future__ import annotations

import pytest

from narraworld.kb.encoder.likelihoods import absent, answering, log_odds
from narraworld.kb.encoder.readings import Silence


def test_the_sentence_that_answers_is_likelier_than_those_beside_it() -> None:
    told = [
        "The ferry was late again.",
        "Oskar had given up smoking in the spring.",
        "His sister kept the shop on Quay Street.",
    ]

    found = answering("When did Oskar stop smoking?", [(one, "") for one in told])

    likeliest = max(range(3), key=lambda nth: found[nth].any)
    assert told[likeliest] == "Oskar had given up smoking in the spring."
    assert told[likeliest][found[likeliest].start : found[likeliest].end].endswith("the spring")


def test_whoever_must_see_to_something_is_likelier_away_than_whoever_asks_for_salt() -> None:
    talk = (
        (("Ada",), "Pass me the salt, would you?"),
        (("Bo",), "Here."),
        (("Ada",), "Oh Lord, the oven. Two minutes."),
        (("Cy",), "She always forgets it."),
        (("Bo",), "Every time."),
        (("Cy",), "Last week it was the rice."),
        (("Ada",), "Saved it, just. What have I missed?"),
    )

    found = absent(talk, 1)

    assert found[Silence("Ada", 2, 6)] > 10 * found[Silence("Ada", 0, 2)]


def test_nothing_is_read_of_nothing() -> None:
    assert answering("Who came?", []) == []


def test_even_odds_weigh_nothing_and_nothing_weighs_more_than_the_least_allows() -> None:
    assert log_odds(0.5, 0.01) == 0.0
    assert log_odds(0.0, 0.01) == log_odds(0.01, 0.01) == pytest.approx(-log_odds(1.0, 0.01))
