"""The embedded reader on a few plain sentences: what it writes, and what it must not write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.roster import Known, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import DATA, NW, compact


def read(text: str, roster: Roster | None = None) -> ProseReading:
    return read_prose(Unit("ch01", 1, text), roster)


def states(reading: ProseReading) -> set[tuple[str, str]]:
    """Propositions of the states, with their truth."""
    from rdflib import URIRef

    graph = reading.delta.graph
    found = graph.subjects(URIRef("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), URIRef(NW + "State"))
    return {
        (
            compact(str(graph.value(one, URIRef(NW + "proposition")))),
            compact(str(graph.value(one, URIRef(NW + "truth")))),
        )
        for one in found
    }


def values(reading: ProseReading, name: str) -> list[str]:
    from rdflib import URIRef

    return sorted(compact(str(value)) for value in reading.delta.graph.objects(None, URIRef(NW + name)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mila entered the den.", {"mila.location.den"}, id="enter"),
        pytest.param("Mila exited the den.", {"not.mila.location.den"}, id="exit"),
        pytest.param("Daniel went back to the hallway.", {"daniel.location.hallway"}, id="go back"),
        pytest.param("Mary is no longer in the kitchen.", {"not.mary.location.kitchen"}, id="no longer"),
        pytest.param("Mary picked up the apple.", {"apple.possession.mary"}, id="particle"),
        pytest.param("Fred handed the ball to Bill.", {"ball.possession.bill"}, id="give"),
        pytest.param("Isla dislikes the t-shirt.", {"not.isla.likes.t-shirt"}, id="dislike, hyphen"),
        pytest.param("Mara finally unlocked the gate.", {"gate.open:unlocked"}, id="unlock"),
        pytest.param("Mary did not go to the office.", set(), id="denied"),
        pytest.param("Mary might go to the office.", set(), id="only possible"),
        pytest.param("Mary said that the key was in the box.", set(), id="only said"),
        pytest.param("“The key is in the box,” said Mary.", set(), id="only quoted"),
    ],
)
def test_a_sentence_changes_the_world_as_told(text: str, expected: set[str]) -> None:
    assert {proposition for proposition, _ in states(read(text))} == expected


def test_either_or_is_open() -> None:
    assert states(read("Fred is either in the school or the park.")) == {
        ("fred.location.school", "unknown"),
        ("fred.location.park", "unknown"),
    }


def test_what_is_taken_up_no_longer_lies_where_it_lay() -> None:
    found = {one for one, _ in states(read("Mary put the cup on the shelf. John took the cup."))}
    assert {"cup.location.shelf", "not.cup.location.shelf", "cup.possession.john"} <= found


def test_what_is_dropped_lies_where_its_bearer_is() -> None:
    found = {
        one for one, _ in states(read("Mary took the ball. Mary went to the garden. Mary dropped the ball."))
    }
    assert {"ball.location.garden", "not.ball.possession.mary"} <= found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Daniel moved to the office. Afterwards he moved to the hall.", "daniel.location.hall", id="he"
        ),
        pytest.param(
            "Mary and Daniel went to the hall. Then they went to the park.", "mary.location.park", id="they"
        ),
    ],
)
def test_pronouns_find_whoever_was_acting(text: str, expected: str) -> None:
    assert expected in {one for one, _ in states(read(text))}


def test_two_who_fit_leave_a_pronoun_open() -> None:
    reading = read("Mary and Susan went to the hall. She went to the park.")
    assert [
        one.cut("Mary and Susan went to the hall. She went to the park.")
        for one in reading.coverage.unresolved
    ] == ["She"]


def test_a_lie_is_a_claim_and_no_fact() -> None:
    reading = read("The lamp was broken. Iona falsely told Tomas it worked; Tomas believed her.")
    assert states(reading) == {("not.lamp.condition:working", "asserted")}
    assert (values(reading, "manner"), values(reading, "claim")) == (["lies"], ["lamp.condition:working"])
    assert values(reading, "attitude") == ["believes"]


def test_known_people_keep_their_ids() -> None:
    roster = Roster((Known("old-mara", "character", ("Mara",)),))
    assert {one for one, _ in states(read("Mara entered the den.", roster))} == {"old-mara.location.den"}


def test_a_sentence_that_says_nothing_we_know_is_counted() -> None:
    reading = read("Alas! Mary entered the den.")
    assert (reading.coverage.read, len(reading.coverage.unread)) == (1, 1)


def test_reading_twice_gives_the_same() -> None:
    text = "Leo left the key in the drawer and went down to the harbour. He waited."
    assert set(read(text).delta.graph) == set(read(text).delta.graph)


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="Mary wentohkdr.,“”'‘’\n-_?!", max_size=60))
def test_any_text_reads_without_a_refusal(text: str) -> None:
    reading = read(text)
    assert sift(reading.delta.graph, {})[1] == []
    assert DATA
