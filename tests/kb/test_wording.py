"""Propositions as sentences: every respect in both polarities, articles, agreement, and the preposition of the text."""

from __future__ import annotations

import re

import pytest

from narraworld.kb.propositions import parse_statement
from narraworld.kb.wording import Wording, noun_phrase, place_word
from narraworld.ontology.respects import Respect, respects

ROWS = sorted(respects().rows.values(), key=lambda row: row.name)
NAMES = {"mara": "Mara", "leo": "Leo", "james": "James", "tin-box": "tin box", "wells": "the two wells"}
ENTITIES = {"person", "place", "thing", "entity"}


def said(text: str, preposition: str = "") -> str:
    wording = Wording(lambda symbol: NAMES.get(symbol, symbol), respects(), lambda _: preposition)
    return wording(parse_statement(text))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_respect_is_worded_in_both_polarities(row: Respect) -> None:
    value = (
        ".leo"
        if row.value in ENTITIES
        else f".({row.example[1:-1]})"
        if row.value == "claim"
        else f":{row.example}"
    )
    yes, no = said(f"mara.{row.name}{value}"), said(f"not.mara.{row.name}{value}")

    assert yes != no
    for sentence in (yes, no):
        assert not re.search(r"[{}]|\bnot:|\bmara\b|\bleo\b", sentence), sentence
        assert row.name == "impossible" or "Mara" in sentence, sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tin-box.location.mill", "the tin box is in the mill"),
        ("not.key.possession.leo", "Leo does not have the key"),
        ("key.possession.leo", "Leo has the key"),
        ("leo.has.key", "Leo has the key"),
        ("shutters.open:open", "the shutters are open"),
        ("not.shutters.open:open", "the shutters are not open"),
        ("glass.condition:broken", "the glass is broken"),
        ("mara.brothers:three", "Mara has three brothers"),
        ("mara.mother.leo", "Leo is Mara's mother"),
        ("leo.mother-of.mara", "Leo is Mara's mother"),
        ("mara.kinship:Ida's mother", "Mara is Ida's mother"),
        ("hale.appearance:long coat", "the hale wears a long coat"),
        ("mara.appearance:a long coat", "Mara wears a long coat"),
        ("mara.appearance.hat", "Mara wears a hat"),
        ("mara.appearance:dark red", "Mara looks dark red"),
        ("mara.appearance:tired", "Mara looks tired"),
        ("leo.age:12", "Leo is 12 years old"),
        ("leo.age:in his thirties", "Leo is in his thirties"),
        ("leo.gender:male", "Leo is male"),
        ("mara.gender:woman", "Mara is a woman"),
        ("leo.occupation:apothecary", "Leo works as an apothecary"),
        ("leo.handedness:left", "Leo is left-handed"),
        ("leo.birth:1961", "Leo was born in 1961"),
        ("leo.obligation:forty crowns", "Leo owes forty crowns"),
        ("leo.obligation:come back", "Leo must come back"),
        ("leo.goal:get the box back", "Leo wants to get the box back"),
        ("leo.goal:revenge", "Leo wants revenge"),
        ("leo.location.outside", "Leo is outside"),
        ("key.location:under the bed", "the key is under the bed"),
        ("box.contains.ring", "there is a ring in the box"),
        ("not.box.contains.ring", "there is no ring in the box"),
        ("wells.condition:dry", "the two wells are dry"),
        ("james.eyes:grey", "James has grey eyes"),
        ("mara.believes.(not.key.location.drawer)", "Mara believes that the key is not in the drawer"),
        ("leo.took.tin-box", "Leo took the tin box"),
        ("not.leo.took.tin-box", "it is not so that Leo took the tin box"),
    ],
)
def test_sentences(text: str, words: str) -> None:
    assert said(text) == words


def test_the_preposition_of_the_text_is_kept() -> None:
    assert said("letter.location.floor", "under") == "the letter is under the floor"


@pytest.mark.parametrize(
    ("text", "name", "word"),
    [
        ("He hid the letter under the loose floor.", "floor", "under"),
        ("They slept in the dark under the floor", "floor", "under"),
        ("She moved the key from the drawer into the hollow book", "the hollow book", "in"),
        ("He took the box out of the organ", "organ", ""),
        ("She looked at Leo. The floor creaked.", "floor", ""),
    ],
)
def test_finding_the_preposition(text: str, name: str, word: str) -> None:
    assert place_word(text, name) == word


def test_a_name_gets_the_article_it_needs() -> None:
    names = ["tin box", "Mara", "her sister", "The Hound", "a man", "upstairs"]

    assert [noun_phrase(name) for name in names] == [
        "the tin box",
        "Mara",
        "her sister",
        "The Hound",
        "a man",
        "upstairs",
    ]
