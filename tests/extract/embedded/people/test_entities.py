"""What names and nouns give away of an entity."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.people.entities import (
    DiscourseEntity,
    guessed_kind,
    longer_word,
    name_key,
    names_nobody,
    same_name,
    surely,
)
from narraworld.kb.spans import TextRange

WHERE = TextRange(0, 1)


def mention(text: str, sort: str = "noun", gender: str | None = None) -> Mention:
    return Mention(text, text.split()[-1].lower(), WHERE, sort, gender)


def entity(name: str, kind: str = "character", gender: str | None = None) -> DiscourseEntity:
    return DiscourseEntity(name_key(name), kind, [name], WHERE, name.split()[-1].lower(), gender=gender)


def test_what_a_phrase_is_taken_for() -> None:
    assert [guessed_kind(one) for one in (mention("Leo", "name"), mention("girl"), mention("mill"), mention("zorb"))] == [
        "character", "character", "place", "object",
    ]  # fmt: skip
    assert (surely("object", mention("zorb"), False), surely("object", mention("zorb"), True)) == (
        False,
        True,
    )


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("Elizabeth", "Elizabeth Bennet", True),
        ("Bennet", "Elizabeth Bennet", True),
        ("Jane", "Elizabeth Bennet", False),
    ],
)
def test_one_name_inside_another(said: str, known: str, same: bool) -> None:
    assert same_name(mention(said, "name"), entity(known)) is same


def test_a_clash_of_gender_is_two_people() -> None:
    assert not same_name(mention("Bennet", "name", "male"), entity("Bennet", gender="female"))


def test_a_longer_noun_and_a_name_of_nobody() -> None:
    assert longer_word(entity("logbook", "object"), mention("book"))
    assert not longer_word(entity("book", "object"), mention("book"))
    assert (names_nobody(mention("Christmas", "name")), names_nobody(mention("Leo", "name"))) == (True, False)
