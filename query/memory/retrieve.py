"""From a plan to the items that answer it: what the rules derive for each need, what follows the focal characters, and
what search finds; higher nodes unfold to the records and words they are made of.

Reads a scope, decides no truth. A need whose goals have no answer, or that nothing at all speaks to, is reported unmet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.base.settings import RetrievalSettings
from narraworld.query.goals import GoalBinding, bindings
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.items import Teller
from narraworld.query.memory.needs import FoundRecord, MemoryItem, MemoryPlan, MemorySwitches, Need, Unmet
from narraworld.query.memory.private_matters import PrivateMatters
from narraworld.query.memory.ranking import connected, facets_of, opinion
from narraworld.query.names import rows
from narraworld.query.shown.item_lines import ItemLines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.query.scope import Scope

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["Expansion", "RetrievalSettings", "Retrieved", "answers", "retrieve"]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found, the best first, and the needs that nothing meets."""

    found: tuple[FoundRecord, ...]
    unmet: tuple[Unmet, ...] = ()
    name: Callable[[str], str] = str  # what a holder is called
    lines: ItemLines | None = None  # how these items read, where that is known already


DEFAULT = RetrievalSettings()


def retrieve(scope: Scope, plan: MemoryPlan, settings: RetrievalSettings = DEFAULT) -> Retrieved:
    """Everything in the scope that serves the plan, scored."""
    searched = _search(scope, plan, settings)
    basket = _Basket(settings.switches)
    for record, score, needs in searched:
        basket.put(scope.once(Teller).items(record), score, needs, "search")
    unmet: list[Unmet] = []
    shades: Mapping[str, float] = {}
    if settings.switches.planning:
        relevance = {record: score for record, score, _ in searched}
        unmet = _settle(scope, plan, settings, basket, relevance)
        expansion = Expansion(scope, plan, settings.per_character)
        basket.put_each(expansion.followed(), settings.weights.focal, "focal character")
        basket.put_each(expansion.names(), settings.weights.other_names, "another name")
        if plan.form.startswith("scene"):
            scenes = list(expansion.so_far(settings))
            basket.put_scored(scenes, settings.weights.so_far, "the story so far")
            basket.put_scored(expansion.private(settings), settings.weights.private, "a private matter")
            shades = {"T": settings.weights.beside_sums, "W": settings.weights.standing} if scenes else {}
        if settings.switches.cross_event:
            seeds = [(record, score) for record, score, _ in searched[: settings.seeds]]
            basket.put_scored(expansion.linked(seeds), settings.weights.linked, "linked")
    return Retrieved(basket.ranked(shades), tuple(unmet), scope.names, scope.once(_lines_of))


def _lines_of(scope: Scope) -> ItemLines:
    return ItemLines(scope.names)


def _search(
    scope: Scope, plan: MemoryPlan, settings: RetrievalSettings
) -> list[tuple[str, float, frozenset[str]]]:
    """The best records and passages by words, meaning, names and company, with the needs each serves."""
    search, weights = scope.once(Search), settings.weights
    facets = facets_of(scope, plan, planning=settings.switches.planning)
    total = np.zeros(len(search.documents), dtype=np.float32)
    serves: dict[int, set[str]] = {}
    meanings = search.by_meaning(*((facet.full, facet.words) for facet in facets))
    for facet, meaning in zip(facets, meanings, strict=True):
        found = opinion(search, facet, meaning, weights)
        total = np.maximum(total, facet.weight * found)
        for number in _top(found, settings.per_need) if facet.need else ():
            serves.setdefault(number, set()).add(facet.need)
    if settings.switches.cross_event:
        total = connected(total, search.layout, weights)
    total[search.in_passages] = 0.0
    best = _top(total, settings.candidates)
    scores = total[best].tolist()
    return [
        (search.documents[n], score, frozenset(serves.get(n, ())))
        for n, score in zip(best, scores, strict=True)
    ]


def _top(scores: Numbers, many: int) -> list[int]:
    """The numbers of the best, in a fixed order; nothing that scores nothing."""
    if many < len(scores):
        floor = np.partition(scores, len(scores) - many)[len(scores) - many]
        pool = np.flatnonzero(scores >= max(floor, np.float32(1e-9)))
    else:
        pool = np.flatnonzero(scores > 0)
    best: list[int] = pool[np.argsort(-scores[pool], kind="stable")][:many].tolist()
    return best


