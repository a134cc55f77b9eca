"""What a unit's records say about time, and how much of it has been said at a point of the telling."""

from __future__ import annotations

import pytest

from narraworld.kb import quads as rdf
from narraworld.kb.delta import Delta
from narraworld.kb.rows.bindings import NodeFacts, nodes_of
from narraworld.kb.rows.times import (
    ToldAnchor,
    ToldOrder,
    clock_rows,
    from_text,
    to_text,
    told_rows,
    told_until,
    unit_times,
)
from narraworld.kb.time.clock_values import ClockScene, ClockSettings, Moves, TimeChange, Timed, UnitTimes
from narraworld.kb.units import Unit

TEXT = "Leo fell. Before that he ran. Ten years later he told it."
SETTINGS = ClockSettings(unit_length=1000, step=10)


@pytest.fixture
def nodes() -> dict[str, NodeFacts]:
    made = Delta(Unit("ch02", 2, TEXT, time_anchor="in 1850"))
    made.add("Character", "leo", name="Leo", quote="Leo")
    made.add("Development", "fall", kind="mystery", title="The fall", quote="Leo fell")
    made.add("Scene", "s1", unit="ch02", start=0, end=28, quote="Leo fell")
    made.add("Event", "tell", kind="tell", agent="leo", quote=["he told it", "he ran"])
    made.add("Event", "fall", kind="fall", agent="leo", quote="Leo fell")
    made.add("State", "hurt", proposition="leo.condition:hurt", at="fall", quote="fell")
    made.add("Event", "note", kind="note", authority="authorNote")
    made.add("TimeRelation", "r", event="tell", relation="before", reference="fall", quote="Before that")
    made.add(
        "TimeAnchor",
        "a",
        event="tell",
        expression="ten years later",
        flashback=False,
        quote="Ten years later",
    )
    return nodes_of(rdf.parse(rdf.canonical(made.graph, "ch02")))


WHOLE = UnitTimes(
    "ch02",
    2,
    "in 1850",
    (
        Timed("ch02/fall", 0),
        Timed("ch02/note", 0),
        Timed("ch02/hurt", 4, "ch02/fall"),
        Timed("ch02/tell", 22),
    ),
    (ToldOrder("ch02/tell", "before", "ch02/fall", 10),),
    (ToldAnchor("ch02/tell", "ten years later", False, 30),),
    (ClockScene("ch02/s1", 0, 28),),
)


def test_a_unit_in_the_clocks_own_terms(nodes: dict[str, NodeFacts]) -> None:
    """Records in the order of the telling; people, developments, scenes and statements about time have no moment."""
    found = unit_times(nodes, "ch02")

    assert found == WHOLE
    assert [one.offset for one in (*found.relations, *found.anchors)] == [10, 30], (
        "where each statement stands"
    )


def test_it_can_be_written_down(nodes: dict[str, NodeFacts]) -> None:
    again = from_text(to_text(WHOLE))

    assert again == WHOLE
    assert again.relations[0].offset == 10


@pytest.mark.parametrize(
    ("last", "records", "relations", "anchors", "scenes"),
    [
        pytest.param(2000, 2, 0, 0, 1, id="the first letter"),
        pytest.param(2009, 3, 0, 0, 1, id="before the first statement"),
        pytest.param(2010, 3, 1, 0, 1, id="at it"),
        pytest.param(2030, 4, 1, 1, 1, id="at the date"),
        pytest.param(9999, 4, 1, 1, 1, id="long after"),
    ],
)
def test_said_so_far(last: int, records: int, relations: int, anchors: int, scenes: int) -> None:
    found = told_until(WHOLE, last, SETTINGS)

    assert found is not None
    assert (len(found.records), len(found.relations), len(found.anchors), len(found.scenes)) == (
        records,
        relations,
        anchors,
        scenes,
    )
    assert found.anchor == "in 1850"


def test_a_unit_that_has_not_begun_has_said_nothing() -> None:
    assert told_until(WHOLE, 1999, SETTINGS) is None


def test_where_scenes_and_statements_are_told(nodes: dict[str, NodeFacts]) -> None:
    assert list(told_rows(nodes, "ch02", SETTINGS)) == [("ch02/s1", 2000), ("ch02/r", 2010)]


def test_the_clocks_answer_as_rows() -> None:
    change = TimeChange(tick=Moves({"a": 2}, {"a": 1}), told=Moves({"a": 7}), minutes=Moves({}, {"b": 3}))

    assert list(clock_rows(change)) == [
        (False, "at", ("a", 1)),
        (True, "at", ("a", 2)),
        (True, "told", ("a", 7)),
        (False, "dated", ("b", 3)),
    ]


@pytest.mark.parametrize(
    ("realis", "ahead"),
    [("actual", False), ("future", True), ("hypothetical", True), ("dreamed", True), ("habitual", False)],
)
def test_what_the_story_has_not_reached_is_ahead_of_it(realis: str, ahead: bool) -> None:
    made = Delta(Unit("ch01", 1, "Leo fell."))
    made.add("Event", "fall", kind="fall", realis=realis, quote="Leo fell")
    read = nodes_of(rdf.parse(rdf.canonical(made.graph, "ch01")))

    assert unit_times(read, "ch01").records == (Timed("ch01/fall", 0, None, ahead),)
