"""Whom spoken words call, speak of, or introduce."""

from __future__ import annotations

import pytest
from parses import tokens

from narraworld.extract.embedded.talk.vocatives import Vocatives, calls_in

NAMES = ("Watson", "Holmes", "Horner", "Mara")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No, my dear Watson, you see.", Vocatives(names=("Watson",))),
        ("I am Holmes.", Vocatives(own=("Holmes",))),
        ("It was Horner, a plumber, who came.", Vocatives(about=("Horner",))),
        ("Come in, sir.", Vocatives(genders=frozenset({"male"}))),
        ("This is my friend, Mara, from the mill.", Vocatives(about=("Mara",))),
        ("Your daughter, Mara.", Vocatives(about=("Mara",))),
        ("Yours ever, Holmes.", Vocatives(about=("Holmes",))),
        ("Your turn, Mara.", Vocatives(names=("Mara",))),
        ("Your daughter, Mara, is here.", Vocatives(names=("Mara",))),
    ],
)
def test_calls(text: str, found: Vocatives) -> None:
    assert calls_in([tokens(text, *NAMES)]) == found