def _settle(
    scope: Scope,
    plan: MemoryPlan,
    settings: RetrievalSettings,
    basket: _Basket,
    relevance: Mapping[str, float],
) -> list[Unmet]:
    """Ask the rules what each need asks; what no rule answers is unmet. One answer of many tells little."""
    unmet = []
    for need, share in zip(plan.needs, plan.shares(), strict=True):
        found, many = answers(scope, need, settings.per_goal, relevance)
        worth = settings.weights.goal * share / max(1, many) ** 0.5
        basket.put(found, worth, frozenset({need.name}), "rule")
        if need.goals and not found:
            unmet.append(Unmet(need.name, f"nothing in this memory answers {'; '.join(need.goals)}"))
        elif not need.goals and not basket.serves(need.name):
            unmet.append(Unmet(need.name, "no record speaks of it"))
    return unmet


class _Basket:
    """Found items by what they say; the same thing found twice keeps the better score and both reasons."""

    def __init__(self, switches: MemorySwitches) -> None:
        self._found: dict[str, FoundRecord] = {}
        self._served = set[str]()
        self._refused = {"B": not switches.beliefs, "H": not switches.possibilities}

    def put(self, items: Iterable[MemoryItem], score: float, needs: frozenset[str], reason: str) -> None:
        for item in items:
            if self._refused.get(item.section):
                continue
            self._served |= needs
            known = self._found.get(item.key)
            if known is None:
                self._found[item.key] = FoundRecord(item, score, needs, (reason,))
            elif (more := settled(known, score, reason)) != known.score or not (
                reason in known.reasons and needs <= known.needs
            ):
                reasons = known.reasons if reason in known.reasons else (*known.reasons, reason)
                self._found[item.key] = FoundRecord(known.item, more, known.needs | needs, reasons)

    def put_each(self, items: Iterable[MemoryItem], score: float, reason: str) -> None:
        self.put(items, score, frozenset(), reason)

    def put_scored(self, scored: Iterable[tuple[MemoryItem, float]], share: float, reason: str) -> None:
        for item, score in scored:
            self.put((item,), share * score, frozenset(), reason)

    def serves(self, need: str) -> bool:
        return need in self._served

    def ranked(self, shades: Mapping[str, float]) -> tuple[FoundRecord, ...]:
        """The best first; what stands in a section of ``shades`` is worth that share of what it was found to be."""
        found = (
            replace(one, score=one.score * shades[one.item.section]) if one.item.section in shades else one
            for one in self._found.values()
        )
        return tuple(sorted(found, key=lambda found: (-found.score, found.item.key)))


def settled(known: FoundRecord, score: float, reason: str) -> float:
    """A rule's answer adds to what search thought of it; other ways of finding it again do not."""
    fresh = reason == "rule" and "rule" not in known.reasons
    return known.score + score if fresh else max(known.score, score)


# -- What the rules answer to a need, as items: every record, and every proposition through the eyes of those who hold it
LOOKED_AT = 4  # times as many answers as are kept


def answers(
    scope: Scope, need: Need, most: int, relevance: Mapping[str, float]
) -> tuple[list[MemoryItem], int]:
    """Items for the answers to the goals of a need, and how many answers there were; of too many, those that search
    also likes, and among equals the latest."""
    found = [one for goal in need.goals for one in _bindings(scope, goal, most)]
    kept = found if len(found) <= most else _liked(found, relevance)[:most]
    items = {item.key: item for one in kept for item in _items(scope, one, need)}
    return list(items.values()), len(found)


def _bindings(scope: Scope, goal: str, most: int) -> list[GoalBinding]:
    return bindings(scope.engine, goal, latest=most * LOOKED_AT, at_hand=scope.at_once)


def _liked(found: list[GoalBinding], relevance: Mapping[str, float]) -> list[GoalBinding]:
    def liking(one: GoalBinding) -> float:
        return max(
            [relevance.get(value, 0.0) for value in one.values() if isinstance(value, str)], default=0.0
        )

    latest_first = range(len(found) - 1, -1, -1)
    return [found[nth] for nth in sorted(latest_first, key=lambda nth: -liking(found[nth]))]


def _items(scope: Scope, binding: GoalBinding, need: Need) -> Iterator[MemoryItem]:
    teller = scope.once(Teller)
    values = [value for value in binding.values() if isinstance(value, str)]
    kinds = {value: teller.kinds(value) for value in values}
    holders = [value for value in values if kinds[value] & {"Character", "Group"}] or list(need.holders)
    for value in values:
        if "Proposition" in kinds[value]:
            yield from _held(scope, value, holders)
        else:
            yield from teller.items(value)


def _held(scope: Scope, proposition: str, holders: list[str]) -> Iterator[MemoryItem]:
    """The proposition as its holders see it, and as the world has it."""
    teller = scope.once(Teller)
    yield from filter(None, (teller.held(holder, proposition) for holder in holders))
    yield from teller.stated(proposition)


