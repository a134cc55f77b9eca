"""Whether a particular is one, and whether what does not fit is told apart by two passages.

A detail is looked at as the proposition it says; a conflict needs two different stretches of text. Pure: never asks a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.extract.model.guards import phrasing, told, whom
from narraworld.extract.model.particulars import ConflictItem, DetailItem
from narraworld.extract.model.passage import tie
from narraworld.extract.model.refusal_reasons import Reason
from narraworld.kb.spans import NotLocated, TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounding

__all__ = ["detail_as_told", "detail_has_one_value", "two_passages"]

AS_A_PROPOSITION = (
    phrasing.value_is_there,
    phrasing.polarity_as_told,
    whom.subject_is_meant,
    whom.object_is_meant,
)


def detail_has_one_value(reading: Grounding, item: DetailItem, where: TextRange) -> Reason | None:
    if (item.value is None) is (item.other is None):
        return Reason("Detail-count")
    if item.owner is None or item.other is None:
        return None
    owner, other = (reading.cast.members[number].id for number in (item.owner, item.other))
    return Reason("Content-itself") if owner == other else None


def detail_as_told(reading: Grounding, item: DetailItem, where: TextRange) -> Reason | None:
    """The guards of propositions; what is said by somebody is not the narration's to get wrong."""
    said = item.as_proposition()
    if told.is_only_planned(reading, said, where):
        return Reason("Plan-as-fact")
    return next((found for guard in AS_A_PROPOSITION if (found := guard(reading, said, where))), None)


def two_passages(reading: Grounding, item: ConflictItem, where: TextRange) -> Reason | None:
    """One known fact, or other words of the passage that do not lie inside the first."""
    if (item.fact is None) is (item.against is None):
        return Reason("Conflict-count")
    if item.against is None:
        return None
    other = tie(reading.passage, item.against)
    if isinstance(other, NotLocated):
        return Reason("Quote-nowhere", other.why)
    apart = other.end <= where.start or where.end <= other.start
    return None if apart else Reason("Conflict-count", "both quotes are the same words")
