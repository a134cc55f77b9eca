"""Derived worlds are dear: those used last are kept, the others go, and none goes while somebody works with it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from narraworld.project.file import load_settings
from narraworld.project.recent import Recent
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.items import Teller
from narraworld.query.memory.preview import preview_of
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.world import World

MANY = [Situation(at="ch01", recipient=f"listener {n}") for n in range(25)]


class Thing:
    """Something that can be pointed at."""


def made(recent: Recent[str, Thing], key: str, gone: list[str]) -> Thing:
    return recent.put(key, Thing(), lambda: gone.append(key))


def test_the_one_used_longest_ago_goes_first() -> None:
    gone: list[str] = []
    recent: Recent[str, Thing] = Recent(2)
    for key in "abac":
        recent.get(key) or made(recent, key, gone)
    assert gone == ["b"]
    assert [recent.get(key) is not None for key in "abc"] == [True, False, True]


def test_what_somebody_holds_is_found_again_and_not_released() -> None:
    gone: list[str] = []
    recent: Recent[str, Thing] = Recent(1)
    held = made(recent, "a", gone)
    made(recent, "b", gone)
    assert recent.get("a") is held
    assert gone == ["b"]


def test_what_is_dropped_is_released_once_whoever_holds_it() -> None:
    gone: list[str] = []
    recent: Recent[str, Thing] = Recent(1)
    held = [made(recent, key, gone) for key in "abc"]
    recent.drop(lambda key: key != "b")
    assert sorted(gone) == ["a", "c"]
    recent.drop()
    del held
    assert sorted(gone) == ["a", "b", "c"]


@pytest.fixture
def world(key_copy: Path) -> Iterator[World]:
    with World.open(key_copy) as world:
        yield world


def asked_much(world: World, situation: Situation) -> Scope:
    """A scope with all that it makes on the way."""
    scope = world.scope(situation)
    scope.views()
    assert scope.once(preview_of) and scope.once(Teller) and scope.mentions and scope.once(Search)
    return scope


def test_25_situations_leave_six(world: World) -> None:
    gc.disable()  # what goes must go by itself: its megabytes are SQLite's, which Python does not count
    try:
        scopes = [ref(asked_much(world, situation)) for situation in MANY]
        assert [scope() is not None for scope in scopes] == [False] * 19 + [True] * 6
    finally:
        gc.enable()


def test_25_revisions_and_branches_leave_as_many_living_worlds(world: World) -> None:
    world.branch("what-if")
    for revision in range(4):
        for branch in ("main", "what-if"):
            if revision <= world.store.snapshot(branch=branch).revision:
                world.scope(Situation(revision=revision, branch=branch)).views()
    for number in range(8):
        world.branch(f"if-{number}")
        world.scope(Situation(branch=f"if-{number}")).views()
    gc.collect()
    assert len(world.story._living.things()) <= 6 + 1  # one may be held by a scope that was used later
    assert not [name for name in world.story._shelves._indexes if "@" in name]


def test_a_scope_in_use_outlives_25_others(world: World) -> None:
    mine = world.scope(MANY[0])
    known = mine.knows()
    for situation in MANY[1:]:
        world.scope(situation)
    assert mine.knows() == known
    assert world.scope(MANY[0]) is mine


def test_closing_releases_them_all(key_copy: Path) -> None:
    with World.open(key_copy) as world:
        held = [world.scope(situation) for situation in MANY[:8]]
        tables = [scope.engine.tables for scope in held]  # type: ignore[attr-defined]
    assert [engine._connection for engine in tables] == [None] * 8


def test_a_project_may_keep_more_or_fewer(tmp_path: Path) -> None:
    (tmp_path / "narraworld.toml").write_text("[limits]\nsituations = 2\nseconds = 9\n", encoding="utf-8")
    settings = load_settings(tmp_path)
    assert (settings.situations, settings.limits) == (2, {"seconds": 9})


def test_a_full_shelf_says_so() -> None:
    shelf: Recent[str, Thing] = Recent(1)
    assert not shelf.is_full
    made(shelf, "a", [])
    assert shelf.is_full


def test_memory_is_given_back_where_the_system_can() -> None:
    from narraworld.base.memory_given_back import give_back

    give_back()
