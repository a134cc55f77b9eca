"""The files of a manuscript at hand, and what changed in them since they were read. Opens files, reads what is new, checks nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TextIO

from narraworld.reading.order import in_place
from narraworld.reading.outcome import Tell, UnitRead, unchanged

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory

__all__ = [
    "NO_FILES",
    "FilesAtHand",
    "files_of",
    "manuscript_of",
    "read_changed",
    "sources_of",
    "with_buffer",
    "with_remarks",
]

OURS = b"narraworld"
PROJECTS = {".nwd": "*.nwx"}  # documents that are only read as part of a project file


@dataclass(frozen=True, slots=True)
class FilesAtHand:
    """The pieces of the files at hand, and what is wrong with the files."""

    pieces: tuple[Piece, ...] = ()
    troubles: tuple[str, ...] = ()


NO_FILES = FilesAtHand()


def sources_of(where: Path, names: Sequence[str]) -> list[Piece] | None:
    """The files named, or the whole folder where there is no world yet; read before a world is made for them."""
    from narraworld.extract.sources import read_sources
    from narraworld.kb.journal.store import FOLDER

    if names:
        return read_sources(names, root=where)
    return None if (where / FOLDER).is_dir() else read_sources([where], root=where)


def manuscript_of(
    story: OpenStory, pieces: Sequence[Piece] | None = None, *, branch: str = "main"
) -> FilesAtHand:
    """These pieces at their places in the telling; without any, those of the files the world was read from."""
    from narraworld.extract.sources import read_sources

    troubles: tuple[str, ...] = ()
    if pieces is None:
        known, troubles = _known_files(story, branch)
        pieces = read_sources(known, root=story.path) if known else []
    return FilesAtHand(tuple(in_place(story, pieces, branch=branch)), troubles)


def files_of(story: OpenStory, *, branch: str = "main") -> list[str]:
    """The files that the world's units came from, as far as they are there."""
    return _known_files(story, branch)[0]


def with_buffer(
    story: OpenStory, name: str, text: TextIO | str, *, branch: str
) -> tuple[FilesAtHand, set[str]]:
    """The manuscript with a text from an editor in place of the file ``name``, and the units of that text."""
    from narraworld.extract.sources import read_sources

    file = Path(name)
    shown = (
        file.resolve().relative_to(story.path.resolve())
        if file.resolve().is_relative_to(story.path.resolve())
        else file
    )
    known, troubles = _known_files(story, branch)
    stream = StringIO(text) if isinstance(text, str) else text
    pieces = read_sources([*known, "-"], stdin=stream, stdin_name=shown.as_posix(), root=story.path)
    units = {piece.unit.id for piece in pieces if shown.as_posix() in piece.places.files}
    return FilesAtHand(tuple(in_place(story, pieces, branch=branch)), troubles), units


def with_remarks(story: OpenStory, *, branch: str = "main") -> FilesAtHand:
    """The whole manuscript where any file of it speaks to us; files are parsed together, because names depend on it."""
    files, _ = _known_files(story, branch)
    spoken = any(OURS in Path(name).read_bytes() for name in files if Path(name).is_file())
    return manuscript_of(story, branch=branch) if spoken else FilesAtHand()


def _known_files(story: OpenStory, branch: str) -> tuple[list[str], tuple[str, ...]]:
    """The files the world's units came from, and a word on those that are gone; files of records are read by `read`."""
    from narraworld.extract.sources import READERS

    sources = dict(_sources(story, branch))
    if not sources and not story.store.snapshot(branch=branch).entries:
        return [str(story.path)], ()
    found, troubles = dict[str, None](), list[str]()
    for unit, source in sources.items():
        if PurePath(source).suffix.lower() not in READERS:
            continue
        if here := _still_there(story, source):
            found |= dict.fromkeys(map(str, here))
        else:
            troubles.append(f"{source} is gone, and {unit} is still in the world: narraworld retract {unit}")
    return list(found), tuple(troubles)


def _still_there(story: OpenStory, source: str) -> list[Path]:
    """The projects that a file of this kind belongs to, else the file itself."""
    suffix = PurePath(source).suffix.lower()
    projects = sorted(story.path.glob(PROJECTS[suffix])) if suffix in PROJECTS else []
    here = [path for path in (story.path / source, Path(source)) if path.is_file()]
    return projects or here[:1]


def _sources(story: OpenStory, branch: str) -> Iterator[tuple[str, str]]:
    for entry in story.store.snapshot(branch=branch).entries:
        if source := story.store.of_unit(entry, "source"):
            yield entry.unit, source


def read_changed(
    story: OpenStory, manuscript: FilesAtHand, *, branch: str = "main", tell: Tell | None = None
) -> tuple[UnitRead, ...]:
    """Read the units whose words are new, with the embedded reader, and those that what is new concerns; it is not even loaded
    when there are none. Gives what was read."""
    from narraworld.reading.again.told_before import all_told

    changed = [piece for piece in manuscript.pieces if unchanged(story, piece, branch) is None]
    if not changed and (all_told(story, branch) or not os.access(story.store.root, os.W_OK)):
        return ()
    from narraworld.reading.with_embedded import read_embedded

    found = list[UnitRead]()
    for unit in read_embedded(story, changed, branch=branch, at_hand=manuscript.pieces):
        found.append(unit)
        if tell:
            tell(len(found), max(len(found), len(changed)), unit.label)
    return tuple(found)
