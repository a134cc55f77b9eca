"""Full names spelled in two ways: what is a slip, and what are two names."""

from __future__ import annotations

import pytest

from narraworld.query.checks.name_rows import misspelled_rows


def details(*names: str, sure: bool = True) -> list[tuple[str, ...]]:
    return [(f"d{n}", "name", name, "low" if sure else "medium", "listed") for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("Davie Flett", "Davie Flatt"), True),
        (("Anneke Vos", "Annika Vos"), True),
        (("Davie Flett", "Davie Brown"), False),
        (("Davie Flett", "Davie Fletts"), False),
        (("Ann Vos", "Tom Vos"), False),
        (("New Woman", "New Women"), False),
    ],
)
def test_two_spellings_of_one_name(names: tuple[str, str], found: bool) -> None:
    assert bool(list(misspelled_rows(details(*names)))) is found


def test_two_common_first_names_are_two_people() -> None:
    assert not list(misspelled_rows(details("Marian Holt", "Marion Holt", sure=False)))


def test_a_name_that_stands_in_many_chapters_is_no_slip() -> None:
    assert not list(misspelled_rows(details("Davie Flett", "Davie Flatt", "Davie Flett", "Davie Flatt")))
