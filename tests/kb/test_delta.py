"""Records go in by the names of the ontology and come out as statements; ids and offsets are made for them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, Literal, URIRef

from narraworld.kb.delta import Delta, references, slug
from narraworld.kb.propositions import BadProposition, Statement
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.validate import Refusal, validate
from narraworld.ontology.vocabulary import DATA, NW, NWC, compact

TEXT = "Leo left the key in the drawer. Mara saw it."


@pytest.fixture
def delta() -> Delta:
    return Delta(Unit("ch01", 1, TEXT, title="The drawer"))


def said(delta: Delta, node: str, name: str) -> list[str]:
    predicate = RDF.type if name == "type" else URIRef(NW + name)
    return sorted(compact(str(value)) for value in delta.graph.objects(URIRef(DATA + node), predicate))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Leo", "leo"),
        ("The Hollow Book", "hollow-book"),
        ("A. N. Other", "n-other"),
        ("The", "the"),
        ("Zoë d’Arc", "zoe-d-arc"),
        ("Zoë d'Arc", "zoe-d-arc"),
        ("Иван III", "иван-iii"),
        ("北京", "北京"),
    ],
)
def test_slug(name: str, expected: str) -> None:
    assert slug(name) == expected


@settings(deadline=None)  # the first example reads the ontology
@given(st.text(st.characters(codec="utf-8")))
def test_a_slug_is_always_an_id(name: str) -> None:
    made = Delta(Unit("ch01", 1, TEXT)).add("Character", name=name)

    assert made == slug(name)
    assert made
    assert not any(sign.isspace() or sign in '/.:<>"{}|^`\\' for sign in made)


def test_strangers_do_not_share_an_id() -> None:
    assert (
        len(
            {
                slug(name)
                for name in ("Анна", "Аннушка", "Пётр III", "Иван III", "!!!", "???", "北京", "北京人")
            }
        )
        == 8
    )


def test_a_unit_describes_itself(delta: Delta) -> None:
    assert said(delta, "ch01", "type") == ["SourceUnit"]
    assert said(delta, "ch01", "text") == [TEXT]
    assert said(delta, "ch01", "title") == ["The drawer"]
    assert said(delta, "ch01", "authority") == ["sourceText"]
    assert delta.graph.value(URIRef(DATA + "ch01"), URIRef(NW + "order")) == Literal(1)


def test_ids(delta: Delta) -> None:
    """What lasts has a name of its own; what belongs to the unit is numbered, around the ids that are taken."""
    delta.reserve(["state-1"])

    assert delta.add("Character", name="Leo") == "leo"
    assert delta.add("Character", "mara", name="Mara") == "mara"
    assert delta.add("Development", kind="goal", title="The Return") == "return"
    assert delta.add("Event", "leave", kind="leave", quote="Leo left") == "ch01/leave"
    assert delta.add("Event", kind="see", quote="Mara saw it") == "ch01/event-1"
    assert delta.add("State", proposition="key.location.drawer", quote="in the drawer") == "ch01/state-2"


def test_references(delta: Delta) -> None:
    """A local id, an entity, a record of another unit, a proposition in its notation or as a value."""
    delta.reserve(["leave"])
    first = delta.add("State", proposition="key.location.drawer", at="leave", quote="in the drawer")
    second = delta.add(
        "State", proposition=Statement("key", "possession", object="leo"), at="ch00/find", quote="Leo"
    )

    assert said(delta, first, "at") == ["ch01/leave"]
    assert said(delta, first, "proposition") == ["key.location.drawer"]
    assert said(delta, second, "at") == ["ch00/find"]
    assert said(delta, second, "proposition") == ["key.possession.leo"]


def test_a_proposition_is_one_shared_node(delta: Delta) -> None:
    delta.add("State", proposition="key.location.drawer", quote="in the drawer")
    size = len(delta.graph)
    node = delta.proposition("key.location.drawer")

    assert len(delta.graph) == size
    assert {
        name: said(delta, node, name)
        for name in ("type", "subject", "predicate", "object", "polarity", "slot", "matter")
    } == {
        "type": ["Proposition"],
        "subject": ["key"],
        "predicate": ["location"],
        "object": ["drawer"],
        "polarity": ["positive"],
        "slot": ["key.location"],
        "matter": ["key.location.drawer"],
    }


def test_a_proposition_about_a_proposition(delta: Delta) -> None:
    node = delta.proposition("mara.knows.(not.key.location.drawer)")

    assert said(delta, node, "object") == ["not.key.location.drawer"]
    assert said(delta, "not.key.location.drawer", "polarity") == ["negative"]
    assert said(delta, node, "slot") == ["mara.knows.(not.key.location.drawer)"], "one may know many things"


def test_a_predicate_of_ones_own(delta: Delta) -> None:
    node = delta.proposition("leo.fears:water")

    assert (URIRef(DATA + node), URIRef(NW + "predicate"), URIRef("urn:nw:predicate/fears")) in delta.graph
    assert said(delta, node, "value") == ["water"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("State", {"truth": "false"}),
        ("Attitude", {"attitude": "disbelieves", "holder": "leo"}),
    ],
    ids=["what is false", "what is not believed"],
)
def test_who_denies_holds_the_opposite(delta: Delta, kind: str, fields: dict[str, str]) -> None:
    delta.add(kind, proposition="key.location.drawer", quote="in the drawer", **fields)

    assert said(delta, "not.key.location.drawer", "polarity") == ["negative"]


def test_who_affirms_does_not(delta: Delta) -> None:
    delta.add("State", proposition="key.location.drawer", quote="in the drawer")

    assert said(delta, "not.key.location.drawer", "type") == []


def test_what_goes_without_saying(delta: Delta) -> None:
    speech = delta.add("Speech", kind="tell", speaker="leo", quote="Leo left")

    assert said(delta, speech, "realis") == ["actual"]
    assert said(delta, speech, "manner") == ["asserts"]
    assert said(delta, delta.add("Character", name="Leo"), "realis") == []


def test_quotes_become_spans(delta: Delta) -> None:
    event = delta.add("Event", kind="leave", quote=["Leo left", TextRange(32, 43)])

    assert said(delta, event, "evidence") == ["ch01/@0-8", "ch01/@32-43"]
    assert said(delta, "ch01/@32-43", "quote") == ["Mara saw it"]


def test_a_record_whose_quote_is_nowhere_is_refused_whole(delta: Delta) -> None:
    """Half of its evidence is no evidence: nothing of it goes in, and the refusal says which quote it was."""
    size = len(delta.graph)
    node = delta.add("Event", kind="leave", agent="leo", quote=["Leo left", "Leo ran"])

    assert delta.refusals == [
        Refusal("ch01/event-1", "Span-quote", "the quote is not in the text", "Leo ran")
    ]
    assert node == "ch01/event-1"
    assert len(delta.graph) == size


@pytest.mark.parametrize(
    ("kind", "fields", "error"),
    [
        ("Charcter", {}, OntologyError),
        ("Character", {"colour": "red"}, OntologyError),
        ("State", {"proposition": "key.location"}, BadProposition),
    ],
    ids=["class", "property", "proposition"],
)
def test_words_the_ontology_does_not_have(
    delta: Delta, kind: str, fields: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        delta.add(kind, **fields)


def test_codes_are_left_to_the_shapes(delta: Delta) -> None:
    event = delta.add("Event", kind="leave", realis="maybe", quote="Leo left")

    assert (URIRef(DATA + event), URIRef(NW + "realis"), URIRef(NWC + "maybe")) in delta.graph
    assert [refusal.shape for refusal in validate(delta.graph)] == ["EventShape-realis"]


def test_what_it_refers_to(delta: Delta) -> None:
    delta.add("Event", "leave", kind="leave", agent="leo", quote="Leo left")
    delta.add("State", proposition="key.hue:red", at="leave", quote="the key")

    assert references(delta.graph) == {
        "ch01",
        "ch01/leave",
        "ch01/@0-8",
        "ch01/@9-16",
        "leo",
        "key",
        "key.hue:red",
    }
