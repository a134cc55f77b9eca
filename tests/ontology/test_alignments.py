"""Every word of others that we align with is there: GOLEM 1.1 by its list of classes, PROV and OWL-Time by rdflib's own.

GOLEM's list is not ours to ship: with NARRAWORLD_DATA set to a folder that has `golem/golem_v1-1.classes.tsv` it is checked, else
skipped. Web Annotation, CRMinf, LRMoo and BBC Storyline cannot be checked offline.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rdflib import PROV, TIME, Graph, URIRef

from narraworld.ontology.files import ROOM

GOLEM = "https://w3id.org/golem/ontology#"  # the namespace of release 1.1; 1.0 had another


def aligned(space: str) -> set[str]:
    graph = Graph().parse(ROOM / "alignments.ttl")
    return {
        str(one) for row in graph for one in row if isinstance(one, URIRef) and str(one).startswith(space)
    }


def test_every_golem_class_stands_in_release_1_1() -> None:
    table = Path(os.environ.get("NARRAWORLD_DATA", "")) / "golem" / "golem_v1-1.classes.tsv"
    if not table.is_file():
        pytest.skip("needs NARRAWORLD_DATA with golem/golem_v1-1.classes.tsv")
    known = {line.split("\t")[0] for line in table.read_text("utf-8").splitlines()[1:]}

    assert aligned(GOLEM) - known == set()
    assert len(aligned(GOLEM)) >= 10


@pytest.mark.parametrize("space", [PROV, TIME], ids=["prov", "time"])
def test_what_rdflib_has_is_there(space: type[PROV] | type[TIME]) -> None:
    names = {iri.removeprefix(str(space)) for iri in aligned(str(space))}

    assert names
    assert {name for name in names if name not in space} == set()
