"""The vocabulary as values equals the files, and speaks up about unknown names."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import OWL, RDF, URIRef

from narraworld.ontology.errors import OntologyError
from narraworld.ontology.files import ontology_graph
from narraworld.ontology.respects import respects
from narraworld.ontology.vocabulary import DATA, NW, NWC, PropertyTerm, compact, expand, vocabulary

ids = st.from_regex(r"[a-z0-9][a-z0-9@./-]{0,30}", fullmatch=True).filter(
    lambda one: not one.startswith("predicate/")
)


def test_classes_and_codes_equal_the_files() -> None:
    graph = ontology_graph()

    assert {URIRef(NW + name) for name in vocabulary().classes} == set(graph.subjects(RDF.type, OWL.Class))
    for code_class, members in vocabulary().codes.items():
        assert {URIRef(NWC + name) for name in members} == set(
            graph.subjects(RDF.type, URIRef(NW + code_class))
        )


@pytest.mark.parametrize(
    ("code_class", "members"),
    [
        ("Realis", "actual negated hypothetical future habitual dreamed"),
        ("Mode", "participation observation communication reading discovery memory overhearing inference"),
        ("AttitudeKind", "knows believes doubts disbelieves suspects wonders wishes fears intends"),
        (
            "Manner",
            "asserts lies misleads asks requests commands forbids promises plans jokes mocks ironises imagines",
        ),
        ("Medium", "voice writing telephone"),
        ("Polarity", "positive negative"),
        ("Valence", "positive negative mixed"),
        ("CauseKind", "physical motivational psychological enabling"),
        ("Outcome", "achieved failed lapsed"),
        ("NormKind", "obligation prohibition permission"),
        ("StoryLine", "main analepsis prolepsis"),
        ("SceneRelation", "progression setback cause reversal revelation payoff resolution"),
        ("Truth", "asserted false disputed unknown"),
        ("Movement", "present enters leaves away asleep inattentive awake"),
        ("DevelopmentKind", "goal conflict relationship plan promise mystery"),
        ("Status", "opened advanced blocked resolved abandoned"),
        ("Uncertainty", "low medium high"),
        ("TimeOrder", "before after during sameTime"),
        ("Verdict", "same different"),
        ("Authority", "sourceText authorNote modelInference"),
        ("Focalization", "zero internal external"),
    ],
)
def test_code_lists_are_those_of_the_architecture(code_class: str, members: str) -> None:
    assert set(vocabulary().codes[code_class]) == set(members.split())


def test_dimensions_are_the_rows_of_the_table() -> None:
    dimensions = vocabulary().dimensions

    assert {name: one.functional for name, one in dimensions.items()} == {
        name: row.functional for name, row in respects().rows.items()
    }
    assert dimensions["location"].functional and not dimensions["condition"].functional


@pytest.mark.parametrize(
    ("class_name", "name", "kind", "ranges", "many", "required"),
    [
        ("Event", "kind", "text", (), False, True),
        ("Development", "kind", "code", ("DevelopmentKind",), False, True),
        ("Speech", "speaker", "node", ("Entity",), False, True),
        ("Access", "holder", "node", ("Character", "Group"), False, True),
        ("Development", "holder", "node", ("Character", "Group"), True, False),
        ("Proposition", "predicate", "iri", ("Dimension",), False, True),
        ("Proposition", "value", "literal", (), False, False),
        ("Span", "start", "integer", (), False, True),
        ("TimeAnchor", "flashback", "boolean", (), False, False),
        ("Plotline", "scene", "node", ("Scene",), True, True),
    ],
)
def test_a_class_takes_a_property_as_its_shape_says(
    class_name: str, name: str, kind: str, ranges: tuple[str, ...], many: bool, required: bool
) -> None:
    term: PropertyTerm = vocabulary().cls(class_name).property(name)

    assert (term.kind, term.ranges, term.many, term.required) == (kind, ranges, many, required)


def test_a_property_that_differs_by_class_says_so() -> None:
    assert vocabulary().property("kind").kind == "mixed"
    assert vocabulary().property("holder").many


def test_ancestors_go_all_the_way_up() -> None:
    assert vocabulary().cls("Speech").ancestors == {"Event", "Record"}
    assert vocabulary().cls("Speech").is_a("Event") and not vocabulary().cls("Event").is_a("Speech")


@pytest.mark.parametrize(
    ("ask", "advice"),
    [
        (lambda: vocabulary().cls("Evnt"), "did you mean Event"),
        (lambda: vocabulary().property("adressee"), "did you mean addressee"),
        (lambda: vocabulary().cls("Event").property("plase"), "did you mean place"),
        (lambda: vocabulary().code("Mode", "observed"), "did you mean observation"),
        (lambda: vocabulary().dimension("locatoin"), "did you mean location"),
        (lambda: expand("hollow book"), "leave out spaces"),
    ],
    ids=["class", "property", "property of a class", "code", "dimension", "id"],
)
def test_unknown_names_raise_with_advice(ask, advice: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(OntologyError) as error:
        ask()

    assert advice in str(error.value)


@pytest.mark.parametrize(
    ("symbol", "kind", "iri"),
    [
        ("leo", "node", DATA + "leo"),
        ("ch02/move", "node", DATA + "ch02/move"),
        ("observation", "code", NWC + "observation"),
        ("location", "iri", NWC + "location"),
        ("owes", "iri", DATA + "predicate/owes"),
    ],
)
def test_symbols_expand_by_what_they_stand_for_and_compact_back(symbol: str, kind, iri: str) -> None:  # type: ignore[no-untyped-def]
    assert expand(symbol, kind) == iri
    assert compact(iri) == symbol


@given(ids, st.sampled_from(["node", "code", "iri"]))
def test_compact_undoes_expand(symbol: str, kind) -> None:  # type: ignore[no-untyped-def]
    assert compact(expand(symbol, kind)) == symbol


def test_importing_the_terms_loads_no_rdf_library() -> None:
    code = "import sys, narraworld.ontology.vocabulary, narraworld.ontology.validate as v; v.Refusal('a', 'b', 'c'); "
    heavy = subprocess.run(
        [sys.executable, "-c", code + "print({'rdflib', 'pyshacl', 'rapidfuzz'} & sys.modules.keys())"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert heavy.stdout.strip() == "set()"
