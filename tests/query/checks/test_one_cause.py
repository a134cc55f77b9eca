"""Findings of one cause are told once and hidden never: each has its own passages and key, and is answered for itself alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_findings import only, tell

from narraworld.checking.authors_word import decisions_file
from narraworld.checking.checkup import CheckRequest, examine
from narraworld.query.checks.baseline import read_baseline, write_baseline
from narraworld.query.checks.decisions import Decision, add_decision
from narraworld.query.checks.findings import Finding
from narraworld.query.checks.report import render
from narraworld.query.checks.sifting import concerning, lost_since, without
from narraworld.world import World

DEEDS = ["Tomas opened the gate", "Tomas closed the gate", "Tomas took the key"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A dead man does three things, the last of them in a chapter of its own."""
    with tell(
        tmp_path, f"Tomas died in the night. Mara wept. {DEEDS[0]}. {DEEDS[1]}.", f"{DEEDS[2]}."
    ) as world:
        yield world


def deeds(one: Finding) -> list[str]:
    """What is said to have been done, of each finding of the cause."""
    return [
        " ".join(passage.quote for passage in each.passages if "died" not in passage.quote)
        for each in one.each()
    ]


def told(world: World) -> Finding:
    return only(examine(world.story, CheckRequest(least="note")).checked, "NW101")


def waive(world: World, key: str) -> None:
    add_decision(decisions_file(world.story), Decision("intentional", {"key": key, "reason": "a ghost"}))


def test_each_has_its_own_words_and_key(world: World) -> None:
    found = told(world)
    assert [deed.rstrip(".") for deed in deeds(found)] == DEEDS
    assert len({each.key for each in found.each()}) == found.alike == 3
    assert [each.goal.count("finding(") for each in found.each()] == [1, 1, 1]


def test_full_json_and_html_show_them_all(world: World) -> None:
    report = examine(world.story, CheckRequest(least="note"))
    keys = [each.key for each in only(report.checked, "NW101").each()]
    for form in ("full", "json", "jsonl", "html", "markdown"):
        page = render(report, form)
        assert [page.count(f"waive {key}") or page.count(f'"key": "{key}"') for key in keys] == [1, 1, 1], (
            form
        )
        assert all(deed in page for deed in DEEDS), form
    [finding] = json.loads(render(report, "json"))["findings"]
    assert [(one["key"], len(one["passages"])) for one in finding["others"]] == [(keys[1], 2), (keys[2], 2)]
    assert "2 more of the same cause" in render(report, "html")
    assert re.search(r"^    of the same cause: .*Tomas", render(report, "full"), re.MULTILINE)


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_waiving_one_never_silences_another(world: World, nth: int) -> None:
    keys = [each.key for each in told(world).each()]
    waive(world, keys[nth])
    checked = examine(world.story, CheckRequest(least="note")).checked
    left = only(checked, "NW101")
    assert [each.key for each in left.each()] == [key for key in keys if key != keys[nth]]
    assert ([one.key for one in checked.waived], left.alike) == ([keys[nth]], 2)


def test_when_all_are_waived_none_is_left(world: World) -> None:
    for each in told(world).each():
        waive(world, each.key)
    checked = examine(world.story, CheckRequest(least="note")).checked
    assert ([one.rule.id for one in checked.findings], len(checked.waived), checked.unused) == ([], 3, ())


def test_the_same_words_twice_are_two_findings(tmp_path: Path) -> None:
    with tell(tmp_path, f"Tomas died in the night. {DEEDS[0]}.", f"{DEEDS[0]}.") as world:
        keys = [each.key for each in told(world).each()]
        assert len(set(keys)) == 2
        waive(world, keys[0])
        assert [each.key for each in told(world).each()] == keys[1:]


def test_a_baseline_knows_each_of_them(world: World, tmp_path: Path) -> None:
    checked = examine(world.story, CheckRequest(least="note")).checked
    assert write_baseline(tmp_path / "baseline.json", checked.findings) == 3
    assert without(checked, read_baseline(tmp_path / "baseline.json"))[1] == 3
    first = checked.findings[0].key
    assert [one.alike for one in without(checked, {first})[0].findings] == [2]
    assert lost_since(replace(checked, findings=()), checked) == checked.findings


def test_an_editor_is_shown_the_one_in_its_own_text(world: World) -> None:
    checked = concerning(examine(world.story, CheckRequest(least="note")).checked, {"ch2"})
    assert [deed.rstrip(".") for deed in deeds(only(checked, "NW101"))] == [DEEDS[2]]
