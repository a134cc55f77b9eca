"""What a phrase gives away by its form, on hand-made parses."""

from __future__ import annotations

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar.mentions import mention_of, said_to_be


@pytest.mark.parametrize(
    ("text", "word", "sort", "said", "gender", "definite"),
    [
        ("Leo took the key from the drawer.", "Leo", "name", "Leo", None, True),
        ("Leo took the key from the drawer.", "key", "noun", "key", None, True),
        ("The garden gate creaked.", "gate", "noun", "garden gate", None, True),
        ("Leo moved it to the shelf.", "it", "pronoun", "it", "thing", True),
        ("Nobody came.", "Nobody", "unbound", "Nobody", None, True),
        ("In the drawer lay a letter.", "letter", "noun", "letter", None, False),
        ("The chest was empty.", "empty", "unbound", "empty", None, True),
    ],
)
def test_what_its_form_gives_away(
    text: str, word: str, sort: str, said: str, gender: str | None, definite: bool
) -> None:
    words = parsed(text)
    found = mention_of(next(one for one in words if one.text == word), words, text)
    assert (found.sort, found.text, found.gender, found.definite) == (sort, said, gender, definite)


def test_a_word_that_tells_a_thing_from_others() -> None:
    words = parsed("The garden gate creaked.")
    assert mention_of(words[2], words, "The garden gate creaked.").telling == {"garden"}


def test_whom_a_noun_behind_be_describes() -> None:
    words = parsed("Leo, being a kind man, left.")
    man = next(word for word in words if word.text == "man")
    assert said_to_be(man, words) == words[0]
    assert said_to_be(words[0], words) is None
