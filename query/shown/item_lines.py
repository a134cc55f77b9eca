"""How memory reads: sections W, B by character, D, H and the text's own words, each line under the unit it comes from.

What an item looks like on the page is worked out once and kept with the scope that tells it. Chooses nothing, counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.query.memory.needs import MemoryItem, Section

__all__ = ["ItemLine", "ItemLines", "ItemPrice", "page"]

ORDER: tuple[Section, ...] = ("W", "B", "D", "H", "T")

TITLES = {
    "W": "W: the world", "B": "B: {holder}", "D": "D: developments", "H": "H: possible, not so yet", "T": "In the text",
}  # fmt: skip
SEVERAL = "B: who knows what"  # of several minds in one line
KNOWN = "B: {holder} knows"  # what somebody holds rightly, said once for all such lines


class ItemPrice:
    """What a line costs where it is told, and how dear that makes it under a heading that stands and as the first under it; whoever
    counts it leaves it with the line, and says by what terms it was counted."""

    __slots__ = ("cost", "dear", "dear_as_first", "terms")

    def __init__(self, terms: object, cost: int, dear: float, dear_as_first: float) -> None:
        self.terms, self.cost, self.dear, self.dear_as_first = terms, cost, dear, dear_as_first


class ItemLine:
    """An item on the page: its line, the two headings it stands under, where it comes among others, and the places it rests on.

    Every one of these texts ends a line and begins with neither blank nor stroke, so that their tokens can be added up.
    """

    __slots__ = ("heading", "item", "places", "price", "section", "standing", "text", "unit")

    def __init__(self, item: MemoryItem, name: Callable[[str], str]) -> None:
        self.item, self.text = item, _text(item)
        several = item.section == "B" and item.holder is None
        title = SEVERAL if several else KNOWN if item.known else TITLES[item.section]
        unit = _unit(item)
        self.section, self.unit = f"{title.format(holder=name(item.holder or 'nobody'))}\n", f"[{unit}]\n"
        self.heading = self.section, self.unit
        self.price: ItemPrice | None = None
        self.places = [(span.unit, span.start, span.end) for span in item.spans]
        told = float("inf") if item.told is None else float(item.told)
        start = item.spans[0].start if item.spans else 0
        self.standing = (
            ORDER.index(item.section),
            item.holder or "",
            not item.known,
            told,
            unit,
            start,
            item.key,
        )


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
    return f"- {item.known or item.words}{conditions}{f' ({place})' if place else ''}\n"


def _unit(item: MemoryItem) -> str:
    return (
        item.spans[0].unit if item.spans else item.records[0].partition("/")[0] if item.records else "author"
    )
