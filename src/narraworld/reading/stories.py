"""The bundled stories that checks are shown on: `broken`, with an error for most kinds, and `mended`, its twin without.

Chapters in Markdown are read by the embedded reader, chapters in TOML are records; both in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.world import World

__all__ = ["read_bundled"]


def read_bundled(world: World, story: str) -> list[str]:
    """Read a bundled story into a world; the units it has."""
    with as_file(files("narraworld") / "stories" / story) as folder:
        return [unit for file in sorted(Path(folder).iterdir()) for unit in _read(world, file)]


def _read(world: World, file: Path) -> Iterator[str]:
    from narraworld.extract.sources import read_sources
    from narraworld.reading.with_embedded import read_embedded
    from narraworld.reading.with_model import in_place

    if file.suffix == ".toml":
        yield world.read(file).unit
    elif file.suffix == ".md":
        for done in read_embedded(world, in_place(world, read_sources([str(file)]))):
            yield done.unit
