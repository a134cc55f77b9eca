"""How memory reads: sections W, B by character, D, H and the text's own words, each line under the unit it comes from.

Items in, lines out, in one fixed order; chooses nothing and counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from narraworld.query.memory.needs import MemoryItem, Section

__all__ = ["ContextHeading", "headings", "line", "page"]

ContextHeading: TypeAlias = tuple[str, ...]
ORDER: tuple[Section, ...] = ("W", "B", "D", "H", "T")
TITLES = {
    "W": "W: the world", "B": "B: {holder}", "D": "D: developments", "H": "H: possible, not so yet", "T": "In the text",
}  # fmt: skip


def line(item: MemoryItem) -> str:
    """One item; what is merely possible says on what conditions."""
    conditions = "".join(f"; {one}" for one in item.conditions)
    place = item.spans[0].place if item.spans else ""
    return f"- {item.words}{conditions}{f' ({place})' if place else ''}\n"


def headings(item: MemoryItem, name: Callable[[str], str]) -> tuple[str, str]:
    """The section an item stands in, and the unit under which it stands there."""
    section = TITLES[item.section].format(holder=name(item.holder) if item.holder else "nobody")
    return f"{section}\n", f"[{_unit(item)}]\n"


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


def _standing(item: MemoryItem) -> tuple[int, str, float, str, int, str]:
    told = float("inf") if item.told is None else float(item.told)
    start = item.spans[0].start if item.spans else 0
    return ORDER.index(item.section), item.holder or "", told, _unit(item), start, item.key


def _unit(item: MemoryItem) -> str:
    return (
        item.spans[0].unit if item.spans else item.records[0].partition("/")[0] if item.records else "author"
    )
