"""What words mean: numbers, lengths, names, dates; spellings one slip apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.search.spelling import one_slip_apart, slips_among
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.query.checks.word_rows import amount_of, date_rows, is_rough, name_parts, value_rows

NAMES = st.text(alphabet="abcdefgh", min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), ("1,200", 1200), ("twenty-one", 21), ("three hundred and five", 305), ("two thousand", 2000),
        ("three days", 4320), ("two hours", 120), ("10 miles", 16090), ("about forty", 40), ("blue", None), ("", None),
    ],
)  # fmt: skip
def test_amounts(text: str, number: int | None) -> None:
    assert amount_of(text, GREGORIAN) == number


@pytest.mark.parametrize(("text", "rough"), [("about forty", True), ("forty", False), ("dozens", True)])
def test_rough_numbers(text: str, rough: bool) -> None:
    assert is_rough(text) is rough


def test_only_values_have_amounts() -> None:
    rows = [
        ("leo.age:12", "leo", "age", "12", "positive"),
        ("leo.friend.twelve", "leo", "friend", "twelve", "positive"),
    ]

    assert list(value_rows(rows, [], [], GREGORIAN)) == [("amount", ("leo.age:12", 12))]


def test_no_time_heals_the_deaf() -> None:
    rows = [
        ("leo.injury:deaf in his left ear", "leo", "injury", "deaf in his left ear", "positive"),
        ("leo.injury:left arm broken", "leo", "injury", "left arm broken", "positive"),
        ("leo.friend.blind", "leo", "friend", "blind", "positive"),
    ]

    assert list(value_rows(rows, [], [], GREGORIAN)) == [("for_good", ("leo.injury:deaf in his left ear",))]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Captain Harrow", {"title": "captain", "whole": "Harrow", "single": "Harrow"}),
        ("Clara Whitmore", {"whole": "Clara Whitmore", "given": "Clara", "family": "Whitmore"}),
        ("Anna Pávlovna", {"whole": "Anna Pávlovna", "given": "Anna"}),
        ("Daniel Teréntich", {"whole": "Daniel Teréntich", "given": "Daniel"}),
        ("Emperor Francis", {"title": "emperor", "whole": "Francis", "single": "Francis"}),
        ("the old man", {}),
        ("Look!”", {}),
    ],
)
def test_parts_of_names(name: str, parts: dict[str, str]) -> None:
    assert dict(name_parts(name)) == parts


def test_dates() -> None:
    rows = set(date_rows(["Friday, June 3, 1907", "June 1907", "winter"], GREGORIAN))

    assert ("no_such_day", ("Friday, June 3, 1907", "that day is a Monday")) in rows
    assert ("spelled_month", ("June 1907", 6)) in rows
    assert ("spelled_season", ("winter", "winter")) in rows
    assert ("month_of", ("summer", 6)) in rows


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("Allan", "Alan", True), ("Korath", "Koarth", True), ("Rosa", "Roma", True), ("Varyn", "Waryn", True), ("Ari", "Ahri", True),
        ("Paul", "Paula", False), ("Luke", "Lukes", False), ("Sam", "Pam", False), ("Leah", "Yeah", False), ("Mara", "Mara", False),
        ("Emily", "Em'ly", False), ("Emily", "Em’ly", False), ("O'Brien", "O'Brian", True),
    ],
)  # fmt: skip
def test_slips(one: str, other: str, slip: bool) -> None:
    assert one_slip_apart(one, other) is slip


@given(st.lists(NAMES, max_size=12))
def test_the_quick_way_finds_what_the_slow_way_finds(names: list[str]) -> None:
    slow = {(one, other) for one in names for other in names if one_slip_apart(one, other)}
    assert set(slips_among(names)) == slow
