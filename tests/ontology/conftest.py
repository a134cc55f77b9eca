"""The case files, and what they may refer to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from rdflib import RDF, Graph

from narraworld.ontology.vocabulary import compact

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session")
def cast() -> Mapping[str, str]:
    """The nodes committed before any case, with their classes."""
    graph = Graph().parse(CASES / "cast.ttl")
    return {compact(str(node)): compact(str(one)) for node, one in graph.subject_objects(RDF.type)}
