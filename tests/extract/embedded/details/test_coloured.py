"""What colour things are: a colour beside its noun, whosever it is; and other details in passing that two chapters may tell in two ways."""

from __future__ import annotations

import pytest
from test_particulars import told

from narraworld.extract.embedded.details.coloured import coloured_things
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.kb.spans import TextRange


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("The whistle was warm on its blue cord.", ("colour", "blue", "cord", "low")),
        ("Your grey coat hung by the stove.", ("colour", "grey", "coat", "low")),
        ("Ida's black cat came in.", ("colour", "black", "cat", "low")),
    ],
)
def test_a_thing_has_the_colour_beside_it(text: str, detail: tuple[str, str, str, str]) -> None:
    assert detail in told(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "Leo closed the other red door.",  # one of two
        "Ida filled the white jug.",  # not the blue one
        "Ida had a red and white cap.",  # of two colours
        "A green idea came to Ida.",
        "Ida's face was in the green light.",
    ],
)
def test_what_is_no_thing_of_one_colour_has_none(text: str) -> None:
    assert [row for row in told(text)[0] if row[0] == "colour" and row[2] != "cap"] == []


def test_a_sentence_that_nobody_has_parsed_has_no_colours() -> None:
    said = "the red door"
    sentence = MaskedSentence(TextRange(0, len(said)), said, said, said, (), None, False, ())

    assert list(coloured_things(sentence)) == []


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Ida had long dark curls.", "ida.haircut:long%20dark%20curls"),
        ("Leo had a front tooth missing.", "leo.teeth:a%20tooth%20missing"),
        ("Leo had lost the little finger of his left hand.", "leo.fingers:short%20of%20a%20finger"),
        ("Ida was the elder by six years.", "ida.seniority:elder"),
    ],
)
def test_how_somebody_is_for_long(text: str, state: str) -> None:
    assert state in told(text)[1]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("Leo woke. His room was under the slates.", ("floor", "under the slates", "leo", "low")),
        ("Ida came. The flat was on the ground floor.", ("floor", "on the ground floor", "?", "high")),
        ("Tom sold insurance from a room by the bank.", ("occupation", "sold insurance", "tom", "low")),
        ("There wasn't a cloud in the sky.", ("weather", "clear", "?", "low")),
    ],
)
def test_what_is_told_in_passing(text: str, detail: tuple[str, str, str, str]) -> None:
    assert detail in told(text)[0]


def test_the_tall_or_short_is_no_thing_before_somebody() -> None:
    assert not [
        row for row in told("After a short silence, the lady rose. Ida laughed.")[0] if row[0] == "height"
    ]
