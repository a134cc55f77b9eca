"""From our passages to an editor's ranges and back: our columns count code points from 1, theirs UTF-16 units from 0. Knows no protocol.

A passage may span lines: its end comes from offsets, never from the length of its quote.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.project.source_places import PlaceFinder

if TYPE_CHECKING:
    from narraworld.query.scope import Scope
    from narraworld.world import World

__all__ = ["FileRange", "ranges_of", "spot_in_unit"]


@dataclass(frozen=True, slots=True)
class FileRange:
    """A stretch of a file: lines from 0, columns from 0 in code points, the end exclusive."""

    path: Path
    line: int
    column: int
    last_line: int
    last_column: int


def ranges_of(world: World, scope: Scope, unit: str, start: int, end: int) -> FileRange | None:
    """Where a passage stands in the author's own file; None for what came from no file with lines."""
    finder = PlaceFinder(scope.engine)
    first, last = finder.place(unit, start), finder.place(unit, max(start, end - 1))
    if first is None or last is None or first.line is None or last.line is None:
        return None
    path = (world.path / first.file).resolve()
    return FileRange(path, first.line - 1, (first.column or 1) - 1, last.line - 1, last.column or 1)


def spot_in_unit(scope: Scope, root: Path, path: Path, line: int, column: int) -> tuple[str, int] | None:
    """The unit and the offset at which a place of a file stands; lines and columns from 0."""
    from narraworld.extract.sources import Places
    from narraworld.query.names import rows

    for unit, map_ in rows(scope.engine, "mapped"):
        places = Places.from_text(str(map_))
        name = next((one for one in places.files if (root / one).resolve() == path.resolve()), None)
        if name is not None and places.by == "line":
            offset = places.offset(name, line + 1, column + 1)
            if places.at(offset).line == line + 1 or offset == 0:
                return str(unit), offset
    return None
