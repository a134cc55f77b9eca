"""The order of the reader is checked when it is made, and the page about reading shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.extract.embedded.passes import (
    PassOrder,
    TwoWriters,
    at,
    clause_pass,
    ordered,
    sentence_pass,
    table,
    unit_pass,
)
from narraworld.extract.embedded.reader import READING

PAGE = Path(__file__).parents[3] / "docs" / "reading.md"


def first() -> None:
    """The first step."""


def second() -> None:
    """The second step."""


def test_a_step_before_what_it_needs_is_refused() -> None:
    with pytest.raises(PassOrder, match=r"second needs clause.roles, which no step before it adds"):
        ordered(
            unit_pass(first, needs="unit.text", adds="document"), clause_pass(second, needs="clause.roles")
        )


def test_what_is_no_record_has_one_writer() -> None:
    with pytest.raises(TwoWriters, match=r"unit.deeds is added by first and again by second"):
        ordered(
            unit_pass(first, needs="unit.text", adds="unit.deeds"),
            unit_pass(second, needs="", adds="unit.deeds"),
        )


def test_several_may_write_records() -> None:
    steps = (
        unit_pass(first, needs="unit.text", adds="record.State"),
        sentence_pass(second, needs="record.State", adds="record.State"),
    )
    assert ordered(*steps) == steps
    assert [step.name for step in at("sentence", steps)] == ["second"]


def test_the_page_about_reading_shows_the_order() -> None:
    assert "\n".join(table(READING)) in PAGE.read_text("utf-8")


def test_each_step_says_what_it_does() -> None:
    assert [step.name for step in READING if not step.about.endswith(".")] == []
