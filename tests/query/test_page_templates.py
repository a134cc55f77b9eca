"""Words of the page between quotation marks: never two pairs of the same marks around one speech."""

from __future__ import annotations

import pytest

from narraworld.base.quotation_marks import in_brief, in_marks


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
        ("This letter is from Ida.”", "“This letter is from Ida.”"),
        ("“I know,”", "“I know”"),
        ('came back," said Ida. "He was afraid."', "“‘came back,’ said Ida. ‘He was afraid.’”"),
        ("came back,” said Ida. “He was", "“‘came back,’ said Ida. ‘He was’”"),
        ("‘Now, the goat,’", "“‘Now, the goat’”"),
        ("the lamp, the key,", "“the lamp, the key”"),
    ],
)
def test_a_speech_has_one_pair_of_marks(words: str, shown: str) -> None:
    assert in_marks(words) == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Mara slept", "Mara slept"),
        ("told Ida how it was with the hatch", "told Ida how it was…"),
        ("told Ida all about it, and went", "told Ida all about it…"),
        ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrts…"),
    ],
)
def test_what_is_told_in_brief_ends_with_a_word(words: str, shown: str) -> None:
    assert in_brief(words, 22) == shown
