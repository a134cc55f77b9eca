"""What common nouns stand for: the dictionary, our corrections, and words that are no nouns."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.lexicon.noun_kinds import NounKind, NounKinds, noun_kinds
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.owner_words import owner_words

SMALL = NounKinds(
    {"table": NounKind("thing", 0.9), "end": NounKind("place", 0.3)}, frozenset({"asleep", "table"})
)


def test_a_joined_noun_is_what_its_last_part_is() -> None:
    assert SMALL.of("tea-table") == NounKind("thing", 0.9)


def test_below_its_share_the_dictionary_is_unsure() -> None:
    assert (SMALL.surely("table"), SMALL.surely("end"), SMALL.surely("moonglow")) == ("thing", None, None)


def test_a_word_that_no_dictionary_has_as_a_noun_is_masked() -> None:
    assert [SMALL.masks(word) for word in ("asleep", "table", "moonglow")] == [True, False, False]


@pytest.mark.parametrize(
    ("noun", "kind"),
    [
        pytest.param("plumber", "character", id="person"),
        pytest.param("warehouse", "place", id="place"),
        pytest.param("crucifix", "object", id="thing"),
        pytest.param("coach", "object", id="our list goes before the dictionary"),
        pytest.param("edge", None, id="of which the dictionary is too sure"),
        pytest.param("mannequin", None, id="that stands in a window as often as it walks"),
        pytest.param("figure", None, id="of which it is not sure"),
        pytest.param("oarsman", "character", id="by its ending"),
    ],
)
def test_what_a_noun_stands_for(noun: str, kind: str | None) -> None:
    assert nouns().kind(noun) == kind


@pytest.mark.parametrize(
    ("noun", "nothing"),
    [
        pytest.param("despair", True, id="abstract"),
        pytest.param("eyebrow", True, id="a part of somebody"),
        pytest.param("fortnight", True, id="a time"),
        pytest.param("asleep", True, id="no noun at all"),
        pytest.param("lid", False, id="corrected"),
        pytest.param("crucifix", False, id="a thing"),
        pytest.param("storage", False, id="a deed by the dictionary, where things are put in a story"),
        pytest.param("confines", False, id="abstract by the dictionary, where one steps in a story"),
        pytest.param("centerpiece", False, id="abstract by the dictionary, on a table in a story"),
        pytest.param("centrepiece", False, id="the same in British spelling"),
        pytest.param("basement", False, id="tangible in spite of its ending"),
        pytest.param("zorgness", True, id="unknown, by its ending"),
        pytest.param("zorg", False, id="unknown"),
    ],
)
def test_what_stands_for_nothing(noun: str, nothing: bool) -> None:
    assert nouns().nothing(noun) is nothing


def test_the_dictionary_that_ships_knows_shares() -> None:
    despair = noun_kinds().of("despair")
    assert despair is not None
    assert (despair.kind, despair.sure) == ("abstract", True)


def test_the_words_around_pronouns() -> None:
    assert (owner_words().case["his"], "her" in owner_words().case) == ("possessive", False)
    assert ("my", "name", "is") in owner_words().own_name
