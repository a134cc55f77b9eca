"""`the red one`, `each of them`, `two of them`: what is meant, and what is left open."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, values

from narraworld.extract.embedded.reader import ProseReading

KITES = "Pip had a red kite and a blue kite. Lola came in. "
TWO = "Pip and Lola came in. "


def of(reading: ProseReading, role: str) -> list[str]:
    return sorted(set(values(reading, role)))


@pytest.mark.parametrize(
    ("text", "role", "meant"),
    [
        pytest.param(KITES + "Lola flew the blue one.", "patient", ["blue-kite"], id="the blue one"),
        pytest.param(KITES + "Lola flew the green one.", "patient", [], id="one that was never told of"),
        pytest.param(
            TWO + "Ann gave each of them a biscuit.", "recipient", ["lola", "pip"], id="each of them"
        ),
        pytest.param(TWO + "Both of them promised.", "speaker", ["lola", "pip"], id="both of them"),
        pytest.param(
            "Ann found three coins. She hid two of them in a box.", "destination", [], id="two of them"
        ),
        pytest.param("Ann came to the kitchen.", "destination", ["kitchen"], id="come to a place"),
        pytest.param("Ann took the pouch from under the cloak.", "origin", ["cloak"], id="from under"),
        pytest.param(
            "Ann stood at the gate with a mug.", "instrument", [], id="nobody stands by means of a mug"
        ),
        pytest.param("Ann walked in with Bob.", "companion", ["bob"], id="with somebody"),
    ],
)
def test_who_or_what_is_meant(text: str, role: str, meant: list[str]) -> None:
    assert of(read(text), role) == meant


def test_what_somebody_is_told_to_do_is_not_done() -> None:
    assert values(read("Take the bottle and send it to me."), "realis") == ["hypothetical", "hypothetical"]


def test_what_somebody_enters_is_a_place_though_it_is_written_like_a_name_with_an_article() -> None:
    reading = read("James entered the TV_room. Logan left.")
    assert sorted(one.movement for one in records(reading, "Presence", "movement")) == ["enters", "leaves"]
    assert values(reading, "place") == ["tv-room"]
