"""What the reading tracks share: short stories read from raw text into small worlds, each with names of its own.

Every story goes through the ordinary doors: reader, SHACL, journal, rules. A run is fast because its worlds are small, lie
in memory, share one parsed program, and are told by several processes; only the deriving waits until a batch is in.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.project.opened import OpenStory
from narraworld.query.names import rows
from narraworld.query.scope import Scope
from narraworld.rules.living.living_world import WorldSetup
from narraworld.world import World

__all__ = ["Told", "add_workers", "in_batches", "located", "share", "told", "told_world", "without_numbers"]

RULES = Path(__file__).parents[2] / "rules" / "options"
MEMORY = Path("/dev/shm")  # a folder that no disk has to keep, where there is one
Case = TypeVar("Case")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Told:
    """A story in the world: its text, who is in it, and what the shapes refused."""

    unit: str
    text: str
    cast: Mapping[str, str]
    called: Sequence[tuple[str, str]]  # every name with whatever bears it; one name may have several bearers
    refused: int
    unread: int

    def id(self, name: str) -> str:
        """The entity of this name; a name nobody bears is its own."""
        return self.cast.get(_plain(name), name)


@contextmanager
def told(texts: Iterable[str], *rules: str) -> Iterator[tuple[Scope, dict[str, Told]]]:
    """What is derived, with rule files that we ship but do not load by default, once each story was told."""
    with told_world(texts, *rules) as (world, stories):
        yield world.scope(), stories


@contextmanager
def told_world(texts: Iterable[str], *rules: str) -> Iterator[tuple[World, dict[str, Told]]]:
    """A new world in which each story was told once; nothing is derived yet."""
    chosen = tuple(RULES / f"{name}.dl" for name in rules)
    place = MEMORY if MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=place) as folder,
        World(_Brief.open(folder, create=True, rules=chosen)) as world,
    ):
        stories = {text: _tell(world, number, text) for number, text in enumerate(dict.fromkeys(texts))}
        yield world, stories


class _Brief(OpenStory):
    """A story of a few stories: it shares its parsed program with the others of the run."""

    @property
    def frame(self) -> WorldSetup:
        return _frame(self.settings.rule_files)


@lru_cache
def _frame(rules: tuple[Path, ...]) -> WorldSetup:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True, rules=rules) as world:
        return world.story.frame


def _tell(world: World, number: int, text: str) -> Told:
    """Read and commit a story; nothing refers outside its story, so nothing needs deriving in between."""
    unit = f"s{number:05}"
    reading = read_prose(Unit(unit, number, text), prefix=f"{unit}-")
    accepted, refusals = sift(reading.delta.graph, {})
    with world.store.writing():
        world.store.commit(unit, accepted)
    called = _called(reading)
    return Told(unit, text, dict(called), called, len(refusals), len(reading.coverage.unread))


def _called(reading: ProseReading) -> list[tuple[str, str]]:
    return [(_plain(name), one.id) for one in reading.cast for name in one.names]


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


# -- many stories


def add_workers(parser: argparse.ArgumentParser, batch: int) -> None:
    parser.add_argument("--workers", type=int, default=2, help="processes that read side by side")
    parser.add_argument("--batch", type=int, default=batch, help="how many cases are told in one world")


def in_batches(
    task: Callable[[Sequence[Case]], list[Result]], cases: Sequence[Case], options: argparse.Namespace
) -> list[Result]:
    """What ``task`` makes of the cases, in their order; each batch is a world of its own."""
    batches = [cases[start : start + options.batch] for start in range(0, len(cases), options.batch)]
    if options.workers < 2 or len(batches) < 2:
        return [one for batch in batches for one in task(batch)]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        return [one for found in pool.map(task, batches) for one in found]


# -- what is told and asked


def without_numbers(story: str) -> str:
    """A story whose lines are numbered, without the numbers."""
    return "\n".join(re.sub(r"^\d+ ", "", line) for line in story.strip().split("\n"))


def located(engine: Any, relation: str, *bound: str | None) -> set[str]:
    """The propositions in the last column of a relation."""
    return {str(row[-1]) for row in rows(engine, relation, *bound)}


def share(right: int, total: int) -> str:
    return f"{right / total:.4f}" if total else "–"
