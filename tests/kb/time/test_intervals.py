"""Times held together: what cannot all be so is found, with the words that say it; what some year allows is not."""

from __future__ import annotations

import pytest

from narraworld.kb.time.calendar_file import GREGORIAN, Date, calendar_from
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.intervals.clashes import clashes, intervals
from narraworld.kb.time.intervals.constraints import DayBound, SaidTime
from narraworld.kb.time.when import When

Telling = tuple[tuple[str, str], ...]  # event, expression


def story(*told: tuple[str, str], gap: int = 100) -> list[SaidTime]:
    found = []
    for place, (event, words) in enumerate(told):
        when = understand(words)
        assert isinstance(when, When), when
        found.append(SaidTime(words, event, when, gap * place, "ch01"))
    return found


def verdicts(*told: tuple[str, str], gap: int = 100) -> list[tuple[str, str, bool]]:
    return [(one.first, one.second, one.sure) for one in clashes(story(*told, gap=gap), [], GREGORIAN)]


CONTRADICTIONS: dict[str, Telling] = {
    "weekday and day of the month": (("a", "Thursday the 12th"), ("b", "the next day, Monday the 13th")),
    "weekdays so many days apart": (("a", "on Monday"), ("b", "three days later, on Friday")),
    "two weekdays of one event": (("a", "on Monday"), ("a", "on Friday")),
    "a feast and the day after it": (("a", "on Christmas Eve"), ("b", "the next day, 27 December")),
    "an hour and minutes": (("a", "at ten past six"), ("b", "twenty minutes later, at eight")),
    "that day is the day before it": (("a", "on Monday"), ("b", "that day"), ("c", "the next day, Friday")),
    "a date that is too late": (("a", "12 March 1805"), ("b", "three days later"), ("b", "20 March 1805")),
}


@pytest.mark.parametrize("told", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_what_cannot_all_be_so_is_sure(told: Telling) -> None:
    assert verdicts(*told) == [(told[0][1], told[-1][1], True)]


POSSIBLE: dict[str, Telling] = {
    "the weekday fits": (("a", "Thursday the 12th"), ("b", "the next day, Friday the 13th")),
    "nothing says how far apart": (("a", "Thursday the 12th"), ("b", "Monday the 13th")),
    "over the end of February": (("a", "on 28 February"), ("b", "the next day, 1 March")),
    "or of a leap year": (("a", "on 28 February"), ("b", "two days later"), ("b", "1 March")),
    "the next morning in the small hours": (
        ("a", "at midnight on Monday"),
        ("b", "the next morning, Monday"),
    ),
    "about so long": (("a", "at six"), ("b", "an hour later, at ten past seven")),
    "over noon": (("a", "at eleven"), ("b", "two hours later, at one")),
    "a month may be short": (("a", "31 January"), ("b", "a month later"), ("b", "28 February")),
    "that day is the day of its own date": (
        ("a", "in May 1961"),
        ("b", "in June 1989"),
        ("b", "that day"),
    ),
    "a memory does not move the day": (
        ("a", "on Monday"),
        ("b", "two days earlier"),
        ("c", "the next day, Tuesday"),
    ),
}


@pytest.mark.parametrize("told", POSSIBLE.values(), ids=POSSIBLE)
def test_what_some_year_allows_is_no_contradiction(told: Telling) -> None:
    assert verdicts(*told) == []


LOOSE: dict[str, Telling] = {
    "the day is taken to run on": (("a", "on Monday"), ("b", "at nine"), ("c", "the next day, Friday")),
    "the moon": (("a", "under a full moon"), ("b", "two days later"), ("b", "under a new moon")),
    "months, not days": (("a", "in May 1961"), ("b", "a week later"), ("b", "in August")),
}


@pytest.mark.parametrize("told", LOOSE.values(), ids=LOOSE)
def test_what_is_taken_for_granted_or_vague_is_not_sure(told: Telling) -> None:
    assert [sure for _, _, sure in verdicts(*told)] == [False]


def test_what_is_told_far_apart_is_not_sure() -> None:
    assert verdicts(*CONTRADICTIONS["weekdays so many days apart"], gap=100_000) == [
        ("on Monday", "three days later, on Friday", False)
    ]


def test_counted_days_have_a_distance() -> None:
    told = (("a", "Day 9"), ("a", "a Monday"), ("b", "Day 12"), ("b", "a Wednesday"))
    assert verdicts(*told) == [("a Monday", "a Wednesday", True)]
    assert verdicts(*told[:3], ("b", "a Thursday")) == []


def test_an_order_that_the_dates_deny_is_a_circle() -> None:
    told = story(("fire", "12 March 1805"), ("flood", "20 March 1805"))
    flood_first = DayBound("fire", "flood", 0, ("said",), sure=True)
    assert [one.why for one in clashes(told, [flood_first], GREGORIAN)] == [
        "“12 March 1805”, “20 March 1805” do not add up"
    ]
    assert clashes(told, [DayBound("flood", "fire", 0, ("said",), sure=True)], GREGORIAN) == []


def test_every_event_that_a_date_reaches_has_its_days() -> None:
    told = story(("a", "12 March 1805"), ("b", "a few days later"), ("c", "the next morning"))
    day = GREGORIAN.minutes(Date(1805, 3, 12)) // GREGORIAN.minutes_per_day
    assert intervals(told, [], GREGORIAN) == {
        "a": (day, day),
        "b": (day + 2, day + 5),
        "c": (day + 3, day + 6),
    }


def test_another_calendar_has_other_weeks() -> None:
    two = calendar_from({"months": [{"name": "Thaw", "days": 30}], "weekdays": ["Workday", "Restday"]})
    told = [("a", "on Workday"), ("b", "two days later, on Restday")]
    said = [
        SaidTime(words, event, understand(words, two), place, "ch01")
        for place, (event, words) in enumerate(told)
    ]  # type: ignore[arg-type]
    assert [one.sure for one in clashes(said, [], two)] == [True]
