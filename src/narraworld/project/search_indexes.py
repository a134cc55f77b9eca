"""Where the search indexes of a world are kept: one for each branch, beside its tables, and one for each old revision, in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Snapshot
    from narraworld.kb.search.inverted_index import LexicalIndex
    from narraworld.query.memory.search import Shelf
    from narraworld.rules.living.living_world import LivingWorld

__all__ = ["Shelves"]


class Shelves:
    """Indexes, opened when first asked for."""

    def __init__(self) -> None:
        self._indexes: dict[str, LexicalIndex] = {}

    def shelf(self, living: LivingWorld, snapshot: Snapshot, *, whole: bool = True) -> Shelf:
        """The search index of what ``living`` holds, kept beside its tables."""
        from narraworld.kb.search.inverted_index import LexicalIndex
        from narraworld.query.memory.search import Shelf, versions_of

        name = f"{living.branch}@{snapshot.revision}" if living.folder is None else living.branch
        if name not in self._indexes:
            self._indexes[name] = LexicalIndex(living.folder)
        return Shelf(self._indexes[name], living.engine, versions_of(living.engine, snapshot), whole)

    def close(self, branch: str | None = None) -> None:
        """Let go of the indexes of a branch, or of all."""
        for key in [key for key in self._indexes if branch in (None, key.partition("@")[0])]:
            self.close_one(key)

    def close_one(self, name: str) -> None:
        """Let go of the index of one branch, or of one old revision (`main@3`)."""
        if name in self._indexes:
            self._indexes.pop(name).close()
