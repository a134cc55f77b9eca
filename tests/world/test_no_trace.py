"""Whatever was read and then edited or taken out leaves nothing behind: not in a fact, not in a conclusion.

The measure is a world that never read the old versions. It must be the same relation by relation, whichever way the
edited world came about: kept up to date unit by unit, opened again from its caches, derived anew, or on a branch.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from random_stories import Chapter, Record, delta, everything, journals

from narraworld.kb.journal.leaf import read_body
from narraworld.kb.journal.store import Snapshot, Store
from narraworld.rules.language.ir import Row
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.living_world import LivingWorld, WorldSetup
from narraworld.world import World

# Making an engine costs far more than a small story, so engines outlive the examples and start over in each; and a
# failing example is small enough to read without minutes of shrinking.
ECONOMY = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[LivingWorld, LivingWorld]]:
    """One that follows edits, one that only ever starts anew."""
    with tempfile.TemporaryDirectory() as folder:
        frame, store = WorldSetup(load_builtin()), Store.create(folder)
        pair = LivingWorld(store, frame), LivingWorld(store, frame)
        yield pair
        for living in pair:
            living.close()


def anew(fresh: LivingWorld, visible: Snapshot) -> dict[str, frozenset[Row]]:
    """Everything, in a world that has read what is visible and nothing else; last chapter first, to be strict."""
    with tempfile.TemporaryDirectory() as folder:
        fresh.store = Store.create(folder)
        for entry in reversed(visible.entries):
            fresh.store.commit(entry.unit, read_body(entry))
        fresh.rebuild()
        return everything(fresh.engine)


def commit(store: Store, entry: Chapter | str) -> None:
    """Read a chapter or take one out; nobody can take out what is not there."""
    if isinstance(entry, Chapter):
        store.commit(entry.unit, delta(entry).graph)
    elif entry in store.snapshot():
        store.retract(entry)


@settings(ECONOMY, max_examples=8)
@given(journal=journals(min_size=2, max_size=7))
def test_kept_up_to_date_unit_by_unit(
    engines: tuple[LivingWorld, LivingWorld], journal: list[Chapter | str]
) -> None:
    living, fresh = engines
    with tempfile.TemporaryDirectory() as folder:
        living.store = store = Store.create(folder)
        living.rebuild()
        for entry in journal:
            commit(store, entry)
            living.refresh()
        assert everything(living.engine) == anew(fresh, store.snapshot())


def follow(world: World, journal: list[Chapter | str], branch: str) -> None:
    """As `commit`, through the front door: shapes are checked, and what breaks one is refused."""
    for entry in journal:
        if isinstance(entry, Chapter):
            world.commit(delta(entry), branch=branch)
        elif entry in world.store.snapshot(branch=branch):
            world.retract(entry, branch=branch)


@settings(ECONOMY, max_examples=2)
@given(journal=journals(min_size=2, max_size=4), changed=journals(min_size=1, max_size=3))
def test_through_the_front_door_and_on_a_branch(
    engines: tuple[LivingWorld, LivingWorld], journal: list[Chapter | str], changed: list[Chapter | str]
) -> None:
    fresh = engines[1]
    with tempfile.TemporaryDirectory() as folder:
        with World.open(folder, create=True) as world:
            follow(world, journal, "main")
            world.branch("what-if")
            follow(world, changed, "what-if")
            story = anew(fresh, world.store.snapshot())
            what_if = anew(fresh, world.store.snapshot(branch="what-if"))
            assert everything(world.story.living().engine) == story
            assert everything(world.story.living("what-if").engine) == what_if
        with World.open(folder) as again:
            assert everything(again.story.living().engine) == story
            assert everything(again.story.living("what-if").engine) == what_if


def test_the_examples_are_not_empty(engines: tuple[LivingWorld, LivingWorld]) -> None:
    """A property of empty stories holds for ever; this one has events, states, beliefs and a thread."""
    chapter = Chapter(
        "ch01",
        events=(Record("Event", 1, (("kind", "act"), ("agent", "ann"))),),
        records=(
            Record("State", 2, (("proposition", "cup.location.hall"), ("at", "e0"))),
            Record("Step", 3, (("development", "quest"), ("status", "opened"))),
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(folder)
        commit(store, chapter)
        found = anew(engines[1], store.snapshot())

    assert found["knows"] == {("ann", "cup.location.hall")}
    assert found["open"] == {("quest",)}


def test_a_new_version_does_not_lean_on_the_old_one(tmp_path: object) -> None:
    """Ben came only in the first version of ch01; the second speaks of him without having introduced him."""
    first = Chapter("ch01", cast=("ben",))
    second = Chapter("ch01", cast=(), events=(Record("Event", 1, (("kind", "act"), ("agent", "ben"))),))
    with World.open(str(tmp_path), create=True) as world:
        world.commit(delta(first))
        again = world.commit(delta(second))

        assert [(one.record, one.value) for one in again.refusals] == [("ch01/e0", "ben")]
        assert world.query("event(E, K, R)").rows == ()


def test_but_may_lean_on_other_units(tmp_path: object) -> None:
    second = Chapter("ch02", cast=(), events=(Record("Event", 1, (("kind", "act"), ("agent", "ben"))),))
    with World.open(str(tmp_path), create=True) as world:
        world.commit(delta(Chapter("ch01", cast=("ann", "ben"))))

        assert world.commit(delta(second)).refusals == ()
        assert world.query("role(E, Ben, R)").rows == (("ch02/e0", "agent"),)
