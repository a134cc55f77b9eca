"""Sifting: what is refused goes, what refers to it goes, everybody else stays."""

from __future__ import annotations

from rdflib import Graph

from narraworld.ontology.validate import REFERS_TO_REFUSED, sift, validate
from narraworld.ontology.vocabulary import compact

PREFIXES = "@prefix nw: <https://w3id.org/narraworld/> . @prefix nwc: <https://w3id.org/narraworld/code/> . "
KNOWN = {"mara": "Character", "leo": "Character", "key": "Object", "drawer": "Place", "ch01": "SourceUnit"}
SPANS = """
    <urn:nw:ch01/@0-4> a nw:Span ; nw:unit <urn:nw:ch01> ; nw:start 0 ; nw:end 4 ; nw:quote "Mara" .
    <urn:nw:ch01/@5-8> a nw:Span ; nw:unit <urn:nw:ch01> ; nw:start 5 ; nw:end 8 ; nw:quote "hid" ."""
PROPOSITION = """
    <urn:nw:key.location.drawer> a nw:Proposition ; nw:subject <urn:nw:key> ; nw:predicate nwc:location ;
        nw:object <urn:nw:drawer> ; nw:polarity nwc:positive ; nw:slot "key|location" ; nw:matter "key|location|drawer" ."""
GOOD_EVENT = """
    <urn:nw:ch01/move> a nw:Event ; nw:kind "move" ; nw:realis nwc:actual ; nw:evidence <urn:nw:ch01/@0-4> ."""
BAD_EVENT = """
    <urn:nw:ch01/hide> a nw:Event ; nw:kind "hide" ; nw:evidence <urn:nw:ch01/@5-8> ."""
STATE_AFTER_BAD = """
    <urn:nw:ch01/there> a nw:State ; nw:proposition <urn:nw:key.location.drawer> ; nw:truth nwc:asserted ;
        nw:at <urn:nw:ch01/hide> ; nw:evidence <urn:nw:ch01/@0-4> ."""
STATE_ALONE = """
    <urn:nw:ch01/said> a nw:State ; nw:proposition <urn:nw:key.location.drawer> ; nw:truth nwc:disputed ;
        nw:evidence <urn:nw:ch01/@0-4> ."""


def sifted(*parts: str) -> tuple[set[str], list[tuple[str, str]]]:
    """Ids that stay; ids that are refused, with the reason."""
    accepted, refusals = sift(Graph().parse(data=PREFIXES + "".join(parts)), KNOWN)
    return {compact(str(one)) for one in accepted.subjects()}, [(one.record, one.shape) for one in refusals]


def test_a_good_delta_stays_whole() -> None:
    graph = Graph().parse(data=PREFIXES + SPANS + PROPOSITION + GOOD_EVENT + STATE_ALONE)

    accepted, refusals = sift(graph, KNOWN)

    assert refusals == []
    assert accepted is graph


def test_a_refused_record_goes_with_its_own_span_and_leaves_its_neighbours() -> None:
    stay, refused = sifted(SPANS, GOOD_EVENT, BAD_EVENT)

    assert stay == {"ch01/@0-4", "ch01/move"}
    assert refused == [("ch01/hide", "EventShape-realis")]


def test_who_refers_to_a_refused_record_goes_and_what_only_they_used_goes_too() -> None:
    stay, refused = sifted(SPANS, PROPOSITION, GOOD_EVENT, BAD_EVENT, STATE_AFTER_BAD)

    assert stay == {"ch01/@0-4", "ch01/move"}
    assert refused == [("ch01/hide", "EventShape-realis"), ("ch01/there", REFERS_TO_REFUSED)]


def test_what_a_good_record_uses_as_well_stays() -> None:
    stay, _ = sifted(SPANS, PROPOSITION, BAD_EVENT, STATE_AFTER_BAD, STATE_ALONE)

    assert stay == {"ch01/@0-4", "key.location.drawer", "ch01/said"}


def test_referring_is_followed_to_the_end() -> None:
    follow_up = """
        <urn:nw:ch01/sees> a nw:Access ; nw:holder <urn:nw:leo> ; nw:mode nwc:observation ; nw:event <urn:nw:ch01/after> ;
            nw:evidence <urn:nw:ch01/@0-4> .
        <urn:nw:ch01/after> a nw:Event ; nw:kind "run" ; nw:realis nwc:actual ; nw:cause <urn:nw:ch01/hide> ;
            nw:evidence <urn:nw:ch01/@0-4> ."""

    stay, refused = sifted(SPANS, GOOD_EVENT, BAD_EVENT, follow_up)

    assert stay == {"ch01/@0-4", "ch01/move"}
    assert [record for record, reason in refused if reason == REFERS_TO_REFUSED] == [
        "ch01/after",
        "ch01/sees",
    ]


def test_a_refused_span_takes_its_record_along_and_says_which() -> None:
    broken = SPANS.replace("nw:end 4", "nw:end 0")

    accepted, refusals = sift(Graph().parse(data=PREFIXES + broken + GOOD_EVENT), KNOWN)

    assert [(one.record, one.message) for one in refusals] == [
        ("ch01/@0-4", "a quotation ends after it starts"),
        ("ch01/move", "refers to a refused record: ch01/@0-4"),
    ]
    assert {compact(str(one)) for one in accepted.subjects()} == {"ch01/@5-8"}


def test_a_span_that_nobody_used_is_nobodys_orphan() -> None:
    stay, _ = sifted(SPANS, GOOD_EVENT)

    assert "ch01/@5-8" in stay


def test_entities_outlive_the_records_about_them() -> None:
    tobin = '<urn:nw:tobin> a nw:Character ; nw:name "Tobin" . '

    stay, _ = sifted(SPANS, tobin, BAD_EVENT.replace("nw:kind", "nw:agent <urn:nw:tobin> ; nw:kind"))

    assert "tobin" in stay


def test_a_blank_node_is_refused_and_sifted_out() -> None:
    nameless = '[] a nw:Character ; nw:name "somebody" . '

    stay, refused = sifted(SPANS, GOOD_EVENT, nameless)

    assert [reason for _, reason in refused] == ["NamespaceShape-id"]
    assert stay == {"ch01/@0-4", "ch01/@5-8", "ch01/move"}


def test_a_node_that_does_not_say_what_it_is_is_refused() -> None:
    graph = Graph().parse(data=PREFIXES + '<urn:nw:mara> nw:name "Mara the Bold" . ')

    assert [one.shape for one in validate(graph, KNOWN)] == ["NamespaceShape-class"]


def test_neither_validating_nor_sifting_changes_the_graph() -> None:
    graph = Graph().parse(data=PREFIXES + SPANS + BAD_EVENT)
    before = set(graph)

    validate(graph, KNOWN, engine="pyshacl")
    sift(graph, KNOWN)

    assert set(graph) == before
