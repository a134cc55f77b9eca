"""Values in normal words: what is said in many ways is one thing, and what is doubtful is nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.normal import Normaliser, normal
from narraworld.ontology.respects import respects

NAMES = sorted(respects().rows)


def said(predicate: str, value: str) -> set[tuple[str, str, str]]:
    return {(one.respect, one.aspect, one.word) for one in normal(predicate, value)}


@pytest.mark.parametrize(
    ("predicate", "value", "meant"),
    [
        ("eyes", "pale grey", ("eyes", "", "grey")),
        ("eye_color", "Brown", ("eyes", "", "brown")),
        ("appearance", "long black curls, green eyes", ("eyes", "", "green")),
        ("eyes", "the colour of moss", ("eyes", "", "green")),
        ("condition", "left arm in a sling", ("injury", "arm", "left")),
        ("age", "a girl of seventeen", ("age", "", "17")),
        ("age", "in her thirties", ("age", "", "30-39")),
        ("kinship", "three brothers", ("brothers", "", "3")),
        ("kinship", "at least one brother", ("siblings", "", "some")),
        ("kinship", "at least one brother", ("brothers", "", "some")),
        ("age", "sixtieth", ("age", "", "60")),
        ("alive", "drowned", ("alive", "", "dead")),
        ("condition", "in pieces", ("condition", "", "broken")),
        ("relation", "ten miles from Bren", ("distance", "bren", "16093440")),
        ("price", "£3", ("price", "pound", "3")),
        ("duration", "there and back inside half an hour", ("duration", "", "30")),
        ("duration", "an hour and a half", ("duration", "", "90")),
        ("distance", "four point two kilometres out", ("distance", "", "4200000")),
        ("address", "14 Mill Lane", ("address", "number", "14")),
        ("job", "a joiner at the harbour", ("occupation", "", "carpenter")),
        ("age", "the elder by six years", ("seniority", "", "older")),
    ],
)
def test_other_words_are_one_thing(predicate: str, value: str, meant: tuple[str, str, str]) -> None:
    assert meant in said(predicate, value)


@pytest.mark.parametrize(
    ("predicate", "value"),
    [
        ("eyes", "red and white"),  # two colours
        ("eyes", "one blue, one brown"),
        ("hair", "no longer black"),
        ("hair", "dyed red"),
        ("age", "about forty"),
        ("age", "nearly nine"),
        ("eyes", "starry"),
        ("distance", "some ten miles"),
        ("condition", "almost empty"),
    ],
)
def test_what_is_doubtful_has_no_normal_form(predicate: str, value: str) -> None:
    assert said(predicate, value) == set()


def test_a_denial_of_one_pole_is_the_other() -> None:
    denied = Normaliser(respects()).denied("alive", "alive")

    assert {(one.word, one.so) for one in denied} == {("alive", False), ("dead", True)}


def test_kin_is_told_from_either_side() -> None:
    [pair] = normal("relation", "Ida's mother")
    [turned] = Normaliser(respects()).of_object("mother-of", "ida")

    assert (pair.respect, pair.owner) == ("mother", "Ida")
    assert (turned.respect, turned.owner) == ("mother", "ida")


@given(st.sampled_from(NAMES), st.text(max_size=60))
def test_any_value_is_taken_and_read_the_same_way_twice(predicate: str, value: str) -> None:
    assert normal(predicate, value) == normal(predicate, value)


@given(st.sampled_from(NAMES), st.text(alphabet="abc greyblutw-' 0123", max_size=30))
def test_a_normal_word_is_its_own_normal_form(predicate: str, value: str) -> None:
    for pair in normal(predicate, value):
        row = respects().rows[pair.respect]
        if row.value in {"colour", "word"}:
            assert pair.word in {one.word for one in normal(row.name, pair.word)}


@given(st.sampled_from(NAMES), st.text(max_size=40))
def test_case_makes_no_difference_to_words(predicate: str, value: str) -> None:
    if respects().rows[predicate].value in {"colour", "word", "side", "age"}:
        assert said(predicate, value.lower()) >= {
            one for one in said(predicate, value) if one[0] == predicate and value.isascii()
        }


def test_an_age_then_and_the_years_since_are_the_age_now() -> None:
    words = ("nine when she came, and she had served eleven winters since", "nine when she came, and this was her seventh year", "fourteen, three years ago", "1941")  # fmt: skip

    assert [[one.word for one in normal("age", said)] for said in words] == [["20"], ["16"], ["17"], []]
