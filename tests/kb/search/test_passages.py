"""Sentences as passages: where they begin and end."""

from __future__ import annotations

import pytest

from narraworld.kb.search.passages import passage_id, passage_place, passages_of
from narraworld.kb.spans import TextRange


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Ada left. Bo came!", ["Ada left.", "Bo came!"]),
        ("Mr. Holt saw J. Reed. He hid.", ["Mr. Holt saw J. Reed.", "He hid."]),
        ("“Stop!” he said. “Why?” Ada asked.", ["“Stop!” he said.", "“Why?”", "Ada asked."]),
        ("One line\nanother line", ["One line", "another line"]),
        ("He waited … and waited.", ["He waited … and waited."]),
        ("* * *", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [one.cut(text) for one in passages_of(text)] == sentences


def test_a_passage_has_a_name_that_leads_back() -> None:
    assert passage_place(passage_id("ch01", TextRange(4, 9))) == ("ch01", TextRange(4, 9))
    assert passage_place("ch01/e0") is None
