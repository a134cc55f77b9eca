"""What the two check benches share: a text read by the embedded reader into a world, checked, and its findings told."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from narraworld.checking.check_world import check_world
from narraworld.query.checks.findings import Checked, Finding
from narraworld.reading.with_embedded import read_embedded
from narraworld.world import World

__all__ = ["SHOWN", "Sample", "a_world", "checked", "figures", "tell"]

SHOWN = frozenset({"error", "warning"})  # what `narraworld check` shows unless asked for more


@dataclass(frozen=True, slots=True)
class Sample:
    """One text after its check: its name, what was found at default severity, and how long the check took."""

    name: str
    words: int
    found: tuple[Finding, ...]
    notes: int
    seconds: float


@contextmanager
def a_world(kept: Path | None, name: str) -> Iterator[World]:
    """A world that is gone afterwards, or is kept in a folder so that a second run need not read again."""
    if kept is not None:
        with World.open(kept / name, create=True) as world:
            yield world
        return
    with TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        yield world


def checked(world: World, name: str, pieces: Sequence[object]) -> Sample:
    """Read what is not read yet, and check."""
    for _ in read_embedded(world.story, pieces):  # type: ignore[arg-type]
        pass
    start = time.perf_counter()
    result: Checked = check_world(world.story)
    seconds = time.perf_counter() - start
    found = tuple(one for one in result.findings if one.rule.severity in SHOWN)
    return Sample(name, result.words, found, len(result.findings) - len(found), seconds)


def tell(samples: Iterable[Sample]) -> None:
    """Every finding with its passages, for a person to judge."""
    for sample in samples:
        for one in sample.found:
            print(f"{sample.name}  {one.rule.severity} {one.rule.id}  {one.message}")
            for passage in one.passages:
                print(f"      {passage.unit}:{passage.start}  {' '.join(passage.quote.split())[:140]}")


def figures(samples: Sequence[Sample]) -> dict[str, object]:
    words = sum(sample.words for sample in samples)
    found = sum(len(sample.found) for sample in samples)
    notes = sum(sample.notes for sample in samples)
    return {
        "texts": len(samples),
        "words": words,
        "findings": found,
        "findings_per_10k": round(10_000 * found / words, 3) if words else 0.0,
        "notes_per_10k": round(10_000 * notes / words, 3) if words else 0.0,
        "check_seconds": round(sum(sample.seconds for sample in samples), 1),
    }
