"""Words of the page between quotation marks: never two pairs of the same marks around one speech."""

from __future__ import annotations

import pytest

from narraworld.base.quotation_marks import in_marks


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Ida went home", "“Ida went home”"),
        ("“I am Mr. Brown.”", "“I am Mr. Brown.”"),
        ('"I am Mr. Brown."', "“I am Mr. Brown.”"),
        ("“I am Mr. Brown,” he told Ada", "“‘I am Mr. Brown,’ he told Ada”"),
        ('"Saturday," said Ines. "You will have it."', "“‘Saturday,’ said Ines. ‘You will have it.’”"),
        ("he said: “I shall", "“he said: ‘I shall’”"),
        ("the key’s in the river", "“the key’s in the river”"),
    ],
)
def test_a_speech_has_one_pair_of_marks(words: str, shown: str) -> None:
    assert in_marks(words) == shown
