"""The story map: what stands beside it and what separates its chapters."""

from __future__ import annotations

import re
from typing import Any

import pytest

from narraworld.query.figures.figure import StoryFigure
from narraworld.query.figures.narrative_chart import narrative_chart, told_against_happened
from narraworld.query.figures.ruler import heading


def drawn(chapters: int) -> dict[str, Any]:
    scenes = [
        {"id": f"s{n}", "chapter": n, "n": n, "label": f"{n}", "day": "", "told": n, "happened": n, "back": False}
        for n in range(1, chapters + 1)
    ]  # fmt: skip
    return {
        "order": "told", "scenes": scenes, "chapters": [{"n": n, "title": ""} for n in range(1, chapters + 1)],
        "people": [{"id": "ida", "name": "Ida", "scenes": [one["id"] for one in scenes], "followed": False}], "everybody": [],
        "groups": [[{"people": ["ida"], "place": ""}] for _ in scenes],
    }  # fmt: skip


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("chapters", [1, 3])
def test_a_rule_stands_between_chapters_and_not_among_the_names(chapters: int, tall: bool) -> None:
    assert narrative_chart(drawn(chapters), tall=tall).inline.count('class="rule"') == chapters - 1


def words(figure: StoryFigure) -> list[tuple[float, float, str]]:
    """Every text of a drawing with its place."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', figure.inline)
    return [(float(x), float(y), said) for x, y, said in found]


def test_titles_have_room_of_their_own_where_time_runs_down_the_page() -> None:
    """Between the last scene of a chapter and the first of the next, and as wide as the drawing is."""
    told = drawn(3)
    told["chapters"] = [{"n": n, "title": f"The Winter of the Flood {'!' * n}"} for n in range(1, 4)]
    names = [f"p{n}" for n in range(7)]
    told["people"] = [{"id": who, "name": who, "scenes": [], "followed": False} for who in names]
    told["groups"] = [[{"people": names, "place": "boathouse"}] for _ in range(3)]
    figure = narrative_chart(told, tall=True)

    titles = [(y, said) for _, y, said in words(figure) if "Winter" in said]
    rooms = [y for _, y, said in words(figure) if said == "boathouse"]

    assert [said for _, said in titles] == [
        "1 The Winter of the Flood !",
        "2 The Winter of the Flood !!",
        "3 The Winter of the Flood !!!",
    ]
    assert all(abs(title - room) >= 12 for title, _ in titles for room in rooms)


def test_a_title_that_says_its_number_is_not_numbered_again() -> None:
    assert (heading(10, "Chapter 10"), heading(1, "The Inn"), heading(2, "")) == (
        "Chapter 10",
        "1 The Inn",
        "2",
    )


@pytest.mark.parametrize("tall", [False, True])
def test_all_of_told_against_happened_is_within_the_drawing(tall: bool) -> None:
    figure = told_against_happened(drawn(13), tall=tall)
    assert {said for _, _, said in words(figure)} == {
        "As it is told",
        "As it happened",
        *map(str, range(1, 14)),
    }
    assert all(x <= figure.width and y <= figure.height for x, y, _ in words(figure))
    assert (figure.width <= 340) is tall, "as wide as a telephone"


def test_a_short_drawing_keeps_its_size_and_a_long_one_is_not_pressed() -> None:
    short, long = (narrative_chart(drawn(many)).inline for many in (3, 40))
    assert ' width="' in short and 'class="long"' not in short
    assert 'class="long"' in long


def test_a_short_story_has_room_for_its_titles() -> None:
    told = drawn(4)
    told["chapters"] = [{"n": n, "title": "On Top of the Wardrobe"} for n in range(1, 5)]
    said = [words for _, _, words in words_of(told)]

    assert "2 On Top of the Wardrobe" in said


def test_a_day_takes_two_lines_where_its_column_is_narrow() -> None:
    """Over thirteen scenes; the lines stand above each other and above whatever is drawn for the scene."""
    told = drawn(13)
    told["scenes"][0] |= {"day": "On Monday morning", "back": True}
    found = {said: (x, y) for x, y, said in words_of(told)}
    band = re.search(r'<rect x="[\d.]+" y="([\d.]+)"', narrative_chart(told).inline)

    (x, first), (u, second) = found["On Monday"], found["morning"]
    assert x == u
    assert band is not None
    assert first + 10 <= second < float(band[1])


def test_the_name_that_is_followed_is_within_the_drawing() -> None:
    """It is bold, and so wider than the others; a letter of it has seven units at most, on the average."""
    told = drawn(2)
    told["people"][0] |= {"name": "Cousin Daphne Moor", "followed": True}
    (left, _, name), (right, _, again) = [one for one in words_of(told) if "Daphne" in one[2]]

    assert name == again == "Cousin Daphne Moor"
    assert left - 7 * len(name) >= 0
    assert right + 7 * len(name) <= narrative_chart(told).width


def words_of(told: dict[str, Any]) -> list[tuple[float, float, str]]:
    return words(narrative_chart(told))


def test_two_places_beside_each_other_do_not_run_together() -> None:
    """Where time runs down the page; a letter of them has five units, on the average."""
    told = drawn(1)
    told["people"] = [{"id": who, "name": who, "scenes": [], "followed": False} for who in ("ida", "tom")]
    told["groups"] = [
        [{"people": ["ida"], "place": "committee"}, {"people": ["tom"], "place": "burying ground"}]
    ]
    figure = narrative_chart(told, tall=True)
    (left, _, one), (right, _, other) = [
        found for found in words(figure) if found[2].startswith(("com", "bury"))
    ]
    assert left + 2.5 * len(one) <= right - 2.5 * len(other)
