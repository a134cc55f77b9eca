"""A moment is given as people say it, and the answer says how it was read: the table of the front door, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.extract.sources import Places, Run
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.errors import MOMENTS, AmbiguousMoment, QueryError, UnknownMoment
from narraworld.query.moments import MomentText, Tick, moment_of
from narraworld.query.situation import Situation
from narraworld.world import World

TITLES = {"01": "The Mill", "02": "The Ferry", "03": "The Storm", "04": "The Return"}
FERRY = "chapter 02, The Ferry"


def told(folder: Path, titles: dict[str, str | None]) -> World:
    """A story whose chapters have these ids and titles; one sentence each."""
    world = World.open(folder, create=True)
    for order, (unit, title) in enumerate(titles.items(), 1):
        source_map = Places((f"chapters/{unit}.md",), (Run(0, 1, 1, 99),)).to_text()
        delta = Delta(Unit(unit, order, f"Leo waited in {order}.", title, source_map=source_map))
        delta.add("Character", "leo", name="Leo Marsh", quote="Leo")
        delta.add("Event", "wait", kind="wait", agent="leo", quote=f"Leo waited in {order}")
        assert world.commit(delta).refusals == ()
    return world


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with told(tmp_path_factory.mktemp("ferry"), dict(TITLES)) as world:
        yield world


@pytest.mark.parametrize(
    ("text", "meant", "said"),
    [
        pytest.param("03", "03", "", id="an id"),
        pytest.param("2", "02", FERRY, id="a number"),
        pytest.param(2, "02", FERRY, id="a number from Python"),
        pytest.param("02", "02", "", id="a number as the id has it"),
        pytest.param("ch02", "02", FERRY, id="ch02"),
        pytest.param("ch2", "02", FERRY, id="ch2"),
        pytest.param("ch. 2", "02", FERRY, id="ch. 2"),
        pytest.param("chapter 2", "02", FERRY, id="chapter 2"),
        pytest.param("Chapter Two", "02", FERRY, id="in words"),
        pytest.param("the second chapter", "02", FERRY, id="counted"),
        pytest.param("II", "02", FERRY, id="in Roman numerals"),
        pytest.param("chapter iv", "04", "chapter 04, The Return", id="in small ones"),
        pytest.param("The Ferry", "02", FERRY, id="a title"),
        pytest.param("the ferry", "02", FERRY, id="in small letters"),
        pytest.param("“The Ferry!”", "02", FERRY, id="with other marks"),
        pytest.param("02.md", "02", FERRY, id="a file"),
        pytest.param("chapters/02.MD", "02", FERRY, id="a file with its folder"),
        pytest.param("Ferry", "02", FERRY, id="a word of one title"),
        pytest.param("The Fe", "02", FERRY, id="the beginning of one title"),
        pytest.param("02 scene 1", "02", f"the whole of {FERRY}, which has one scene", id="the one scene"),
        pytest.param("02/scene-1", "02", f"the whole of {FERRY}, which has one scene", id="as a path"),
        pytest.param("The Ferry, sc. 1", "02", f"the whole of {FERRY}, which has one scene", id="of a title"),
        pytest.param("tick:6", "tick:6", "", id="a tick"),
        pytest.param("tick:-6", "tick:-6", "", id="a tick before the first"),
        pytest.param(Tick(6), "tick:6", "", id="a tick from Python"),
        pytest.param("start", "start", "", id="the beginning"),
        pytest.param("end", "now", "", id="the end"),
        pytest.param("now", "now", "", id="now"),
    ],
)
def test_a_moment(ferry: World, text: MomentText, meant: str, said: str) -> None:
    moment = moment_of(ferry.scope().engine, text)

    assert (moment.id, moment.said) == (meant, said)


@pytest.mark.parametrize(
    ("titles", "text", "meant", "said"),
    [
        pytest.param({"01-mill": None, "02-fog": None}, "02", "02-fog", "chapter 02-fog", id="the number of an id"),
        pytest.param({"01-mill": None, "02-fog": None}, "fog", "02-fog", "chapter 02-fog", id="a word of an id"),
        pytest.param({"01-mill": None, "02-fog": None}, "02-f", "02-fog", "chapter 02-fog", id="the beginning of an id"),
        pytest.param({"mill": "I. The Mill", "fog": "II. Fog"}, "2", "fog", "fog, II. Fog", id="the number of a title"),
        pytest.param({"mill": None, "fog": None}, "2", "fog", "fog", id="the second, where nothing is numbered"),
        pytest.param(
            {"ch00": "Before", "ch01": "Mill", "ch02": "Fog"}, "1", "ch01",
            "ch01, Mill, by its number; chapter 1 of the telling is ch00", id="the name wins over the place",
        ),
    ],
)  # fmt: skip
def test_other_names(tmp_path: Path, titles: dict[str, str | None], text: str, meant: str, said: str) -> None:
    with told(tmp_path, titles) as world:
        moment = world.moment(text)

    assert (moment.id, moment.said) == (meant, said)


@pytest.mark.parametrize(
    ("text", "error", "fix"),
    [
        pytest.param("9", UnknownMoment, "there are four chapters; the last is 04, The Return", id="no such number"),
        pytest.param("02 scene 2", UnknownMoment, "02 has one scene", id="no such scene"),
        pytest.param("The Fery", UnknownMoment, "did you mean The Ferry or The Return or The Storm?", id="a slip"),
        pytest.param("-99", UnknownMoment, MOMENTS, id="a bare number is no tick"),
        pytest.param("The", AmbiguousMoment, "say which: 01 or 02 or 03 or 04", id="the beginning of all"),
        pytest.param("", UnknownMoment, MOMENTS, id="nothing"),
    ],
)  # fmt: skip
def test_no_such_moment(ferry: World, text: str, error: type[QueryError], fix: str) -> None:
    with pytest.raises(error) as raised:
        ferry.moment(text)

    assert raised.value.fix == fix


def test_two_chapters_with_one_title(tmp_path: Path) -> None:
    with (
        told(tmp_path, {"03": "Home", "07": "Away", "11": "Home"}) as world,
        pytest.raises(AmbiguousMoment, match="'Home' is the title of 03 and of 11") as raised,
    ):
        world.moment("Home")

    assert raised.value.fix == "say which: 03 or 11"


@pytest.mark.parametrize(
    ("situation", "happened"),
    [
        pytest.param(Situation(at="03"), 3, id="at 03"),
        pytest.param(Situation(at="2"), 2, id="at 2"),
        pytest.param(Situation(at=2), 2, id="at 2, from Python"),
        pytest.param(Situation(told="03"), 3, id="told 03"),
        pytest.param(Situation(told="the storm"), 3, id="told by title"),
        pytest.param(Situation(at="start"), 0, id="before anything"),
        pytest.param(Situation(told="start"), 0, id="before a word"),
        pytest.param(Situation(at="end", told="now"), 4, id="after everything"),
        pytest.param(Situation(at="tick:0"), 0, id="at a tick before the first"),
    ],
)
def test_what_has_happened_by_then(ferry: World, situation: Situation, happened: int) -> None:
    assert len(ferry.query("happened(E)", situation).rows) == happened


def test_an_answer_says_how_a_moment_was_read(ferry: World) -> None:
    situation = Situation(at="2")

    answers = (
        ferry.views(situation), ferry.knows(situation), ferry.preview(situation), ferry.query("happened(E)", situation),
        ferry.why("happened(E)", situation), ferry.ask("Who waited?", situation), ferry.context("Leo waits.", situation),
    )  # fmt: skip

    assert {str(how) for answer in answers for how in answer.read_as} == {f"2 was read as {FERRY}"}
    assert all(len(answer.read_as) == 1 for answer in answers)
    assert ferry.views(Situation(at="02")).read_as == ()
