"""From paths to pieces: read each file, cut it into units, name them, and put them into the order of the telling.

The door of this package. Reads files, changes none; knows no language and no model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path, PurePath
from typing import TextIO, TypeAlias

from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource
from narraworld.extract.sources.blocks import Manuscript
from narraworld.extract.sources.canon import canon
from narraworld.extract.sources.chapters import Chapter, cut
from narraworld.extract.sources.find import READERS, STDIN, find_files, unknown_suffix
from narraworld.extract.sources.opening import OpenedFile, load, load_stream
from narraworld.extract.sources.piece import AuthorNote, Piece
from narraworld.extract.sources.unit_names import name_units, natural
from narraworld.kb.errors import BadUnit
from narraworld.kb.units import Unit

__all__ = ["KeptManuscripts", "read_sources"]

FormatReader: TypeAlias = Callable[[OpenedFile, SourceSettings], Manuscript]
Book: TypeAlias = list[Chapter]

KeptManuscripts: TypeAlias = dict[str, tuple[OpenedFile, Manuscript]]
PROJECTS = frozenset({".nwx"})  # files whose words lie in other files
ARCHIVES = frozenset({".docx", ".epub", ".odt", ".nwx"})


def read_sources(
    paths: Sequence[Path | str],
    *,
    stdin: TextIO | None = None,
    stdin_name: str = "stdin.md",
    root: Path | None = None,
    settings: SourceSettings | None = None,
    kept: KeptManuscripts | None = None,
) -> list[Piece]:
    """The units of these files in reading order; a folder is all readable files in it, `-` is `stdin`.

    Files are known by the path given, or by their path below `root`. `stdin` is read as if it were the file
    `stdin_name`, and instead of it when that is among the paths. What lies in `kept` is not parsed again while its bytes
    are the same; who reads the same folder over and over hands the same one in.
    """
    settings = settings or SourceSettings()
    files = [path for path in paths if str(path) != STDIN]
    found = find_files(files, root, settings)
    read = {one.name: partial(_from_file, one.path, kept=kept) for one in found}
    if len(files) < len(paths):
        read[stdin_name] = partial(_from_stream, stdin)
    manuscripts = (read[name](name, settings) for name in sorted(read, key=natural))
    books = list(filter(None, (cut(one, settings) for one in manuscripts)))
    if not books:
        raise BadSource("there is no prose to read", where=", ".join(map(str, paths)) or None)
    return _told(books, settings)


def _from_stream(stream: TextIO | None, name: str, settings: SourceSettings) -> Manuscript:
    if stream is None:
        raise BadSource("nothing was given on standard input", where=name)
    if PurePath(name).suffix.lower() in ARCHIVES:
        raise BadSource("cannot come from standard input", where=name, fix="name the file")
    return _read(load_stream(stream, name, settings), settings)


def _from_file(path: Path, name: str, settings: SourceSettings, kept: KeptManuscripts | None) -> Manuscript:
    if path.exists() and path.suffix.lower() not in READERS:  # said before the contents are looked at
        raise unknown_suffix(path.suffix.lower(), name)
    source = load(path, name, settings)
    known = kept.get(name) if kept is not None else None
    if known is not None and known[0] == source and path.suffix.lower() not in PROJECTS:
        return known[1]
    made = _read(source, settings)
    if kept is not None:
        kept[name] = source, made
    return made


def _read(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    suffix = PurePath(source.name).suffix.lower()
    if suffix not in READERS:
        raise unknown_suffix(suffix, source.name)
    module, function = READERS[suffix]
    reader: FormatReader = getattr(import_module(f"{__package__}.formats.{module}"), function)
    try:
        return reader(source, settings)
    except RecursionError as error:
        raise BadSource("is nested deeper than any manuscript", where=source.name) from error


def _told(books: list[Book], settings: SourceSettings) -> list[Piece]:
    """The pieces in the order of the telling; orders only grow, so that each is the unit's own."""
    names = name_units(books, settings)
    ranked = [
        (rank, chapter, name, len(book) == 1)
        for book, ids, ranks in zip(books, names, _ranks(books), strict=True)
        for chapter, name, rank in zip(book, ids, ranks, strict=True)
    ]
    pieces, last = list[Piece](), -1
    for (wanted, _), chapter, name, whole in sorted(ranked, key=lambda entry: entry[0]):
        last = max(wanted, last + 1)
        pieces.append(_piece(chapter, name, last, whole_file=whole))
    return pieces


def _ranks(books: list[Book]) -> list[list[tuple[int, int]]]:
    """The order each chapter asks for: from what the front matter of its file states, else its position, from 1."""
    stated, ranks, position = dict[int, str](), list[list[tuple[int, int]]](), 1
    for book in books:
        file, order = book[0].manuscript.name, book[0].manuscript.order
        if order is not None and stated.setdefault(order, file) != file:
            both = f"{stated[order]}, {file}"
            raise BadSource(f"both state the order {order}", where=both, fix="give each its own")
        first, weight = (position, 1) if order is None else (order, 0)
        ranks.append([(first + number, weight) for number in range(len(book))])
        position += len(book)
    return ranks


def _piece(chapter: Chapter, name: str, order: int, *, whole_file: bool) -> Piece:
    """Front matter speaks for a file; of a file with several units only what is said at a unit's own start counts."""
    made = canon(chapter.blocks, chapter.manuscript.by)
    heading = chapter.heading.title if chapter.heading else None
    title = (_only("title", made.notes) if whole_file else None) or heading
    file, time = made.places.files[0], _only("time", made.notes)
    try:
        unit = Unit(name, order, made.text, title, file, time_anchor=time)
    except BadUnit as error:
        raise BadSource(error.what, where=file, fix=error.fix) from error
    part = [AuthorNote("part", chapter.part.title, 0)] if chapter.part else []
    return Piece(unit, made.scenes, (*part, *made.notes), made.places)


def _only(kind: str, notes: Sequence[AuthorNote]) -> str | None:
    """What the notes say of the whole unit: said once, at its start."""
    said = [note for note in notes if note.kind == kind]
    return said[0].value if len(said) == 1 and said[0].start == 0 else None
