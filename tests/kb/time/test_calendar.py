"""Calendars: the built-in one agrees with the standard library, an author's own does what its table says."""

from __future__ import annotations

import tomllib
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.time.calendar import Leap
from narraworld.kb.time.calendar_file import (
    GREGORIAN,
    CalendarError,
    Date,
    Length,
    calendar_from,
)

FROST = calendar_from(
    tomllib.loads("""
    hour = 50
    day = 20
    first_year = 1000
    weekdays = ["Firstday", "Seconday", "Thirdday"]
    first_weekday = "Thirdday"
    months = [{name = "Frostmoon", days = 30}, {name = "Thaw", days = 20}, {name = "Leaf Fall", days = 10}]
    leap = {every = 3, month = "Thaw", days = 2}

    [seasons]
    winter = ["Leaf Fall", "Frostmoon"]
    [eras]
    AC = 1000
    BC = {first = 999, backwards = true}
    [parts]
    noon = "10:00"
    night = "18:00-04:00"
    [units]
    sennight = "7 days"
    "great year" = "12 years"
    """)
)
YEAR_ONE = datetime(1, 1, 1)


@settings(deadline=None)
@given(st.datetimes())
def test_gregorian_agrees_with_datetime(moment: datetime) -> None:
    date = Date(moment.year, moment.month, moment.day, moment.hour, moment.minute)
    minutes = (moment - YEAR_ONE) // timedelta(minutes=1)
    assert GREGORIAN.minutes(date) == minutes
    assert GREGORIAN.date(minutes) == date
    assert GREGORIAN.weekday_of(minutes) == moment.strftime("%A")


@settings(deadline=None)
@given(st.integers(-(10**10), 10**10))
def test_an_authors_calendar_counts_there_and_back(minutes: int) -> None:
    date = FROST.date(minutes)
    assert FROST.minutes(date) == minutes
    assert FROST.date(minutes + 1) > date


def test_the_frostmoon_year() -> None:
    assert [FROST.days_in_year(year) for year in (1000, 1001, 1002)] == [60, 60, 62]
    assert FROST.minutes(Date(1000)) == 0
    assert FROST.minutes(Date(1001)) == 60 * 20 * 50
    assert FROST.date(-1) == Date(999, 3, 10, 19, 49)
    assert FROST.weekday_of(0) == "Thirdday"
    assert FROST.weekday_of(FROST.minutes_per_day) == "Firstday"
    assert dict(FROST.units)["sennight"] == Length(minutes=7000)
    assert dict(FROST.units)["great year"] == Length(months=36)
    assert [era.year(3) for era in FROST.eras] == [1002, 997]


@pytest.mark.parametrize(
    ("date", "months", "later"),
    [
        pytest.param(Date(1804, 2, 29), 12, Date(1805, 2, 28), id="the last day when the day is missing"),
        pytest.param(Date(1805, 1, 31, 9, 5), -14, Date(1803, 11, 30, 9, 5), id="backwards over new year"),
    ],
)
def test_adding_months_keeps_the_day_if_it_can(date: Date, months: int, later: Date) -> None:
    assert GREGORIAN.date(GREGORIAN.plus(GREGORIAN.minutes(date), Length(months))) == later


def test_a_world_without_weeks_has_no_weekdays() -> None:
    assert calendar_from({"weekdays": []}).weekday_of(0) is None


def test_the_usual_parts_of_the_day_stretch_with_the_day() -> None:
    long_day = calendar_from({"day": 48})
    assert {part.name: part.start for part in long_day.parts}["noon"] == 24 * 60


@pytest.mark.parametrize(
    ("date", "complaint"),
    [
        pytest.param(Date(1805, 2, 29), "February 1805 has 28 days, not 29", id="not a leap year"),
        pytest.param(Date(1805, 13), "no month 13", id="month"),
        pytest.param(Date(1805, 1, 1, 24), "no 24:00", id="hour"),
    ],
)
def test_a_date_that_is_not_there(date: Date, complaint: str) -> None:
    with pytest.raises(CalendarError, match=complaint):
        GREGORIAN.minutes(date)


MONTH = {"name": "Thaw", "days": 20}


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param({"month": [MONTH]}, "did you mean months", id="misspelt key"),
        pytest.param({"months": []}, "at least one month", id="no months"),
        pytest.param(
            {"months": [{"name": "Thaw", "days": 0}]},
            r"months\[0\].days must be a whole number",
            id="empty month",
        ),
        pytest.param({"months": [MONTH, MONTH]}, "names Thaw twice", id="same month twice"),
        pytest.param({"weekdays": ["A", "a"]}, "names a twice", id="same weekday twice"),
        pytest.param({"first_weekday": "Mondy"}, "did you mean Monday", id="misspelt weekday"),
        pytest.param({"hour": 0}, "hour must be a whole number of at least 1", id="no minutes"),
        pytest.param({"day": "24 hours"}, "day must be a whole number", id="words for a number"),
        pytest.param(
            {"months": [MONTH], "leap": {"every": 4, "month": "Thaws"}}, "did you mean Thaw", id="leap month"
        ),
        pytest.param(
            {"leap": {"every": 4, "except": 10, "month": "May"}}, "multiple of the rule", id="leap rule"
        ),
        pytest.param({"leap": {"each": 4}}, "leap.each is not part", id="leap key"),
        pytest.param({"seasons": {"spring": ["March", "May"]}}, "follow each other", id="season with a hole"),
        pytest.param(
            {"parts": {"noon": "25:00"}}, "parts.noon must be a time of day", id="part outside the day"
        ),
        pytest.param({"units": {"moon": "28 suns"}}, "units.moon must be a number of known units", id="unit"),
    ],
)
def test_a_bad_calendar_says_what_is_wrong(table: dict[str, Any], complaint: str) -> None:
    with pytest.raises(CalendarError, match=complaint):
        calendar_from(table)


def test_holidays_are_days_of_the_months() -> None:
    thaw = calendar_from(
        {
            "months": [{"name": "Frostmoon", "days": 30}, {"name": "Thaw", "days": 31}],
            "holidays": {"Longnight": "30 Frostmoon", "Carnival": "1 Thaw, 10 days"},
        }
    )
    assert [(one.name, one.month, one.day, one.days) for one in thaw.holidays] == [
        ("Longnight", 1, 30, 1),
        ("Carnival", 2, 1, 10),
    ]


@pytest.mark.parametrize("said", ["31 Frostmoon", "Frostmoon", "1 Thaw", "1 Frostmoon, some days"])
def test_a_holiday_that_is_no_day_says_so(said: str) -> None:
    with pytest.raises(CalendarError, match="Longnight"):
        calendar_from({"months": [{"name": "Frostmoon", "days": 30}], "holidays": {"Longnight": said}})


@pytest.mark.parametrize("year", [-90_000_000_000, -1, 1, 1900, 2000, 90_000_000_000, 22_500_000_000_000])
def test_a_day_is_found_again_however_far_away(year: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()
    counted = Leap.count
    monkeypatch.setattr(Leap, "count", lambda self, one: (asked.append(one), counted(self, one))[1])
    for date in (Date(year, 1, 1), Date(year, 2, 28), Date(year, 12, 31, 23, 59)):
        assert GREGORIAN.date(GREGORIAN.minutes(date)) == date
    assert len(asked) < 300  # a few guesses, not one for each year that leap days make
