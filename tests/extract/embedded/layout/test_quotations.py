"""Direct speech where it stands, whatever marks a text uses."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.embedded.layout.quotations import quotations, without_speech


def words(text: str) -> list[str]:
    return [one.words.cut(text) for one in quotations(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("“Come in,” said Mara.", ["Come in,"], id="curly"),
        pytest.param('"Come in," said Mara. "Sit."', ["Come in,", "Sit."], id="straight, broken by the tag"),
        pytest.param(
            "‘It’s late,’ said Mara. ‘Go.’", ["It’s late,", "Go."], id="single curly with an apostrophe"
        ),
        pytest.param("'It's late,' said Mara.", ["It's late,"], id="single straight with an apostrophe"),
        pytest.param(
            "“He said ‘no,’ and left.”", ["He said ‘no,’ and left."], id="a quotation within another"
        ),
        pytest.param(
            "‘She read, “It was dark--”’ said Leo. ‘Oh.’",
            ["She read, “It was dark--”", "Oh."],
            id="two marks that close at once",
        ),
        pytest.param("— Come in.\n\n— No.", ["Come in.", "No."], id="dashes"),
        pytest.param("Mara's hat and Leo's coat.", [], id="apostrophes are no marks"),
    ],
)
def test_the_words_between_the_marks_are_found(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_quotation_left_open_goes_on_in_the_next_paragraph() -> None:
    found = quotations('"It rained.\n\n"It rained for days," said Mara.\n\n"Oh."')
    assert [(one.paragraph, one.continues) for one in found] == [(0, False), (1, True), (2, False)]


def test_what_is_quoted_inside_closes_nothing() -> None:
    found = quotations('"He cried, \'Go!\'\n\n"And I went," said Mara.')
    assert [one.continues for one in found] == [False, True]


def test_a_script_has_a_label_before_each_line() -> None:
    text = "Mara: Come in.\nLeo and Ana: Thanks.\nMara: Sit: there."
    assert [[label.cut(text) for label in one.labels] for one in quotations(text)] == [
        ["Mara"],
        ["Leo", "Ana"],
        ["Mara"],
    ]
    assert words(text) == ["Come in.", "Thanks.", "Sit: there."]


def test_a_colon_in_prose_makes_no_script() -> None:
    assert quotations("Mara knew one thing: the door was open. She left. She ran. She hid.") == []


def test_a_sentence_ends_with_the_words_it_introduces() -> None:
    narration = without_speech('Mara said, "Come in." The door opened.')
    assert " ".join(narration.split()) == "Mara said, . The door opened."


@given(st.text(alphabet="ab, .?\"“”‘’'\n—:A"))
def test_every_character_keeps_its_place(text: str) -> None:
    narration = without_speech(text)
    assert len(narration) == len(text)
    assert [one.start() for one in re.finditer("\n", narration)] == [
        at for at, sign in enumerate(text) if sign == "\n"
    ]
