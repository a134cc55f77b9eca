"""Records taken back: what cannot stand without them goes too, what is only dated by them stays."""

from __future__ import annotations

import pytest
from rdflib import RDF, URIRef

from narraworld.kb.delta import Delta
from narraworld.kb.propositions import Statement
from narraworld.kb.units import Unit
from narraworld.kb.withdrawing import unspoken_of, with_dependents
from narraworld.ontology.vocabulary import DATA, NW, compact

KEY = Statement("key", "location", "drawer")


@pytest.fixture
def delta() -> Delta:
    """Leo left the key; so it is in the drawer, Mara saw him do it, and knows where it is."""
    found = Delta(Unit("ch01", 1, "Leo left the key in the drawer. Mara saw it. The key was old."))
    found.add("Event", "leave", quote="Leo left the key", kind="leave", agent="leo", patient="key")
    found.add("State", "there", quote="the key in the drawer", proposition=KEY, at="leave")
    found.add(
        "Access", "saw", quote="Mara saw it", holder="mara", event="leave", mode="observation", at="leave"
    )
    return found


def left(delta: Delta) -> set[str]:
    return {compact(str(node)) for node in delta.graph.subjects(RDF.type)}


def test_a_deed_goes_with_the_sight_of_it_and_what_it_made_so_stays_undated(delta: Delta) -> None:
    assert delta.withdraw(["ch01/leave"]) == {"ch01/leave", "ch01/saw"}
    assert left(delta) == {"ch01", "ch01/there", KEY.id, "ch01/@9-30"}
    assert delta.graph.value(URIRef(DATA + "ch01/there"), URIRef(NW + "at")) is None


def test_what_nobody_says_any_more_is_gone_and_can_be_said_again(delta: Delta) -> None:
    delta.withdraw(["ch01/there"])
    assert KEY.id not in left(delta)
    delta.add("State", "again", quote="the key in the drawer", proposition=KEY)
    assert {KEY.id, "ch01/@9-30"} <= left(delta)


def test_a_record_without_one_of_its_properties(delta: Delta) -> None:
    delta.omit("ch01/leave", "agent")
    node = URIRef(DATA + "ch01/leave")
    assert delta.graph.value(node, URIRef(NW + "agent")) is None
    assert str(delta.graph.value(node, URIRef(NW + "patient"))) == DATA + "key"


def test_the_parts_of_it(delta: Delta) -> None:
    said, event = list(delta.graph), URIRef(DATA + "ch01/leave")
    assert with_dependents(said, [event]) == {event, URIRef(DATA + "ch01/saw")}
    assert unspoken_of(said) == set()
