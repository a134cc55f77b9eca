"""A dictionary of numbers that remembers what it changed, so that a change can be reported or taken back."""

from __future__ import annotations

from collections.abc import Mapping

from narraworld.kb.time.clock_values import Moves

__all__ = ["ChangeLog", "difference"]


class ChangeLog:
    """Numbers by id. `close` reports what was put since the last time; `undo` takes it back instead."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self._before: dict[str, int | None] = {}

    def put(self, id: str, value: int) -> None:
        before = self.values.get(id)
        if before != value:
            self._before.setdefault(id, before)
            self.values[id] = value

    def close(self) -> Moves:
        changed = {id: old for id, old in self._before.items() if self.values[id] != old}
        self._before = {}
        return Moves(
            added={id: self.values[id] for id in changed},
            removed={id: old for id, old in changed.items() if old is not None},
        )

    def settle(self) -> None:
        """Nobody wants to hear what was put since the last time."""
        self._before = {}

    def undo(self) -> None:
        for id, old in self._before.items():
            if old is None:
                del self.values[id]
            else:
                self.values[id] = old
        self._before = {}


def difference(old: Mapping[str, int], new: Mapping[str, int]) -> Moves:
    """What came and what went between two whole states."""
    return Moves(
        added={id: value for id, value in new.items() if old.get(id) != value},
        removed={id: value for id, value in old.items() if new.get(id) != value},
    )
