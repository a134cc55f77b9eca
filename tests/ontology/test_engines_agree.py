"""The fast engine is proven equal to pyshacl: on every case, and on random mixtures and mutilations of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import RDF, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from narraworld.ontology.validate import sift, validate
from narraworld.ontology.vocabulary import DATA, NW, NWC, vocabulary

FILES = sorted((Path(__file__).parent / "cases").glob("*.*.ttl"))
PASSING = [file for file in FILES if file.stem.endswith(".pass")]
CASES = [Graph().parse(file) for file in FILES]
STATEMENTS = sorted({statement for graph in CASES for statement in graph}, key=str)
SUBJECTS = sorted({subject for subject, _, _ in STATEMENTS})
PREDICATES = [RDF.type, *(URIRef(NW + name) for name in vocabulary().properties)]
CODES = [URIRef(NWC + code) for codes in vocabulary().codes.values() for code in codes]
ODD: list[Node] = [
    BNode("n1"), URIRef("https://example.org/x"), URIRef(NWC + "nonsense"), URIRef(DATA + "predicate/owes"),
    Literal(""), Literal("Leo", lang="en"), Literal("7"), Literal(-1), Literal(3), Literal(99), Literal(2.5),
    Literal(True), Literal("many", datatype=XSD.integer), Literal("x", datatype=XSD.token), Literal("maybe", datatype=XSD.boolean),
]  # fmt: skip

nodes = st.sampled_from(
    [
        *SUBJECTS,
        *CODES,
        *ODD,
        *(URIRef(NW + name) for name in vocabulary().classes),
        *(o for _, _, o in STATEMENTS),
    ]
)
noise = st.tuples(st.sampled_from([*SUBJECTS, BNode("n1")]), st.sampled_from(PREDICATES), nodes)


def both(graph: Graph, cast: Mapping[str, str]) -> int:
    fast = validate(graph, cast, engine="fast")
    assert fast == validate(graph, cast, engine="pyshacl")
    return len(fast)


def variants(case: Graph) -> Iterator[tuple[Node, Node, Node]]:
    """The node of a case again and again under new names, each time with one value replaced, joined by an odd one, or gone."""
    [subject] = set(case.subjects())
    for number, (changed, odd) in enumerate(product(sorted(case), [None, *ODD])):
        kept = set(case) if number % 3 == 0 else set(case) - {changed}
        values = {(predicate, value) for _, predicate, value in kept}
        if odd is not None:
            values.add((changed[1], odd))
        yield from ((URIRef(f"{subject}-{number}"), predicate, value) for predicate, value in values)


@pytest.mark.parametrize("file", PASSING, ids=lambda file: file.stem)
def test_both_engines_agree_on_every_property_with_every_odd_value(
    file: Path, cast: Mapping[str, str]
) -> None:
    graph = Graph()
    for statement in variants(Graph().parse(file)):
        graph.add(statement)

    assert both(graph, cast) > 10


def test_both_engines_order_odd_positions_alike(cast: Mapping[str, str]) -> None:
    graph = Graph()
    for number, (start, end) in enumerate(product(ODD, ODD)):
        span = URIRef(f"{DATA}ch02/@{number}")
        graph.add((span, RDF.type, URIRef(NW + "Span")))
        graph.add((span, URIRef(NW + "start"), start))
        graph.add((span, URIRef(NW + "end"), end))

    assert both(graph, cast) > len(ODD) ** 2


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(CASES), min_size=1, max_size=5),
    st.lists(noise, max_size=8),
    st.lists(st.sampled_from(STATEMENTS), max_size=8),
)
def test_both_engines_refuse_the_same_for_the_same_reasons(
    cast: Mapping[str, str],
    cases: list[Graph],
    added: list[tuple[Node, Node, Node]],
    removed: list[tuple[Node, Node, Node]],
) -> None:
    graph = Graph()
    for case in cases:
        graph += case
    for statement in removed:
        graph.remove(statement)
    for statement in added:
        graph.add(statement)

    both(graph, cast)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(CASES), min_size=1, max_size=5), st.lists(noise, max_size=5))
def test_what_sifting_accepts_has_nothing_left_to_refuse(
    cast: Mapping[str, str], cases: list[Graph], added: list[tuple[Node, Node, Node]]
) -> None:
    graph = Graph()
    for case in cases:
        graph += case
    for statement in added:
        graph.add(statement)

    accepted, refusals = sift(graph, cast)

    assert validate(accepted, cast) == []
    assert set(accepted) <= set(graph)
    assert refusals or set(accepted) == set(graph)
