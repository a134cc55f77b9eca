"""A unit in the reading, made by hand: people and things already met, sentences from `parses.toml`, no parser."""

from __future__ import annotations

from dataclasses import replace

from parses import parsed, tokens
from rdflib import RDF, URIRef

from narraworld.extract.embedded.grammar.clauses import Clause, clauses
from narraworld.extract.embedded.people.cast import gather
from narraworld.extract.embedded.people.coreference import Coreference
from narraworld.extract.embedded.people.entities import DiscourseEntity
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Roster
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.ontology.vocabulary import NW, compact

__all__ = ["NAMES", "begin", "meet", "told", "unit_state"]

NAMES = ("Leo", "Mara", "Mab")


def unit_state(text: str, **met: str) -> UnitState:
    """The state of a unit with this text; ``met`` are the things and places met before, by their kind."""
    cast = gather([tokens(text, *NAMES)])
    unit = UnitState(Delta(Unit("ch01", 1, text)), Coreference(Roster(), "ch01", {}, "", cast))
    for id, kind in met.items():
        meet(unit, id, kind)
    return unit


def meet(unit: UnitState, id: str, kind: str) -> DiscourseEntity:
    """Somebody or something that the unit has just spoken of."""
    name = id.title() if kind == "character" else id
    figure = DiscourseEntity(id, kind, [name], TextRange(0, 1), id, seen=(unit.company.clause, 0))
    unit.company.figures[id] = figure
    for person in unit.company.people.persons:
        if name in person.forms.values():
            person.id, person.kind = id, kind
    return figure


def begin(unit: UnitState, text: str) -> list[Clause]:
    """Go on to a sentence, and to the first of its clauses, which are given back."""
    at = max(0, unit.delta.unit.text.find(text))
    words = [replace(word, start=word.start + at, end=word.end + at) for word in parsed(text)]
    unit.begin_sentence(words)
    found = clauses(words)
    unit.company.begin_clause(found[0].where, main=True)
    return found


def told(unit: UnitState, kind: str, *names: str) -> list[tuple[str, ...]]:
    """These properties of every record of a class, in the order in which they were written."""
    graph = unit.delta.graph
    rows = [
        (str(node), tuple(compact(str(graph.value(node, URIRef(NW + name)) or "-")) for name in names))
        for node in graph.subjects(RDF.type, URIRef(NW + kind))
    ]
    return [row for _, row in sorted(rows, key=lambda one: (len(one[0]), one[0]))]
