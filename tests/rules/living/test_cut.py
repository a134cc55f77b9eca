"""The cut of a world at a moment: what is kept, what time it is, and that the world it was cut from stays whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.rules.engines import Engine
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Row
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.cut import FAR, Horizon, ToldStretch, cut, every_row
from narraworld.rules.living.kept_cuts import KeptCuts
from narraworld.rules.living.living_world import LivingWorld, WorldSetup

MILLION = 1_000_000


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingWorld]:
    """Ann enters, sits, and remembers how she once fell; later Ben enters."""
    first = Delta(Unit("ch01", 1, "Ann enters. Ann sits. Once she fell."))
    first.add("Character", "ann", name="Ann", quote="Ann enters")
    for name, words in {"enter": "Ann enters", "sit": "Ann sits", "fall": "she fell"}.items():
        first.add("Event", name, kind=name, agent="ann", quote=words)
    first.add("TimeRelation", event="fall", relation="before", reference="enter", quote="Once")
    first.add("Scene", "one", unit="ch01", start=0, end=11, quote="Ann enters")
    second = Delta(Unit("ch02", 2, "Ben enters. He greets Ann."))
    second.add("Character", "ben", name="Ben", quote="Ben")
    second.add("Character", "ann", name="Miss Ann", quote="Ann")
    second.add("Event", "enter", kind="enter", agent="ben", quote="Ben enters")
    second.add("Event", "greet", kind="greet", agent="ben", recipient="ann", quote="He greets Ann")
    store = Store.create(tmp_path_factory.mktemp("cut"))
    for delta in (first, second):
        store.commit(delta.unit.id, delta.graph)
    living = LivingWorld(store, WorldSetup(load_builtin()))
    living.refresh()
    yield living
    living.close()


@pytest.fixture(scope="module")
def filed(living: LivingWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingWorld]:
    """The same story in tables that lie in a file."""
    other = LivingWorld(living.store, living.frame, folder=tmp_path_factory.mktemp("filed"))
    other.refresh()
    yield other
    other.close()


def at_end_of(unit: str, order: int) -> ToldStretch:
    return ToldStretch(unit, order * MILLION, (order + 1) * MILLION - 1)


def names(engine: Engine) -> list[str]:
    return sorted(str(name) for _, _, name in every_row(engine, "named"))


@pytest.mark.parametrize(
    ("horizon", "events", "called", "now"),
    [
        pytest.param(
            Horizon(story=at_end_of("ch01", 1)), ["ch01/enter", "ch01/fall", "ch01/sit"], ["Ann"], 1_000_012_000,
            id="the end of a chapter with a flashback in it",
        ),
        pytest.param(Horizon(story=ToldStretch("ch01", MILLION, MILLION + 10)), ["ch01/enter", "ch01/fall"], ["Ann"], 1_000_000_000, id="the end of a scene"),
        pytest.param(Horizon(story=999_999_999), ["ch01/fall"], ["Ann"], 999_999_999, id="a tick"),
        pytest.param(Horizon(story=0), [], [], 0, id="before everything"),
        pytest.param(Horizon(told=MILLION + 10), ["ch01/enter"], ["Ann"], FAR, id="told to the end of a scene"),
        pytest.param(Horizon(told=2 * MILLION), ["ch01/enter", "ch01/fall", "ch01/sit", "ch02/enter"], ["Ann", "Ben"], FAR, id="told to the next chapter's first letter"),
        pytest.param(Horizon(at_end_of("ch02", 2), 2 * MILLION - 1), ["ch01/enter", "ch01/fall", "ch01/sit"], ["Ann"], 2_999_999_000, id="a moment that has not been told yet"),
        pytest.param(Horizon(), ["ch01/enter", "ch01/fall", "ch01/sit", "ch02/enter", "ch02/greet"], ["Ann", "Ben", "Miss Ann"], FAR, id="now"),
    ],
)  # fmt: skip
def test_what_is_kept(
    living: LivingWorld, horizon: Horizon, events: list[str], called: list[str], now: int
) -> None:
    engine = cut(living.engine, living.carriers, horizon, living.frame)

    assert sorted(str(event) for event, _, _ in every_row(engine, "event")) == events
    assert names(engine) == called
    assert every_row(engine, "story_now") == [(now,)]
    engine.close()


def test_the_world_it_was_cut_from_stays_whole(living: LivingWorld) -> None:
    before = {name: every_row(living.engine, name) for name in ("event", "happened", "named", "at")}

    cut(living.engine, living.carriers, Horizon(story=0), living.frame).close()

    assert {name: every_row(living.engine, name) for name in before} == before


@pytest.mark.parametrize("relation", ["switch", "lasting", "does"])
def test_switches_and_tables_are_seen_from_everywhere(living: LivingWorld, relation: str) -> None:
    engine = cut(living.engine, living.carriers, Horizon(story=0), living.frame)

    assert every_row(engine, relation) == every_row(living.engine, relation) != []
    engine.close()


# -- tables in a file: rows are copied from file to file, and the cut is kept

HORIZONS = {
    "a chapter": Horizon(story=ToldStretch("ch01", MILLION, 2 * MILLION - 1)),
    "a tick": Horizon(story=999_999_999),
    "told": Horizon(told=MILLION + 10),
    "before everything": Horizon(story=0),
}


def all_rows(engine: Engine) -> dict[str, list[Row]]:
    found = {
        one.name: every_row(engine, one.name)
        for one in engine.program.relations.values()
        if not one.on_demand
    }
    engine.close()
    return found


@pytest.mark.parametrize("horizon", HORIZONS.values(), ids=HORIZONS)
def test_rows_copied_from_file_to_file_are_those_that_are_fetched(
    living: LivingWorld, filed: LivingWorld, horizon: Horizon
) -> None:
    fetched = all_rows(cut(living.engine, living.carriers, horizon, living.frame))
    copied = all_rows(cut(filed.engine, filed.carriers, horizon, filed.frame))
    bulk = all_rows(cut(filed.engine, filed.carriers, horizon, filed.frame, name="duckdb"))

    assert copied == fetched == bulk


def test_a_cut_is_made_once(filed: LivingWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, horizon = KeptCuts(tmp_path), HORIZONS["a chapter"]
    made = all_rows(cut(filed.engine, filed.carriers, horizon, filed.frame, kept=kept))
    monkeypatch.setattr(SqliteEngine, "load", lambda *_: pytest.fail("it was made already"))

    assert all_rows(cut(filed.engine, filed.carriers, horizon, filed.frame, kept=kept)) == made


def test_another_state_or_another_moment_is_another_cut(filed: LivingWorld, tmp_path: Path) -> None:
    kept = KeptCuts(tmp_path)
    here, there = (kept.place(HORIZONS[name], filed.engine) for name in ("a chapter", "told"))
    later = LivingWorld(filed.store, replace(filed.frame, switches=frozenset()), folder=tmp_path / "later")
    later.refresh()
    after = kept.place(HORIZONS["a chapter"], later.engine)
    later.close()

    assert len({one.key for one in (here, there, after) if one}) == 3


def test_only_the_cuts_used_last_are_kept(filed: LivingWorld, tmp_path: Path) -> None:
    kept = KeptCuts(tmp_path, most=2)
    for age, (name, horizon) in enumerate(HORIZONS.items()):
        cut(filed.engine, filed.carriers, horizon, filed.frame, kept=kept).close()
        place = kept.place(horizon, filed.engine)
        assert place is not None and place.path.stat().st_size, name
        os.utime(place.path, (age, age))
    cut(filed.engine, filed.carriers, HORIZONS["told"], filed.frame, kept=kept).close()

    wanted = {
        place.path
        for name in ("told", "before everything")
        if (place := kept.place(HORIZONS[name], filed.engine))
    }
    assert set(tmp_path.glob("*.sqlite")) == wanted


def test_a_broken_file_is_made_anew(filed: LivingWorld, tmp_path: Path) -> None:
    kept, horizon = KeptCuts(tmp_path), HORIZONS["told"]
    place = kept.place(horizon, filed.engine)
    assert place is not None
    place.path.write_bytes(b"this is no database" * 100)

    assert names(cut(filed.engine, filed.carriers, horizon, filed.frame, kept=kept)) == ["Ann"]


def test_everything() -> None:
    assert Horizon().everything
    assert not Horizon(story=0).everything
    assert not Horizon(told=0).everything
