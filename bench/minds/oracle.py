"""What the oracle tracks share: many small stories in one world, each a unit with names of its own.

Gold inputs enter as records through the ordinary door (delta, SHACL, journal, rules); only the reading is skipped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from narraworld.kb.delta import Delta, slug
from narraworld.kb.units import Unit
from narraworld.world import World

__all__ = ["Cast", "one_world", "story"]


class Cast:
    """The entities of one story, under ids that no other story of the world shares."""

    def __init__(self, delta: Delta) -> None:
        self._delta, self._known = delta, dict[str, str]()

    def __call__(self, kind: str, name: str) -> str:
        if name not in self._known:
            entity = f"{self._delta.unit.id}-{slug(name)}-{len(self._known)}"
            self._known[name] = self._delta.add(kind, entity, name=name)
        return self._known[name]


@contextmanager
def one_world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        yield world


def story(number: int, text: str) -> Delta:
    return Delta(Unit(f"s{number}", number, text))
