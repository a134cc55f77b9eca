"""Time expressions in running text: which words tell a time, and of which sort they are."""

from __future__ import annotations

import pytest

from narraworld.kb.time.calendar_file import calendar_from
from narraworld.kb.time.finding.finder import borne_names, find_times


def told(text: str) -> list[tuple[str, str]]:
    return [(one.sort, one.words) for one in find_times(text)]


@pytest.mark.parametrize(
    ("text", "sort", "words"),
    [
        ("The kettle boiled at ten past six.", "clock", "at ten past six"),
        ("It was twenty to seven.", "clock", "twenty to seven"),
        ("She was due at four-fifteen.", "clock", "at four-fifteen"),
        ("At 9.30 the bell went.", "clock", "At 9.30"),
        ("The gate opened at 0600 hours.", "clock", "at 0600 hours"),
        ("The 16:45 left late.", "clock", "The 16:45"),
        ("He worked from nine to five.", "clock", "from nine to five"),
        ("By nine they were gone.", "clock", "By nine"),
        ("On the stroke of twelve she stood up.", "clock", "On the stroke of twelve"),
        ("At twenty past, he rang again.", "clock", "At twenty past"),
        ("The tenth of June is her birthday.", "date", "The tenth of June"),
        ("Thursday the 12th was wet.", "date", "Thursday the 12th"),
        (
            "In the February of the year before last she fell ill.",
            "date",
            "In the February of the year before last",
        ),
        ("It happened in nineteen ninety-five.", "date", "in nineteen ninety-five"),
        ("On day nine the food ran out.", "date", "On day nine"),
        ("The log begins on 1987-03-12.", "date", "1987-03-12"),
        ("They moved in the nineteen-sixties.", "date", "in the nineteen-sixties"),
        ("On the second Friday she quit.", "weekday", "On the second Friday"),
        ("On a Thursday in late October it began.", "weekday", "On a Thursday in late October"),
        ("She stayed until Monday.", "weekday", "until Monday"),
        ("One dark evening a stranger came.", "part", "One dark evening"),
        ("On a cold and windless morning they buried him.", "part", "On a cold and windless morning"),
        ("After an early breakfast we set out.", "part", "After an early breakfast"),
        ("As dusk approached, the lamps were lit.", "part", "As dusk approached"),
        ("It was nearly dusk.", "part", "nearly dusk"),
        ("Over the weekend it rained.", "part", "Over the weekend"),
        ("To-morrow I shall be gone.", "relative", "To-morrow"),
        ("The day after the funeral he left.", "relative", "The day after the funeral"),
        ("Two days before Christmas snow fell.", "relative", "Two days before Christmas"),
        ("He came back three weeks later.", "relative", "three weeks later"),
        ("She had lived there since Easter.", "relative", "since Easter"),
        ("On the eve of the battle nobody slept.", "relative", "On the eve of the battle"),
        ("In a fortnight's time they would know.", "relative", "In a fortnight's time"),
        ("Until then nothing stirred.", "relative", "Until then"),
        ("Ten days!", "duration", "Ten days"),
        ("She had twelve minutes.", "duration", "twelve minutes"),
        ("A year and a day passed.", "duration", "A year and a day"),
        ("The reeds were cut in the spring of 1847.", "season", "in the spring of 1847"),
        ("At Michaelmas the rent was due.", "holiday", "At Michaelmas"),
        ("Under a new moon they rowed.", "moon", "Under a new moon"),
        ("He was sixty-one.", "age", "was sixty-one"),
        ("A boy of nine held the rope.", "age", "boy of nine"),
        ("At forty she took up the cello.", "age", "At forty"),
        ("Every Sunday he shaved.", "habit", "Every Sunday"),
        ("On Mondays the bins go out.", "habit", "On Mondays"),
        ("Twice a week the van came.", "habit", "Twice a week"),
        ("On winter nights they told tales.", "habit", "On winter nights"),
        ("In summer he kept bees.", "habit", "In summer"),
    ],
)
def test_an_expression_is_found_whole(text: str, sort: str, words: str) -> None:
    assert told(text) == [(sort, words)]


@pytest.mark.parametrize(
    "text",
    [
        "May I come in?",
        "He took a fall.",
        "In a second glance she saw it.",
        "On the second floor there was a door.",
        "They came one by one.",
        "They were at one with it.",
        "He sat before the fire.",
        "It cost £4.40.",
        "Six or seven people stood there.",
        "Number nine was empty.",
        "They were at sixes and sevens.",
    ],
)
def test_what_only_looks_like_time_is_left(text: str) -> None:
    assert told(text) == []


def test_all_of_a_sentence_is_found() -> None:
    text = "Every evening at six she rang, but on the Friday, about ten, nobody answered for an hour."
    assert told(text) == [
        ("habit", "Every evening at six"),
        ("weekday", "on the Friday"),
        ("clock", "about ten"),
        ("duration", "for an hour"),
    ]


def test_who_is_called_june_is_no_month() -> None:
    text = "June laughed. “Well,” said June. On Monday the post came."
    assert borne_names(text) == {"June"}
    assert [one.words for one in find_times(text, names=borne_names(text))] == ["On Monday"]
    assert borne_names("June laughed at June. They had met in June.") == frozenset()


def test_the_words_of_another_calendar_are_found() -> None:
    thaw = calendar_from(
        {
            "months": [{"name": "Frostmoon", "days": 30}, {"name": "Thaw", "days": 31}],
            "weekdays": ["Firstday", "Restday"],
            "holidays": {"Longnight": "30 Frostmoon"},
            "units": {"sennight": "7 days"},
        }
    )
    text = "On Restday, the 3rd of Thaw, a sennight after Longnight, they sailed."
    assert [one.words for one in find_times(text, thaw)] == [
        "On Restday, the 3rd of Thaw",
        "a sennight after Longnight",
    ]
