"""Which stories a folder holds, and how they are dealt out to buckets. Opens no file.

A readable file in the folder is a story; so is a folder in it, whose files are its chapters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from narraworld.corpus.errors import BadCorpus
from narraworld.extract.sources.find import HIDDEN, READERS, readable_in
from narraworld.extract.sources.unit_names import natural

__all__ = ["StorySource", "dealt_out", "stories_in"]


@dataclass(frozen=True, slots=True)
class StorySource:
    """A story by its name in the corpus, and where it lies."""

    name: str
    path: Path


def stories_in(folder: Path) -> list[StorySource]:
    """The stories of a folder by name, `tale2` before `tale10`."""
    if not folder.is_dir():
        raise BadCorpus(
            "is no folder of stories",
            where=str(folder),
            fix="name a folder; each file or folder in it is a story",
        )
    shown = (path for path in folder.iterdir() if not path.name.startswith(HIDDEN) and _is_story(path))
    paths = sorted(shown, key=lambda path: natural(path.name))
    if not paths:
        raise BadCorpus(
            "has no readable stories in it", where=str(folder), fix=f"readable are {', '.join(READERS)}"
        )
    stems = [path.stem if path.is_file() else path.name for path in paths]
    return [
        StorySource(stem if stems.count(stem) == 1 else path.name, path)
        for stem, path in zip(stems, paths, strict=True)
    ]


def _is_story(path: Path) -> bool:
    return bool(readable_in(path)) if path.is_dir() else path.suffix.lower() in READERS and path.is_file()


def dealt_out(stories: Sequence[StorySource], buckets: int) -> list[Sequence[StorySource]]:
    """The stories in so many buckets, as even as can be; always the same for the same stories."""
    least, more = divmod(len(stories), buckets)
    sizes = [least + (number < more) for number in range(buckets)]
    starts = [sum(sizes[:number]) for number in range(buckets)]
    return [stories[start : start + size] for start, size in zip(starts, sizes, strict=True)]
