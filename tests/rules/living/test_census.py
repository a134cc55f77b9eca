"""What is what is known at once, whether or not the tables have caught up with the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.census import Census, classes_in
from narraworld.rules.living.living_world import LivingWorld, WorldSetup


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path)


@pytest.fixture
def living(store: Store) -> Iterator[LivingWorld]:
    living = LivingWorld(store, WorldSetup(load_builtin()))
    yield living
    living.close()


def commit(store: Store, unit: str, order: int, who: str, kind: str = "Character") -> None:
    delta = Delta(Unit(unit, order, f"{who.title()} left."))
    delta.add(kind, who, name=who.title(), quote=who.title())
    delta.add("Event", "go", kind="go", agent=who, quote="left")
    store.commit(unit, delta.graph)


def kinds(census: Census, besides: str = "ch09") -> dict[str, str]:
    return census.kinds(["leo", "mara", "ch01/go", "nobody"], besides=[besides])


def test_it_knows_what_the_tables_know(store: Store, living: LivingWorld) -> None:
    commit(store, "ch01", 1, "leo")
    census = Census(living)

    assert kinds(census) == {"leo": "Character", "ch01/go": "Event"}


def test_it_knows_what_the_tables_do_not_know_yet(store: Store, living: LivingWorld) -> None:
    census = Census(living)
    commit(store, "ch01", 1, "leo")

    assert kinds(census) == {"leo": "Character", "ch01/go": "Event"}
    assert living.described("leo") == []


def test_a_unit_is_not_asked_about_itself(store: Store, living: LivingWorld) -> None:
    commit(store, "ch01", 1, "leo")
    census = Census(living)
    commit(store, "ch02", 2, "leo")
    commit(store, "ch03", 3, "mara")

    assert kinds(census, besides="ch01") == {"leo": "Character", "mara": "Character"}
    assert kinds(census, besides="ch03") == {"leo": "Character", "ch01/go": "Event"}


@pytest.mark.parametrize("looked_before", [True, False], ids=["after-a-look", "at-once"])
def test_a_new_version_replaces_the_old_one(store: Store, living: LivingWorld, looked_before: bool) -> None:
    commit(store, "ch01", 1, "leo")
    census = Census(living)
    if looked_before:
        kinds(census)
    commit(store, "ch01", 1, "mara", "Group")

    assert kinds(census) == {"mara": "Group", "ch01/go": "Event"}
    commit(store, "ch01", 1, "leo")
    assert kinds(census) == {"leo": "Character", "ch01/go": "Event"}


def test_a_retracted_unit_says_nothing(store: Store, living: LivingWorld) -> None:
    commit(store, "ch01", 1, "leo")
    census = Census(living)
    store.retract("ch01")

    assert kinds(census) == {}


def test_when_the_tables_catch_up_it_begins_anew(store: Store, living: LivingWorld) -> None:
    census = Census(living)
    commit(store, "ch01", 1, "leo")
    before = kinds(census)
    living.refresh()
    store.retract("ch01")
    commit(store, "ch02", 2, "mara")

    assert before == {"leo": "Character", "ch01/go": "Event"}
    assert kinds(census) == {"mara": "Character"}


def test_a_damaged_unit_is_gone_around(store: Store, living: LivingWorld) -> None:
    commit(store, "ch01", 1, "leo")
    census = Census(living)
    commit(store, "ch02", 2, "mara")
    damaged = store.snapshot()["ch02"].file
    damaged.write_text(damaged.read_text().replace("Mara", "Mora"))

    assert kinds(census) == {"leo": "Character", "ch01/go": "Event"}


def test_words_on_the_page_cannot_pass_for_a_class() -> None:
    forged = '<urn:nw:ch01> <https://w3id.org/narraworld/text> "\\n<urn:nw:leo> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/narraworld/Place> ." <urn:nw:graph/ch01> .\n'

    assert classes_in(forged) == {}
