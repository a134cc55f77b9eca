"""The one promise of every reader, checked on what is in the journal: no record without words that are really there."""

from __future__ import annotations

from collections import defaultdict

import pyoxigraph as ox

from narraworld.kb import quads as rdf
from narraworld.ontology.vocabulary import compact, vocabulary
from narraworld.world import World

__all__ = ["every_quote_is_verbatim"]

Said = dict[str, list[str]]


def every_quote_is_verbatim(world: World) -> int:
    """How many records and entities the journal holds; an AssertionError names the first without verified words."""
    spans: set[str] = set()
    supported: dict[str, list[str]] = {}
    for entry in world.store.log():
        text, nodes = world.store.text(entry), _nodes(world.store.quads(entry))
        for node, said in nodes.items():
            kind = said["type"][0]
            if kind == "Span":
                start, end = int(said["start"][0]), int(said["end"][0])
                assert text[start:end] == said["quote"][0] != "", f"{node} is not in the text"
                spans.add(node)
            elif vocabulary().cls(kind).is_a("Record") or vocabulary().cls(kind).is_a("Entity"):
                supported[f"{entry.revision} {node}"] = said.get("evidence", [])
    for node, evidence in supported.items():
        assert evidence and spans.issuperset(evidence), f"{node} has no words behind it"
    return len(supported)


def _nodes(quads: list[ox.Quad]) -> dict[str, Said]:
    """By node its properties, in the short words of the ontology."""
    nodes: dict[str, Said] = defaultdict(lambda: defaultdict(list))
    for quad in quads:
        name = compact(str(rdf.to_rdflib(quad.predicate))).rpartition("#")[2]
        nodes[compact(str(rdf.to_rdflib(quad.subject)))][name].append(
            compact(str(rdf.to_rdflib(quad.object)))
        )
    return nodes
