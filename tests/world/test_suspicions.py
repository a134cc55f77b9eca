"""What a reader finds odd about names is for checks: no view, context, preview or answer shows it as a fact of the story."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.checking.check_world import check_world
from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.world import World

MART = (
    "Tom came to Apex Mart. He liked the Apex Mart by the river, and all roads led to Apex Mart. In winter the Apex Mart stayed "
    "open, and Ida worked there. She swept the floor and counted the coins. She went home late, when the buses were gone and the "
    "lamps were out, and nobody saw her on the long way through the fields behind the old mill. Her mother waited at the window "
    "with a candle in her hand, and the dog slept under the table by the stove, for it was cold, and the wind blew from the hills. "
    "In the morning she walked back to the {}."
)


def _world(folder: Path, name: str) -> World:
    world = World.open(folder, create=True)
    world.commit(read_prose(Unit("ch01", 1, MART.format(name))).delta)
    return world


@pytest.mark.parametrize(("name", "raised"), [("Apex Mall", True), ("Apex Mart", False)])
def test_the_check_reads_the_suspicion(tmp_path: Path, name: str, raised: bool) -> None:
    with _world(tmp_path, name) as world:
        assert ("NW809" in {finding.rule.id for finding in check_world(world.story).findings}) is raised


def test_who_somebody_is_introduced_as_is_no_fact_of_the_world(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, "Tom met a girl called Ida. Ida had a red coat.")).delta)
        shown = [world.views(), world.knows(), world.preview(), world.context("Where does Ida go?")]
    assert "introduced" not in "\n".join(map(repr, shown))


def test_nobody_else_does(tmp_path: Path) -> None:
    with _world(tmp_path, "Apex Mall") as world:
        shown = [world.views(), world.knows(), world.preview(), world.context("Where does Ida go?")]
        shown.append(world.ask("What happened to Ida?"))
        told = "\n".join(map(repr, shown)).casefold()
    assert "ida" in told
    assert "namedotherwise" not in told and "suspicion" not in told
