"""The things used last are kept, the others only as long as somebody holds them; each is released when it goes.

For what is dear to make and dear to keep: tables derived for a situation. A thing that fell out of memory here while a
caller still works with it is found again, never made twice, and never closed under the caller's hands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary, finalize

__all__ = ["Recent"]

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


def _all_of(releases: Iterable[Callable[[], object]]) -> None:
    for release in releases:
        release()


class Recent(Generic[Key, Thing]):
    """Things by key; at most ``most`` are kept for their own sake."""

    def __init__(self, most: int, on_leaving: Callable[[Thing], None] = lambda thing: None) -> None:
        self.most, self._on_leaving = most, on_leaving
        self._kept: OrderedDict[Key, Thing] = OrderedDict()  # the one used last stands last
        self._all: WeakValueDictionary[Key, Thing] = WeakValueDictionary()
        self._ends: dict[Key, finalize[..., Thing]] = {}

    def get(self, key: Key) -> Thing | None:
        """The thing of this key, if it is still there; now it is the one used last."""
        thing = self._all.get(key)
        if thing is not None:
            self._keep(key, thing)
        return thing

    def put(self, key: Key, thing: Thing, *releases: Callable[[], object]) -> Thing:
        """Keep a thing; ``releases`` must not hold it, and are called once: when nobody does any more, or on `drop`."""
        end = self._ends[key] = finalize(thing, _all_of, releases)
        end.atexit = False
        self._all[key] = thing
        self._keep(key, thing)
        return thing

    @property
    def is_full(self) -> bool:
        """Whether one more sends another away."""
        return len(self._kept) >= self.most

    def things(self) -> list[Thing]:
        """All that are still there."""
        return list(self._all.values())

    def forget(self, which: Callable[[Key], bool]) -> None:
        """Do not find these again; whoever holds one may go on with it."""
        for key in [key for key in self._all if which(key)]:
            self._all.pop(key, None)
            self._leave(key)

    def drop(self, which: Callable[[Key], bool] = lambda key: True) -> None:
        """Release these at once, whoever holds them."""
        ends = [end for key, end in self._ends.items() if which(key)]
        self.forget(which)
        for end in ends:
            end()

    def _keep(self, key: Key, thing: Thing) -> None:
        self._kept[key] = thing
        self._kept.move_to_end(key)
        while len(self._kept) > self.most:
            self._leave(next(iter(self._kept)))
        self._ends = {key: end for key, end in self._ends.items() if end.alive}

    def _leave(self, key: Key) -> None:
        thing = self._kept.pop(key, None)
        if thing is not None:
            self._on_leaving(thing)
