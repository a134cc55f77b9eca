"""Sentences as novels build them: whose a participle or an infinitive is, what is only feared or asked, what is speech."""

from __future__ import annotations

import pytest
from rdflib import RDF, URIRef
from reading_aloud import read

from narraworld.ontology.terms import NW, compact


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Mara came by the coach, which was called the Swallow and was used by farmers.",
                     "farmers use coach", id="passive by its auxiliary"),
        pytest.param("Leo went in, followed by Tom.", "tom follow leo", id="followed by"),
        pytest.param("Leo was caught and hanged by Tom.", "tom hang leo", id="caught and hanged"),
        pytest.param("Mara forced Leo to open the box.", "leo open box (hypothetical)", id="forced him to open"),
        pytest.param("Mara sent her brother to fetch the lamp.", "brother fetch lamp (hypothetical)", id="sent him to fetch"),
        pytest.param("Leo took up the pen to write.", "leo write - (hypothetical)", id="the pen does not write"),
        pytest.param("Leo saw Mara coming.", "mara come -", id="saw her coming"),
        pytest.param("Leo showed Mara the ring that Tom had bought, laughing.", "tom laugh -", id="no ring laughs"),
    ],
)  # fmt: skip
def test_whose_deed_it_is(text: str, told: str) -> None:
    assert told in deeds(text)


def test_a_participle_behind_two_people_stays_open() -> None:
    text = "Leo thought that Mara had seen him, and walked on, humming a tune."
    assert not {one for one in deeds(text) if "hum" in one}
