"""Which names may be one."""

from __future__ import annotations

import pytest

from narraworld.query.sheet.spellings import alike, families


@pytest.mark.parametrize(
    ("one", "other"), [("Hennigan", "Hannigan"), ("Keeble", "Kemble"), ("Flett", "Flatt")]
)
def test_words_that_differ_by_little_are_alike(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ida", "Ina"), ("Bennet", "Bennets"), ("Marsh", "Harsh"), ("Leo", "Leo")]
)
def test_short_names_plurals_and_other_beginnings_are_not(one: str, other: str) -> None:
    assert not alike(one, other)


def test_a_family_is_found_through_a_third_name() -> None:
    names = ["Lorna Keeble", "Kemble", "Anton Vidmar", "Andrej Vidmar", "Ida"]
    assert list(families(names).values()) == [
        "Lorna Keeble",
        "Lorna Keeble",
        "Anton Vidmar",
        "Anton Vidmar",
        "Ida",
    ]
