"""Events and what they change, on hand-made parses: only what is done has effects."""

from __future__ import annotations

from hand_made import begin, told, unit_state
from reading_aloud import deeds

from narraworld.extract.embedded.unit import Deed
from narraworld.extract.embedded.writers.events import outcome, write_event
from narraworld.extract.embedded.writers.role_filling import fit


def test_who_takes_a_thing_has_it() -> None:
    unit = unit_state("Leo took the key from the drawer.")
    unit.stage.where["key"] = ("drawer", None)
    [clause] = begin(unit, "Leo took the key from the drawer.")
    event = write_event(unit, clause, fit(unit, clause), 0)
    assert told(unit, "Event", "kind", "agent", "patient", "realis") == [("take", "leo", "key", "actual")]
    assert {said for (said,) in told(unit, "State", "proposition")} >= {
        "key.possession.leo",
        "not.key.location.drawer",
    }
    assert (unit.stage.holder["key"][0], "key" in unit.stage.where, unit.sentence.events) == (
        "leo",
        False,
        {0: event},
    )


def test_what_is_meant_changes_nothing() -> None:
    unit = unit_state("Leo decided to move the key.", key="object")
    _, move = begin(unit, "Leo decided to move the key.")
    write_event(unit, move, fit(unit, move), 1)
    assert (told(unit, "Event", "kind", "realis"), told(unit, "State", "proposition")) == (
        [("move", "hypothetical")],
        [],
    )


def test_who_goes_somewhere_is_there() -> None:
    unit = unit_state("Leo went to the mill.", mill="place")
    [clause] = begin(unit, "Leo went to the mill.")
    write_event(unit, clause, fit(unit, clause), 0)
    assert told(unit, "Presence", "holder", "movement", "place") == [("leo", "enters", "mill")]
    assert unit.stage.scene == "mill"


def test_had_left_is_before_what_was_told_last() -> None:
    unit = unit_state("Leo feared that Mara had left.")
    unit.deeds.append(Deed(0, "ch01/before", "sing", "actual", ("mara",), ()))
    unit.delta.add("Event", "before", quote="Leo feared", kind="sing")
    _, left = begin(unit, "Leo feared that Mara had left.")
    write_event(unit, left, fit(unit, left), 1)
    assert told(unit, "TimeRelation", "relation", "reference") == [("before", "ch01/before")]
    assert unit.deeds[-1].earlier


def test_the_outcome_of_a_deed_is_where_the_thing_is() -> None:
    unit = unit_state("Leo moved it to the shelf.", key="object")
    [clause] = begin(unit, "Leo moved it to the shelf.")
    frame, roles = fit(unit, clause)
    assert frame is not None
    assert [said.id for said in outcome(unit, frame, roles | {"patient": ("key",)})] == ["key.location.shelf"]


def test_had_and_did_alone_are_the_deed_before() -> None:
    assert "mara have -" not in deeds("Leo had never rowed, as Mara had.")
    assert "mara do -" not in deeds("Leo told Mara to row. Mara did.")
    assert "mara do lamps" in deeds("Mara did the lamps.")
