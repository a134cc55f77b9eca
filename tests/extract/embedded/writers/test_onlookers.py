"""Onlookers as little stories: who is said to have seen a deed, who not, and who sees a thing where it lies."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states

MOVE = "Mara moved the pear to the shelf. "


def _kinds(text: str, sort: str) -> set[tuple[str, str]]:
    """Holder and kind of event (or the thing that is shown) of the records of a sort."""
    reading = read(text)
    kinds = {one.id: one.kind for one in records(reading, "Event", "kind")}
    shown = {one.id: one.patient for one in records(reading, "Event", "patient") if "/shown-" in one.id}
    return {
        (one.holder, shown.get(one.event, kinds[one.event]))
        for one in records(reading, sort, "holder", "event")
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(MOVE + "Leo watched her every move.", {("leo", "move")}, id="her every move"),
        pytest.param(MOVE + "Leo watched her from the stairs.", {("leo", "move")}, id="watching somebody"),
        pytest.param(MOVE + "Leo watched in silence.", {("leo", "move")}, id="watching without an object"),
        pytest.param(MOVE + "Leo had caught a glimpse of her actions.", {("leo", "move")}, id="a glimpse"),
        pytest.param(MOVE + "Leo stood witness to her act.", {("leo", "move")}, id="stood witness"),
        pytest.param(MOVE + "Her act was witnessed by Leo.", {("leo", "move")}, id="seen by somebody"),
        pytest.param(MOVE + "Leo, who had been silently observing Mara's actions, smiled.", {("leo", "move")}, id="who"),
        pytest.param(MOVE + "Little did she know, Leo was watching her every move.", {("leo", "move")}, id="little did she know"),
        pytest.param(MOVE + "Little did she know that Leo had witnessed the scene.", {("leo", "move")}, id="little did she know that"),
        pytest.param(MOVE + "Leo watched his friend's actions.", {("leo", "move")}, id="a friend's actions"),
        pytest.param(MOVE + "Leo stood there, his eyes fixed on her actions.", {("leo", "move")}, id="eyes on her actions"),
        pytest.param("Mara decided to move the pear to the shelf. Leo watched as Mara completed the task.",
                     {("leo", "move"), ("leo", "complete")}, id="as she completed the task"),
        pytest.param("Mara did not know that Leo saw her act.", set(), id="nothing was done"),
        pytest.param(MOVE + "Leo watched the birds.", set(), id="something else"),
        pytest.param("Mara and Leo noticed a jar of plums.", {("mara", "plums"), ("leo", "plums")}, id="what a jar holds"),
        pytest.param("Mara saw a coat in a box.", {("mara", "coat")}, id="see a thing somewhere"),
        pytest.param("Mara found the key in the drawer.", {("mara", "key")}, id="find a thing"),
        pytest.param("Mara entered the den. Her eyes fell on a coat tucked away in a box.", {("mara", "coat")}, id="eyes"),
    ],
)  # fmt: skip
def test_who_saw_it(text: str, expected: set[tuple[str, str]]) -> None:
    assert _kinds(text, "Access") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(MOVE + "Leo missed the act.", {("leo", "move")}, id="missed the act"),
        pytest.param(MOVE + "Leo missed the train.", set(), id="missed something else"),
        pytest.param(MOVE + "Her act went unnoticed by Leo.", {("leo", "move")}, id="unnoticed by"),
        pytest.param(MOVE + "Leo never witnessed Mara's act.", {("leo", "move")}, id="never witnessed"),
        pytest.param(MOVE + "Leo left before seeing her act.", {("leo", "move")}, id="before seeing it"),
        pytest.param("When Leo was not looking, Mara moved the pear to the shelf.", {("leo", "move")}, id="not looking"),
        pytest.param(MOVE + "Leo was none the wiser.", {("leo", "move")}, id="none the wiser"),
        pytest.param(MOVE + "Little did Leo know of her action.", {("leo", "move")}, id="little did he know of it"),
        pytest.param("Leo did not know that Mara had moved the pear to the shelf.", {("leo", "move")}, id="did not know that"),
        pytest.param("Leo knew that Mara had moved the pear to the shelf.", set(), id="knew that"),
        pytest.param("Mara and Leo went home. Little did they know that the pear was now lying on the shelf.",
                     {("mara", "pear"), ("leo", "pear")}, id="little did they know, both of them"),
    ],
)  # fmt: skip
def test_who_did_not(text: str, expected: set[tuple[str, str]]) -> None:
    assert _kinds(text, "Unawareness") == expected


def test_what_somebody_does_not_know_is_so() -> None:
    assert "pear.location.shelf" in states(
        read("Leo did not know that Mara had moved the pear to the shelf.")
    )
    assert "pear.location.shelf" not in states(
        read("Leo believed that Mara had moved the pear to the shelf.")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("A pear rested in a box on the table.", "den", id="where the telling is"),
        pytest.param(
            "The box was in the cellar. A pear rested in the box.", "cellar", id="where the box stands"
        ),
        pytest.param(
            "A pear rested in a box. The box was in the cellar.", "cellar", id="as is said only later"
        ),
        pytest.param(
            "A pear rested in a box. Mara moved the box to the freezer.", "den", id="not where it comes later"
        ),
    ],
)
def test_where_a_thing_is_seen(text: str, expected: str) -> None:
    shown = records(read("Mara entered the den. " + text), "Event", "patient", "place")
    assert {one.place for one in shown if one.patient == "pear"} == {expected}


def test_what_a_deed_brought_about_is_not_shown_to_the_scene() -> None:
    told = "Mara entered the den. Mara put the pear in the freezer. The pear lay in the freezer."
    assert [one for one in records(read(told), "Event", "kind") if one.kind == "be"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Leo left the room.", ("leaves", "den"), id="the room is the den"),
        pytest.param("Leo left.", ("leaves", "den"), id="from where he is"),
        pytest.param("Leo decided to leave the den.", ("leaves", "den"), id="decided to leave"),
        pytest.param("Leo had to leave the den.", ("leaves", "den"), id="had to leave"),
        pytest.param("Leo made a swift exit.", ("leaves", "den"), id="made an exit"),
        pytest.param("Leo left the den. Mara went to the hall. Leo returned.", ("enters", "den"), id="back to where he was"),
        pytest.param("Leo appeared.", ("enters", "den"), id="to where the telling is"),
    ],
)  # fmt: skip
def test_comings_and_goings_whose_place_is_understood(text: str, expected: tuple[str, str]) -> None:
    found = records(read("Mara and Leo entered the den. " + text), "Presence", "holder", "movement", "place")
    assert (found[-1].movement, found[-1].place) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Mara laughed. " * 14 + "Leo returned.", id="spoken of long ago"),
        pytest.param("Leo returned to Mara.", id="to somebody"),
    ],
)
def test_a_place_that_is_not_at_hand_is_not_understood(text: str) -> None:
    found = records(read("Mara and Leo entered the den. " + text), "Presence", "holder", "movement", "place")
    assert {(one.holder, one.place) for one in found} == {("mara", "den"), ("leo", "den")}
    assert len(found) == 2
