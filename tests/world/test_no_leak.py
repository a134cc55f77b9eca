"""What is told later, or happens later, changes nothing for whoever stands earlier.

The cut is made before anything is derived, so it is enough to look at everything: each relation, base or derived, must be
the same with the later chapter as without it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from random_stories import Chapter, chapters, delta, everything

from narraworld.kb.delta import Delta
from narraworld.kb.journal.store import Store
from narraworld.kb.units import Unit
from narraworld.query.errors import UnknownName
from narraworld.query.situation import Situation, horizon_of
from narraworld.rules.language.ir import Row
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.cut import cut
from narraworld.rules.living.living_world import LivingWorld, WorldSetup
from narraworld.world import World

SAID_BY_THE_CALLER = {"switch", "story_now", "told_now"}
ECONOMY = settings(
    deadline=None,
    max_examples=2,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def living() -> Iterator[LivingWorld]:
    with tempfile.TemporaryDirectory() as folder:
        living = LivingWorld(Store.create(folder), WorldSetup(load_builtin()))
        yield living
        living.close()


def seen(living: LivingWorld, situation: Situation) -> dict[str, frozenset[Row]]:
    living.refresh()
    horizon = horizon_of(living.engine, situation, living.frame.clock)
    engine = cut(living.engine, living.carriers, horizon, living.frame)
    try:
        return {name: rows for name, rows in everything(engine).items() if name not in SAID_BY_THE_CALLER}
    finally:
        engine.close()


def with_and_without(
    living: LivingWorld, before: list[Chapter], later: Chapter, situation: Situation
) -> tuple[dict[str, frozenset[Row]], dict[str, frozenset[Row]]]:
    with tempfile.TemporaryDirectory() as folder:
        living.store = Store.create(folder)
        for chapter in before:
            living.store.commit(chapter.unit, delta(chapter).graph)
        living.rebuild()
        without = seen(living, situation)
        living.store.commit(later.unit, delta(later).graph)
        return seen(living, situation), without


@settings(ECONOMY)
@given(first=chapters("ch01"), second=chapters("ch02"), later=chapters("ch03"))
def test_what_is_told_later(living: LivingWorld, first: Chapter, second: Chapter, later: Chapter) -> None:
    """Whatever it says: also of what was told before, of when that happened, and of who is who."""
    found, expected = with_and_without(living, [first, second], later, Situation(told="ch02"))

    assert found == expected


@settings(ECONOMY)
@given(first=chapters("ch01"), second=chapters("ch02"), later=chapters("ch03"))
def test_what_happens_later(living: LivingWorld, first: Chapter, second: Chapter, later: Chapter) -> None:
    """A chapter that happens later and says nothing of when earlier things happened."""
    before = [first.speaking_only_of("ch01", "ch02"), second.speaking_only_of("ch01", "ch02")]
    later = later.speaking_only_of("ch03").without("TimeRelation", "TimeAnchor")
    found, expected = with_and_without(living, before, later, Situation(at="ch02"))

    assert found == expected


# -- told by hand

CAST = {"leo": "Character", "box": "Object", "cup": "Object", "shelf": "Object"}


def chapter(number: int, text: str, anchor: str | None = None, cast: tuple[str, ...] = tuple(CAST)) -> Delta:
    made = Delta(Unit(f"ch{number:02}", number, text, time_anchor=anchor))
    for entity in cast:
        made.add(CAST[entity], entity, name=entity.title())
    return made


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The cup was put in the box and then on the shelf."""
    first = chapter(1, "Leo put the cup in the box. Leo put it on the shelf.")
    for name, place, words in [
        ("box-it", "box", "put the cup in the box"),
        ("shelve-it", "shelf", "put it on the shelf"),
    ]:
        first.add("Event", name, kind="put", agent="leo", patient="cup", quote=words)
        first.add("State", proposition=f"cup.location.{place}", at=name, quote=words)
    with World.open(tmp_path, create=True) as world:
        assert world.commit(first).refusals == ()
        yield world


def where(world: World, situation: Situation) -> list[str]:
    return [fact.proposition for fact in world.views(situation).facts]


def test_a_later_word_on_the_order_of_things(world: World) -> None:
    """ "It was on the shelf before it went into the box": who has read so far sees it in the box, who has not, does not."""
    second = chapter(2, "For it was on the shelf before it went into the box.")
    second.add(
        "TimeRelation", event="ch01/shelve-it", relation="before", reference="ch01/box-it", quote="before"
    )
    world.commit(second)

    assert where(world, Situation()) == ["cup.location.box"]
    assert where(world, Situation(told="ch01", at="ch01")) == ["cup.location.shelf"]
    assert world.query("earlier(E, L, R)", Situation(told="ch01", at="ch01")).rows == ()


def test_a_later_date(world: World) -> None:
    """Once ch02 says what year it is, everything has a date; for who stands in ch01 nothing has."""
    second = chapter(2, "It was the morning of 3 May 1850. Leo woke.", anchor="3 May 1850")
    second.add("Event", "wake", kind="wake", agent="leo", quote="Leo woke")
    world.commit(second)

    assert world.query('dated("ch02/wake", M)').rows != ()
    assert world.query("dated(X, M)", Situation(told="ch01")).rows == ()


def test_a_flashback_is_told_late_and_happened_early(world: World) -> None:
    """Ch02 tells of a theft long before: it belongs to the story time of ch01, and not to the telling so far."""
    second = chapter(2, "Long ago Leo had stolen the cup.")
    second.add("Event", "theft", kind="steal", agent="leo", patient="cup", quote="Leo had stolen the cup")
    second.add("TimeRelation", event="theft", relation="before", reference="ch01/box-it", quote="Long ago")
    world.commit(second)

    def events(situation: Situation) -> list[str]:
        return [event.event for event in world.views(situation).events]

    assert events(Situation(at="ch01")) == ["ch02/theft", "ch01/box-it", "ch01/shelve-it"]
    assert events(Situation(told="ch01")) == ["ch01/box-it", "ch01/shelve-it"]


@pytest.mark.parametrize("how", ["introduced again", "named in a record"])
def test_an_alias_of_ch09_is_unheard_of_in_ch05(world: World, how: str) -> None:
    fifth = chapter(5, "Leo slept.")
    fifth.add("Event", "sleep", kind="sleep", agent="leo", quote="Leo slept")
    ninth = chapter(9, "They called Leo the Fox. The Fox ran.", cast=())
    if how == "introduced again":
        ninth.add("Character", "leo", name="the Fox", quote="the Fox")
    else:
        ninth.add("Naming", entity="leo", name="the Fox", quote="They called Leo the Fox")
    ninth.add("Event", "run", kind="run", agent="leo", quote="The Fox ran")
    world.commit(fifth)
    assert world.commit(ninth).refusals == ()

    assert world.scope().resolver.symbol("the fox") == "leo"
    for situation in (Situation(told="ch05"), Situation(at="ch05")):
        assert world.query('named(R, "leo", Name)', situation).words == (("Leo", "Leo"),)
        with pytest.raises(UnknownName):
            world.scope(situation).resolver.symbol("the fox")


def test_the_end_of_the_last_chapter_is_now(stories: dict[str, World]) -> None:
    assert stories["key"].views(Situation(told="ch03")) == stories["key"].views()
