"""What the tests of the embedded reader share: read a text, and look at the records of one class."""

from __future__ import annotations

from types import SimpleNamespace

from rdflib import RDF, URIRef

from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.units import Unit
from narraworld.ontology.vocabulary import NW, compact

__all__ = ["deeds", "read", "records", "states", "values"]


def read(text: str) -> ProseReading:
    return read_prose(Unit("ch01", 1, text))


def records(reading: ProseReading, kind: str, *properties: str) -> list[SimpleNamespace]:
    """The records of a class that have all these properties, in the order in which they were written."""
    graph = reading.delta.graph
    found = []
    for node in graph.subjects(RDF.type, URIRef(NW + kind)):
        said = {name: graph.value(node, URIRef(NW + name)) for name in properties}
        if all(value is not None for value in said.values()):
            values = {name: compact(str(value)) for name, value in said.items()}
            found.append(SimpleNamespace(id=compact(str(node)), **values))
    return sorted(found, key=lambda one: (len(one.id), one.id))


def states(reading: ProseReading) -> set[str]:
    """The propositions of the states."""
    return {one.proposition for one in records(reading, "State", "proposition")}


def values(reading: ProseReading, name: str) -> list[str]:
    return sorted(compact(str(value)) for value in reading.delta.graph.objects(None, URIRef(NW + name)))


def deeds(text: str) -> set[str]:
    """Every event as `agent kind patient`, with its realis where that is not `actual`."""
    graph, found = read(text).delta.graph, set()
    for node in graph.subjects(RDF.type, URIRef(NW + "Event")):
        agent, kind, patient, realis = (
            compact(str(graph.value(node, URIRef(NW + name)) or "-"))
            for name in ("agent", "kind", "patient", "realis")
        )
        found.add(f"{agent} {kind} {patient}" + ("" if realis == "actual" else f" ({realis})"))
    return found
