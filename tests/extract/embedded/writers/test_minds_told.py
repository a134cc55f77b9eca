"""What people hold, do not know, remember and have seen, as the narration and their own words tell it."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states, values

from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit


def held(reading: ProseReading) -> set[tuple[str, str, str]]:
    found = records(reading, "Attitude", "holder", "attitude", "proposition")
    return {(one.holder, one.attitude, one.proposition) for one in found}


def unaware(reading: ProseReading) -> set[tuple[str, str]]:
    return {(one.holder, one.proposition) for one in records(reading, "Unawareness", "holder", "proposition")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Sand thought that Lutz had stolen the money.", ("sand", "believes", "money.possession.lutz"), id="of a deed"),
        pytest.param("Rose was sure that Lily had left the ring at the market.", ("rose", "believes", "ring.location.market"), id="sure"),
        pytest.param("Rose was aware that the ring was in the box.", ("rose", "knows", "ring.location.box"), id="aware"),
        pytest.param("Rose was not sure that the ring was in the box.", ("rose", "disbelieves", "ring.location.box"), id="not sure"),
        pytest.param('"I left the ring at the market," said Tom. Ann did not believe Tom.',
                     ("ann", "disbelieves", "ring.location.market"), id="what was said"),
    ],
)  # fmt: skip
def test_what_is_thought_is_no_fact(text: str, expected: tuple[str, str, str]) -> None:
    reading = read(text)
    assert held(reading) == {expected}
    assert states(reading) == set()


def test_what_somebody_does_not_know_did_happen() -> None:
    reading = read("Ruth slept. Ruth did not know that Hale had taken the book.")
    assert unaware(reading) == {("ruth", "book.possession.hale")}
    [event] = [one.event for one in records(reading, "Unawareness", "holder", "event")]
    assert event in {one.id for one in records(reading, "Event", "kind") if one.kind == "take"}
    assert "book.possession.hale" in states(reading)


def test_what_was_told_before_is_not_told_again() -> None:
    reading = read("Hale carried the logbook to the tower. Ruth did not know that Hale had taken the book.")
    [carried] = [one.id for one in records(reading, "Event", "kind")]
    assert [one.event for one in records(reading, "Unawareness", "holder", "event")] == [carried]
    assert states(reading) == {"logbook.location.tower"}


def test_neither_of_two_knows() -> None:
    reading = read("Neither Tan nor Wills knew that the ship was safe.")
    assert unaware(reading) == {("tan", "ship.condition:safe"), ("wills", "ship.condition:safe")}
    assert states(reading) == {"ship.condition:safe"}


def test_what_somebody_remembers_happened_before() -> None:
    reading = read("Peter sat down. Peter remembered how Ann had burned the letter.")
    assert values(reading, "mode") == ["memory"]
    assert values(reading, "relation") == ["before"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("Leo put the book in the chest. Ruth saw the book.", "Access", id="seen"),
        pytest.param(
            "Leo put the book in the chest. Ruth did not notice the book.", "Unawareness", id="not noticed"
        ),
    ],
)
def test_who_sees_a_thing_sees_where_it_is(text: str, kind: str) -> None:
    found = records(read(text), kind, "holder", "proposition")
    assert [(one.holder, one.proposition) for one in found] == [("ruth", "book.location.chest")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Leo put the key in the iron chest. Leo opened the chest.", "iron-chest.open:open", id="without its adjective"),
        pytest.param("Leo found the logbook. Leo put the book in the box.", "logbook.location.box", id="the end of a longer word"),
        pytest.param("Leo found the logbook. Leo put a book in the box.", "book.location.box", id="another book"),
        pytest.param("Leo kept the key in the box. Ann took it.", "key.possession.ann", id="the object of what was told"),
        pytest.param("Leo locked the papers in the desk.", "papers.location.desk", id="locked away"),
        pytest.param("Kim brought the book to Leo.", "book.possession.leo", id="to somebody"),
    ],
)  # fmt: skip
def test_which_thing_is_meant(text: str, expected: str) -> None:
    assert expected in states(read(text))


@pytest.mark.parametrize(
    ("text", "later", "opened"),
    [
        pytest.param("Leo put the key in the iron chest.", "Ann opened the chest.", "iron-chest", id="the only one"),
        pytest.param("Leo put the key in the iron chest. Leo found the oak chest.", "Ann opened the chest.", "chest", id="one of two"),
        pytest.param("Leo put the key in the iron chest.", "Ann opened a chest.", "chest", id="a new one"),
    ],
)  # fmt: skip
def test_a_thing_is_known_again_in_a_later_unit(text: str, later: str, opened: str) -> None:
    first = read(text)
    known = Roster().plus(first.cast)
    second = read_prose(Unit("ch02", 2, later), known, stage=DiscourseState().after(first.moves))
    assert values(second, "patient") == [opened]


@pytest.mark.parametrize(
    ("text", "expected", "learned"),
    [
        pytest.param("Leo put the key in the chest. Ann opened the chest. It was empty.", "not.key.location.chest", True, id="put there"),
        pytest.param("Leo told Ann that the key was in the chest. Ann opened the chest. It was empty.",
                     "not.key.location.chest", True, id="said to be there"),
        pytest.param("Leo put the key in the chest. The chest was empty.", "not.key.location.chest", False, id="nobody looked"),
        pytest.param("Leo put the key in the chest. The key was gone.", "not.key.location.chest", False, id="gone"),
        pytest.param("Leo put the key in the box. Ann opened the chest. The key was gone.", "not.key.location.chest", True,
                     id="gone from where one looks"),
        pytest.param("Leo put the key in the box. Ann opened the chest. It was empty.", None, True, id="another"),
    ],
)  # fmt: skip
def test_what_is_not_there(text: str, expected: str | None, learned: bool) -> None:
    found = [
        one
        for one in records(read(text), "State", "proposition")
        if one.proposition.startswith("not.key.location")
    ]
    tied = [one for one in records(read(text), "State", "proposition", "at") if one.proposition == expected]
    assert [one.proposition for one in found] == ([expected] if expected else [])
    assert bool(tied) == (learned and expected is not None)
