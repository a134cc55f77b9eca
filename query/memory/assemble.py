"""Memory made to fit: the found items as readable text in W, B by character, D, H and passages, never over the budget.

Chooses what is told, by what it is worth, which needs it meets and what it adds to what is told already; finds nothing itself.
The same items, plan and budget give the same bytes.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from operator import attrgetter
from typing import TYPE_CHECKING

from narraworld.base.settings import PackingSettings
from narraworld.query.memory.needs import FoundRecord, MemoryContext, MemoryPlan
from narraworld.query.memory.tokens import TokenCounter
from narraworld.query.memory.tokens import counter as exact
from narraworld.query.shown.item_lines import ItemLines, ItemPrice, page

if TYPE_CHECKING:
    from narraworld.query.memory.retrieve import Retrieved
    from narraworld.query.shown.item_lines import ItemLine

__all__ = ["PackingSettings", "assemble"]


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
    costs, lines = _Costs(counter or exact(), packing), retrieved.lines or ItemLines(retrieved.name)
    offers = [_Offer(one, lines(one.item), costs) for one in retrieved.found]
    chosen = _Packer(costs, plan, packing).pack(offers, budget)
    told = sorted((one.line for one in chosen), key=attrgetter("standing"))
    while (tokens := costs.of_page(told)) > budget and chosen:  # a heading may stand twice
        told.remove(chosen.pop().line)
    return MemoryContext(
        "".join(page(told)),
        tokens,
        budget,
        plan,
        tuple(one.found for one in chosen),
        retrieved.unmet,
        len(retrieved.found) - len(chosen),
        costs.count.name,
    )


class _Costs(dict[str, int]):
    """What lines and headings cost, each counted once."""

    def __init__(self, count: TokenCounter, packing: PackingSettings) -> None:
        super().__init__()
        self.count, self._packing = count, packing
        self._terms = count, packing.thrift, packing.heading

    def __missing__(self, text: str) -> int:
        found = self[text] = self.count(text)
        return found

    def of_line(self, line: ItemLine) -> ItemPrice:
        """Kept with the line: it comes again with every request."""
        kept = line.price
        if kept is None or kept.terms != self._terms:
            cost, thrift = self[line.text], self._packing.thrift
            as_first = cost + self._packing.heading * self[line.unit]
            kept = line.price = ItemPrice(self._terms, cost, cost**thrift, as_first**thrift)
        return kept

    def of_page(self, told: Iterable[ItemLine]) -> int:
        if self.count.adds_up:
            return sum(map(self.__getitem__, page(told)))
        return self.count("".join(page(told)))


class _Offer:
    """A found item with what is asked of it again and again: its line, what that costs, and whether it was taken or passed over."""

    __slots__ = ("cost", "done", "found", "line", "price")

    def __init__(self, found: FoundRecord, line: ItemLine, costs: _Costs) -> None:
        self.found, self.line, self.done = found, line, False
        self.price = costs.of_line(line)
        self.cost = self.price.cost

    @property
    def says(self) -> tuple[str, str]:
        """That it is so, and in the same words that somebody knows it, are two things."""
        return self.line.section if self.found.item.known else "", self.line.text


class _Packer:
    """Takes the best item that fits, again and again; what an item is worth falls with what is told already."""

    def __init__(self, costs: _Costs, plan: MemoryPlan, settings: PackingSettings) -> None:
        self._costs, self._settings = costs, settings
        self._weights = {need.name: share for need, share in zip(plan.needs, plan.shares(), strict=True)}
        self._sections: set[str] = set()
        self._headings: set[tuple[str, str]] = set()
        self._places: set[tuple[str, int, int]] = set()
        self._needs: set[str] = set()
        self._lines: set[tuple[str, str]] = set()
        self._text: dict[str, list[tuple[int, int]]] = {}  # by unit, the pieces of the text told already

    def pack(self, offers: Sequence[_Offer], budget: int) -> list[_Offer]:
        """Chosen by what each is worth for its cost, and given the worthiest first: what it costs says nothing of how good it is."""
        chosen: list[tuple[float, _Offer]] = []
        left, least = budget, min((one.cost for one in offers), default=0)
        for one in self._best_first(offers):
            if left < max(least, 1):  # what is left may hold no line at all
                break
            if (cost := self._price(one, left)) is not None:
                chosen.append((self._worth(one), one))
                left -= cost
                self._tell(one)
        return [one for _, one in sorted(chosen, key=lambda pair: -pair[0])]

    def _best_first(self, offers: Sequence[_Offer]) -> Iterator[_Offer]:
        """Each offer once, the best for its cost first, as what they are worth falls and new headings make others cheaper."""
        beneath = _by_heading(offers)
        waiting = [  # while nothing is told each would be the first under its heading
            (-self._worth(one) / one.price.dear_as_first, one.found.item.key, nth)
            for nth, one in enumerate(offers)
        ]
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
                for other in beneath[one.line.heading]:
                    heapq.heappush(waiting, self._waiting(other, offers[other]))

    def _waiting(self, nth: int, one: _Offer) -> tuple[float, str, int]:
        """An offer in line; the first line under a heading bears a share of what that costs."""
        dear = one.price.dear if one.line.heading in self._headings else one.price.dear_as_first
        return -self._worth(one) / dear, one.found.item.key, nth

    def _is_first(self, one: _Offer) -> bool:
        return one.line.heading not in self._headings

    def _price(self, one: _Offer, left: int) -> int | None:
        """What telling it costs with its headings; None where it adds nothing or does not fit."""
        if one.cost > left or not self._adds(one):
            return None
        cost = self._cost(one)
        return cost if cost <= left else None

    def _adds(self, one: _Offer) -> bool:
        """Whether it is told neither in these words nor, being a piece of the text, within a longer piece."""
        places = one.line.places
        inside = one.found.item.section == "T" and places and all(map(self._is_told, places))
        return not inside and one.says not in self._lines

    def _is_told(self, place: tuple[str, int, int]) -> bool:
        unit, start, end = place
        return any(first <= start and end <= last for first, last in self._text.get(unit, ()))

    def _worth(self, one: _Offer) -> float:
        found, places = one.found, one.line.places
        worth = found.score
        if self._places and places:
            told = sum(map(self._places.__contains__, places)) / len(places)
            worth *= 1 - told * (1 - self._settings.repeated)
        if found.needs and (fresh := found.needs - self._needs):
            # exact: a set has no order, and the sum of a tie must not have one
            worth += self._settings.need * fsum(self._weights.get(need, 0.0) for need in fresh)
        return worth

    def _cost(self, one: _Offer) -> int:
        cost = one.cost
        if one.line.section not in self._sections:
            cost += self._costs[one.line.section]
        if self._is_first(one):
            cost += self._costs[one.line.unit]
        return cost

    def _tell(self, one: _Offer) -> None:
        line = one.line
        self._sections.add(line.section)
        self._headings.add(line.heading)
        self._places.update(line.places)
        for unit, start, end in line.places if one.found.item.section == "T" else ():
            self._text.setdefault(unit, []).append((start, end))
        self._needs |= one.found.needs
        self._lines.add(one.says)


def _by_heading(offers: Sequence[_Offer]) -> dict[tuple[str, str], list[int]]:
    found = defaultdict[tuple[str, str], list[int]](list)
    for nth, one in enumerate(offers):
        found[one.line.heading].append(nth)
    return found
