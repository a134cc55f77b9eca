"""Where a piece of the manuscript stands in the telling, also when a chapter is read by itself. Reads the journal, writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.kb.plotlines import PLOTLINES
from narraworld.kb.units import LARGEST_ORDER, number_in

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory

__all__ = ["in_place"]


def in_place(story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main") -> list[Piece]:
    """The pieces at their places in the telling.

    An order the author states stands; a unit that is known keeps its place; a newcomer to a begun story goes where the
    number in its name says, if that could be one and is free, else to the end. Each unit takes the map to its file along.
    """
    entries = story.store.snapshot(branch=branch).entries
    orders = {entry.unit: entry.order for entry in entries if entry.unit != PLOTLINES}
    begun = bool(orders)
    placed = []
    for piece in pieces:
        order = piece.unit.order if not begun or _states_order(piece) else _place(piece.unit.id, orders)
        orders[piece.unit.id] = order
        unit = replace(piece.unit, order=order, branch=branch, source_map=piece.places.to_text())
        placed.append(replace(piece, unit=unit))
    return placed


def _states_order(piece: Piece) -> bool:
    return any(note.kind == "order" for note in piece.notes)


def _place(unit: str, orders: dict[str, int]) -> int:
    if unit in orders:
        return orders[unit]
    number = number_in(unit)
    if number is not None and number not in orders.values():
        return number
    return min(max(orders.values()) + 1, LARGEST_ORDER)
