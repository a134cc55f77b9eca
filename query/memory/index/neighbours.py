"""Where records stand in the telling: which quote the same words, which come next, which share a scene.

Pure arithmetic; only admitted records are laid out, so what may not be seen stands between nobody.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]
    Places: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["Layout"]

BITS = 32  # of a score
LARGEST = 2**31 - 1  # the bits of what is not negative, at most
TOP = 3  # a scene is as good as its best few places


@dataclass(frozen=True, slots=True)
class Layout:
    """For each record its ``place``, and for each place its ``scene`` and whether its unit ``begins`` there.

    A place is a stretch of words that records quote; places are counted in the order of the telling within a unit.
    """

    place: Places
    scene: Places  # as places are in order, so are their scenes
    begins: Mask
    among: Places  # the first few places of each scene

    @classmethod
    def of(cls, quoted: Sequence[tuple[str, int, int]], scenes: Iterable[tuple[str, int]] = ()) -> Layout:
        """Lay out records by what they quote (unit, start, end); a unit without scenes (unit, start) is one."""
        starts: dict[str, list[int]] = {}
        for unit, start in sorted(scenes):
            starts.setdefault(unit, []).append(start)
        places = sorted(set(quoted))
        rank = {key: nth for nth, key in enumerate(places)}
        names = [(unit, bisect_right(starts.get(unit, []), start)) for unit, start, _ in places]
        known = {name: nth for nth, name in enumerate(dict.fromkeys(names))}
        scene = np.array([known[name] for name in names], dtype=np.int64)
        return cls(
            np.array([rank[key] for key in quoted], dtype=np.int64),
            scene,
            np.array(
                [nth == 0 or places[nth - 1][0] != key[0] for nth, key in enumerate(places)], dtype=bool
            ),
            np.flatnonzero(np.arange(len(scene)) - np.searchsorted(scene, scene) < TOP),
        )

    def best(self, scores: Numbers) -> Numbers:
        """The best score at each place."""
        found = np.zeros(len(self.scene), dtype=np.float32)
        np.maximum.at(found, self.place, scores)
        return found

    def spread(self, at_places: Numbers) -> Numbers:
        """What a place has, given to all records that stand there."""
        return at_places[self.place]

    def before(self, at_places: Numbers) -> Numbers:
        """What the place just before has, within the unit."""
        moved = (
            np.concatenate((np.zeros(1, dtype=np.float32), at_places[:-1])) if len(at_places) else at_places
        )
        return np.where(self.begins, 0.0, moved).astype(np.float32)

    def after(self, at_places: Numbers) -> Numbers:
        """What the place just after has, within the unit."""
        if not len(at_places):
            return at_places
        moved = np.concatenate((at_places[1:], np.zeros(1, dtype=np.float32)))
        ends = np.concatenate((self.begins[1:], np.ones(1, dtype=bool)))
        return np.where(ends, 0.0, moved).astype(np.float32)

    def around(self, at_places: Numbers) -> Numbers:
        """How good the scene of each place is: the mean of its best few."""
        if not len(at_places):
            return at_places
        best = _best_first(self.scene, at_places)[self.among]
        total = np.bincount(self.scene[self.among], weights=best)
        return (total / np.bincount(self.scene[self.among]))[self.scene].astype(np.float32)


def _best_first(scene: Places, at_places: Numbers) -> Numbers:
    """The scores scene by scene, each scene's best first: sorted as whole numbers, for what is not negative has its bits in its order."""
    worst_first = (at_places + np.float32(0.0)).view(np.int32).astype(np.int64)
    keys = np.sort((scene << BITS) | (LARGEST - worst_first))
    return (LARGEST - (keys & LARGEST)).astype(np.int32).view(np.float32)
