"""When a deed is done: which expression dates which event, and what dates nothing."""

from __future__ import annotations

import pytest
from reading_aloud import read, records


def dated(text: str) -> list[tuple[str, str]]:
    """The kind of each event that is dated, and the words."""
    reading = read(text)
    kinds = {one.id: one.kind for one in records(reading, "Event", "kind")}
    return [
        (kinds[one.event], one.expression) for one in records(reading, "TimeAnchor", "event", "expression")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ida went to the harbour at nine-thirty.", [("go", "at nine-thirty")]),
        ("The next day, Saturday, Ida walked to the mill.", [("walk", "The next day, Saturday")]),
        ("Leo arrived on Monday and left on Thursday the 12th.", [("arrive", "on Monday"), ("leave", "on Thursday the 12th")]),
        ("At four-fifteen Leo opened the door, and by five Ida came in.", [("open", "At four-fifteen"), ("come in", "by five")]),
        ("On the second Friday Ida left the house at ten past six.", [("leave", "On the second Friday"), ("leave", "at ten past six")]),
        ("It was Saturday. Tom took the bus.", [("take", "Saturday")]),
        ("# Friday\n\nTom took the bus.", [("take", "Friday")]),
        ("On Friday, June 3, 1907, Ida left the house.", [("leave", "On Friday, June 3, 1907")]),  # it was a Monday: NW303
        ("The shop opened on 31 April 2020.", [("open", "on 31 April 2020")]),
    ],
)  # fmt: skip
def test_an_expression_dates_its_own_clause(text: str, said: list[tuple[str, str]]) -> None:
    assert dated(text) == said


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Every Sunday morning Leo went to church.", id="a habit"),
        pytest.param("Leo rose at six every morning.", id="an hour of a habit"),
        pytest.param("“I saw him on Monday,” said Tom. Tom closed the door.", id="what somebody says"),
        pytest.param("By Thursday night Ida had gone.", id="a memory"),
        pytest.param("If it was Saturday, Tom ran.", id="what is supposed"),
        pytest.param("An hour before the funeral Leo arrived.", id="by something that has no date"),
        pytest.param("Leo waited for five days.", id="how long"),
        pytest.param("Leo bought a 1987 Volvo.", id="a thing's year"),
        pytest.param(
            "It was Saturday.\n\nThe sky was grey.\n\nTom took the bus.", id="two paragraphs before"
        ),
    ],
)
def test_what_dates_nothing(text: str) -> None:
    assert dated(text) == []
