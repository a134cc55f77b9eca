"""From a plan to the items that answer it: what the rules derive for each need, what follows the focal characters, and
what search finds; higher nodes unfold to the records and words they are made of.

Reads a scope, decides no truth. A need whose goals have no answer, or that nothing at all speaks to, is reported unmet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.query.memory.answers import answers
from narraworld.query.memory.expand import Expansion
from narraworld.query.memory.facets import Facet, facets_of
from narraworld.query.memory.needs import FoundRecord, MemoryItem, MemoryPlan, MemorySwitches, Need, Unmet
from narraworld.query.memory.ranking import Weights, connected, fused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.query.memory.search import Search
    from narraworld.query.scope import Scope

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["RetrievalSettings", "Retrieved", "retrieve"]


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How widely to look, and what counts how much."""

    weights: Weights = field(default_factory=Weights)
    switches: MemorySwitches = field(default_factory=MemorySwitches)
    candidates: int = 300  # records told as items
    seeds: int = 24  # best records whose company is fetched through the rules
    per_need: int = 8  # records of search that count as serving a need
    per_goal: int = 40  # answers of one rule query
    per_character: int = 12  # threads and false beliefs of one focal character

    @classmethod
    def for_budget(cls, budget: int, switches: MemorySwitches | None = None) -> RetrievalSettings:
        """Enough records to choose from, and not many more."""
        return cls(switches=switches or MemorySwitches(), candidates=min(60 + budget // 15, 1500))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found, the best first, and the needs that nothing meets."""

    found: tuple[FoundRecord, ...]
    unmet: tuple[Unmet, ...] = ()
    name: Callable[[str], str] = str  # what a holder is called


DEFAULT = RetrievalSettings()


def retrieve(scope: Scope, plan: MemoryPlan, settings: RetrievalSettings = DEFAULT) -> Retrieved:
    """Everything in the scope that serves the plan, scored."""
    searched = _search(scope, plan, settings)
    basket = _Basket(settings.switches)
    for record, score, needs in searched:
        basket.put(scope.teller.items(record), score, needs, "search")
    unmet: list[Unmet] = []
    if settings.switches.planning:
        relevance = {record: score for record, score, _ in searched}
        unmet = _settle(scope, plan, settings, basket, relevance)
        expansion = Expansion(scope, plan, settings.per_character)
        basket.put_each(expansion.followed(), settings.weights.focal, "focal character")
        if settings.switches.cross_event:
            seeds = [(record, score) for record, score, _ in searched[: settings.seeds]]
            basket.put_scored(expansion.linked(seeds), settings.weights.linked, "linked")
    return Retrieved(basket.ranked(), tuple(unmet), scope.names)


def _search(
    scope: Scope, plan: MemoryPlan, settings: RetrievalSettings
) -> list[tuple[str, float, frozenset[str]]]:
    """The best records by words, meaning, names and company, with the needs each serves."""
    search, weights = scope.search, settings.weights
    facets = facets_of(scope, plan, planning=settings.switches.planning)
    total = np.zeros(len(search.records), dtype=np.float32)
    serves: dict[int, set[str]] = {}
    meanings = search.by_meaning(*((facet.full, facet.words) for facet in facets))
    for facet, meaning in zip(facets, meanings, strict=True):
        opinion = _opinion(search, facet, meaning, weights)
        total = np.maximum(total, facet.weight * opinion)
        for number in _top(opinion, settings.per_need) if facet.need else ():
            serves.setdefault(number, set()).add(facet.need)
    if settings.switches.cross_event:
        total = connected(total, search.layout, weights)
    best = _top(total, settings.candidates)
    return [(search.records[n], float(total[n]), frozenset(serves.get(n, ()))) for n in best]


def _opinion(search: Search, facet: Facet, meaning: Numbers, weights: Weights) -> Numbers:
    """What one facet thinks of every document."""
    found = fused(search.by_word(facet.words, weights.bm25), meaning, weights)
    named = weights.holder * search.of(facet.holders) + weights.name * search.naming(facet.names)
    return np.asarray(found + named, dtype=np.float32)


def _top(scores: Numbers, many: int) -> list[int]:
    """The numbers of the best, in a fixed order; nothing that scores nothing."""
    if many < len(scores):
        floor = np.partition(scores, len(scores) - many)[len(scores) - many]
        pool = np.flatnonzero(scores >= max(floor, np.float32(1e-9)))
    else:
        pool = np.flatnonzero(scores > 0)
    return [int(n) for n in pool[np.argsort(-scores[pool], kind="stable")][:many]]


def _settle(
    scope: Scope,
    plan: MemoryPlan,
    settings: RetrievalSettings,
    basket: _Basket,
    relevance: Mapping[str, float],
) -> list[Unmet]:
    """Ask the rules what each need asks; what no rule answers is unmet. One answer of many tells little."""
    unmet = []
    for need in plan.needs:
        found, many = answers(scope, need, settings.per_goal, relevance)
        worth = settings.weights.goal * _share(need, plan) / max(1, many) ** 0.5
        basket.put(found, worth, frozenset({need.name}), "rule")
        if need.goals and not found:
            unmet.append(Unmet(need.name, f"nothing in this memory answers {'; '.join(need.goals)}"))
        elif not need.goals and not basket.serves(need.name):
            unmet.append(Unmet(need.name, "no record speaks of it"))
    return unmet


def _share(need: Need, plan: MemoryPlan) -> float:
    """How much a need weighs beside the weightiest."""
    return need.weight / max(other.weight for other in plan.needs)


class _Basket:
    """Found items by what they say; the same thing found twice keeps the better score and both reasons."""

    def __init__(self, switches: MemorySwitches) -> None:
        self._found: dict[str, FoundRecord] = {}
        self._refused = {"B": not switches.beliefs, "H": not switches.possibilities}

    def put(self, items: Iterable[MemoryItem], score: float, needs: frozenset[str], reason: str) -> None:
        for item in items:
            if self._refused.get(item.section):
                continue
            known = self._found.get(item.key)
            if known is None:
                self._found[item.key] = FoundRecord(item, score, needs, (reason,))
            else:
                reasons = known.reasons if reason in known.reasons else (*known.reasons, reason)
                more = settled(known, score, reason)
                self._found[item.key] = FoundRecord(known.item, more, known.needs | needs, reasons)

    def put_each(self, items: Iterable[MemoryItem], score: float, reason: str) -> None:
        self.put(items, score, frozenset(), reason)

    def put_scored(self, scored: Iterable[tuple[MemoryItem, float]], share: float, reason: str) -> None:
        for item, score in scored:
            self.put((item,), share * score, frozenset(), reason)

    def serves(self, need: str) -> bool:
        return any(need in found.needs for found in self._found.values())

    def ranked(self) -> tuple[FoundRecord, ...]:
        return tuple(sorted(self._found.values(), key=lambda found: (-found.score, found.item.key)))


def settled(known: FoundRecord, score: float, reason: str) -> float:
    """A rule's answer adds to what search thought of it; other ways of finding it again do not."""
    fresh = reason == "rule" and "rule" not in known.reasons
    return known.score + score if fresh else max(known.score, score)
