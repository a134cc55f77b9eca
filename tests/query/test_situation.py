"""Moments as people give them become places in the telling."""

from __future__ import annotations

import pytest

from narraworld.kb.time.clock_values import ClockSettings
from narraworld.query.errors import UnknownMoment
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation, horizon_of
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
        pytest.param(Situation(at="1500"), Horizon(1500), id="a tick"),
        pytest.param(Situation(at="-3"), Horizon(-3), id="a tick before the first"),
        pytest.param(Situation(told="ch01"), Horizon(told=2 * MILLION - 1), id="told to the end of a unit"),
        pytest.param(
            Situation(told="ch01 scene 1"), Horizon(told=MILLION + 33), id="told to the end of a scene"
        ),
        pytest.param(Situation(at="7", told="ch02"), Horizon(7, 3 * MILLION - 1), id="both"),
    ],
)
def test_horizons(now: Scope, situation: Situation, expected: Horizon) -> None:
    assert horizon_of(now.engine, situation, CLOCK) == expected


@pytest.mark.parametrize(
    ("situation", "fix"),
    [
        pytest.param(Situation(at="ch1"), "did you mean ch01 or ch02?", id="no such unit"),
        pytest.param(Situation(told="ch01 scene 3"), "did you mean ch01 scene 1 or ch01 scene 2?", id="no such scene"),
        pytest.param(Situation(at="ch02 scene 1"), "name a unit as in ch02, a scene as in ch02/scene-1, or a tick", id="no scenes at all"),
        pytest.param(Situation(told="12"), "name a unit as in ch02, a scene as in ch02/scene-1, or a tick", id="the telling has no ticks"),
        pytest.param(Situation(at="²"), "name a unit as in ch02, a scene as in ch02/scene-1, or a tick", id="no number either"),
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
