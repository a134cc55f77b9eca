"""What was understood of each unit: from the journal what was recorded, from beside it what was not.

Reads the store, writes nothing. A unit that no embedded reading is known of has counts of records only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narraworld.kb.journal.leaf import Entry
from narraworld.kb.journal.store import Store
from narraworld.kb.spans import TextRange
from narraworld.reading.how_read import how_read
from narraworld.rules.living.census import classes_in

__all__ = ["UnitCoverage", "UnreadPassage", "count_of", "coverage_of", "total_of"]

PARTS = frozenset({"SourceUnit", "Proposition"})  # what records are made with


@dataclass(frozen=True, slots=True)
class UnreadPassage:
    """Words of a unit, and where the author finds them."""

    quote: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}  {self.quote}" if self.place else self.quote


@dataclass(frozen=True, slots=True)
class UnitCoverage:
    """One unit. ``sentences`` is None when nobody wrote down how it was read."""

    unit: str
    title: str | None
    classes: dict[str, str]  # of all it describes, by node
    sentences: int | None = None
    read: int = 0
    partly: int = 0
    unread: tuple[UnreadPassage, ...] = ()
    unresolved: tuple[UnreadPassage, ...] = ()
    unsure: tuple[UnreadPassage, ...] = ()

    @property
    def records(self) -> dict[str, int]:
        return count_of(self.classes)

    def to_json(self) -> dict[str, Any]:
        told = {"unit": self.unit, "title": self.title, "sentences": self.sentences, "records": self.records}
        if self.sentences is None:
            return told
        return told | {
            "read": self.read,
            "partly": self.partly,
            "not_read": [{"quote": one.quote, "place": one.place} for one in self.unread],
            "unresolved": [{"quote": one.quote, "place": one.place} for one in self.unresolved],
            "unsure": [{"quote": one.quote, "place": one.place} for one in self.unsure],
        }


def count_of(classes: Mapping[str, str]) -> dict[str, int]:
    """How many of each class, by name."""
    return dict(sorted(Counter(classes.values()).items()))


def coverage_of(store: Store, branch: str = "main") -> list[UnitCoverage]:
    """Every visible unit, in the order of the telling."""
    return [_covered(store, entry) for entry in store.snapshot(branch=branch).entries]


def total_of(found: Sequence[UnitCoverage]) -> dict[str, Any]:
    """All units together; whoever is in several counts once."""
    counted = [one for one in found if one.sentences is not None]
    classes = {node: kind for one in found for node, kind in one.classes.items()}

    def total(many: Callable[[UnitCoverage], int]) -> int:
        return sum(map(many, counted))

    return {
        "sentences": total(lambda one: one.sentences or 0) if counted else None,
        "read": total(lambda one: one.read),
        "partly": total(lambda one: one.partly),
        "not_read": total(lambda one: len(one.unread)),
        "unresolved": total(lambda one: len(one.unresolved)),
        "unsure": total(lambda one: len(one.unsure)),
        "records": count_of(classes),
    }


def _covered(store: Store, entry: Entry) -> UnitCoverage:
    how = how_read(store, entry)
    records = {node: kind for node, kind in classes_in(store.body(entry)).items() if kind not in PARTS}
    title = store.of_unit(entry, "title")
    if how is None:
        return UnitCoverage(entry.unit, title, records)
    said = how.coverage
    told = (said.unread, said.unresolved, said.unsure)
    passages = (_passages(store, entry, some) for some in told)
    return UnitCoverage(entry.unit, title, records, said.sentences, said.read, said.partly, *passages)


def _passages(store: Store, entry: Entry, ranges: Iterable[TextRange]) -> tuple[UnreadPassage, ...]:
    from narraworld.extract.sources import Places

    text, map_ = store.text(entry), store.of_unit(entry, "sourceMap")
    places = Places.from_text(map_) if map_ else None
    return tuple(
        UnreadPassage(" ".join(one.cut(text).split()), str(places.at(one.start)) if places else "")
        for one in ranges
    )
