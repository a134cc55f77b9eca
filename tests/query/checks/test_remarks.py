"""Comments in the manuscript: which stretch they cover, for which checks, and what happens to the unclear ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_check import PLACES

from narraworld.query.checks.findings import Finding, Passage
from narraworld.query.checks.remarks import Comment, remarks_in

TEXT = "First paragraph.\n\nSecond one.\n\nThird and last."
SECOND, THIRD = TEXT.index("Second"), TEXT.index("Third")


def said(*comments: tuple[str, int]) -> list[Comment]:
    return [Comment(words, start, f"ch01.md:{number}:1") for number, (words, start) in enumerate(comments, 1)]


@pytest.mark.parametrize(
    ("words", "rules", "reason"),
    [
        ("narraworld: ignore NW501 a dream", ("NW501",), "a dream"),
        ("narraworld ignore NW501", ("NW501",), ""),
        ("narraworld-ignore NW501: a dream", ("NW501",), "a dream"),
        ("narraworld: ignore NW501, NW2 two of them", ("NW501", "NW2"), "two of them"),
        ("narraworld: ignore HOUSE1: my own check", ("HOUSE1",), "my own check"),
        ("narraworld off NW204: dream scene", ("NW204",), "dream scene"),
    ],
    ids=["colon", "no-reason", "hyphen", "several", "own-check", "off"],
)
def test_a_comment_is_understood(words: str, rules: tuple[str, ...], reason: str) -> None:
    [remark], troubles = remarks_in("ch01", TEXT, said((words, 0)))

    assert (remark.rules, remark.reason, troubles) == (rules, reason, [])


@pytest.mark.parametrize(
    ("comments", "covered"),
    [
        ([("narraworld: ignore NW5", SECOND)], "Second one."),
        ([("narraworld: ignore NW5", SECOND + 3)], "Second one."),
        ([("narraworld: ignore NW5", 0)], "First paragraph."),
        ([("narraworld: ignore NW5", len(TEXT))], "Third and last."),
        ([("narraworld: off NW5", SECOND), ("narraworld: on NW5", THIRD)], "Second one.\n\n"),
        ([("narraworld: off NW5", SECOND), ("narraworld: on", THIRD)], "Second one.\n\n"),
        ([("narraworld: off NW5", SECOND), ("narraworld: on NW2", THIRD)], TEXT[SECOND:]),
        ([("narraworld: off NW5", SECOND)], TEXT[SECOND:]),
    ],
    ids=["before", "inside", "first", "at-the-end", "off-on", "on-for-all", "on-for-others", "never-on"],
)
def test_the_stretch_it_covers(comments: list[tuple[str, int]], covered: str) -> None:
    remarks, _ = remarks_in("ch01", TEXT, said(*comments))

    assert TEXT[remarks[0].start : remarks[0].end] == covered


@pytest.mark.parametrize(
    "words", ["narraworld: ignroe NW501", "narraworld: ignore", "narraworld", "narraworld: ignore all of it"]
)
def test_what_is_not_understood_is_told(words: str) -> None:
    remarks, [trouble] = remarks_in("ch01", TEXT, said((words, 0)))

    assert remarks == []
    assert trouble.startswith(f"ch01.md:1:1: “{words}” is not understood")


@pytest.mark.parametrize(
    ("unit", "start", "end", "rule", "expected"),
    [
        ("ch01", SECOND, SECOND + 6, "NW5", True),
        ("ch01", 0, 5, "NW5", False),
        ("ch02", SECOND, SECOND + 6, "NW5", False),
        ("ch01", SECOND, SECOND + 6, "NW2", False),
    ],
    ids=["here", "elsewhere", "another-unit", "another-check"],
)
def test_a_remark_is_about_its_own_stretch(
    unit: str, start: int, end: int, rule: str, expected: bool
) -> None:
    [remark], _ = remarks_in("ch01", TEXT, said((f"narraworld: ignore {rule}", SECOND)))
    finding = Finding("k", PLACES, "", (Passage("r", unit, start, end, "q"),), (), "")

    assert remark.answer().matches(finding) is expected


@given(words=st.text(), start=st.integers(0, len(TEXT)))
def test_whatever_is_written_is_a_remark_or_a_trouble(words: str, start: int) -> None:
    remarks, troubles = remarks_in("ch01", TEXT, said((f"narraworld{words}", start)))

    assert len(remarks) + len(troubles) <= 1
    assert all(0 <= one.start <= one.end <= len(TEXT) for one in remarks)
