"""Words that place a sentence in time are taken out of it, and so are phrases that change nothing."""

from __future__ import annotations

import pytest
from parses import tokens

from narraworld.extract.embedded.grammar.time_expressions import goes_back, without_time


@pytest.mark.parametrize(
    ("text", "kept", "said", "back"),
    [
        ("Three days later Leo left.", "Leo left .", "Three days later", False),
        ("Two years ago Leo left.", "Leo left .", "Two years ago", True),
        ("Then Leo left.", "Leo left .", None, False),
        ("To her surprise, Leo left.", "Leo left .", None, False),
        ("Leo left.", "Leo left .", None, False),
        ("By Thursday night Leo left.", "Leo left .", "By Thursday night", False),
        ("Every Sunday morning Leo left.", "Every Sunday morning Leo left .", None, False),
        ("An hour before the funeral Leo left.", "An hour before the funeral Leo left .", None, False),
        ("At four-fifteen Leo left.", "Leo left .", "At four-fifteen", False),
    ],
)
def test_time_is_taken_out(text: str, kept: str, said: str | None, back: bool) -> None:
    left, time = without_time(text, tokens(text, "Leo"))
    assert " ".join(token.text for token in left) == kept
    assert [(one.words, goes_back(one.words)) for one in time.placed] == ([(said, back)] if said else [])


def test_a_sentence_of_nothing_but_time_keeps_its_words() -> None:
    left, time = without_time("Three days later.", tokens("Three days later."))
    assert (len(left), [one.words for one in time.found]) == (4, ["Three days later"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The next day, at six, Leo left.", ["The next day, at six"]),
        ("Leo left at nine on Monday and returned on Friday.", ["at nine on Monday", "on Friday"]),
        ("On Monday, every evening, Leo left.", ["On Monday", "every evening"]),
    ],
)
def test_neighbours_that_tell_one_time_are_one(text: str, found: list[str]) -> None:
    assert [one.words for one in without_time(text, tokens(text, "Leo"))[1].found] == found
