"""The forms of verbs: what a story tells, what somebody does now, and back to the verb."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.lexicon.inflection import forms_of, past_of, third_of, verb_of


@pytest.mark.parametrize(
    ("verb", "past", "third"),
    [
        ("break", "broke", "breaks"),
        ("stop", "stopped", "stops"),
        ("try", "tried", "tries"),
        ("go", "went", "goes"),
    ],
)
def test_a_verb_told_and_done(verb: str, past: str, third: str) -> None:
    assert (past_of(verb), third_of(verb)) == (past, third)
    assert {past, third} <= forms_of(verb)
    assert verb_of(past, "nothing") == verb_of(third, "nothing") == verb


@pytest.mark.parametrize(
    ("form", "guess", "verb"),
    [
        ("glided", "glid", "glide"),
        ("nodding", "nodd", "nod"),
        ("lay", "lie", "lie"),
        ("lay", "lay", "lay"),
        ("lay", "laying", "lie"),
        ("transmogrified", "transmogrified", "transmogrify"),
    ],
)
def test_the_verb_of_a_form(form: str, guess: str, verb: str) -> None:
    assert verb_of(form, guess) == verb


def test_a_verb_is_no_form_of_itself() -> None:
    assert "put" not in forms_of("put")
