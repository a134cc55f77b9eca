"""States said outright, on hand-made parses."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.writers.states import show_scene, stated, write_state


def test_a_thing_said_to_be_somewhere_is_shown_there() -> None:
    unit = unit_state("The key was in the drawer.")
    [clause] = begin(unit, "The key was in the drawer.")
    assert write_state(unit, clause)
    show_scene(unit)
    assert told(unit, "State", "proposition", "at") == [("key.location.drawer", "ch01/shown-0")]
    assert told(unit, "Event", "kind", "patient") == [("be", "key")]
    assert unit.stage.where["key"][0] == "drawer"


def test_an_adjective_says_how_it_is() -> None:
    unit = unit_state("The lamp was broken.")
    [clause] = begin(unit, "The lamp was broken.")
    assert [said.id for said in stated(unit, clause)] == ["not.lamp.condition:working"]


def test_what_is_empty_holds_no_longer_what_it_held() -> None:
    unit = unit_state("The chest was empty.", chest="object", crown="object")
    unit.stage.where["crown"] = ("chest", None)
    [clause] = begin(unit, "The chest was empty.")
    write_state(unit, clause)
    assert ("not.crown.location.chest",) in told(unit, "State", "proposition")
    assert unit.stage.where == {}
