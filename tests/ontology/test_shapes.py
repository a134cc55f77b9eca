"""Every shape has named reasons; every reason has a graph that fails for exactly it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from rdflib import SH, Graph

from narraworld.ontology.files import SHAPES, shapes_graph
from narraworld.ontology.validate import Engine, Refusal, reasons, validate
from narraworld.ontology.vocabulary import compact, vocabulary

CASES = sorted((Path(__file__).parent / "cases").glob("*.*.ttl"))
CODE_REASONS = [
    (f"{name}Shape-{prop.name}", prop.ranges[0])
    for name, term in vocabulary().classes.items()
    for prop in term.properties.values()
    if prop.kind == "code" and f"{name}Shape-{prop.name}" in reasons()
]


def expected_reasons(case: Path) -> set[str]:
    """`event.fail-realis.ttl` fails for `EventShape-realis`, `event.pass.ttl` for nothing."""
    name, verdict = case.stem.split(".")
    return (
        set() if verdict == "pass" else {f"{name[0].upper()}{name[1:]}Shape-{verdict.removeprefix('fail-')}"}
    )


@pytest.mark.parametrize("engine", ["fast", "pyshacl"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case: Path, engine: Engine, cast: Mapping[str, str]) -> None:
    refusals = validate(Graph().parse(case), known=cast, engine=engine)

    assert {refusal.shape for refusal in refusals} == expected_reasons(case)


def test_every_reason_has_a_failing_case_and_no_case_fails_for_an_unknown_reason() -> None:
    tried = set().union(*(expected_reasons(case) for case in CASES))

    assert tried == set(reasons())


def test_every_shape_file_has_a_passing_case() -> None:
    passing = {case.stem.removesuffix(".pass") for case in CASES if case.stem.endswith(".pass")}

    assert passing == {file.stem for file in SHAPES}


def test_a_refusal_tells_record_reason_message_and_value(cast: Mapping[str, str]) -> None:
    story = """
        @prefix nw: <https://w3id.org/narraworld/> . @prefix nwc: <https://w3id.org/narraworld/code/> .
        <urn:nw:ch02/hide> a nw:Event ; nw:kind "hide" ; nw:realis nwc:perhaps ; nw:colour "red" ;
            nw:evidence <urn:nw:ch01/@0-27> ."""

    assert validate(Graph().parse(data=story), cast) == [
        Refusal("ch02/hide", "EventShape-closed", "an event has no such property", "colour"),
        Refusal(
            "ch02/hide",
            "EventShape-realis",
            "whether an event happens is one of: actual, negated, hypothetical, future, habitual, dreamed",
            "perhaps",
        ),
    ]


@pytest.mark.parametrize(("reason", "codes"), CODE_REASONS, ids=[reason for reason, _ in CODE_REASONS])
def test_a_message_about_codes_names_them_all(reason: str, codes: str) -> None:
    words = set(reasons()[reason].replace(",", " ").replace(":", " ").split())

    assert set(vocabulary().codes[codes]) <= words


def test_messages_need_no_rdf() -> None:
    jargon = ("iri", "literal", "datatype", "sh:", "nw:", "xsd:", "triple", "node", "instance")

    spoken = {
        reason: message.lower() for reason, message in reasons().items() if reason != "NamespaceShape-id"
    }
    assert [
        reason for reason, message in spoken.items() if any(word in message.split() for word in jargon)
    ] == []


def test_the_namespace_shape_lists_exactly_the_classes_with_a_shape() -> None:
    shapes = shapes_graph()
    [members] = shapes.objects(None, SH["in"])
    shaped = {one for shape in shapes.subjects(SH.closed) for one in shapes.objects(shape, SH.targetClass)}

    assert set(shapes.items(members)) == shaped


def test_no_shape_looks_backwards_so_the_subjects_of_a_delta_are_all_its_focus_nodes() -> None:
    shapes = shapes_graph()

    assert {type(path).__name__ for path in shapes.objects(None, SH.path)} == {"URIRef"}
    assert not set(shapes.predicates()) & {
        SH.sparql,
        SH.js,
        SH.node,
        SH.targetObjectsOf,
        SH.targetNode,
        SH.inversePath,
    }


def test_a_speech_owes_all_that_an_event_owes() -> None:
    taken = {name: set(vocabulary().cls(name).properties) for name in ("Event", "Speech")}

    assert taken["Speech"] - taken["Event"] == {"speaker", "addressee", "claim", "manner", "medium"}
    assert taken["Event"] < taken["Speech"]


@pytest.mark.parametrize("name", [name for name, term in vocabulary().classes.items() if term.is_a("Record")])
def test_every_record_carries_evidence_and_authority(name: str) -> None:
    assert name == "Record" or {"evidence", "authority"} <= set(vocabulary().cls(name).properties)


def test_all_that_breaks_is_a_named_shape_with_a_message() -> None:
    shapes = shapes_graph()
    named = {compact(str(one)) for one in shapes.subjects(SH.message)}
    used = {compact(str(one)) for one in shapes.objects(None, SH.property)}
    targeting = {compact(str(one)) for one in shapes.subjects(SH.targetClass)}

    assert used | targeting <= named
