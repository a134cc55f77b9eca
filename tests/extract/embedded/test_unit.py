"""The state of a unit: who is meant, what was said to be where, what was said to be broken."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

WHERE = TextRange(0, 3)


def test_no_more_than_twelve_things_change_in_a_unit() -> None:
    assert len(UnitState.__slots__) <= 12


def test_a_word_means_one_thing_throughout_its_sentence() -> None:
    unit = unit_state("Leo took the key from the drawer.")
    [clause] = begin(unit, "Leo took the key from the drawer.")
    first = unit.who(clause.objects)
    assert first == unit.who(clause.objects) == ("key",)
    assert unit.mean(clause.objects, "drawer") == unit.who(clause.objects) == ("drawer",)


def test_what_is_said_to_be_broken_is_remembered() -> None:
    unit = unit_state("The lamp was broken.", lamp="object")
    unit.add("State", WHERE, proposition=Statement("lamp", "condition", value="working", negative=True))
    assert (unit.held.broken, unit.used) == ({"lamp"}, {"lamp"})


def test_where_somebody_thinks_a_thing_to_be_is_remembered_apart() -> None:
    unit = unit_state("Leo.", key="object", drawer="place", leo="character")
    said = Statement("key", "location", "drawer")
    unit.add("Attitude", WHERE, holder="leo", proposition=said, attitude="believes")
    assert (unit.stage.said, unit.stage.where) == ({"key": "drawer"}, {})
    assert told(unit, "Attitude", "holder", "attitude") == [("leo", "believes")]
