"""A small world for questions: an orchard, two people, and a ladder that is not where one of them thinks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.scope import Scope
from narraworld.world import World


def morning() -> Delta:
    made = Delta(
        Unit("ch01", 1, "Ada leaned the ladder on the wall. Bo wondered if it rained.", title="Morning")
    )
    made.add("Character", "ada", name=["Ada", "Miss Wren"], quote="Ada")
    made.add("Character", "bo", name="Bo", quote="Bo")
    made.add("Object", "ladder", name="ladder", quote="the ladder")
    made.add("Place", "wall", name="wall", quote="the wall")
    made.add(
        "Event", "lean", kind="lean", agent="ada", patient="ladder", quote="Ada leaned the ladder on the wall"
    )
    made.add("State", proposition="ladder.location.wall", at="lean", quote="the ladder on the wall")
    made.add(
        "Attitude",
        holder="bo",
        proposition="sky.condition:rainy",
        attitude="wonders",
        quote="Bo wondered if it rained",
    )
    made.add("Object", "sky", name="sky")
    made.add("Scene", "s1", unit="ch01", start=0, end=34, title="The ladder", quote="Ada leaned")
    made.add("Scene", "s2", unit="ch01", start=35, end=60, quote="Bo wondered")
    return made


def evening() -> Delta:
    made = Delta(
        Unit(
            "ch02",
            2,
            "Bo carried the ladder to the barn. Ada slept, and knew nothing of it.",
            title="Evening",
        )
    )
    made.add("Place", "barn", name="barn", quote="the barn")
    made.add(
        "Event",
        "carry",
        kind="carry",
        agent="bo",
        patient="ladder",
        destination="barn",
        quote="Bo carried the ladder to the barn",
    )
    made.add("State", proposition="ladder.location.barn", at="carry", quote="the ladder to the barn")
    made.add("Unawareness", holder="ada", proposition="ladder.location.barn", quote="knew nothing of it")
    return made


@pytest.fixture(scope="session")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("orchard"), create=True) as world:
        for delta in (morning(), evening()):
            assert world.commit(delta).refusals == ()
        yield world


@pytest.fixture(scope="session")
def now(orchard: World) -> Scope:
    return orchard.scope()
