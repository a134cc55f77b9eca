"""Everyday stories that cannot be, from text to `implausible`: read, validated, committed and derived like any other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.telling import Told, told
from narraworld.query.names import rows
from narraworld.query.scope import Scope

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
    "Mara threw away the bucket. Mara bought a new bucket. Mara filled the new bucket with water.",
]


@pytest.fixture(scope="module")
def everyday() -> Iterator[tuple[Scope, dict[str, Told]]]:
    with told([*CLASHES, *SOUND], "plausible") as found:
        yield found


def clashes(scope: Scope, story: Told) -> set[tuple[str, str]]:
    """The kind of each deed that cannot be, with what it clashes over."""
    found = [row for row in rows(scope.engine, "implausible") if str(row[0]).startswith(f"{story.unit}/")]
    kinds = {event: str(rows(scope.engine, "event", event)[0][1]) for event, _, _ in found}
    return {(kinds[event], str(thing).removeprefix(f"{story.unit}-")) for event, thing, _ in found}


@pytest.mark.parametrize(("text", "clash"), CLASHES.items(), ids=[" ".join(one) for one in CLASHES.values()])
def test_a_deed_that_cannot_be(
    everyday: tuple[Scope, dict[str, Told]], text: str, clash: tuple[str, str]
) -> None:
    scope, stories = everyday
    assert clashes(scope, stories[text]) == {clash}


@pytest.mark.parametrize("text", SOUND)
def test_a_story_that_can_be(everyday: tuple[Scope, dict[str, Told]], text: str) -> None:
    scope, stories = everyday
    assert clashes(scope, stories[text]) == set()
