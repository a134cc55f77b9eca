"""Words that place a sentence in time are taken out of it, and so are phrases that change nothing."""

from __future__ import annotations

import pytest
from parses import tokens

from narraworld.extract.embedded.grammar.time_expressions import TimeWords, without_time


@pytest.mark.parametrize(
    ("text", "kept", "said", "back"),
    [
        ("Three days later Leo left.", "Leo left .", "Three days later", False),
        ("Two years ago Leo left.", "Leo left .", "Two years ago", True),
        ("Then Leo left.", "Leo left .", None, False),
        ("To her surprise, Leo left.", "Leo left .", None, False),
        ("Leo left.", "Leo left .", None, False),
    ],
)
def test_time_is_taken_out(text: str, kept: str, said: str | None, back: bool) -> None:
    left, time = without_time(text, tokens(text, "Leo"))
    assert (" ".join(token.text for token in left), time.expression, time.back) == (kept, said, back)


def test_a_sentence_of_nothing_but_time_keeps_its_words() -> None:
    left, time = without_time("Three days later.", tokens("Three days later."))
    assert (len(left), time) == (4, TimeWords())
