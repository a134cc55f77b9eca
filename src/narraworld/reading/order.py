"""Where a piece of the manuscript stands in the telling, also when a chapter is read by itself. Reads the journal, writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from narraworld.extract.sources.unit_names import natural
from narraworld.kb.plotlines import PLOTLINES
from narraworld.kb.units import LARGEST_ORDER, number_in

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory

__all__ = ["first_orders", "in_place"]

InFolder: TypeAlias = tuple[PurePath, tuple[tuple[int, int, str], ...]]  # the folder of a file, and its name


def in_place(story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main") -> list[Piece]:
    """The pieces at their places in the telling.

    An order the author states stands; a unit that is known keeps its place; a newcomer to a begun story goes where the name of
    its file puts it among the files of that folder, as far as there is room, else to the end. Each unit takes the map to its
    file along.
    """
    told = _Telling.of(story, branch)
    orders = [told.take(piece) for piece in pieces] if told.orders else first_orders(pieces)
    return [
        replace(
            piece, unit=replace(piece.unit, order=order, branch=branch, source_map=piece.places.to_text())
        )
        for piece, order in zip(pieces, orders, strict=True)
    ]


def first_orders(pieces: Sequence[Piece]) -> list[int]:
    """A story begins with the numbers in the names of its units where these rise: so there is room for a chapter that is not there yet."""
    counted = [piece.unit.order for piece in pieces]
    numbers = [number for piece in pieces if (number := number_in(piece.unit.id)) is not None]
    rising = len(numbers) == len(pieces) and all(one < other for one, other in pairwise(numbers))
    return numbers if rising and not any(map(_states_order, pieces)) else counted


def _states_order(piece: Piece) -> bool:
    return any(note.kind == "order" for note in piece.notes)


@dataclass
class _Telling:
    """The places that are taken, and the files that took them."""

    story: OpenStory
    branch: str
    orders: dict[str, int]

    @classmethod
    def of(cls, story: OpenStory, branch: str) -> _Telling:
        entries = story.store.snapshot(branch=branch).entries
        return cls(story, branch, {entry.unit: entry.order for entry in entries if entry.unit != PLOTLINES})

    @cached_property
    def files(self) -> dict[str, InFolder]:
        """The file of each unit that came from one."""
        store = self.story.store
        found = (
            (one.unit, store.of_unit(one, "source")) for one in store.snapshot(branch=self.branch).entries
        )
        return {unit: _in_folder(source) for unit, source in found if source}

    def take(self, piece: Piece) -> int:
        """The place of a piece, which is taken from then on."""
        unit = piece.unit
        if _states_order(piece):
            self.orders[unit.id] = unit.order
        elif unit.id not in self.orders:
            file = _in_folder(unit.source or "")
            self.orders[unit.id] = self._new_place(number_in(unit.id), file)
            self.files[unit.id] = file
        return self.orders[unit.id]

    def _new_place(self, number: int | None, file: InFolder) -> int:
        """Its number if that lies between the files before it and those after it; else right before those after it, if there is room; else the end."""
        taken, end = set(self.orders.values()), min(max(self.orders.values()) + 1, LARGEST_ORDER)
        low, own, high = self._bounds(file)
        if number is not None and low < number < high and number not in taken:
            return number
        room = high <= LARGEST_ORDER and high - 1 > max(low, own) and high - 1 not in taken
        return high - 1 if room else end

    def _bounds(self, file: InFolder) -> tuple[int, int, int]:
        """The last place before a file, the last of its own and the first after it, by the names in its folder; none where the places are
        not in the order of the names."""
        folder, name = file
        beside = [
            (self.files[unit][1], order) for unit, order in self.orders.items() if self._lies_in(unit, folder)
        ]
        low = max((order for other, order in beside if other < name), default=-1)
        own = max((order for other, order in beside if other == name), default=-1)
        high = min((order for other, order in beside if other > name), default=LARGEST_ORDER + 1)
        return (low, own, high) if low < high else (-1, -1, LARGEST_ORDER + 1)

    def _lies_in(self, unit: str, folder: PurePath) -> bool:
        return unit in self.files and self.files[unit][0] == folder


@cache
def _in_folder(source: str) -> InFolder:
    path = PurePath(source)
    return path.parent, natural(path.name)
