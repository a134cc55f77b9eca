"""Moments as people give them become places in the telling."""

from __future__ import annotations

import pytest

from narraworld.kb.time.clock_values import ClockSettings
from narraworld.query.errors import MOMENTS, UnknownMoment
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation, Tick, horizon_of
from narraworld.rules.living.cut import Horizon, ToldStretch
from narraworld.world import World

CLOCK = ClockSettings()
MILLION = 1_000_000


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        pytest.param(Situation(), Horizon(), id="now"),
        pytest.param(
            Situation(at="ch01"), Horizon(ToldStretch("ch01", MILLION, 2 * MILLION - 1)), id="a unit"
        ),
        pytest.param(
            Situation(at="ch01 scene 2"),
            Horizon(ToldStretch("ch01", MILLION + 35, MILLION + 59)),
            id="a scene",
        ),
        pytest.param(
            Situation(at="ch01/scene-1"),
            Horizon(ToldStretch("ch01", MILLION, MILLION + 33)),
            id="a scene, as a path",
        ),
        pytest.param(Situation(at="tick:1500"), Horizon(1500), id="a tick"),
        pytest.param(Situation(at="tick:-3"), Horizon(-3), id="a tick before the first"),
        pytest.param(Situation(told="ch01"), Horizon(told=2 * MILLION - 1), id="told to the end of a unit"),
        pytest.param(
            Situation(told="ch01 scene 1"), Horizon(told=MILLION + 33), id="told to the end of a scene"
        ),
        pytest.param(Situation(at=Tick(7), told="ch02"), Horizon(7, 3 * MILLION - 1), id="both"),
    ],
)
def test_horizons(now: Scope, situation: Situation, expected: Horizon) -> None:
    assert horizon_of(now.engine, situation, CLOCK) == expected


@pytest.mark.parametrize(
    ("situation", "fix"),
    [
        pytest.param(Situation(at="ch7"), "there are two chapters; the last is ch02, Evening", id="no such unit"),
        pytest.param(Situation(told="ch01 scene 3"), "ch01 has two scenes", id="no such scene"),
        pytest.param(Situation(at="ch02 scene 2"), "ch02 has one scene", id="no scenes at all"),
        pytest.param(Situation(told="tick:12"), "the telling has no ticks: name a chapter, as in --told 2", id="the telling has no ticks"),
        pytest.param(Situation(at="²"), MOMENTS, id="no number either"),
    ],
)  # fmt: skip
def test_no_such_moment(now: Scope, situation: Situation, fix: str) -> None:
    with pytest.raises(UnknownMoment) as error:
        horizon_of(now.engine, situation, CLOCK)

    assert error.value.fix == fix


def test_scene_by_scene(orchard: World) -> None:
    """After the first scene Bo has not wondered yet."""
    assert orchard.query("doubts(Bo, P)", Situation(told="ch01 scene 1")).rows == ()
    assert orchard.query("doubts(Bo, P)", Situation(told="ch01 scene 2")).rows == (("sky.condition:rainy",),)
