"""Scenes into plotlines: every connection rests on two scenes, or no summary is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import Scripted, of_class, records

from narraworld.extract.model.consolidation import (
    Consolidated,
    ConsolidationSettings,
    consolidate,
    plotline_unit,
)
from narraworld.extract.model.port import ModelFailed
from narraworld.extract.records import parse_records
from narraworld.kb.plotlines import Candidate, SceneCard, SceneLine
from narraworld.ontology.validate import sift
from narraworld.world import World

DAYS = ["Wanda lost the ring in the well.", "Wanda drained the well.", "Wanda found the ring."]
KNOWN = {f"day{n}/scene-1": "Scene" for n in (1, 2, 3)} | {f"day{n}/@0-5": "Span" for n in (1, 2, 3)} | {
    "wanda": "Character", "ring": "Object", "finding-the-ring": "Development",
}  # fmt: skip


def card(day: int) -> SceneCard:
    said = DAYS[day - 1]
    return SceneCard(f"day{day}/scene-1", (SceneLine(f"day{day}/event-1", f"day{day}/@0-5", said),))


RING = Candidate(
    "finding-the-ring",
    "Wanda wants her ring back",
    (card(1), card(2), card(3)),
    ("wanda",),
    "finding-the-ring",
)


def plotline(**changes: Any) -> dict[str, Any]:
    connections = [
        {"relation": "progression", "earlier": [1], "later": [2]},
        {"relation": "resolution", "earlier": [2], "later": [3]},
    ]
    summary = "Wanda loses the ring in the well, drains it, and has the ring again."
    good = {
        "candidate": 1,
        "is_a": "goal",
        "connections": connections,
        "summary": summary,
        "uncertainty": "low",
    }
    return good | changes


def link(*earlier: int, to: tuple[int, ...]) -> dict[str, Any]:
    return {"relation": "cause", "earlier": list(earlier), "later": list(to)}


def told(*plotlines: dict[str, Any], candidates: tuple[Candidate, ...] = (RING,)) -> Consolidated:
    asks = Scripted(plotlines={"plotlines": list(plotlines)})
    return asyncio.run(consolidate(candidates, asks, plotline_unit(3)))


def test_a_plotline_with_two_scenes_to_every_connection_is_kept() -> None:
    done = told(plotline())
    assert done.plotlines == ("plotlines/plotline-1",)
    assert (done.refusals, done.plots, done.questions) == ((), (), 1)
    record = records(done.delta)["plotlines/plotline-1"]
    assert record == {
        "a": ["Plotline"], "kind": ["goal"], "uncertainty": ["low"], "authority": ["modelInference"],
        "scene": ["day1/scene-1", "day2/scene-1", "day3/scene-1"], "participant": ["wanda"],
        "development": ["finding-the-ring"], "evidence": ["day1/@0-5", "day2/@0-5", "day3/@0-5"],
        "summary": ["Wanda loses the ring in the well, drains it, and has the ring again."],
    }  # fmt: skip
    assert sift(done.delta.graph, KNOWN)[1] == []


def test_how_scenes_lead_to_later_ones_is_kept_once_with_its_words() -> None:
    again = Candidate("the-well", "Wanda and the well", RING.scenes, ("wanda",), "finding-the-ring")
    other = plotline(candidate=2, connections=[{"relation": "progression", "earlier": [4], "later": [5]}])
    done = told(plotline(), other, candidates=(RING, again))
    kept = [one for one in records(done.delta).values() if one["a"] == ["Connection"]]
    assert kept == [
        {
            "a": ["Connection"], "authority": ["modelInference"], "relation": [relation],
            "scene": [f"day{day}/scene-1"], "later": [f"day{day + 1}/scene-1"],
            "evidence": [f"day{day}/@0-5", f"day{day + 1}/@0-5"],
        }
        for day, relation in ((1, "progression"), (2, "resolution"))
    ]  # fmt: skip
    assert sift(done.delta.graph, KNOWN)[1] == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"candidate": 2}, "there is no candidate 2"),
        ({"connections": []}, "no connection is given"),
        ({"connections": [link(1, to=())]}, "a connection rests on lines of one earlier and one later scene"),
        (
            {"connections": [link(1, 2, to=(3,))]},
            "a connection rests on lines of one earlier and one later scene",
        ),
        ({"connections": [link(1, to=(9,))]}, "line 9 is none of this candidate"),
        ({"connections": [link(2, to=(1,))]}, "a connection leads from one scene to a later one"),
        ({"connections": [link(1, to=(1,))]}, "a connection joins two happenings, not one with itself"),
        (
            {"summary": "Wanda asks Tobias for 3 buckets."},
            "the summary has 3, Tobias, which the lines have not",
        ),
        ({"summary": " "}, "the summary is missing, too long, or holds control characters"),
    ],
)
def test_a_failed_check_keeps_no_summary(changes: dict[str, Any], why: str) -> None:
    done = told(plotline(**changes))
    assert [one.message for one in done.refusals] == [why]
    assert (done.plotlines, list(records(done.delta))) == ((), ["plotlines"])


def test_connections_must_join_all_scenes() -> None:
    fourth = SceneCard("day4/scene-1", (SceneLine("day4/event-1", "day4/@0-5", "Wanda wore the ring."),))
    wide = Candidate("ring", "the ring", (*RING.scenes, fourth))
    done = told(plotline(connections=[link(1, to=(2,)), link(3, to=(4,))]), candidates=(wide,))
    assert [one.message for one in done.refusals] == ["the connections do not join all the scenes"]


def test_a_candidate_has_one_plotline_and_a_single_scene_none() -> None:
    done = told(plotline(), plotline())
    assert [one.message for one in done.refusals] == ["the candidate has its plotline"]
    asks = Scripted()
    alone = Candidate("ring", "the ring", (card(1),))
    assert asyncio.run(consolidate([alone], asks, plotline_unit(3))).questions == 0
    assert asks.heard == []


def test_plotlines_that_meet_make_a_plot_and_others_do_not() -> None:
    scenes, apart = RING.scenes, Candidate("well", "the well", RING.scenes, ("tobias",))
    well = Candidate("well", "the well", scenes, ("wanda",))
    second = plotline(candidate=2, connections=[link(4, to=(5,))], summary="Wanda drains the well.")
    together = told(plotline(), second, candidates=(RING, well))
    assert together.plots == ("plotlines/plot-1",)
    plot = records(together.delta)["plotlines/plot-1"]
    assert plot["plotline"] == ["plotlines/plotline-1", "plotlines/plotline-2"]
    assert plot["summary"][0].endswith("has the ring again. Wanda drains the well.")
    assert told(plotline(), second, candidates=(RING, apart)).plots == ()


def test_what_was_accepted_before_a_failure_is_kept_and_the_rest_waits() -> None:
    other = Candidate("well", "the well", RING.scenes)
    asks = Scripted(plotlines=[{"plotlines": [plotline()]}, ModelFailed("no answer")])
    small = ConsolidationSettings(lines_per_call=3, most_calls=2)
    third = Candidate("rope", "the rope", RING.scenes)
    done = asyncio.run(consolidate([RING, other, third], asks, plotline_unit(3), small))
    assert (done.plotlines, done.why, done.waiting) == (
        ("plotlines/plotline-1",),
        "no answer",
        ("well", "rope"),
    )


def test_plotlines_join_the_world_and_can_be_taken_back(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        for day, said in enumerate(DAYS, 1):
            world.commit(parse_records(_day(day, said), where="test"))
        done = told(plotline(), candidates=(RING,))
        assert world.commit(done.delta).refusals == ()
        assert sorted(row[0] for row in world.query('plotline_scene("plotlines/plotline-1", S)').rows) == [
            "day1/scene-1", "day2/scene-1", "day3/scene-1",
        ]  # fmt: skip
        assert len(of_class(done.delta, "Plotline")) == 1
        assert world.query('in_scene("plotlines/plotline-1", S)').rows == (), (
            "it quotes scenes, it is not told in one"
        )
        world.retract("plotlines")
        assert world.query("plotline_of(L, K)").rows == ()
        assert len(world.query("happened(E)").rows) == 3


def _day(day: int, said: str) -> str:
    newcomer = '[[character]]\nid = "wanda"\nname = "Wanda"\nquote = "Wanda"\n' if day == 1 else ""
    thread = (
        '[[development]]\nid = "finding-the-ring"\nkind = "goal"\ntitle = "the ring"\nquote = "Wanda"\n'
        if day == 1
        else ""
    )
    return (
        f'[unit]\nid = "day{day}"\norder = {day}\ntext = "{said}"\n{newcomer}{thread}'
        f'[[event]]\nid = "event-1"\nkind = "act"\nagent = "wanda"\nquote = "Wanda"\n'
        f'[[scene]]\nid = "scene-1"\nunit = "day{day}"\nstart = 0\nend = {len(said)}\nquote = "Wanda"\n'
    )


LINES = st.lists(st.integers(-1, 5), max_size=3)
LINKS = st.lists(
    st.fixed_dictionaries({"relation": st.just("cause"), "earlier": LINES, "later": LINES}), max_size=4
)
ODD = st.fixed_dictionaries(
    {
        "candidate": st.integers(-1, 3),
        "is_a": st.sampled_from(["goal", "mystery"]),
        "connections": LINKS,
        "summary": st.sampled_from(["Wanda drains the well.", "", "Ada\x00"]) | st.text(max_size=20),
    }
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ODD, max_size=4))
def test_nonsense_makes_no_plotline_that_shacl_would_refuse(plotlines: list[dict[str, Any]]) -> None:
    done = told(*plotlines)
    assert sift(done.delta.graph, KNOWN)[1] == []
    assert len(done.plotlines) + len(done.refusals) == len(plotlines)
    for node in done.plotlines:
        assert len(records(done.delta)[node]["scene"]) >= 2
