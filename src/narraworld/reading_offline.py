"""Reading with the embedded reader: units in the order of the telling, each committed before the next is read.

Offline, no key, deterministic. Knows no file format; the pieces are handed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from narraworld.query.memory import roster_of
from narraworld.query.situation import Situation
from narraworld.reading import UnitRead, keep_refusals, unchanged

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.world import World

__all__ = ["read_embedded"]


def read_embedded(world: World, pieces: Sequence[Piece], *, branch: str = "main") -> Iterator[UnitRead]:
    """Read pieces one by one; a unit whose words were read already is not read again."""
    from narraworld.extract.embedded import read_prose

    for piece in pieces:
        done = unchanged(world, piece, branch)
        if done is None:
            engine = world.scope(Situation(branch=branch)).engine
            found = read_prose(piece.unit, roster_of(engine, but=piece.unit.id))
            reading = world.commit(found.delta, branch=branch)
            keep_refusals(world, piece.unit.id, reading.refusals)
            understood = f"  ({found.coverage.read} of {found.coverage.sentences} sentences read, {found.coverage.partly} partly)"
            done = UnitRead(piece.unit.id, piece.unit.title, "read", reading, note=understood)
        yield done
