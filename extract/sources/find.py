"""Which files a reading means: those named, and the readable ones in a folder named; `-` is standard input. Opens none."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource
from narraworld.extract.sources.unit_names import natural

__all__ = ["READERS", "STDIN", "FoundFile", "find_files", "readable_in", "unknown_suffix"]

STDIN = "-"

# Suffix to module and function: a reader is imported when a file needs it.
READERS = {
    ".md": ("markdown", "read_markdown"), ".markdown": ("markdown", "read_markdown"),
    ".txt": ("plain", "read_plain"), ".text": ("plain", "read_plain"),
    ".nwx": ("novelwriter", "read_project"), ".nwd": ("novelwriter", "read_document"),
    ".fountain": ("fountain", "read_fountain"), ".spmd": ("fountain", "read_fountain"),
    ".docx": ("docx", "read_docx"), ".epub": ("epub", "read_epub"), ".odt": ("odt", "read_odt"),
}  # fmt: skip
ADVICE = {
    ".doc": "save it as .docx", ".rtf": "save it as .docx or .odt", ".pdf": "export its text, or use the .epub",
    ".pages": "export it as .docx", ".scriv": "compile it to Markdown or .docx", ".fdx": "export it as .fountain",
    ".html": "convert it to Markdown",
}  # fmt: skip
HIDDEN = (".", "~$")  # also what Word leaves beside an open file


@dataclass(frozen=True, slots=True)
class FoundFile:
    path: Path
    name: str


def find_files(paths: Sequence[Path | str], root: Path | None, settings: SourceSettings) -> list[FoundFile]:
    """The files in reading order: by name, `ch2` before `ch10`; none twice."""
    named = {
        shown: FoundFile(path, shown) for path in _paths(paths, settings) for shown in [_shown(path, root)]
    }
    return sorted(named.values(), key=lambda found: natural(found.name))


def unknown_suffix(suffix: str, name: str) -> BadSource:
    readable = f"readable are {', '.join(READERS)}"
    if not suffix:
        return BadSource("has no suffix that says what it is", where=name, fix=readable)
    close = get_close_matches(suffix, READERS, n=1)
    fix = ADVICE.get(suffix) or (f"did you mean {close[0]}?" if close else readable)
    return BadSource(f"is a kind of file that is not read ({suffix})", where=name, fix=fix)


def _paths(paths: Sequence[Path | str], settings: SourceSettings) -> Iterator[Path]:
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        inside = readable_in(path)
        if not inside:
            raise BadSource(
                "has no readable files in it", where=str(path), fix=f"readable are {', '.join(READERS)}"
            )
        if len(inside) > settings.most_files:
            raise BadSource(
                f"has {len(inside)} readable files in it, more than {settings.most_files}", where=str(path)
            )
        yield from inside


def readable_in(folder: Path) -> list[Path]:
    """The readable files below a folder that are not hidden or empty; of a novelWriter project, the project file alone."""
    return sorted(folder.glob("*.nwx")) or [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in READERS
        and path.is_file()
        and path.stat().st_size
        and not any(part.startswith(HIDDEN) for part in path.relative_to(folder).parts)
    ]


def _shown(path: Path, root: Path | None) -> str:
    """The name that users and the journal see: below `root` when the file is there, else as given."""
    real = Path(os.path.realpath(path))  # which, unlike `resolve`, bears links that lead to themselves
    if root is not None and real.is_relative_to(root.resolve()):
        path = real.relative_to(root.resolve())
    return path.as_posix().encode("utf-8", "replace").decode()
