"""Prose read by the embedded reader into a world that may be kept, so that a second run of a bench need not read again."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.reading.with_embedded import read_embedded
from narraworld.world import World

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece

__all__ = ["add_kept", "read_world"]


def add_kept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kept", type=Path, help="a folder for the worlds that were read, so that a second run need not read"
    )


@contextmanager
def read_world(pieces: Sequence[Piece], kept: Path | None = None) -> Iterator[World]:
    """A world that has read these pieces, in a folder that is kept or in one that goes with it."""
    with tempfile.TemporaryDirectory() as passing:
        folder = kept or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        with World.open(folder, create=True) as world:
            for _ in read_embedded(world.story, pieces):
                pass
            yield world
