"""A heap holds what was said, and finds it as any other store does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef

from narraworld.kb.delta_store import heap_graph

terms = st.sampled_from([URIRef("urn:nw:a"), URIRef("urn:nw:b"), URIRef("urn:nw:c")])
values = terms | st.sampled_from([Literal(1), Literal(True), Literal("a"), Literal("1")])
statements = st.lists(st.tuples(terms, terms, values), max_size=12)
patterns = st.tuples(st.none() | terms, st.none() | terms, st.none() | values)


@given(statements, patterns)
def test_it_finds_and_forgets_what_rdflib_s_own_store_does(
    said: list[tuple[URIRef, URIRef, URIRef | Literal]],
    pattern: tuple[URIRef | None, URIRef | None, URIRef | Literal | None],
) -> None:
    heap, usual = heap_graph(), Graph()
    for one in said:
        heap.add(one)
        usual.add(one)

    assert set(heap.triples(pattern)) == set(usual.triples(pattern))
    assert len(heap) == len(usual)
    heap.remove(pattern)
    usual.remove(pattern)
    assert set(heap) == set(usual)
    assert sorted(heap.serialize(format="nt").split("\n")) == sorted(usual.serialize(format="nt").split("\n"))
