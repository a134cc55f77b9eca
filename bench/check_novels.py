"""Findings on public-domain novels, read by the embedded reader: careful authors, so nearly all are false alarms.

Also the seconds and the memory of a first check, and of a second one after a chapter was edited.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.checked import Sample, a_world, checked, figures, tell
from bench.frame import Figures, dataset, peak_mb, show
from narraworld.extract.sources import Piece, read_sources
from narraworld.reading_offline import read_embedded
from narraworld.world import World

__all__ = ["add_options", "run"]

DATA = "novels"
EDIT = " The evening was quiet."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--words", type=int, default=20_000, help="of each novel, whole chapters; 0 for all of it"
    )
    parser.add_argument("--only", default="", metavar="WORD", help="novels with this word in their file name")
    parser.add_argument(
        "--kept", type=Path, help="a folder for the worlds, so that a second run need not read again"
    )


def run(options: argparse.Namespace) -> Figures:
    novels = sorted(dataset(DATA, options.data).glob("*.txt"), key=lambda path: path.stat().st_size)
    chosen = [path for path in novels if options.only in path.name][: 1 if options.only else 6]
    samples, again = [], 0.0
    for path in chosen:
        with a_world(options.kept, path.stem) as world:
            pieces = list(_first(read_sources([str(path)]), options.words))
            samples.append(checked(world, path.stem, pieces))
            again += _rechecked(world, pieces)
    tell(samples)
    _show(samples)
    first = sum(sample.seconds for sample in samples)
    share = round(again / first, 3) if first else None
    return {**figures(samples), "full_s": round(first, 1), "recheck_share": share, "rss_mb": peak_mb()}


def _first(pieces: Sequence[Piece], words: int) -> Iterator[Piece]:
    """Whole chapters until there are so many words."""
    seen = 0
    for piece in pieces:
        if words and seen >= words:
            return
        seen += len(piece.unit.text.split())
        yield piece


def _rechecked(world: World, pieces: Sequence[Piece]) -> float:
    """Seconds of a check after a sentence was added to the chapter in the middle."""
    middle = pieces[len(pieces) // 2]
    edited = replace(middle, unit=replace(middle.unit, text=middle.unit.text + EDIT))
    for _ in read_embedded(world, [edited]):
        pass
    start = time.perf_counter()
    world.check()
    return time.perf_counter() - start


def _show(samples: Sequence[Sample]) -> None:
    table = [
        (
            one.name, one.words, len(one.found), round(10_000 * len(one.found) / max(one.words, 1), 2), one.notes,
            round(one.seconds, 1),
        )
        for one in samples
    ]  # fmt: skip
    show("Novels, embedded reader", ("novel", "words", "findings", "per 10k", "notes", "seconds"), table)
