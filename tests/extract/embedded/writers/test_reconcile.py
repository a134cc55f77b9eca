"""Two names for one: what the text says, and what is refused."""

from __future__ import annotations

import pytest
from rdflib import URIRef

from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.extract.embedded.writers.identity import conflict
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import NW, compact


def read(text: str) -> ProseReading:
    return read_prose(Unit("ch01", 1, text))


def identities(reading: ProseReading) -> list[tuple[str, ...]]:
    graph = reading.delta.graph
    found = graph.subjects(URIRef(NW + "verdict"))
    return [
        tuple(compact(str(graph.value(node, URIRef(NW + name)))) for name in ("one", "other", "verdict"))
        for node in found
    ]


def test_a_second_name_is_learnt() -> None:
    reading = read("Strider, whose real name was Arador, entered the inn.")
    assert [(one.id, set(one.names)) for one in reading.cast if one.kind == "character"] == [
        ("strider", {"Strider", "Arador"})
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Strider left. Arador left. Strider was really Arador.",
            ("strider", "arador", "same"),
            id="the same",
        ),
        pytest.param(
            "Strider left. Arador left. Strider was not Arador.",
            ("strider", "arador", "different"),
            id="not the same",
        ),
    ],
)
def test_two_known_people_are_set_equal_or_apart(text: str, expected: tuple[str, ...]) -> None:
    reading = read(text)
    assert identities(reading) == [expected]
    assert sift(reading.delta.graph, {})[1] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(
            "Mr. Hyde left. Mrs. Poole left. Mr. Hyde was really Mrs. Poole.", "a woman", id="gender"
        ),
        pytest.param("Jack gave the key to Tom. Jack was really Tom.", "both take part", id="one event"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(text: str, why: str) -> None:
    reading = read(text)
    assert identities(reading) == []
    [refusal] = reading.delta.refusals
    assert why in refusal.message


def test_a_person_is_no_place() -> None:
    assert (
        conflict(CastMember({"vane": "Vane"}, kind="place"), CastMember({"quill": "Quill"}, kind="character"))
        is not None
    )
    assert (
        conflict(CastMember({"unit 7": "Unit 7"}), CastMember({"unit 9": "Unit 9"})) == "their numbers differ"
    )
