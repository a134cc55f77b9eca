"""Findings on public-domain novels, read by the embedded reader: careful authors, so nearly all are false alarms.

Also the processor seconds and the memory of a first check, of a second one, and of one after a sentence was put into the
chapter in the middle; each in a process of its own, as an author runs it, on a copy of the world.
"""

from __future__ import annotations

import argparse
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.checking.checked import SHOWN, Sample, a_world, figures, tell
from bench.frame import Figures, alone, dataset, peak_mb, show
from narraworld.checking.check_world import check_world
from narraworld.extract.sources import Piece, read_sources
from narraworld.query.checks.findings import Checked
from narraworld.reading.with_embedded import read_embedded
from narraworld.world import World

__all__ = ["add_options", "run"]

DATA = "novels"
EDIT = " He opened the door and went into the garden."
SENTENCE_END = re.compile(r"[.!?](?=\s)")
NAME_WIDTH = 24
CHECKS = "checks"  # the tables of a check: the copy begins without them


class Lap(NamedTuple):
    """One check in a process of its own."""

    checked: Checked
    seconds: float
    mb: float


class Laps(NamedTuple):
    """A first check, a second one, and one after an edit."""

    full: Lap
    again: Lap
    edited: Lap

    @property
    def ratio(self) -> float:
        return round(self.edited.seconds / self.full.seconds, 3)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--words", type=int, default=20_000, help="of each novel, whole chapters; 0 for all of it"
    )
    parser.add_argument(
        "--only", default="", metavar="WORDS", help="novels with one of these in their file name: war,alice"
    )
    parser.add_argument(
        "--kept",
        type=Path,
        help="a folder for the worlds that were read, so that a second run need not read again",
    )


def run(options: argparse.Namespace) -> Figures:
    novels = sorted(dataset(DATA, options.data).glob("*.txt"), key=lambda path: path.stat().st_size)
    chosen = [path for path in novels if any(word in path.name for word in options.only.split(","))]
    measured = {path.stem: _measured(path, options) for path in chosen}
    samples = [_sample(name, laps.full) for name, laps in measured.items()]
    tell(samples)
    _show(samples, measured.values())
    full, again, edited = (
        sum(lap.seconds for lap in column) for column in zip(*measured.values(), strict=True)
    )
    return {
        **figures(samples),
        "again_seconds": round(again, 2),
        "recheck_seconds": round(edited, 2),
        "recheck_ratio": round(edited / full, 3),
        "rss_mb": max(lap.mb for laps in measured.values() for lap in laps),
    }


def _measured(path: Path, options: argparse.Namespace) -> Laps:
    pieces = list(_first(read_sources([str(path)]), options.words))
    with a_world(options.kept, f"{path.stem}.{options.words}") as world:
        for _ in read_embedded(world.story, pieces):
            pass
        world.story.living()  # the tables that reading needs are no part of a check
        with TemporaryDirectory() as folder:
            copy = shutil.copytree(world.path, Path(folder) / "world", ignore=shutil.ignore_patterns(CHECKS))
            full, again = alone(_check, copy), alone(_check, copy)
            alone(_read, copy, _edited(pieces[len(pieces) // 2]))
            return Laps(full, again, alone(_check, copy))


def _first(pieces: Sequence[Piece], words: int) -> Iterator[Piece]:
    """Whole chapters until there are so many words."""
    seen = 0
    for piece in pieces:
        if words and seen >= words:
            return
        seen += len(piece.unit.text.split())
        yield piece


def _edited(piece: Piece) -> Piece:
    """The chapter with a new sentence in its middle."""
    text = piece.unit.text
    ends = [found.end() for found in SENTENCE_END.finditer(text)]
    place = min(ends, key=lambda end: abs(end - len(text) // 2), default=len(text))
    return replace(piece, unit=replace(piece.unit, text=text[:place] + EDIT + text[place:]))


def _read(where: Path, piece: Piece) -> None:
    with World.open(where) as world:
        for _ in read_embedded(world.story, [piece]):
            pass


def _check(where: Path) -> Lap:
    start = time.process_time()
    with World.open(where) as world:
        checked = check_world(world.story)
    return Lap(checked, time.process_time() - start, peak_mb())


def _sample(name: str, lap: Lap) -> Sample:
    found = tuple(one for one in lap.checked.findings if one.rule.severity in SHOWN)
    notes = len(lap.checked.findings) - len(found)
    return Sample(name, lap.checked.words, found, notes, lap.seconds)


def _show(samples: Sequence[Sample], laps: Iterable[Laps]) -> None:
    table = [
        (
            one.name[:NAME_WIDTH], one.words, len(one.found), round(10_000 * len(one.found) / max(one.words, 1), 2), one.notes,
            round(lap.full.seconds, 1), round(lap.again.seconds, 1), round(lap.edited.seconds, 1), lap.ratio, lap.full.mb,
        )
        for one, lap in zip(samples, laps, strict=True)
    ]  # fmt: skip
    columns = (
        "novel",
        "words",
        "findings",
        "per 10k",
        "notes",
        "full s",
        "again s",
        "edited s",
        "ratio",
        "MB",
    )
    show("Novels, embedded reader, processor seconds of a check", columns, table)
