"""Rows are read off a unit's statements as the binding lines say; every row knows the node that carries it."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from narraworld.kb import quads as rdf
from narraworld.kb.delta import Delta
from narraworld.kb.rows.bindings import (
    Binding,
    Carried,
    RowReader,
    RowSource,
    nodes_of,
    parse_binding,
)
from narraworld.kb.units import Unit
from narraworld.ontology.errors import OntologyError


def quads(delta: Delta) -> list[ox.Quad]:
    return rdf.parse(rdf.canonical(delta.graph, delta.unit.id))


@pytest.fixture
def leaving() -> Delta:
    """Leo, also called the Fox, tells Mara that he is twelve and leaves the key."""
    made = Delta(Unit("ch01", 1, "Leo told Mara he was 12 and left."))
    made.add("Character", "leo", name=["Leo", "the Fox"], quote="Leo")
    made.add("Character", "mara", name="Mara")
    made.add(
        "Speech",
        "telling",
        kind="tell",
        speaker="leo",
        addressee="mara",
        claim="leo.age:12",
        quote="Leo told Mara",
    )
    made.add("Event", "go", kind="go", agent="leo", quote="left")
    return made


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            'from nw:Event|nw:Speech: id, kind, realis = "actual"',
            Binding(
                "r",
                frozenset({"Event", "Speech"}),
                (RowSource("id"), RowSource("kind"), RowSource("realis", "actual")),
            ),
            id="classes and a default",
        ),
        pytest.param(
            'from nw:Place: id, "place"',
            Binding("r", frozenset({"Place"}), (RowSource("id"), RowSource(None, "place"))),
            id="a constant",
        ),
        pytest.param("from clock: tick", Binding("r", special="clock: tick"), id="not from properties"),
    ],
)
def test_binding_lines(line: str, expected: Binding) -> None:
    assert parse_binding("r", line) == expected


@pytest.mark.parametrize(
    "line", ["from nw:Evnet: id", "from nw:Event: id, colour", "from nw:Event: id, kind + 1"]
)
def test_binding_lines_the_ontology_does_not_bear_out(line: str) -> None:
    with pytest.raises(OntologyError):
        parse_binding("r", line)


def rows(delta: Delta, *lines: str) -> set[tuple[str | int, ...]]:
    bindings = [parse_binding("r", line) for line in lines]
    carried = RowReader(bindings).rows(nodes_of(quads(delta)).values(), delta.unit.id)
    return {one.row for one in carried if one.relation == "r"}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["from nw:Event: id, kind"], {("ch01/go", "go"), ("ch01/telling", "tell")}, id="a class has its subclasses"),
        pytest.param(["from nw:Speech: id, speaker"], {("ch01/telling", "leo")}, id="a subclass has not its class"),
        pytest.param(["from nw:Character: id, name"], {("leo", "Leo"), ("leo", "the Fox"), ("mara", "Mara")}, id="one row for each value"),
        pytest.param(["from nw:Event: id, place"], set(), id="no value, no row"),
        pytest.param(['from nw:Event: id, place = "somewhere"'], {("ch01/go", "somewhere"), ("ch01/telling", "somewhere")}, id="a default"),
        pytest.param(['from nw:Event: id, agent, "agent"', 'from nw:Speech: id, speaker, "agent"'], {("ch01/go", "leo", "agent"), ("ch01/telling", "leo", "agent")}, id="two lines, one relation"),
        pytest.param(["from nw:SourceUnit: id, order"], {("ch01", 1)}, id="whole numbers are numbers"),
        pytest.param(["from nw:Proposition: id, value"], {("leo.age:12", "12")}, id="but the value of a proposition is a word"),
        pytest.param(["from nw:Speech: id, manner"], {("ch01/telling", "asserts")}, id="codes by their short names"),
    ],
)  # fmt: skip
def test_rows(leaving: Delta, lines: list[str], expected: set[tuple[str | int, ...]]) -> None:
    assert rows(leaving, *lines) == expected


def test_every_node_occurs_is_of_a_class_and_refers(leaving: Delta) -> None:
    carried = RowReader([]).rows(nodes_of(quads(leaving)).values(), "ch01")

    assert Carried("leo", "occurs", ("leo", "ch01")) in carried
    assert Carried("ch01/telling", "instance", ("ch01/telling", "Speech")) in carried
    assert {row for node, relation, row in carried if (node, relation) == ("ch01/telling", "refers")} == {
        ("ch01/telling", "leo"),
        ("ch01/telling", "mara"),
        ("ch01/telling", "leo.age:12"),
        ("ch01/telling", "ch01/@0-13"),
    }
    assert all(one.node == one.row[0] for one in carried)
