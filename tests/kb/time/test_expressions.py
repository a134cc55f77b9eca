"""Time expressions: what each says, and where it falls from a given moment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.time.calendar_file import GREGORIAN, Calendar, Date, calendar_from
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.when import CalendarMoment, Unplaced, place

FROST = calendar_from(
    {
        "months": [
            {"name": name, "days": 30}
            for name in ("Frostmoon", "Thaw", "Seedmoon", "High Sun", "Reaping", "Leaf Fall")
        ],
        "weekdays": ["Firstday", "Seconday", "Thirdday", "Fourthday", "Restday"],
        "seasons": {"winter": ["Leaf Fall", "Frostmoon"], "summer": ["High Sun"]},
        "units": {"sennight": "7 days", "moon": "28 days"},
        "eras": {"AC": 1, "Second Age": 1000},
    }
)
TUESDAY = Date(1805, 3, 12, 15)  # in the Gregorian calendar
THAW = Date(1204, 2, 10, 15)  # in the Frostmoon calendar


def moment(
    words: str, calendar: Calendar, reference: Date, *, flashback: bool = False
) -> CalendarMoment | Unplaced:
    when = understand(words, calendar)
    if isinstance(when, Unplaced):
        return when
    return place(when, calendar.minutes(reference), calendar, flashback=flashback)


def placed(words: str, calendar: Calendar, reference: Date, *, flashback: bool = False) -> tuple[Date, bool]:
    found = moment(words, calendar, reference, flashback=flashback)
    assert isinstance(found, CalendarMoment), found
    assert found.earliest <= found.minutes <= found.latest
    return calendar.date(found.minutes), found.certain


CERTAIN = {
    "three days later": Date(1805, 3, 15, 15),
    "two weeks earlier": Date(1805, 2, 26, 15),
    "two weeks before": Date(1805, 2, 26, 15),
    "two weeks ago": Date(1805, 2, 26, 15),
    "after a week": Date(1805, 3, 19, 15),
    "in three days": Date(1805, 3, 15, 15),
    "an hour later": Date(1805, 3, 12, 16),
    "half an hour later": Date(1805, 3, 12, 15, 30),
    "an hour and a half later": Date(1805, 3, 12, 16, 30),
    "two and a half hours later": Date(1805, 3, 12, 17, 30),
    "a year and three days later": Date(1806, 3, 15, 15),
    "a year and a half later": Date(1806, 9, 12, 15),
    "a fortnight later": Date(1805, 3, 26, 15),
    "ten years earlier": Date(1795, 3, 12, 15),
    "a hundred and twenty years earlier": Date(1685, 3, 12, 15),
    "a dozen years ago": Date(1793, 3, 12, 15),
    "three winters ago": Date(1802, 3, 12, 15),
    "two nights later": Date(1805, 3, 14, 15),
    "moments later": Date(1805, 3, 12, 15),
    "meanwhile": Date(1805, 3, 12, 15),
    "at the same time": Date(1805, 3, 12, 15),
    "three days later, at noon": Date(1805, 3, 15, 12),
    "the next morning": Date(1805, 3, 13, 6),
    "the following day": Date(1805, 3, 13),
    "that evening": Date(1805, 3, 12, 18),
    "that same night": Date(1805, 3, 12, 21),
    "tonight": Date(1805, 3, 12, 21),
    "last night": Date(1805, 3, 11, 21),
    "the night before": Date(1805, 3, 11, 21),
    "the same day": Date(1805, 3, 12, 15),
    "yesterday": Date(1805, 3, 11),
    "tomorrow": Date(1805, 3, 13),
    "the day after tomorrow": Date(1805, 3, 14),
    "yesterday at dawn": Date(1805, 3, 11, 5),
    "next month": Date(1805, 4),
    "the week before": Date(1805, 3, 4),
    "last Monday": Date(1805, 3, 11),
    "next spring": Date(1806, 3),
    "last winter": Date(1804, 12),
    "in March of the next year": Date(1806, 3),
    "12 March 1805": Date(1805, 3, 12, 15),
    "March 14, 1805": Date(1805, 3, 14),
    "Thursday, 14 March 1805": Date(1805, 3, 14),
    "in 1806": Date(1806),
    "in the year 1790": Date(1790),
    "May 1806": Date(1806, 5),
    "winter 1806": Date(1806, 12),
    "44 BC": Date(-43),
    "21 October 1805 at 8:15 p.m.": Date(1805, 10, 21, 20, 15),
    "at noon on the 3rd of April, 1806": Date(1806, 4, 3, 12),
}
UNCERTAIN = {
    "a few days later": Date(1805, 3, 16, 3),
    "a couple of days later": Date(1805, 3, 15, 3),
    "years earlier": Date(1799, 3, 12, 3),
    "later that day": Date(1805, 3, 12, 15),
    "earlier that day": Date(1805, 3, 12),
    "early the next morning": Date(1805, 3, 13, 6),
    "just before dawn": Date(1805, 3, 13, 5),
    "in the spring": Date(1805, 3, 12, 15),
    "in May": Date(1805, 5),
    "on Monday": Date(1805, 3, 18),
    "on the twenty-first of June": Date(1805, 6, 21),
    "29 February": Date(1808, 2, 29),
    "at noon": Date(1805, 3, 13, 12),
    "12:40": Date(1805, 3, 13, 12, 40),
    "at half past three": Date(1805, 3, 13, 3, 30),
    "half past three in the afternoon": Date(1805, 3, 12, 15, 30),
    "ten minutes to four p.m.": Date(1805, 3, 12, 15, 50),
    "a quarter past six": Date(1805, 3, 13, 6, 15),
    "three o'clock": Date(1805, 3, 13, 3),
    "8pm": Date(1805, 3, 12, 20),
}


@pytest.mark.parametrize(("words", "date"), CERTAIN.items(), ids=list(CERTAIN))
def test_what_is_said_exactly(words: str, date: Date) -> None:
    assert placed(words, GREGORIAN, TUESDAY) == (date, True)


@pytest.mark.parametrize(("words", "date"), UNCERTAIN.items(), ids=list(UNCERTAIN))
def test_what_has_to_be_guessed_says_so(words: str, date: Date) -> None:
    assert placed(words, GREGORIAN, TUESDAY) == (date, False)


@pytest.mark.parametrize(
    ("words", "date"),
    [
        pytest.param("in Frostmoon", Date(1205, 1), id="the nearest not yet past"),
        pytest.param("on the 3rd of Frostmoon", Date(1205, 1, 3), id="day and month"),
        pytest.param("at noon on the 3rd of Frostmoon, 1204", Date(1204, 1, 3, 12), id="all of it"),
        pytest.param("the third of leaf fall 1205", Date(1205, 6, 3), id="a month of two words"),
        pytest.param("a sennight later", Date(1204, 2, 17, 15), id="an author's unit"),
        pytest.param("two moons earlier", Date(1203, 6, 14, 15), id="another"),
        pytest.param("on Thirdday", Date(1204, 2, 13), id="an author's weekday"),
        pytest.param("in the winter", Date(1204, 6), id="a season over new year"),
        pytest.param("year 3 of the Second Age", Date(1002), id="an era"),
    ],
)
def test_an_authors_words(words: str, date: Date) -> None:
    assert placed(words, FROST, THAW)[0] == date


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("in Frostmoon", Date(1204, 1)),
        ("in Thaw", Date(1203, 2)),
        ("on Thirdday", Date(1204, 2, 8)),
        ("at noon", Date(1204, 2, 10, 12)),
    ],
)
def test_a_flashback_looks_back(words: str, date: Date) -> None:
    assert placed(words, FROST, THAW, flashback=True)[0] == date


def test_the_small_hours_belong_to_the_day_before() -> None:
    late = Date(1805, 3, 13, 2)
    assert placed("the next morning", GREGORIAN, late)[0] == Date(1805, 3, 13, 6)
    assert placed("that night", GREGORIAN, late)[0] == late
    assert placed("that evening", GREGORIAN, Date(1805, 3, 13))[0] == Date(1805, 3, 13, 18)


def test_an_approximate_distance_has_bounds() -> None:
    found = moment("a few days later", GREGORIAN, TUESDAY)
    assert isinstance(found, CalendarMoment)
    bounds = (GREGORIAN.date(found.earliest), GREGORIAN.date(found.latest))
    assert bounds == (Date(1805, 3, 14, 15), Date(1805, 3, 17, 15))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("three days after the battle", "'battle' is not a word of time we know"),
        ("31 February", "February has no day 31"),
        ("29 February 1805", "February has no day 29"),
        ("Monday, 12 March 1805", "that day is a Tuesday"),
        ("in March in April", "it gives two answers for the month"),
        ("three days later in 1805", "it mixes a distance with a date"),
        ("the 3rd of spring", "it names a season and a day or month"),
        ("the third day", "we cannot make sense of 'day' here"),
        ("later", "it says nothing about when"),
        ("", "it says nothing about when"),
        pytest.param(
            "in " + "9" * 5000, f"'{'9' * 5000}' is not a word of time we know", id="a year without end"
        ),
    ],
)
def test_what_is_not_understood_says_why(words: str, why: str) -> None:
    said = moment(words, GREGORIAN, TUESDAY)

    assert isinstance(said, Unplaced)
    assert (said.expression, said.why) == (words, why)


@pytest.mark.parametrize(
    ("words", "none"),
    [("Monday, 12 March 1805", True), ("29 February 1805", True), ("when the cows come home", False)],
)
def test_a_day_that_no_calendar_has_is_understood_all_the_same(words: str, none: bool) -> None:
    said = moment(words, GREGORIAN, TUESDAY)

    assert isinstance(said, Unplaced)
    assert said.no_such_day is none


VOCABULARY = str.split(
    "the a of in at on and half three 3rd 12 1805 12:40 days year years night morning March Monday spring later before "
    "after ago next last that same few about quarter past to o'clock pm BC hundred"
)


@settings(deadline=None)
@given(st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join), st.booleans())
def test_any_words_are_placed_or_refused_but_never_crash(words: str, flashback: bool) -> None:
    found = moment(words, GREGORIAN, TUESDAY, flashback=flashback)
    assert isinstance(found, Unplaced) or found.earliest <= found.minutes <= found.latest


@settings(deadline=None)
@given(st.dates())
def test_a_written_date_is_that_date(day: object) -> None:
    written = f"{day:%d %B}, {day.year}"  # type: ignore[attr-defined]
    assert placed(written, GREGORIAN, Date(20_000))[0] == Date(day.year, day.month, day.day)  # type: ignore[attr-defined]


# --- words that were once taken for something else


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("at nine-thirty", 570, None),
        ("at four-fifteen", 255, None),
        ("at 9.30", 570, None),
        ("0600", 360, None),
        ("at 0600 hours", 360, None),
        ("at six oh five", 365, None),
        ("half nine", 570, None),
        ("by nine", 540, None),
        ("just gone eight", 480, None),
        ("on the stroke of twelve", 720, None),
        ("from nine to five", 540, 1020),
        ("between two and three", 120, 180),
    ],
)
def test_a_clock_is_read_before_a_year(words: str, start: int, end: int | None) -> None:
    when = understand(words)
    assert not isinstance(when, Unplaced), when
    assert (when.start, when.end, when.year, when.day) == (start, end, None, None)


FIELDS = {
    "on the second Friday": {"nth": 2, "weekday": 4},
    "Friday the 2nd": {"day": 2, "weekday": 4},
    "nineteen ninety-five": {"year": 1995},
    "nineteen oh four": {"year": 1904},
    "ten sixty-six": {"year": 1066},
    "the second of the ninth, 2011": {"year": 2011, "month": 9, "day": 2},
    "1987-03-12": {"year": 1987, "month": 3, "day": 12},
    "on a Thursday in late October": {"weekday": 3, "month": 10, "approximate": True},
    "Day 9": {"count": 9},
    "on day nine": {"count": 9},
    "under a full moon": {"moon": 2},
    "at twenty past": {"minute": 20},
    "five to": {"minute": 55},
    "year 30": {"year": 30},
}


@pytest.mark.parametrize(("words", "said"), FIELDS.items(), ids=FIELDS)
def test_what_an_expression_names(words: str, said: dict[str, object]) -> None:
    when = understand(words)
    assert not isinstance(when, Unplaced), when
    silent = {"expression", "kind", "frame"}
    named = {name: value for name in when.__slots__ if name not in silent and (value := getattr(when, name)) not in (None, False)}  # fmt: skip
    assert named == said


@pytest.mark.parametrize(
    "words",
    [
        "until the fall",
        "the second",
        "in 812",
        "an hour before his flight",
        "an hour before the funeral",
        "every Sunday morning",
        "on the second night",
    ],
)
def test_no_time_is_made_of_what_names_none(words: str) -> None:
    assert isinstance(understand(words), Unplaced)


NEW_PLACES = {
    "the year before last": Date(1803),
    "in the February of the year before last": Date(1803, 2),
    "the week after next": Date(1805, 3, 25),
    "the night before last": Date(1805, 3, 10, 21),
    "at twenty past": Date(1805, 3, 12, 15, 20),
    "on Christmas Day": Date(1805, 12, 25),
    "two days before Christmas": Date(1805, 12, 23),
    "on the second Friday of April": Date(1805, 4, 12),
    "one dark evening": Date(1805, 3, 12, 18),
    "to-morrow": Date(1805, 3, 13),
    "at lunchtime": Date(1805, 3, 13, 12),
    "Day 9": Date(1805, 3, 12, 15),
    "Friday 14 March": Date(1805, 3, 14),  # a Thursday: the author's slip, not another year
    "Friday 14 October": Date(1808, 10, 14),  # far off, the weekday tells which year
}


@pytest.mark.parametrize(("words", "date"), NEW_PLACES.items(), ids=NEW_PLACES)
def test_where_it_falls(words: str, date: Date) -> None:
    assert placed(words, GREGORIAN, TUESDAY)[0] == date


def test_a_moving_feast_lies_somewhere_in_its_days() -> None:
    easter = moment("at Easter", GREGORIAN, TUESDAY)
    assert isinstance(easter, CalendarMoment)
    assert GREGORIAN.date(easter.earliest) == Date(1805, 3, 22)
    assert GREGORIAN.date(easter.latest) == Date(1805, 4, 25, 23, 59)
