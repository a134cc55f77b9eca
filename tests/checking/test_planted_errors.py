"""The bundled broken story: every planted error is found with its words, and its mended twin is silent."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from narraworld.checking.check_world import check_world
from narraworld.query.checks.findings import Checked, Finding
from narraworld.reading.stories import read_bundled
from narraworld.world import World

STORIES = files("narraworld") / "stories"
PLANTED: list[dict[str, Any]] = tomllib.loads((STORIES / "planted.toml").read_text("utf-8"))["planted"]
SHOWN = {"error", "warning"}


@pytest.fixture(scope="module", params=["broken", "mended"])
def story(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Checked]]:
    folder: Path = tmp_path_factory.mktemp(request.param)
    with World.open(folder, create=True) as world:
        read_bundled(world.story, request.param)
        yield request.param, check_world(world.story)


def test_every_planted_error_is_found_and_the_twin_is_silent(story: tuple[str, Checked]) -> None:
    name, checked = story
    if name == "mended":
        assert [one.message for one in checked.findings if one.rule.severity in SHOWN] == []
        return
    missed = [one for one in PLANTED if not any(_is(found, one) for found in checked.findings)]
    assert missed == []


def _is(found: Finding, planted: dict[str, Any]) -> bool:
    """Whether a finding, or one of the same cause, rests on both quotes."""
    each = [{" ".join(one.quote.split()) for one in alike.passages} for alike in found.each()]
    return found.rule.id == planted["rule"] and any(quotes >= set(planted["quotes"]) for quotes in each)


def test_the_broken_story_is_long_and_of_many_kinds() -> None:
    prose = " ".join(
        file.read_text("utf-8") for file in (STORIES / "broken").iterdir() if file.name.endswith(".md")
    )

    assert len(prose.split()) >= 3000
    assert len({one["subtype"] for one in PLANTED}) >= 15
