"""Memory made to fit: the found items as readable text in W, B by character, D, H and passages, never over the budget.

Chooses what is told, by what it is worth, which needs it meets and what it adds to what is told already; finds nothing itself.
The same items, plan and budget give the same bytes.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING, TypeAlias

from narraworld.base.settings import PackingSettings
from narraworld.query.memory.needs import FoundRecord, MemoryContext, MemoryItem, MemoryPlan, Section
from narraworld.query.memory.tokens import TokenCounter
from narraworld.query.memory.tokens import counter as exact

if TYPE_CHECKING:
    from narraworld.query.memory.retrieve import Retrieved

__all__ = ["ContextHeading", "PackingSettings", "assemble", "headings", "line", "page"]


DEFAULT = PackingSettings()


def assemble(
    retrieved: Retrieved,
    plan: MemoryPlan,
    budget: int,
    *,
    counter: TokenCounter | None = None,
    packing: PackingSettings = DEFAULT,
) -> MemoryContext:
    """The most useful items that fit in ``budget`` tokens, as text and as its machine-readable twin."""
    count = counter or exact()
    chosen = _Packer(count, retrieved.name, plan, packing).pack(retrieved.found, budget)
    told = sorted((found.item for found in chosen), key=_standing)
    text = "".join(_lines(told, retrieved.name))
    while chosen and count(text) > budget:  # lines were counted one by one; the whole can be a token longer
        told.remove(chosen.pop().item)
        text = "".join(_lines(told, retrieved.name))
    return MemoryContext(
        text,
        count(text),
        budget,
        plan,
        tuple(chosen),
        retrieved.unmet,
        len(retrieved.found) - len(chosen),
        count.name,
    )


class _Offer:
    """A found item with what is asked of it again and again: its line, what that costs, under which headings it stands, the places
    it rests on, and whether it was taken or passed over."""

    __slots__ = ("cost", "done", "found", "line", "places", "section", "unit")

    def __init__(self, found: FoundRecord, count: TokenCounter, name: Callable[[str], str]) -> None:
        self.found, self.line, self.places = found, line(found.item), _places(found.item)
        self.cost, self.done = count(self.line), False
        self.section, self.unit = headings(found.item, name)


class _Packer:
    """Takes the best item that fits, again and again; what an item is worth falls with what is told already."""

    def __init__(
        self, count: TokenCounter, name: Callable[[str], str], plan: MemoryPlan, settings: PackingSettings
    ) -> None:
        self._count, self._name, self._settings = count, name, settings
        self._weights = {need.name: plan.share(need) for need in plan.needs}
        self._headings: set[ContextHeading] = set()
        self._places: set[tuple[str, int, int]] = set()
        self._needs: set[str] = set()
        self._lines: set[tuple[str, str]] = set()
        self._text: dict[str, list[tuple[int, int]]] = {}  # by unit, the pieces of the text told already

    def pack(self, found: Iterable[FoundRecord], budget: int) -> list[FoundRecord]:
        """Chosen by what each is worth for its cost, and given the worthiest first: what it costs says nothing of how good it is."""
        offers = [_Offer(one, self._count, self._name) for one in found]
        chosen: list[tuple[float, FoundRecord]] = []
        left, least = budget, min((one.cost for one in offers), default=0)
        for one in self._best_first(offers):
            if left < max(least, 1):  # what is left may hold no line at all
                break
            if (cost := self._price(one, left)) is not None:
                chosen.append((self._worth(one), one.found))
                left -= cost
                self._tell(one)
        return [found for _, found in sorted(chosen, key=lambda pair: -pair[0])]

    def _best_first(self, offers: Sequence[_Offer]) -> Iterator[_Offer]:
        """Each offer once, the best for its cost first, as what they are worth falls and new headings make others cheaper."""
        beneath = _by_heading(offers)
        waiting = [self._waiting(nth, one) for nth, one in enumerate(offers)]
        heapq.heapify(waiting)
        while waiting:
            promised, _, nth = heapq.heappop(waiting)
            one = offers[nth]
            if one.done:
                continue
            if (now := self._waiting(nth, one))[0] > promised:
                heapq.heappush(waiting, now)
                continue
            one.done, first = True, self._is_first(one)
            yield one
            if first and not self._is_first(one):
                for other in beneath[one.section, one.unit]:
                    heapq.heappush(waiting, self._waiting(other, offers[other]))

    def _waiting(self, nth: int, one: _Offer) -> tuple[float, str, int]:
        """An offer in line, the best for its cost first; the first line under a heading bears a share of what that costs."""
        borne = self._settings.heading * self._count(one.unit) if self._is_first(one) else 0.0
        dear: float = (one.cost + borne) ** self._settings.thrift
        return -self._worth(one) / dear, one.found.item.key, nth

    def _is_first(self, one: _Offer) -> bool:
        return (one.section, one.unit) not in self._headings

    def _price(self, one: _Offer, left: int) -> int | None:
        """What telling it costs with its headings; None where it adds nothing or does not fit."""
        if one.cost > left or not self._adds(one):
            return None
        cost = self._cost(one)
        return cost if cost <= left else None

    def _adds(self, one: _Offer) -> bool:
        """Whether it is told neither in these words nor, being a piece of the text, within a longer piece."""
        inside = one.found.item.section == "T" and one.places and all(map(self._is_told, one.places))
        return not inside and _said(one) not in self._lines

    def _is_told(self, place: tuple[str, int, int]) -> bool:
        unit, start, end = place
        return any(first <= start and end <= last for first, last in self._text.get(unit, ()))

    def _worth(self, one: _Offer) -> float:
        settings, places = self._settings, one.places
        told = sum(map(self._places.__contains__, places)) / len(places) if places else 0.0
        worth = one.found.score * (1 - told * (1 - settings.repeated))
        if fresh := one.found.needs - self._needs:
            # exact: a set has no order, and the sum of a tie must not have one
            worth += settings.need * fsum(self._weights.get(need, 0.0) for need in fresh)
        return worth

    def _cost(self, one: _Offer) -> int:
        fresh = [text for key, text in _headed(one) if key not in self._headings]
        return one.cost + sum(map(self._count, fresh))

    def _tell(self, one: _Offer) -> None:
        self._headings.update(key for key, _ in _headed(one))
        self._places.update(one.places)
        for unit, start, end in one.places if one.found.item.section == "T" else ():
            self._text.setdefault(unit, []).append((start, end))
        self._needs |= one.found.needs
        self._lines.add(_said(one))


def _by_heading(offers: Sequence[_Offer]) -> dict[ContextHeading, list[int]]:
    found = defaultdict[ContextHeading, list[int]](list)
    for nth, one in enumerate(offers):
        found[one.section, one.unit].append(nth)
    return found


def _said(one: _Offer) -> tuple[str, str]:
    """What a line says: in the same words that it is so, and that somebody knows it, are two things."""
    return one.section if one.found.item.known else "", one.line


def _headed(one: _Offer) -> tuple[tuple[ContextHeading, str], tuple[ContextHeading, str]]:
    """The headings an offer stands under, each with its text."""
    return ((one.section,), one.section), ((one.section, one.unit), one.unit)


def _places(item: MemoryItem) -> list[tuple[str, int, int]]:
    return [(span.unit, span.start, span.end) for span in item.spans]


# -- How memory reads: sections W, B by character, D, H and the text's own words, each line under the unit it comes from

ContextHeading: TypeAlias = tuple[str, ...]

ORDER: tuple[Section, ...] = ("W", "B", "D", "H", "T")

TITLES = {
    "W": "W: the world", "B": "B: {holder}", "D": "D: developments", "H": "H: possible, not so yet", "T": "In the text",
}  # fmt: skip
SEVERAL = "B: who knows what"  # of several minds in one line
KNOWN = "B: {holder} knows"  # what somebody holds rightly, said once for all such lines


def line(item: MemoryItem) -> str:
    """One item; what is merely possible says on what conditions."""
    conditions = "".join(f"; {one}" for one in item.conditions)
    place = item.spans[0].place if item.spans else ""
    return f"- {item.known or item.words}{conditions}{f' ({place})' if place else ''}\n"


def headings(item: MemoryItem, name: Callable[[str], str]) -> tuple[str, str]:
    """The section an item stands in, and the unit under which it stands there."""
    several = item.section == "B" and item.holder is None
    title = SEVERAL if several else KNOWN if item.known else TITLES[item.section]
    return f"{title.format(holder=name(item.holder or 'nobody'))}\n", f"[{_unit(item)}]\n"


def page(items: Iterable[MemoryItem], name: Callable[[str], str]) -> str:
    """All items as text: by section, holder and unit, in the order of the telling."""
    return "".join(_lines(sorted(items, key=lambda item: _standing(item)), name))


def _lines(items: Iterable[MemoryItem], name: Callable[[str], str]) -> Iterator[str]:
    section, unit = "", ""
    for item in items:
        wanted, source = headings(item, name)
        if wanted != section:
            yield wanted
            section, unit = wanted, ""
        if source != unit:
            yield source
            unit = source
        yield line(item)


def _standing(item: MemoryItem) -> tuple[int, str, bool, float, str, int, str]:
    told = float("inf") if item.told is None else float(item.told)
    start = item.spans[0].start if item.spans else 0
    return ORDER.index(item.section), item.holder or "", not item.known, told, _unit(item), start, item.key


def _unit(item: MemoryItem) -> str:
    return (
        item.spans[0].unit if item.spans else item.records[0].partition("/")[0] if item.records else "author"
    )
