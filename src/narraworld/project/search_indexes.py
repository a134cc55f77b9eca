"""Where the search indexes of a world are kept: one for each branch, beside its tables, and one for each old revision, in memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from narraworld.kb.errors import KbError

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Snapshot, Store
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
        versions, texts = versions_of(living.engine, snapshot), partial(_text, living.store, snapshot)
        return Shelf(self._indexes[name], living.engine, versions, whole, texts, living.frame.clock)

    def close(self, branch: str | None = None) -> None:
        """Let go of the indexes of a branch, or of all."""
        for key in [key for key in self._indexes if branch in (None, key.partition("@")[0])]:
            self.close_one(key)

    def close_one(self, name: str) -> None:
        """Let go of the index of one branch, or of one old revision (`main@3`)."""
        if name in self._indexes:
            self._indexes.pop(name).close()


def _text(store: Store, snapshot: Snapshot, unit: str) -> str:
    """The prose of a unit; what was committed without a text, or cannot be read, has no passages."""
    entry = snapshot.find(unit)
    try:
        return store.text(entry) if entry else ""
    except KbError:
        return ""
