"""Which files a story was read from, and whether one of them was saved. Looks at the disk; opens no file but to tell two saves apart.

Without a dependency: one `stat` for each file, a few times a second, is nothing for hundreds of files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

__all__ = ["FileMarks", "WatchedFiles", "readable_files"]

FileMarks: TypeAlias = Mapping[Path, tuple[int, int]]


class WatchedFiles:
    """The files as they were when last looked at. ``changed`` says which of them hold other words since."""

    def __init__(self, files: Iterable[Path] = ()) -> None:
        self._marks: FileMarks = {}
        self._digests: dict[Path, str] = {}
        self.watch(files)

    def watch(self, files: Iterable[Path]) -> None:
        """From now on these; what they hold now is taken as known."""
        self._marks = _marks(files)
        self._digests = {path: _digest(path) for path in self._marks}

    def marks(self, files: Iterable[Path]) -> FileMarks:
        """How the files look from outside; two equal looks mean that nobody is saving just now."""
        return _marks(files)

    def changed(self, files: Iterable[Path]) -> list[Path]:
        """Which files came, went or have other words; a file that was only touched has not changed."""
        now = _marks(files)
        differ = [path for path, mark in now.items() if self._marks.get(path) != mark]
        gone = [path for path in self._marks if path not in now]
        digests = {path: _digest(path) for path in differ}
        said = [path for path in differ if digests[path] != self._digests.get(path)]
        self._digests = {path: one for path, one in self._digests.items() if path in now} | digests
        self._marks = now
        return [*said, *gone]


def readable_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as given; of a folder, everything in it that a reader of prose knows."""
    from narraworld.extract.sources.find import readable_in

    for path in paths:
        yield from map(Path, readable_in(path)) if path.is_dir() else (path,)


def _marks(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    found = dict[Path, tuple[int, int]]()
    for path in files:
        try:
            seen = path.stat()
        except OSError:
            continue  # gone, or between two names: the next look tells
        found[path] = seen.st_mtime_ns, seen.st_size
    return found


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
