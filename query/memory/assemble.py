"""Memory made to fit: the found items as readable text in W, B by character, D, H and passages, never over the budget.

Chooses what is told, by what it is worth, which needs it meets and what it adds to what is told already; finds nothing itself.
The same items, plan and budget give the same bytes.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from math import fsum
from operator import attrgetter
from typing import TYPE_CHECKING

from narraworld.base.settings import PackingSettings
from narraworld.query.memory.needs import FoundRecord, MemoryContext, MemoryItem, MemoryPlan, Section
from narraworld.query.memory.tokens import TokenCounter
from narraworld.query.memory.tokens import counter as exact

if TYPE_CHECKING:
    from narraworld.query.memory.retrieve import Retrieved

__all__ = ["ItemLines", "PackingSettings", "assemble"]


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
    costs, lines = _Costs(counter or exact()), retrieved.lines or ItemLines(retrieved.name)
    offers = [_Offer(one, lines(one.item), costs, packing.thrift) for one in retrieved.found]
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

    def __init__(self, count: TokenCounter) -> None:
        super().__init__()
        self.count = count

    def __missing__(self, text: str) -> int:
        found = self[text] = self.count(text)
        return found

    def of_page(self, told: Iterable[ItemLine]) -> int:
        if self.count.adds_up:
            return sum(map(self.__getitem__, page(told)))
        return self.count("".join(page(told)))


class _Offer:
    """A found item with what is asked of it again and again: its line, what that costs, and how dear that makes it."""

    __slots__ = ("cost", "dear", "found", "line")

    def __init__(self, found: FoundRecord, line: ItemLine, costs: _Costs, thrift: float) -> None:
        self.found, self.line, self.cost = found, line, costs[line.text]
        self.dear: float = self.cost**thrift


class _Packer:
    """Takes the best item that fits, again and again; what an item is worth falls with what is told already."""

    def __init__(self, costs: _Costs, plan: MemoryPlan, settings: PackingSettings) -> None:
        self._costs, self._settings = costs, settings
        self._weights = {need.name: plan.share(need) for need in plan.needs}
        self._headings: set[tuple[str, ...]] = set()
        self._places: set[tuple[str, int, int]] = set()
        self._needs: set[str] = set()
        self._lines: set[str] = set()
        self._text: dict[str, list[tuple[int, int]]] = {}  # by unit, the pieces of the text told already

    def pack(self, offers: Iterable[_Offer], budget: int) -> list[_Offer]:
        """Chosen by what each is worth for its cost, and given the worthiest first: what it costs says nothing of how good it is."""
        waiting = [(-self._worth(one), one.found.item.key, nth, one) for nth, one in enumerate(offers)]
        heapq.heapify(waiting)
        chosen: list[tuple[float, _Offer]] = []
        left, least = budget, min((one.cost for *_, one in waiting), default=0)
        while waiting and left > 0 and left >= least:  # what is left may hold no line at all
            promised, key, nth, one = heapq.heappop(waiting)
            worth = self._worth(one)
            if worth < -promised:
                heapq.heappush(waiting, (-worth, key, nth, one))
            elif (cost := self._price(one, left)) is not None:
                chosen.append((worth * one.dear, one))
                left -= cost
                self._tell(one)
        return [one for _, one in sorted(chosen, key=lambda pair: -pair[0])]

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
        return not inside and one.line.text not in self._lines

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
        return worth / one.dear

    def _cost(self, one: _Offer) -> int:
        section, unit = one.line.section, one.line.unit
        cost = one.cost
        if (section,) not in self._headings:
            cost += self._costs[section]
        if (section, unit) not in self._headings:
            cost += self._costs[unit]
        return cost

    def _tell(self, one: _Offer) -> None:
        line = one.line
        self._headings |= {(line.section,), (line.section, line.unit)}
        self._places.update(line.places)
        for unit, start, end in line.places if one.found.item.section == "T" else ():
            self._text.setdefault(unit, []).append((start, end))
        self._needs |= one.found.needs
        self._lines.add(line.text)


# -- How memory reads: sections W, B by character, D, H and the text's own words, each line under the unit it comes from

ORDER: tuple[Section, ...] = ("W", "B", "D", "H", "T")

TITLES = {
    "W": "W: the world", "B": "B: {holder}", "D": "D: developments", "H": "H: possible, not so yet", "T": "In the text",
}  # fmt: skip
SEVERAL = "B: who knows what"  # of several minds in one line


class ItemLine:
    """An item on the page: its line, the two headings it stands under, where it comes among others, and the places it rests on.

    Every one of these texts ends a line and begins with neither blank nor stroke, so that their tokens can be added up.
    """

    __slots__ = ("item", "places", "section", "standing", "text", "unit")

    def __init__(self, item: MemoryItem, name: Callable[[str], str]) -> None:
        self.item, self.text = item, _text(item)
        several = item.section == "B" and item.holder is None
        title = SEVERAL if several else TITLES[item.section].format(holder=name(item.holder or "nobody"))
        unit = _unit(item)
        self.section, self.unit = f"{title}\n", f"[{unit}]\n"
        self.places = [(span.unit, span.start, span.end) for span in item.spans]
        told = float("inf") if item.told is None else float(item.told)
        start = item.spans[0].start if item.spans else 0
        self.standing = ORDER.index(item.section), item.holder or "", told, unit, start, item.key


class ItemLines:
    """The lines of one scope's items; asked twice for an item, they answer from memory."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._kept: dict[int, ItemLine] = {}  # by the item itself, which its line holds

    def __call__(self, item: MemoryItem) -> ItemLine:
        kept = self._kept.get(id(item))
        if kept is None:
            kept = self._kept[id(item)] = ItemLine(item, self._name)
        return kept


def page(lines: Iterable[ItemLine]) -> Iterator[str]:
    """What is read, line by line: of lines in the order in which they stand, with a heading where it changes."""
    section, unit = "", ""
    for one in lines:
        if one.section != section:
            yield one.section
            section, unit = one.section, ""
        if one.unit != unit:
            yield one.unit
            unit = one.unit
        yield one.text


def _text(item: MemoryItem) -> str:
    """One item; what is merely possible says on what conditions."""
    conditions = "".join(f"; {one}" for one in item.conditions)
    place = item.spans[0].place if item.spans else ""
    return f"- {item.words}{conditions}{f' ({place})' if place else ''}\n"


def _unit(item: MemoryItem) -> str:
    return (
        item.spans[0].unit if item.spans else item.records[0].partition("/")[0] if item.records else "author"
    )
