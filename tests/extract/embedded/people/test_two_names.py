"""Names that may be one: a shop that becomes a mall, a family spelled by ear; and pairs that are two."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.people.doubtful_names import two_names

LONG = "It rained on the roofs all day, and the carts stood in the lane. " * 6


def told(usual: str, other: str, between: str = LONG) -> str:
    return f"Ida knew the {usual}, loved the {usual}, cleaned the {usual} and left the {usual}. {between}She saw the {other} again."


FOUND = [
    pytest.param(told("Apex Mart", "Apex Mall"), [("Apex Mart", "Apex Mall")], id="a shop"),
    pytest.param(told("Whispering Grove", "Whispering Woods"), [("Whispering Grove", "Whispering Woods")], id="a wood"),
    pytest.param(told("Gonzalez", "Gonzales"), [("Gonzalez", "Gonzales")], id="by ear"),
    pytest.param(told("Apex Mart", "Apex River"), [], id="of another sort"),
    pytest.param(told("North Road", "North Street"), [], id="a beginning many share"),
    pytest.param(told("Apex Mart", "Apex Mall", between=""), [], id="side by side"),
    pytest.param("Ida knew the Apex Mart. " + LONG + "She saw the Apex Mall again.", [], id="neither is usual"),
    pytest.param(told("Roza", "Rosa"), [], id="too short for the ear"),
    pytest.param(told("Gonzalez", "Gonzales") + " They had gonzales for lunch.", [], id="a word"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_names_that_may_be_one(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.name, one.other) for one in two_names(text)] == expected


def test_each_is_found_where_it_first_stands() -> None:
    text = told("Apex Mart", "Apex Mall")
    [found] = two_names(text)

    assert (found.first.start, found.slip.cut(text)) == (text.index("Apex Mart"), "Apex Mall")
