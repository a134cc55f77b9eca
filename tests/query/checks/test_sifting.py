"""What is told of a check: nothing goes without being counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_check import CHECKED, KNOWN_LEAK, TWO_COLOURS

from narraworld.query.checks.baseline import BadBaseline, read_baseline, write_baseline
from narraworld.query.checks.findings import Severity, Waiver
from narraworld.query.checks.sifting import (
    AuthorsAnswer,
    answered,
    at_least,
    concerning,
    fails,
    lost_since,
    without,
)

KEYS = [KNOWN_LEAK.key, TWO_COLOURS.key]


@pytest.mark.parametrize(
    ("severity", "kept", "quiet"), [("note", 2, 0), ("warning", 2, 0), ("error", 1, 1)], ids=str
)
def test_slighter_findings_are_counted(severity: Severity, kept: int, quiet: int) -> None:
    told, hidden = at_least(CHECKED, severity)

    assert (len(told.findings), hidden) == (kept, quiet)
    assert told.reports == CHECKED.reports


@pytest.mark.parametrize(
    ("severity", "expected"), [("error", False), ("warning", True), ("note", True)], ids=str
)
def test_failing_is_a_matter_of_severity(severity: Severity, expected: bool) -> None:
    assert fails([TWO_COLOURS], severity) is expected
    assert not fails([], severity)


@given(st.sets(st.sampled_from([*KEYS, "unknown"])))
def test_a_baseline_takes_away_exactly_what_it_knows(keys: set[str]) -> None:
    told, known = without(CHECKED, keys)

    assert [one.key for one in told.findings] == [key for key in KEYS if key not in keys]
    assert known + len(told.findings) == len(CHECKED.findings)


def test_what_is_gone_since_then() -> None:
    now = replace(CHECKED, findings=(TWO_COLOURS,))

    assert lost_since(now, CHECKED) == (KNOWN_LEAK,)
    assert lost_since(replace(now, waived=(KNOWN_LEAK,)), CHECKED) == ()


def test_an_editor_sees_its_own_file_first() -> None:
    told = concerning(CHECKED, {"ch02"})

    assert [one.key for one in told.findings] == [KNOWN_LEAK.key]
    assert [one.unit for one in told.findings[0].passages] == ["ch02", "ch03"]


@pytest.mark.parametrize(
    ("rules", "unneeded"), [(("NW2",), 1), (("NW9",), 0), ((), 1)], ids=["asked", "not-asked", "any"]
)
def test_an_answer_is_unneeded_only_where_its_checks_were_asked(
    rules: tuple[str, ...], unneeded: int
) -> None:
    nobody = AuthorsAnswer(lambda finding: False, Waiver("k", "r", "o"), rules)

    assert len(answered(replace(CHECKED, unused=()), [nobody]).unused) == unneeded


def test_a_baseline_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"

    assert write_baseline(path, CHECKED.findings) == 2
    assert read_baseline(path) == set(KEYS)
    assert path.read_text("utf-8").splitlines()[3] == (
        '  "3f2a9c1b7d10": "NW204 Leo goes for the key where he cannot know it lies",'
    )


@pytest.mark.parametrize(
    "text", [None, "", "[]", '{"schema": 1}'], ids=["missing", "empty", "a-list", "no-findings"]
)
def test_what_is_no_baseline_says_how_to_make_one(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")

    with pytest.raises(BadBaseline, match="baseline") as refused:
        read_baseline(path)
    assert refused.value.fix == "write one with: narraworld check --write-baseline"
