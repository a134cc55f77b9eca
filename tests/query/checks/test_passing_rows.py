"""What is worked out from details in passing: garments, times that let none go by, dates that no month has, years beside ages."""

from __future__ import annotations

from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.query.checks.clothes_rows import garment_rows
from narraworld.query.checks.time_rows import told_date_rows
from narraworld.query.checks.word_rows import date_rows, lasting_times
from narraworld.rules.language.ir import Row


def _when(record: str, words: str) -> Row:
    return (record, "when", words, "low", "listed")


def _dates(*said: tuple[str, str, int], spoken: tuple[str, ...] = (), ages: tuple[tuple[str, int], ...] = ()) -> set[tuple[str, Row]]:  # fmt: skip
    """Expressions of one chapter: record, words, where they begin; and ages at a place."""
    details = [_when(record, words) for record, words, _ in said]
    details += [(record, "age", "nineteen", "low", "described") for record, _ in ages]
    spans: dict[str, Row] = {record: ("s", "ch1", at, at + len(words)) for record, words, at in said}
    spans |= {record: ("s", "ch1", at, at + 8) for record, at in ages}
    told = [(record, row[2]) for record, row in spans.items()]
    return set(told_date_rows(details, [(one, "asserts") for one in spoken], [], spans, told, GREGORIAN))


def test_two_days_of_a_month_tell_its_first() -> None:
    first, second = (
        ("a", "on Saturday the fifteenth of August", 0),
        ("b", "on Tuesday the first of August", 500),
    )

    assert _dates(first, second) == {("misdated", ("a", "b", first[1], second[1]))}
    assert not _dates(first, ("b", "on Saturday the first of August", 500))
    assert not _dates(first, ("b", "on Tuesday the first of July", 500))
    assert not _dates(first, second, spoken=("b",))


def test_a_weekday_beside_a_date_is_said_of_it() -> None:
    first = ("a", "on Saturday the fifteenth of August", 0)
    beside = [("b", "on the first of August", 500), ("c", "a Tuesday", 524)]
    apart = [("b", "on the first of August", 500), ("c", "a Tuesday", 624)]
    before = [("c", "on the Tuesday", 500), ("b", "the first of August", 520)]

    assert {row[:2] for _, row in _dates(first, *beside)} == {("a", "b")}
    assert not _dates(first, *apart)
    assert {row[:2] for _, row in _dates(first, *before)} == {("a", "b")}


def test_a_day_without_a_month_takes_that_of_the_next_if_it_only_goes_on() -> None:
    first, next_ = ("a", "on Thursday the ninth", 0), ("b", "on Saturday the twelfth of November", 500)

    assert {row[:2] for _, row in _dates(first, next_)} == {("a", "b")}
    assert not _dates(first, ("b", "on Sunday the twelfth of November", 500))
    assert not _dates(first, ("b", "on Saturday the twenty-fifth of November", 500))
    assert not _dates(("a", "on Thursday the thirteenth", 0), next_)
    assert not _dates(next_, ("a", "on Thursday the fourteenth", 600))


def test_a_year_stands_beside_an_age() -> None:
    assert _dates(("a", "in 1961", 100), ages=(("d", 130), ("e", 400))) == {("year_beside", ("d", 1961))}


def test_how_long_a_thing_lasts_lets_no_time_go_by() -> None:
    details = [
        _when("a", "for years"),
        _when("b", "the next morning"),
        ("c", "eyes", "for years", "low", "described"),
    ]

    assert set(lasting_times(details)) == {("goes_on", ("for years",))}


def test_another_day_is_led_to_or_dated() -> None:
    words = ("the next morning", "two days later", "on the third of May", "at noon", "that night")
    later = {row[0] for name, row in date_rows(words, GREGORIAN) if name == "another_day"}

    assert later == {"the next morning", "two days later", "on the third of May"}


def test_a_garment_has_its_place_and_what_is_done_with_it() -> None:
    said = [
        "took off her coat",
        "put on his wellingtons",
        "in her yellow sandals",
        "coat pockets",
        "a blue jug",
    ]
    details = [(str(n), "clothing", words, "low", "listed") for n, words in enumerate(said)]

    assert [row for _, row in garment_rows([*details, ("9", "colour", "coat", "low", "listed")])] == [
        ("0", "outerwear", "coat", "off"),
        ("1", "footwear", "boots", "on"),
        ("2", "footwear", "sandals", "worn"),
        ("3", "outerwear", "coat", "worn"),
    ]
