"""What is seen of a silence, and that each of it weighs as it should."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.talk.absence_odds import ToldMoves, absence_odds, kind_of, seen
from narraworld.extract.embedded.talk.participants import Move, Utterance
from narraworld.kb.encoder.readings import Silence

SCRIPT = [Utterance((who,), "So it is.") for who in ("Ada", "Bo", "Cy", "Bo", "Cy", "Ada", "Bo", "Cy")]
AWAY = Silence("Ada", 0, 5)
NOTHING = ToldMoves(SCRIPT, [])


def test_each_sort_of_silence_has_weights_of_its_own() -> None:
    sorts = [kind_of(Silence("Ada", *ends)) for ends in ((None, 2), (2, 5), (5, None))]

    assert sorts == ["before", "between", "after"]


def test_a_silence_is_seen_with_its_length_and_what_is_told_of_its_ends() -> None:
    told = ToldMoves(SCRIPT, [Move("Ada", "leaves", 1, 0), Move("Ada", "enters", 5, 5)])

    found = seen(SCRIPT, AWAY, told, 0.5, 0.003)

    assert (found["encoder"], found["leaving"], found["coming"]) == (0.0, 1.0, 1.0)
    assert found["lines"] == pytest.approx(1.386, abs=0.001)


def test_nothing_is_told_of_those_whom_the_cues_do_not_name() -> None:
    told = ToldMoves(SCRIPT, [Move("Bo", "leaves", 4, 3)])

    assert seen(SCRIPT, AWAY, told, 0.5, 0.003)["leaving"] == 0.0


def test_who_is_told_to_leave_or_found_likely_away_is_so_the_more() -> None:
    plain = seen(SCRIPT, AWAY, NOTHING, 0.2, 0.003)

    with speaking(LANGUAGE):
        plainly = absence_odds("between", plain)
        assert plainly < absence_odds("between", plain | {"leaving": 1.0})
        assert plainly < absence_odds("between", plain | {"coming": 1.0})
        assert plainly < absence_odds("between", seen(SCRIPT, AWAY, NOTHING, 0.9, 0.003))


def test_the_longer_a_silence_the_likelier_an_absence() -> None:
    short, long = (seen(SCRIPT, one, NOTHING, 0.5, 0.003) for one in (Silence("Ada", 5, None), AWAY))

    with speaking(LANGUAGE):
        assert absence_odds("between", short) < absence_odds("between", long)
