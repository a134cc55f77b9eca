"""Every state of mind and every way of coming by it has its words."""

from __future__ import annotations

import pytest

from narraworld.ontology.vocabulary import vocabulary
from narraworld.query.shown.phrases import deed, held, in_passing, once_held, way


@pytest.mark.parametrize("kind", vocabulary().codes["AttitudeKind"])
def test_attitudes(kind: str) -> None:
    assert "it rains" in held(kind, "it rains") and "it rains" in once_held(kind, "it rains")


@pytest.mark.parametrize("mode", vocabulary().codes["Mode"])
def test_ways_of_knowing_are_no_codes(mode: str) -> None:
    assert way(mode) != mode


def test_a_deed_says_who_did_it_to_whom_and_with_what_each_once() -> None:
    assert (
        deed("ask", [("agent", "Ines"), ("addressee", "Tobias"), ("recipient", "Tobias")])
        == "Ines to Tobias: ask"
    )
    assert (
        deed("hide", [("destination", "the stone"), ("patient", "the box"), ("agent", "Ines")])
        == "Ines: hide the box (the stone)"
    )
    assert deed("fall", []) == "somebody: fall"


def test_a_title_inside_a_sentence_has_no_full_stop() -> None:
    assert in_passing("Ines means to be there by noon.") == "Ines means to be there by noon"
    assert in_passing("and so on ...") == "and so on ..."


def test_a_sentence() -> None:
    assert held("mistaken", "the key is in the drawer") == "wrongly believes that the key is in the drawer"
    assert (way("communication"), way("a way of one's own")) == ("was told", "a way of one's own")
