"""`import narraworld` opens on a few names, and costs nothing until one of them is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import narraworld
from narraworld.base.errors import NarraWorldError
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.ontology.validate import Refusal
from narraworld.project.opened import Committed
from narraworld.query.situation import Situation
from narraworld.world import World

HEAVY = {"rdflib", "pyshacl", "duckdb", "pyDatalog", "lark", "pyoxigraph", "oxrdflib", "rapidfuzz", "sqlite3"}


@pytest.mark.parametrize(
    "one", [Delta, NarraWorldError, Committed, Refusal, Situation, Unit, World], ids=lambda one: one.__name__
)
def test_a_name_is_the_thing_itself(one: type) -> None:
    assert getattr(narraworld, one.__name__) is one


def test_all_says_it_all() -> None:
    assert narraworld.__all__ == [
        "Committed", "Delta", "NarraWorldError", "Refusal", "Situation", "Tick", "Unit", "World", "__version__", "open",
    ]  # fmt: skip
    assert set(narraworld.__all__) <= set(dir(narraworld))
    assert all(getattr(narraworld, name) for name in narraworld.__all__)


def test_a_stranger_is_turned_away() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        narraworld.Wrold  # noqa: B018


def test_open_makes_a_world(tmp_path: Path) -> None:
    delta = narraworld.Delta(narraworld.Unit("ch01", 1, "Leo left."))
    delta.add("Character", "leo", name="Leo", quote="Leo")

    with narraworld.open(tmp_path, create=True) as world:
        assert isinstance(world.commit(delta), narraworld.Committed)
        assert world.query('entity(Who, "character")').rows == (("leo",),)


@pytest.mark.parametrize("module", ["narraworld", "narraworld.commands.app"])
def test_importing_it_loads_nothing_heavy(module: str) -> None:
    code = f"import {module}, sys; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert HEAVY & {name.partition(".")[0] for name in loaded} == set()
