"""`search`: words, phrases, wild cards and fields, over what the situation may see and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.search.query_language import BadSearch
from narraworld.kb.units import Unit
from narraworld.query.situation import Situation
from narraworld.world import World

MORNING = "Ida hid the lamps in the cellar. “Nobody looked,” said Tom. The cellar was damp."
EVENING = "Tom found a lamp. Ida had lied about the cellar."


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World.open(tmp_path_factory.mktemp("search"), create=True)
    made = Delta(Unit("ch01", 1, MORNING, title="Morning"))
    for who in ("ida", "tom"):
        made.add("Character", who, name=who.capitalize())
    made.add("Place", "cellar", name="cellar")
    made.add(
        "Event", "hide", kind="hide", agent="ida", place="cellar", quote="Ida hid the lamps in the cellar"
    )
    made.add("Speech", "say", kind="say", speaker="tom", quote="“Nobody looked,” said Tom")
    world.commit(made)
    later = Delta(Unit("ch02", 2, EVENING, title="Evening"))
    later.add("Event", "find", kind="find", agent="tom", quote="Tom found a lamp")
    world.commit(later)
    return world


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("lamp", "Tom found a lamp."),
        ('"looked said Tom"', "“Nobody looked,” said Tom."),
        ("speaker:tom", "“Nobody looked,” said Tom."),
        ("who:ida", "Ida hid the lamps in the cellar."),
        ("place:cellar", "Ida hid the lamps in the cellar."),
        ("kind:speech", "“Nobody looked,” said Tom."),
        ("chapter:evening lied", "Ida had lied about the cellar."),
        ("cellr~1 AND damp", "The cellar was damp."),
        ("dam*", "The cellar was damp."),
    ],
)
def test_a_query_finds(world: World, query: str, first: str) -> None:
    assert world.search(query)[0].span.quote == first


def test_nothing_outside_the_situation_is_found_or_moves_a_score(world: World, tmp_path: Path) -> None:
    told = Situation(told="ch01")
    assert [one.span.unit for one in world.search("cellar", told)] == ["ch01", "ch01"]
    with World.open(tmp_path, create=True) as alone:
        world.export(tmp_path / "all.nq")
        alone.import_(tmp_path / "all.nq")
        alone.retract("ch02")
        before = [(one.span, one.score) for one in alone.search("cellar lamp", told)]
    assert [(one.span, one.score) for one in world.search("cellar lamp", told)] == before


def test_a_field_that_there_is_not_is_refused(world: World) -> None:
    with pytest.raises(BadSearch, match="no field 'mood'"):
        world.search("mood:dark")
