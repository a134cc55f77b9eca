"""Sentences by their places in several orders, each with its company: what is wanted often stands beside the sentence that is near."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from narraworld.query.memory.index.search import Search

if TYPE_CHECKING:
    from narraworld.base.settings import ChoosingSettings, InWordsSettings
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.memory.lines.given_lines import GivenLine
    from narraworld.query.scope import Scope

    CompanySettings: TypeAlias = InWordsSettings | ChoosingSettings

__all__ = ["rested_on", "together", "with_company", "worth_at"]


def together(orders: Iterable[Iterable[int]], settings: CompanySettings) -> dict[int, float]:
    """What each sentence is worth by its place in these orders, the first of each counting most."""
    worths: dict[int, float] = {}
    for order in orders:
        for place, nth in enumerate(order):
            worths[nth] = worths.get(nth, 0.0) + worth_at(place, settings)
    return worths


def worth_at(place: int, settings: CompanySettings) -> float:
    return 1.0 / (settings.rank + place)


def with_company(
    worths: Mapping[int, float], passages: Sequence[AdmittedPassage], settings: CompanySettings
) -> dict[int, float]:
    """What each passage is worth by itself or by one near it in the same unit, less with each step."""
    found = dict(worths)
    for nth, worth in worths.items():
        for step in range(1, settings.sides + 1):
            for beside in (nth - step, nth + step):
                if 0 <= beside < len(passages) and passages[beside].unit == passages[nth].unit:
                    found[beside] = max(found.get(beside, 0.0), worth * settings.fade**step)
    return found


def rested_on(followed: Sequence[GivenLine], scope: Scope) -> list[int]:
    """The passages that other lines rest on, in their order."""
    search = scope.once(Search)
    place = {passage.id: nth for nth, passage in enumerate(search.passages)}
    records = (record for line in followed for record in line.records)
    return list(dict.fromkeys(place[one.id] for record in records for one in search.standing.get(record, ())))
