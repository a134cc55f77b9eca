"""What the next reader is told, and what could be a plotline: bounded, in order, and nothing that did not happen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.roster import Prior
from narraworld.kb.units import Unit
from narraworld.reading.plotline_candidates import CandidateBounds, candidates_of
from narraworld.reading.prior import PriorSettings, prior_of, roster_of
from narraworld.rules.engines import Engine
from narraworld.world import World

DAYS = 4


def day(number: int) -> Delta:
    """Ann, who wants the letter read, carries it one house further; on every day she also plans to burn it."""
    text = f"Ann carried the letter to house {number}. She would burn it. Bo slept."
    made = Delta(Unit(f"day{number}", number, text))
    if number == 1:
        made.add("Character", "ann", name="Ann", quote="Ann")
        made.add("Character", "bo", name="Bo", quote="Bo")
        made.add("Object", "letter", name="letter", quote="the letter")
        made.add(
            "Development",
            "reading",
            kind="goal",
            title="The letter is to be read.",
            holder="ann",
            quote="Ann",
        )
    made.add("Place", f"house-{number}", name=f"house {number}", quote=f"house {number}")
    carried = f"Ann carried the letter to house {number}"
    made.add(
        "Event",
        "carry",
        kind="carry",
        agent="ann",
        patient="letter",
        destination=f"house-{number}",
        quote=carried,
    )
    made.add(
        "Event",
        "burn",
        kind="burn",
        realis="future",
        agent="ann",
        patient="letter",
        quote="She would burn it",
    )
    made.add("Event", "sleep", kind="sleep", experiencer="bo", quote="Bo slept")
    made.add("State", proposition=f"letter.location.house-{number}", at="carry", quote=carried)
    made.add("Scene", "scene-1", unit=f"day{number}", start=0, end=len(text), quote=carried)
    if number < DAYS:
        made.add(
            "Step",
            development="reading",
            status="opened" if number == 1 else "advanced",
            at="carry",
            quote=carried,
        )
    return made


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with World.open(tmp_path_factory.mktemp("letter"), create=True) as world:
        for number in range(1, DAYS + 1):
            assert world.commit(day(number)).refusals == ()
        yield world.scope().engine


def test_developments_come_first_and_scenes_in_the_order_of_the_telling(engine: Engine) -> None:
    thread, place = candidates_of(engine)
    assert (thread.carrier, thread.title, thread.development) == (
        "reading",
        "The letter is to be read. (goal)",
        "reading",
    )
    assert (place.carrier, place.title, place.development) == ("letter.location", "letter's location", None)
    assert [card.id for card in place.scenes] == [f"day{n}/scene-1" for n in range(1, DAYS + 1)]
    assert thread.participants == place.participants == ("ann", "bo")


def test_lines_tell_what_moves_it_and_nothing_that_is_only_planned(engine: Engine) -> None:
    thread, place = candidates_of(engine)
    quote = "(“Ann carried the letter to house 2”)"
    carry = f"carry: agent Ann, patient letter, destination house 2 {quote}"
    assert {line.words for line in thread.scenes[1].lines} == {
        carry,
        f"The letter is to be read.: advanced {quote}",
    }
    assert {line.words for line in place.scenes[1].lines} == {carry, f"letter in house 2 {quote}"}


def test_candidates_scenes_and_lines_are_bounded(engine: Engine) -> None:
    [only] = candidates_of(engine, CandidateBounds(candidates=1, scenes=2))
    assert [card.id for card in only.scenes] == ["day2/scene-1", "day3/scene-1"]


def test_the_next_reader_is_told_the_latest_facts_and_the_open_threads(engine: Engine) -> None:
    roster = roster_of(engine)
    prior = prior_of(engine, roster, "Bo has the letter.")
    assert [(one.id, one.words) for one in prior.facts][-1] == (
        "letter.location.house-4",
        "letter location: house 4",
    )
    assert [(one.id, one.kind, one.status) for one in prior.threads] == [("reading", "goal", "advanced")]
    assert prior_of(engine, roster, "", PriorSettings(facts=0, threads=0)) == Prior()


def test_a_unit_read_again_is_told_nothing_that_only_it_said(engine: Engine) -> None:
    everybody = {"ann", "bo", "letter", "house-1", "house-2", "house-3", "house-4"}
    assert {one.id for one in roster_of(engine, but="day5").known} == everybody
    assert {one.id for one in roster_of(engine, but="day2").known} == everybody - {"house-2"}
