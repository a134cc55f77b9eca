"""A check after an edit follows the edit, and says what a check of the edited manuscript from nothing says.

The measure is a world that never read the old versions, word for word: findings, their order and weight, and every
rule's outcome.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from narraworld.checking import check_world as checking
from narraworld.checking.check_world import check_world
from narraworld.checking.word_meanings import meanings
from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.journal.leaf import read_body
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.query.checks.findings import Checked
from narraworld.reading.prior import roster_of
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.world import World

SENTENCES = (
    "Tomas died in the night.",
    "Tomas opened the gate.",
    "Mara had green eyes.",
    "Mara had brown eyes.",
    "Mara was thirty years old.",
    "Mara was nineteen years old.",
    "Leo broke the lamp.",
    "In the evening the lamp worked.",
    "Mara took the lantern.",
    "Leo gave the lantern to Ida.",
    "Mara moved the key from the drawer into the hollow book.",
    "Leo took the key from the drawer.",
    "Leo promised to come back.",
    "Ida left the house.",
    "Three days later Captain Harrow arrived.",
    "Mara wept.",
)
Story: TypeAlias = dict[int, list[str]]

chapters = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4)
stories = st.dictionaries(st.integers(1, 3), chapters, min_size=1, max_size=3)
edits = st.lists(st.dictionaries(st.integers(1, 3), chapters | st.none(), min_size=1, max_size=2), max_size=2)


def read(world: World, number: int, sentences: list[str] | None) -> None:
    """Read a chapter, again perhaps; without sentences it is taken out if it is there."""
    unit = f"ch{number}"
    if sentences is None:
        if unit in world.store.snapshot():
            world.retract(unit)
        return
    roster = roster_of(world.scope().engine, but=unit)
    world.commit(read_prose(Unit(unit, number, " ".join(sentences)), roster).delta)


def checked(folder: Path) -> Checked:
    """As the command does: a world that is opened for this and closed again."""
    with World.open(folder) as world:
        return replace(check_world(world.story), revision=0)


def from_nothing(folder: Path) -> Checked:
    """A check of what is visible, in a world that has read nothing else."""
    with tempfile.TemporaryDirectory() as fresh:
        store = Store.create(fresh)
        for entry in reversed(Store.open(folder).snapshot().entries):
            store.commit(entry.unit, read_body(entry))
        return checked(Path(fresh))


@settings(
    deadline=None,
    max_examples=6,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(story=stories, changes=edits)
def test_says_what_a_check_from_nothing_says(story: Story, changes: list[Story]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for step in (story, *changes):
            with World.open(folder, create=True) as world:
                for number, sentences in step.items():
                    read(world, number, sentences)
            assert checked(folder) == from_nothing(folder)


def test_an_edit_is_followed_and_nothing_derived_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def derived_anew(*_: object) -> None:
        pytest.fail("the tables were thrown away")

    with World.open(tmp_path, create=True) as world:
        read(world, 1, ["Tomas died in the night.", "Mara wept."])
        read(world, 2, ["Mara had green eyes."])
        before = check_world(world.story)
        monkeypatch.setattr(SqliteEngine, "load", derived_anew)
        read(world, 2, ["Tomas opened the gate."])
        after = check_world(world.story)
    assert [one.rule.id for one in before.findings] == []
    assert [one.rule.id for one in after.findings] == ["NW101"]


def test_what_words_mean_is_worked_out_once_for_each_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by whoever opens the story next; and anew where the code that does it is another."""
    worked = []

    def counted(*given: object) -> object:
        worked.append(given)
        return meanings(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "meanings", counted)
    counts = []
    for text in (None, None, "Mara was nineteen years old."):
        with World.open(tmp_path, create=True) as world:
            if text or not counts:
                (tmp_path / "a.md").write_text(f"Mara was thirty years old. {text or ''}")
                world.read(tmp_path / "a.md")
            check_world(world.story)
        counts.append(len(worked))
    monkeypatch.setattr(checking, "made_by", lambda: "another")
    with World.open(tmp_path) as world:
        check_world(world.story)
    assert [*counts, len(worked)] == [1, 1, 2, 3]
