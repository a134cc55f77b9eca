"""Hygiene of the Turtle files: all defined, all explained, nothing stray."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef
from rdflib.term import Node

from narraworld.ontology.files import MODULES, ROOM, SHAPES, ontology_graph, shapes_graph
from narraworld.ontology.vocabulary import NW, NWC, compact, vocabulary

ONTOLOGY = ontology_graph()
DOMAINS = (RDFS.domain, URIRef(NW + "domainIncludes"))
RANGES = (RDFS.range, URIRef(NW + "rangeIncludes"))


def ours(nodes: set[Node]) -> set[Node]:
    return {node for node in nodes if str(node).startswith(NW)}


def nodes_in(graph: Graph) -> set[Node]:
    return {node for statement in graph for node in statement}


@pytest.mark.parametrize("term", sorted(ours(set(ONTOLOGY.subjects()))), ids=lambda term: compact(str(term)))
def test_every_term_has_one_label_and_one_definition(term: Node) -> None:
    assert len(set(ONTOLOGY.objects(term, RDFS.label))) == 1
    [definition] = ONTOLOGY.objects(term, SKOS.definition)
    assert str(definition).endswith(".") and len(str(definition)) > 5


def test_labels_are_unique_per_kind() -> None:
    kinds = {
        "class": ONTOLOGY.subjects(RDF.type, OWL.Class),
        "property": {*ONTOLOGY.subjects(RDFS.domain), *ONTOLOGY.subjects(URIRef(NW + "domainIncludes"))},
        "code": {node for node in ONTOLOGY.subjects() if str(node).startswith(NWC)},
    }
    for kind, terms in kinds.items():
        counts = Counter(str(ONTOLOGY.value(term, RDFS.label)) for term in terms)
        assert [label for label, count in counts.items() if count > 1] == [], kind


@pytest.mark.parametrize("file", [*MODULES, *SHAPES, ROOM / "alignments.ttl"], ids=lambda file: file.name)
def test_no_file_uses_a_term_of_ours_that_nobody_defines(file: Path) -> None:
    defined = set(ONTOLOGY.subjects()) | set(shapes_graph().subjects())
    graph = Graph().parse(file)

    own = set(graph.subjects(RDF.type, OWL.Ontology))
    assert ours(nodes_in(graph)) - own - defined == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_every_module_names_itself_and_its_version(module: Path) -> None:
    graph = Graph().parse(module)

    [name] = graph.subjects(RDF.type, OWL.Ontology)
    assert str(name) == f"{NW}module/{module.stem}"
    assert str(graph.value(name, OWL.versionInfo)).count(".") == 2


def test_no_class_is_above_itself() -> None:
    above = {name: term.ancestors for name, term in vocabulary().classes.items()}

    assert [name for name, ancestors in above.items() if name in ancestors] == []


def test_names_follow_the_convention() -> None:
    assert [name for name in vocabulary().classes if not (name[0].isupper() and name.isalnum())] == []
    assert [name for name in vocabulary().properties if not (name[0].islower() and name.isalnum())] == []


def test_hypothetical_things_are_not_told_things() -> None:
    possible = Graph().parse(ROOM / "possible.ttl").subjects(RDF.type, OWL.Class)
    above = set().union(*(vocabulary().cls(compact(str(one))).ancestors for one in possible))

    assert above == {"Record", "Code"}


@pytest.mark.parametrize("name", sorted(vocabulary().properties))
def test_declared_domains_and_ranges_are_those_the_shapes_use(name: str) -> None:
    classes = vocabulary().classes
    domains, ranges = (
        {compact(str(one)) for kind in kinds for one in ONTOLOGY.objects(URIRef(NW + name), kind)}
        for kinds in (DOMAINS, RANGES)
    )
    takers = {one.name for one in classes.values() if name in one.properties}
    unasked = {"Situation", "Dimension"} | ({"Record"} if name in ("evidence", "authority") else set())

    assert all(any(classes[taker].is_a(domain) for domain in domains) for taker in takers)
    assert all(any(classes[taker].is_a(domain) for taker in takers) for domain in domains - unasked)
    assert set(vocabulary().property(name).ranges) == {one for one in ranges if one in classes}


def test_alignments_speak_only_of_our_terms_and_never_load_by_default() -> None:
    alignments = Graph().parse(ROOM / "alignments.ttl")
    subjects = set(alignments.subjects()) - set(alignments.subjects(RDF.type, OWL.Ontology))

    assert subjects <= ours(set(ONTOLOGY.subjects()))
    assert not any("golem" in str(node) for node in nodes_in(ONTOLOGY) | nodes_in(shapes_graph()))
    assert (ROOM / "alignments.ttl") not in MODULES


def test_alignments_never_make_a_character_a_real_believer() -> None:
    alignments = Graph().parse(ROOM / "alignments.ttl")

    above = {str(one) for one in alignments.objects(None, RDFS.subClassOf)}
    assert [one for one in above if "crminf" in one or "cidoc" in one] == []
