"""The cut of a world at a moment: what is kept, what time it is, and that the world it was cut from stays whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.rules.engines import Engine
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.cut import FAR, Horizon, ToldStretch, cut, every_row
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


def test_switches_are_seen_from_everywhere(living: LivingWorld) -> None:
    engine = cut(living.engine, living.carriers, Horizon(story=0), living.frame)

    assert every_row(engine, "switch") == every_row(living.engine, "switch") != []
    engine.close()


def test_everything() -> None:
    assert Horizon().everything
    assert not Horizon(story=0).everything
    assert not Horizon(told=0).everything