# -- What goes with what: the threads and false beliefs of the focal characters, and the company of a good record in

# relation, column of the record, column of what it is linked to
LINKS = (
    ("cause", 0, 1), ("cause", 1, 0), ("tied", 0, 1), ("tied", 1, 0), ("step", 0, 1), ("possible_event", 1, 0),
)  # fmt: skip

PARTS = (("in_scene", 1, 0), ("plotline_member", 0, 1), ("plot_plotline", 0, 1))

MANY = 12  # parts of a whole, links of a record


class Expansion:
    """Links of one plan in one scope."""

    def __init__(self, scope: Scope, plan: MemoryPlan, per_character: int) -> None:
        self._scope, self._engine, self._tell = scope, scope.at_once, scope.once(Teller)
        self._company = scope.once(Company)
        self._focal, self._most = plan.focal, per_character
        self._holders = tuple(
            dict.fromkeys((*plan.focal, *(one for need in plan.needs for one in need.holders)))
        )

    def followed(self) -> Iterator[MemoryItem]:
        """What is on the minds of the focal characters: open threads, what may come of them, and false beliefs."""
        for who in self._focal:
            owned = [str(row[0]) for row in rows(self._engine, "owner", None, who)]
            still = [thread for thread in owned if rows(self._engine, "open", thread)]
            for thread in still[-self._most :]:
                yield from self._tell.items(thread)
                for option, _ in rows(self._engine, "possibility", None, thread):
                    yield from self._tell.items(str(option))
            wrong = dict.fromkeys(str(row[1]) for row in rows(self._engine, "mistaken", who))
            for proposition in list(wrong)[-self._most :]:
                yield from filter(None, [self._tell.held(who, proposition)])

    def names(self) -> Iterator[MemoryItem]:
        """Under which other names the focal characters go: the page and the records may call them differently."""
        for who in self._focal:
            yield from self._tell.other_names(who)

    def so_far(self, settings: RetrievalSettings) -> Iterator[tuple[MemoryItem, float]]:
        """The latest scenes in a sentence or two each, with what each is worth beside the last."""
        for nth, scene in enumerate(self._scope.once(_summed_up)[: settings.scenes]):
            yield from ((item, settings.weights.fading**nth) for item in self._tell.items(scene))

    def private(self, settings: RetrievalSettings) -> Iterator[tuple[MemoryItem, float]]:
        """What the focal characters and others know of and another does not, the latest first."""
        matters = self._scope.once(PrivateMatters).of(self._focal)
        yield from (
            (item, settings.weights.fading**nth) for nth, item in enumerate(islice(matters, settings.matters))
        )

    def linked(self, seeds: Iterable[tuple[str, float]]) -> Iterator[tuple[MemoryItem, float]]:
        """Items that the seeds lead to, with the score of the seed."""
        for record, score in seeds:
            for other in self._company.of(record):
                yield from ((item, score) for item in self._tell.items(other))
            for proposition in self._company.stated(record):
                minds = (self._tell.held(who, proposition) for who in self._holders)
                yield from ((item, score) for item in minds if item)


def _summed_up(scope: Scope) -> list[str]:
    """The scenes that have a summary, the one told last first; a scope has them worked out once."""
    told = {str(scene): int(when) for scene, when in rows(scope.at_once, "told")}
    held = {str(scene) for _, scene in rows(scope.at_once, "in_scene")} & told.keys()
    scenes = [str(node) for node, _ in rows(scope.at_once, "summary") if str(node) in held]
    return sorted(scenes, key=lambda scene: (-told[scene], scene))


class Company:
    """What each record of one scope is linked to, looked up once."""

    def __init__(self, scope: Scope) -> None:
        self._engine, self._known = scope.at_once, dict[str, tuple[str, ...]]()
        self._stated = dict[str, tuple[str, ...]]()

    def of(self, record: str) -> tuple[str, ...]:
        if record not in self._known:
            self._known[record] = tuple(dict.fromkeys(self._linked(record)))
        return self._known[record]

    def stated(self, record: str) -> tuple[str, ...]:
        """What a record says to be so, if it is a state."""
        if record not in self._stated:
            found = rows(self._engine, "state", record)
            self._stated[record] = tuple(str(proposition) for _, proposition, _ in found)
        return self._stated[record]

    def _linked(self, record: str) -> Iterator[str]:
        for relation, own, other in (*LINKS, *PARTS):
            bound = (record,) if own == 0 else (None, record)
            yield from (str(row[other]) for row in rows(self._engine, relation, *bound)[:MANY])
