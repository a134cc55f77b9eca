"""Which statements go when records are taken back: theirs, those of records that cannot stand without them, and what nobody speaks of then.

A record falls with the event it is about; one that is only dated by an event, or names it by the way, stays and loses that. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

from narraworld.ontology.vocabulary import NW, vocabulary

if TYPE_CHECKING:
    from rdflib.term import Node

__all__ = ["Triple", "unspoken_of", "with_dependents"]

Triple: TypeAlias = "tuple[Node, Node, Node]"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
ABOUT = NW + "event"  # what a record of a mind, a time or a cause is about
SHARED = frozenset({NW + "Span", NW + "Proposition"})  # what records are made with


def with_dependents(said: Sequence[Triple], records: Collection[Node]) -> set[Node]:
    """These records, and those that are nothing without them."""
    gone = set(records)
    classes = {subject: str(value) for subject, predicate, value in said if str(predicate) == TYPE}
    pointing = [one for one in said if one[2] in classes and str(one[1]) != TYPE]
    while falling := {
        one[0]
        for one in pointing
        if one[2] in gone and one[0] not in gone and _needs(classes[one[0]], str(one[1]))
    }:
        gone |= falling
    return gone


def _needs(kind: str, predicate: str) -> bool:
    found = vocabulary().classes[kind.removeprefix(NW)].properties.get(predicate.removeprefix(NW))
    return predicate == ABOUT or (found is not None and found.required)


def unspoken_of(said: Sequence[Triple]) -> set[Node]:
    """The words and propositions that no record speaks of."""
    shared = {
        subject for subject, predicate, value in said if str(predicate) == TYPE and str(value) in SHARED
    }
    spoken = {value for subject, _, value in said if subject not in shared and value in shared}
    within = {subject: value for subject, _, value in said if subject in shared and value in shared}
    reached = set(spoken)
    while (
        reached := {within[one] for one in reached if one in within} - spoken
    ):  # what a proposition is about
        spoken |= reached
    return shared - spoken
