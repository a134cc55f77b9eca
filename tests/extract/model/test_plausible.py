"""Everyday stories that cannot be, from text to findings: read, validated, committed, derived and checked like any other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.checking.trip import CHECKS
from bench.minds.telling import Told, told_world
from narraworld.checking.check_world import check_world, checks_scope
from narraworld.query.checks.findings import Finding
from narraworld.query.names import rows
from narraworld.query.scope import Scope

Everyday = tuple[Scope, tuple[Finding, ...], dict[str, Told]]

CLASHES = {
    "Mara threw away the bucket. Mara washed the window. Mara filled the bucket with water.": (
        "fill",
        "bucket",
    ),
    "Leo ate the pear. Leo cut the pear.": ("cut", "pear"),
    "Leo broke the scissors. Leo used the scissors.": ("use", "scissors"),
    "Leo broke the saw. Leo cut the plank with the saw.": ("cut", "saw"),
    "Mara could not find the hammer. Mara hit the nail with the hammer.": ("hit", "hammer"),
    "Mara mashed the potato. Mara peeled the potato.": ("peel", "potato"),
    "Leo fell asleep. Leo opened the gate.": ("open", "leo"),
    "Leo burned the sack. Leo put the bread in the sack.": ("put", "sack"),
}
SOUND = [
    "Mara washed the bucket. Mara filled the bucket with water. Mara threw away the bucket.",
    "Leo broke the scissors. Leo repaired the scissors. Leo used the scissors.",
    "Mara could not find the hammer. Mara found the hammer. Mara hit the nail with the hammer.",
    "Leo broke the saw. Leo threw away the saw.",
    "Leo wanted to eat the pear. Leo cut the pear.",
    "Leo fell asleep. Leo woke up. Leo opened the gate.",
    "Mara cracked the eggs into the bowl. Mara added salt to the eggs.",
    "Mara threw away the bucket. Mara bought a new bucket. Mara filled the new bucket with water.",
]


@pytest.fixture(scope="module")
def everyday() -> Iterator[Everyday]:
    with told_world([*CLASHES, *SOUND]) as (world, stories):
        yield checks_scope(world.story), check_world(world.story, select=CHECKS).findings, stories


def clashes(everyday: Everyday, text: str) -> set[tuple[str, str]]:
    """The kind of each deed that cannot be, with what it clashes over."""
    scope, findings, stories = everyday
    unit = stories[text].unit
    mine = [one for one in findings if one.passages[0].unit == unit]
    kinds = [str(rows(scope.engine, "event", one.records[-1])[0][1]) for one in mine]
    about = [one.goal.split('"')[-2].removeprefix(f"{unit}-") for one in mine]
    return set(zip(kinds, about, strict=True))


@pytest.mark.parametrize(("text", "clash"), CLASHES.items(), ids=[" ".join(one) for one in CLASHES.values()])
def test_a_deed_that_cannot_be(everyday: Everyday, text: str, clash: tuple[str, str]) -> None:
    assert clashes(everyday, text) == {clash}


@pytest.mark.parametrize("text", SOUND)
def test_a_story_that_can_be(everyday: Everyday, text: str) -> None:
    assert clashes(everyday, text) == set()
