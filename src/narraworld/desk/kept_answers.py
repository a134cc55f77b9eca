"""Answers a desk keeps because they are dear: checks of moments, and the minds at each scene. Bounded; asks the world, writes nothing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from narraworld.query.situation import NOW, Situation

if TYPE_CHECKING:
    from narraworld.base.settings import WatchSettings
    from narraworld.query.checks.report import Report
    from narraworld.world import World

__all__ = ["ColumnKey", "KeptAnswers", "MindColumn"]

ColumnKey: TypeAlias = tuple[object, Situation]
Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class MindColumn:
    """The minds at one moment: states by matter and holder, and what those are called."""

    cells: Mapping[tuple[str, str], str]
    names: Mapping[str, str]
    characters: tuple[str, ...]
    events: frozenset[str] = frozenset()


class KeptAnswers:
    """The latest check, checks of other moments, and columns of minds, least recently used first out."""

    def __init__(self, world: World, settings: WatchSettings) -> None:
        self._world, self._settings = world, settings
        self.latest: Report | None = None
        self.generation = 0  # changes whenever an answer may
        self.wishes: list[Situation] = []
        self._reports: OrderedDict[ColumnKey, Report] = OrderedDict()
        self._columns: OrderedDict[ColumnKey, MindColumn] = OrderedDict()
        self._lock = threading.Lock()

    # -- checks

    def renew(self, report: Report) -> None:
        """The worker has checked the whole story; what the author decided may have changed, so the others go."""
        with self._lock:
            self.latest = report
            self.generation += 1
            self._reports.clear()

    def report(self, situation: Situation) -> Report:
        if situation == NOW and self.latest is not None:
            return self.latest
        key = self._key(situation)
        with self._lock:
            found = self._reports.get(key)
        if found is None:
            found = self._examined(situation)
            with self._lock:
                _keep(self._reports, key, found, self._settings.reports)
        return found

    def _examined(self, situation: Situation) -> Report:
        """A check that reads nothing: what is on the disk is the worker's to read."""
        from narraworld.checking.checkup import CheckRequest, examine

        with self._world.story.turn:
            return examine(self._world.story, CheckRequest(least="note", situation=situation))

    # -- columns

    def wish(self, moments: Sequence[Situation]) -> None:
        with self._lock:
            fresh = [one for one in moments if self._key(one) not in self._columns]
            self.wishes = [*fresh, *(one for one in self.wishes if one not in fresh)]

    def column(self, situation: Situation) -> MindColumn | None:
        """The minds at a moment, if they were derived already."""
        with self._lock:
            found = self._columns.get(self._key(situation))
            if found is not None:
                self._columns.move_to_end(self._key(situation))
            return found

    def derive(self, situation: Situation) -> MindColumn:
        """The minds at a moment, derived now if they must be."""
        known = self.column(situation)
        if known is not None:
            return known
        matrix = self._world.knows(situation)
        found = MindColumn(
            dict(matrix.cells), dict(matrix.names), matrix.characters, frozenset(matrix.events)
        )
        with self._lock:
            self.generation += 1
            _keep(self._columns, self._key(situation), found, self._settings.columns)
        return found

    def fill_one(self) -> bool:
        """Derive the column wished for first; False where nothing is wished for."""
        with self._lock:
            if not self.wishes:
                return False
            wish = self.wishes.pop(0)
        self.derive(wish)
        return True

    def _key(self, situation: Situation) -> ColumnKey:
        return self._world.store.snapshot(situation.revision, situation.branch).stamp, situation


def _keep(kept: OrderedDict[ColumnKey, Kept], key: ColumnKey, value: Kept, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
