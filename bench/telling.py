"""What the reading tracks share: many short stories read from raw text into one world, each with names of its own.

Every story goes through the ordinary doors: reader, SHACL, journal, rules. Only the deriving waits until all are in.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from narraworld.extract.embedded import Reading, read_prose
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.query.names import rows
from narraworld.world import World

__all__ = ["Told", "located", "share", "tell", "with_rules", "without_numbers"]

RULES = Path(__file__).parent.parent / "rules" / "options"


@contextmanager
def with_rules(*names: str) -> Iterator[World]:
    """A new world that also runs rule files we ship but do not load by default."""
    chosen = tuple(RULES / f"{name}.dl" for name in names)
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True, rules=chosen) as world:
        yield world


@dataclass(frozen=True, slots=True)
class Told:
    """A story in the world: its text, who is in it, and what the shapes refused."""

    unit: str
    text: str
    cast: Mapping[str, str]
    refused: int
    unread: int

    def id(self, name: str) -> str:
        """The entity of this name; a name nobody bears is its own."""
        return self.cast.get(_plain(name), name)


def tell(world: World, stories: Iterable[str]) -> list[Told]:
    """Read and commit each story; nothing refers outside its story, so nothing needs deriving in between."""
    with world.store.writing():
        return [_told(world, number, text) for number, text in enumerate(stories)]


def _told(world: World, number: int, text: str) -> Told:
    unit = f"s{number:05}"
    reading = read_prose(Unit(unit, number, text), prefix=f"{unit}-")
    accepted, refusals = sift(reading.delta.graph, {})
    world.store.commit(unit, accepted)
    return Told(unit, text, _cast(reading), len(refusals), len(reading.coverage.unread))


def _cast(reading: Reading) -> dict[str, str]:
    return {_plain(name): one.id for one in reading.cast for name in one.names}


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def without_numbers(story: str) -> str:
    """A story whose lines are numbered, without the numbers."""
    return "\n".join(re.sub(r"^\d+ ", "", line) for line in story.strip().split("\n"))


def located(engine: Any, relation: str, *bound: str | None) -> set[str]:
    """The propositions in the last column of a relation."""
    return {str(row[-1]) for row in rows(engine, relation, *bound)}


def share(right: int, total: int) -> str:
    return f"{right / total:.4f}" if total else "–"
