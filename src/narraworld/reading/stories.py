"""The bundled stories that checks are shown on: `broken`, with an error for most kinds, and `mended`, its twin without.

Chapters in Markdown are read by the embedded reader, chapters in TOML are records; both in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.project.opened import OpenStory

__all__ = ["read_bundled"]


def read_bundled(story: OpenStory, name: str) -> list[str]:
    """Read a bundled story; the units it has."""
    with as_file(files("narraworld") / "stories" / name) as folder:
        return [unit for file in sorted(Path(folder).iterdir()) for unit in _read(story, file)]


def _read(story: OpenStory, file: Path) -> Iterator[str]:
    from narraworld.extract.records import read_records
    from narraworld.extract.sources import read_sources
    from narraworld.reading.order import in_place
    from narraworld.reading.with_embedded import read_embedded

    if file.suffix == ".toml":
        yield story.commit(read_records(file)).unit
    elif file.suffix == ".md":
        for done in read_embedded(story, in_place(story, read_sources([str(file)]))):
            yield done.unit
