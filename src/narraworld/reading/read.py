"""What `world.read` does: files, folders and standard input → records and pieces → a reader → what became of each unit.

Files are opened and parsed before anything is written. Records are committed first, then prose is read in the order of the
telling. Knows the two readers by name and takes any other as an object.
"""

from __future__ import annotations

import asyncio
import math
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TextIO, TypeAlias, TypeVar

from narraworld.base.errors import NarraWorldError
from narraworld.base.quick_dataclass import dataclass
from narraworld.project.file import FILE as SETTINGS
from narraworld.reading.order import in_place
from narraworld.reading.outcome import OnFailure, Tell, UnitRead
from narraworld.reading.refusals import keep_refusals

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from narraworld.extract.model.port import Asks
    from narraworld.extract.sources import Piece
    from narraworld.kb.delta import Delta
    from narraworld.project.opened import OpenStory
    from narraworld.reading.with_model import ReadingSettings

__all__ = [
    "EmbeddedReader",
    "ModelReader",
    "OpenedFiles",
    "Reader",
    "ReaderChoice",
    "in_order",
    "open_files",
    "read_opened",
    "reader_of",
]

RECORDS = ".toml"
STDIN = "-"
Given = TypeVar("Given")
_OF_RECORDS = re.compile(rb"^\s*\[unit\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """What files hold, before anything of it is in the story: units as records, and pieces of prose to be read."""

    records: tuple[Delta, ...] = ()
    pieces: tuple[Piece, ...] = ()
    whole: bool = False  # whether they are all of the manuscript


class Reader(Protocol):
    """All that a reader must do: read pieces in order, commit each, and say what became of it."""

    def read(self, story: OpenStory, pieces: Sequence[Piece], *, branch: str) -> Iterator[UnitRead]: ...


ReaderChoice: TypeAlias = Literal["embedded", "model"] | Reader


# -- files


def open_files(
    paths: Sequence[Path | str],
    *,
    branch: str = "main",
    stdin: TextIO | None = None,
    root: Path | None = None,
) -> OpenedFiles:
    """Records and pieces of these files; a folder is all that can be read in it, `-` is standard input. Files below ``root``,
    the story's folder, are known by their path in it, wherever one stands: so they are found again from anywhere."""
    from narraworld.extract.records import read_records
    from narraworld.extract.sources import read_sources

    if not all(str(path).strip() for path in paths):
        raise NarraWorldError(
            "one of the file names is empty", fix="for the folder you are in, say: narraworld read ."
        )
    records, prose = _sorted_out(paths)
    stream = stdin or sys.stdin if STDIN in map(str, prose) else None
    deltas = [read_records(path, branch=branch) for path in records]
    return OpenedFiles(tuple(deltas), tuple(read_sources(prose, stdin=stream, root=root) if prose else ()))


def _sorted_out(paths: Sequence[Path | str]) -> tuple[list[Path], list[Path | str]]:
    """Files of records, and what is left for the readers of prose."""
    from narraworld.extract.sources.find import readable_in

    records, prose = list[Path](), list[Path | str]()
    for path in paths:
        inside = _records_in(Path(path)) if str(path) != STDIN and Path(path).is_dir() else []
        records += inside
        if str(path).endswith(RECORDS) and not Path(path).is_dir():
            records.append(Path(path))
        elif not inside or readable_in(Path(path)):
            prose.append(path)
    return records, prose


def _records_in(folder: Path) -> list[Path]:
    """The files of records below a folder: TOML with a [unit], which settings and lists have not."""
    from narraworld.extract.sources.unit_names import natural

    found = (
        path
        for path in folder.rglob(f"*{RECORDS}")
        if path.is_file()
        and path.name != SETTINGS
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and _OF_RECORDS.search(path.read_bytes())
    )
    return sorted(found, key=lambda path: natural(path.as_posix()))


# -- readers


@dataclass(frozen=True, slots=True)
class EmbeddedReader:
    """Offline, without a key, always the same."""

    def read(self, story: OpenStory, pieces: Sequence[Piece], *, branch: str) -> Iterator[UnitRead]:
        from narraworld.reading.with_embedded import read_embedded

        return read_embedded(story, pieces, branch=branch)


@dataclass(frozen=True, slots=True)
class ModelReader:
    """A model behind its port; ``opens`` gives whoever answers, for as long as the reading lasts.

    ``wants_small`` is asked once it is open: whether questions must be small.
    """

    opens: Callable[[], AbstractAsyncContextManager[Asks]]
    settings: ReadingSettings | None = field(default=None)
    wants_small: Callable[[], Awaitable[bool]] | None = field(default=None)

    def read(self, story: OpenStory, pieces: Sequence[Piece], *, branch: str) -> Iterator[UnitRead]:
        from narraworld.reading.with_model import USUAL, read_with_model

        if not pieces:
            return
        with asyncio.Runner() as runner:
            session = self.opens()
            asks = runner.run(_awaited(session.__aenter__()))
            settings = self.settings or USUAL
            if self.wants_small is not None and not settings.small:
                settings = replace(settings, small=runner.run(_awaited(self.wants_small())))
            found = read_with_model(story, pieces, asks, branch=branch, on_failure="go-on", settings=settings)
            try:
                while (unit := runner.run(_awaited(anext(found, None)))) is not None:
                    yield unit
            finally:
                runner.run(_awaited(found.aclose()))
                runner.run(_awaited(session.__aexit__(None, None, None)))


async def _awaited(one: Awaitable[Given]) -> Given:
    return await one


def reader_of(story: OpenStory, choice: ReaderChoice) -> Reader:
    """The reader that a name stands for; an object is its own."""
    if choice == "embedded":
        return EmbeddedReader()
    if choice == "model":
        from narraworld.models.session import ModelSession

        return ModelReader(lambda: ModelSession(story.store.root / "cache", limits=story.settings.model))
    if isinstance(choice, str):
        raise NarraWorldError(f"there is no reader {choice!r}", fix="choose from: embedded, model")
    return choice


# -- reading


def read_opened(
    story: OpenStory,
    opened: OpenedFiles,
    reader: ReaderChoice = "embedded",
    *,
    tell: Tell | None = None,
    on_failure: OnFailure = "stop",
    branch: str = "main",
) -> Iterator[UnitRead]:
    """Each unit as it is finished; with ``stop`` the first that cannot be read is the last."""
    total = len(opened.records) + len(opened.pieces)
    for number, unit in enumerate(_each(story, opened, reader_of(story, reader), branch), 1):
        if tell:
            tell(number, max(number, total), unit.title or unit.unit)
        yield unit
        if unit.outcome == "failed" and on_failure == "stop":
            return


def in_order(story: OpenStory, units: list[UnitRead], branch: str) -> list[UnitRead]:
    """The units in the order of the telling; what was not committed stands where it was met last."""
    snapshot = story.store.snapshot(branch=branch)
    orders = {unit.unit: entry.order for unit in units if (entry := snapshot.find(unit.unit))}
    return sorted(units, key=lambda unit: orders.get(unit.unit, math.inf))


def _each(story: OpenStory, opened: OpenedFiles, reader: Reader, branch: str) -> Iterator[UnitRead]:
    for delta in opened.records:
        committed = story.commit(delta, branch=branch)
        keep_refusals(story.store, delta.unit.id, committed.refusals)
        yield UnitRead(delta.unit.id, delta.unit.title, "read", committed)
    yield from reader.read(story, in_place(story, opened.pieces, branch=branch), branch=branch)
