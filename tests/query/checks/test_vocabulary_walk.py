"""A walk over the table of respects: each row is read by a check or asked for, worded both ways, reached by its example, and printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.kb.normal import Normaliser
from narraworld.ontology.deeds import deeds
from narraworld.ontology.reference_page import reference_page
from narraworld.ontology.respects import BY_HAND, CHECKLESS, Respect, respects
from narraworld.rules.language.cards import card_texts

ROWS = sorted(respects().rows.values(), key=lambda row: row.name)
PAGE = Path(__file__).parents[3] / "docs" / "vocabulary.md"
STAGED = {"events", "events, changes", "perspective", BY_HAND}  # in perspective, as a list of its own
IN_WORDS = {
    "claim",
    "free",
    "person",
    "place",
    "thing",
    "entity",
    "kin",
}  # what has no normal form of its own


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_respect_is_offered_read_and_worded(row: Respect) -> None:
    assert row.stage in STAGED
    assert row.check == CHECKLESS or row.check in card_texts(), "no such check"
    assert len(set(row.asks)) == 2, "asked for from both sides"
    assert row.yes != row.no


@pytest.mark.parametrize("row", [row for row in ROWS if row.value not in IN_WORDS], ids=lambda row: row.name)
def test_its_example_reaches_it(row: Respect) -> None:
    pairs = Normaliser(respects()).pairs(row.name, row.example)

    assert row.name in {pair.respect for pair in pairs}


def test_the_reference_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(respects())


def test_deeds_speak_of_respects_and_of_roles() -> None:
    roles = {"agent", "patient", "recipient", "origin", "destination", "instrument", "place"}
    patterns = [one.removeprefix("not.") for deed in deeds().values() for one in (*deed.changes, *deed.needs)]

    assert {one.partition(".")[0] for one in patterns} <= roles
    assert {one.partition(".")[2].replace(":", ".").partition(".")[0] for one in patterns} <= set(
        respects().rows
    )
