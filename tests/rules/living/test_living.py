"""The living world follows the journal: from caches when they can be trusted, from the journal when they cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.cut import every_row
from narraworld.rules.living.living_world import SWITCHES, LivingWorld, WorldSetup, bindings_of, switches_in


@pytest.fixture(scope="module")
def frame() -> WorldSetup:
    return WorldSetup(load_builtin())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path)


@pytest.fixture
def alive(store: Store, tmp_path: Path, frame: WorldSetup) -> Iterator[Callable[..., LivingWorld]]:
    """Opens the living world in one folder, as often as one likes."""
    opened: list[LivingWorld] = []

    def make(other: WorldSetup = frame) -> LivingWorld:
        opened.append(LivingWorld(store, other, folder=tmp_path / "cache"))
        return opened[-1]

    yield make
    for living in opened:
        living.close()


def chapter(number: int, who: str = "leo") -> Delta:
    made = Delta(Unit(f"ch0{number}", number, f"{who.title()} left."))
    made.add("Character", who, name=who.title(), quote=who.title())
    made.add("Event", "go", kind="go", agent=who, quote=f"{who.title()} left")
    return made


def commit(store: Store, *deltas: Delta) -> None:
    for delta in deltas:
        store.commit(delta.unit.id, delta.graph)


def events(living: LivingWorld) -> list[str]:
    return [str(event) for (event,) in every_row(living.engine, "happened")]


def watched(living: LivingWorld, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the engine is told to do from now on."""
    done: list[str] = []
    for name in ("load", "follow"):
        real = getattr(living.engine, name)
        monkeypatch.setattr(
            living.engine, name, lambda *given, name=name, real=real: (done.append(name), real(*given))[1]
        )
    return done


def test_units_come_and_go(
    store: Store, alive: Callable[..., LivingWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    living = alive()
    living.refresh()
    done = watched(living, monkeypatch)
    commit(store, chapter(1), chapter(2, "mara"))
    living.refresh()
    assert events(living) == ["ch01/go", "ch02/go"]
    store.retract("ch01")
    living.refresh()
    living.refresh()

    assert events(living) == ["ch02/go"]
    assert every_row(living.engine, "entity") == [("mara", "character")]
    assert done == ["follow", "follow"], "one change for each refresh that had something to do"


def derived_once(store: Store, alive: Callable[..., LivingWorld]) -> None:
    """A first chapter, read and derived, and nobody there any more who remembers."""
    commit(store, chapter(1))
    first = alive()
    first.refresh()
    first.close()


def test_a_second_look_costs_no_derivation(
    store: Store, alive: Callable[..., LivingWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    derived_once(store, alive)
    again = alive()
    done = watched(again, monkeypatch)
    again.refresh()

    assert events(again) == ["ch01/go"]
    assert done == []


def test_caches_that_are_behind_are_brought_up_to_date(
    store: Store, alive: Callable[..., LivingWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    derived_once(store, alive)
    commit(store, chapter(2, "mara"))
    again = alive()
    done = watched(again, monkeypatch)
    again.refresh()

    assert events(again) == ["ch01/go", "ch02/go"]
    assert done == ["follow"]


def test_other_settings_mean_other_tables(
    store: Store, alive: Callable[..., LivingWorld], frame: WorldSetup
) -> None:
    commit(store, chapter(1))
    assert alive().refresh()
    fewer = alive(replace(frame, switches=SWITCHES - {"participation"}))
    fewer.refresh()

    assert every_row(fewer.engine, "perceives") == []
    assert ("participation",) not in every_row(fewer.engine, "switch")


def test_an_earlier_revision_and_back(store: Store, alive: Callable[..., LivingWorld]) -> None:
    commit(store, chapter(1), chapter(2, "mara"))
    living = alive()
    living.refresh(store.snapshot(1))
    assert events(living) == ["ch01/go"]
    living.refresh(store.snapshot(0))
    assert events(living) == []

    living.refresh()

    assert events(living) == ["ch01/go", "ch02/go"]


def test_two_on_one_cache(store: Store, alive: Callable[..., LivingWorld]) -> None:
    """Each finds the tables where the other left them, be it further on or further back."""
    commit(store, chapter(1))
    one, other = alive(), alive()
    one.refresh()
    other.refresh()
    commit(store, chapter(2, "mara"))
    other.refresh()
    store.retract("ch01")
    one.refresh()
    assert events(one) == ["ch02/go"]
    other.refresh(store.snapshot(2))
    assert events(other) == ["ch01/go", "ch02/go"]

    one.rebuild()

    assert events(one) == ["ch02/go"]


def test_who_describes_a_node(store: Store, alive: Callable[..., LivingWorld]) -> None:
    commit(store, chapter(1), chapter(2))
    living = alive()
    living.refresh()

    assert living.described("leo") == [("ch01", "Character"), ("ch02", "Character")]
    assert living.described("ch02/go") == [("ch02", "Event")]
    assert living.described("nobody") == []


def test_a_story_that_has_more_than_doubled_is_derived_at_once(
    store: Store, alive: Callable[..., LivingWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    living = alive()
    living.refresh()
    told = watched(living, monkeypatch)
    commit(store, *(chapter(number) for number in range(1, 6)))
    living.refresh()
    commit(store, *(chapter(number) for number in range(6, 9)))
    living.refresh()

    assert told == ["load", "follow"]
    assert len(events(living)) == 8


def test_a_failed_step_leaves_nothing_believed(
    store: Store, alive: Callable[..., LivingWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, chapter(1))
    living = alive()
    living.refresh()
    commit(store, chapter(2, "mara"))
    with monkeypatch.context() as patch:
        patch.setattr(living.engine, "follow", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            living.refresh()
    living.refresh()

    assert events(living) == ["ch01/go", "ch02/go"]


def test_every_base_relation_is_bound(frame: WorldSetup) -> None:
    bound = {binding.relation for binding in bindings_of(frame.program)}

    assert bound == set(frame.program.base())


def test_switches_that_rules_ask_for(frame: WorldSetup) -> None:
    assert {"trust", "sincerity", "copresence", "faction"} <= switches_in(frame.program)
    assert "participation" in switches_in(frame.program) | SWITCHES


@pytest.mark.parametrize("revision", range(1, 8))
def test_an_older_revision_is_reached_from_the_newest_tables(
    store: Store, alive: Callable[..., LivingWorld], frame: WorldSetup, revision: int
) -> None:
    commit(store, *(chapter(number) for number in range(1, 6)), chapter(2, "ida"))
    store.retract("ch04")
    newest = alive()
    newest.refresh()
    wanted = store.snapshot(revision)
    reached, anew = LivingWorld(store, frame), LivingWorld(store, frame)
    reached.begin_as(newest)
    for living in (reached, anew):
        living.refresh(wanted)

    stored = [one.name for one in frame.program.relations.values() if not one.on_demand]
    assert {name: every_row(reached.engine, name) for name in stored} == {
        name: every_row(anew.engine, name) for name in stored
    }
    assert len(events(newest)) == 4
    for living in (reached, anew):
        living.close()
