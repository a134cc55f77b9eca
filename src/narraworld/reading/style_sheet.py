"""The style sheet of an open story: the lists of `query/sheet` with the author's own lines beside them. Asks and writes nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.project.source_places import PlaceFinder
from narraworld.query.names import rows
from narraworld.query.sheet.style_rows import StyleSheet, sheet_of

if TYPE_CHECKING:
    from narraworld.project.opened import OpenStory
    from narraworld.query.scope import Scope
    from narraworld.query.situation import Situation

__all__ = ["style_sheet"]


def style_sheet(story: OpenStory, scope: Scope, there: Situation) -> StyleSheet:
    """What the story says, as far as the scope sees it, in lists."""
    finder = PlaceFinder(scope.engine)

    def place_of(unit: str, offset: int) -> tuple[str, int | None, int | None] | None:
        place = finder.place(unit, offset)
        return (place.file, place.line, place.column) if place else None

    words = _words_told(story, scope, there)
    return sheet_of(scope.engine, place_of, title=story.path.resolve().name, words=words)


def _words_told(story: OpenStory, scope: Scope, there: Situation) -> int:
    """How many words there are as far as is told: of a chapter that is told in part, those of its told scenes."""
    ends: dict[str, int | None] = {str(unit): None for unit, _ in rows(scope.engine, "unit")}
    if there.told is not None:
        for _, unit, _, end in rows(scope.engine, "scene"):
            ends[str(unit)] = max(ends.get(str(unit)) or 0, int(end))
    snapshot = story.store.snapshot(there.revision, there.branch)
    told = [(story.store.text(entry), ends[entry.unit]) for entry in snapshot.entries if entry.unit in ends]
    return sum(len(text[:end].split()) for text, end in told)
