"""The style sheet of an open story: the lists of `query/sheet` with the author's own lines beside them. Asks and writes nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.project.source_places import PlaceFinder
from narraworld.query.sheet.style_rows import StyleSheet, sheet_of

if TYPE_CHECKING:
    from narraworld.project.opened import OpenStory
    from narraworld.query.scope import Scope

__all__ = ["style_sheet"]


def style_sheet(story: OpenStory, scope: Scope) -> StyleSheet:
    """What the story says, as far as the scope sees it, in lists."""
    finder = PlaceFinder(scope.engine)

    def place_of(unit: str, offset: int) -> tuple[str, int | None, int | None] | None:
        place = finder.place(unit, offset)
        return (place.file, place.line, place.column) if place else None

    snapshot = story.store.snapshot()
    words = sum(len(story.store.text(entry).split()) for entry in snapshot.entries)
    return sheet_of(scope.engine, place_of, title=story.path.resolve().name, words=words)
