"""The encoder itself: six layers of attention over word pieces, reckoned with numpy from weights kept in eight bits.

A few dozen lines in place of a runtime of sixty megabytes; in full precision, so that every machine finds the same. Rows lie end to
end, so that nothing is reckoned for padding, and the last layer is reckoned only where somebody looks. Reads no text.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from narraworld.kb.encoder.pieces import PieceRow

    Numbers: TypeAlias = NDArray[np.float32]
    Places: TypeAlias = NDArray[np.int64]

__all__ = ["Transformer", "transformer"]

FILE = Path(__file__).parent / "weights.npz"
LAYERS, WIDTH, PARTS = 6, 384, 12
ASKS = ".query.weight"
TINY = np.float32(1e-12)
HALF, ONE = np.float32(0.5), np.float32(1)
BEND, BENT = np.float32((2 / np.pi) ** 0.5), np.float32(0.044715 * (2 / np.pi) ** 0.5)
SOFTENED = np.float32((WIDTH / PARTS) ** -0.5)


class Transformer:
    """Weights by name; a text becomes one row of numbers for each of its pieces."""

    def __init__(self, kept: Mapping[str, NDArray[np.generic]]) -> None:
        self._rows = (kept["words:eighths"], kept["words:scale"])
        names = {name.removesuffix(":eighths") for name in kept} - {"words", "words:scale"}
        self._weights = {name: _full(kept, name) for name in names if not name.endswith(":scale")}
        for layer in [name.removesuffix(ASKS) for name in self._weights if name.endswith(ASKS)]:
            for part in ("weight", "bias"):
                three = [self._weights.pop(f"{layer}.{name}.{part}") for name in ("query", "key", "value")]
                self._weights[f"{layer}.three.{part}"] = np.concatenate(three)

    @property
    def places(self) -> int:
        """Pieces of the longest row."""
        return len(self._weights["places"])

    def read(
        self, rows: Sequence[PieceRow], wanted: Sequence[Sequence[int]] | None = None, lesson: str = ""
    ) -> list[Numbers]:
        """What each piece stands for among the others of its row: of all of them, or of those at these places of each row. A lesson
        may have upper layers of its own."""
        ends = np.cumsum([0, *(len(row.ids) for row in rows)])
        places = wanted if wanted is not None else [range(len(row.ids)) for row in rows]
        looked_at = np.concatenate([ends[nth] + np.asarray(some) for nth, some in enumerate(places)])
        found = self._embedded(rows)
        for layer in range(LAYERS - 1):
            found = self._layer(found, ends, self._layer_of(lesson, layer))
        found = self._layer(found, ends, self._layer_of(lesson, LAYERS - 1), looked_at.astype(np.int64))
        return np.split(found, np.cumsum([len(some) for some in places])[:-1])

    def head(self, name: str, found: Numbers) -> Numbers:
        """What a task makes of them."""
        return self._linear(found, name)

    def _layer_of(self, lesson: str, layer: int) -> str:
        own = f"{lesson}.{layer}."
        return own if f"{own}out.weight" in self._weights else f"{layer}."

    def _embedded(self, rows: Sequence[PieceRow]) -> Numbers:
        ids, kinds = (np.concatenate([np.asarray(one, dtype=np.int64) for one in several])
                      for several in zip(*((row.ids, row.looked_at) for row in rows), strict=True))  # fmt: skip
        eighths, scale = self._rows
        found = eighths[ids].astype(np.float32) * scale[ids].astype(np.float32)
        found += np.concatenate([self._weights["places"][: len(row.ids)] for row in rows])
        found += self._weights["kinds"][kinds]
        return self._normal(found, "words.norm")

    def _layer(self, found: Numbers, ends: Places, layer: str, looked_at: Places | None = None) -> Numbers:
        seen = _attended(self._linear(found, f"{layer}three"), ends)
        if looked_at is not None:
            found, seen = found[looked_at], seen[looked_at]
        seen = self._linear(seen, f"{layer}out")
        seen += found
        found = self._normal(seen, f"{layer}out.norm")
        outer = self._linear(_bent(self._linear(found, f"{layer}inner")), f"{layer}outer")
        outer += found
        return self._normal(outer, f"{layer}outer.norm")

    def _linear(self, found: Numbers, name: str) -> Numbers:
        made: Numbers = found @ self._weights[f"{name}.weight"].T
        made += self._weights[f"{name}.bias"]
        return made

    def _normal(self, found: Numbers, name: str) -> Numbers:
        """The same around nought and of one spread, in place."""
        found -= found.mean(axis=-1, keepdims=True)
        spread = np.einsum("ij,ij->i", found, found) / np.float32(WIDTH) + TINY
        found /= np.sqrt(spread)[:, np.newaxis]
        found *= self._weights[f"{name}.weight"]
        found += self._weights[f"{name}.bias"]
        return found


def _attended(three: Numbers, ends: Places) -> Numbers:
    """What each piece takes over from those of its row; ``three`` has what it asks, is asked by and gives, side by side."""
    found = np.empty((len(three), PARTS, WIDTH // PARTS), dtype=np.float32)
    for first, last in pairwise(ends.tolist()):
        asked, keys, values = three[first:last].reshape(last - first, 3, PARTS, -1).transpose(1, 2, 0, 3)
        shares = (asked * SOFTENED) @ keys.transpose(0, 2, 1)
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=-1, keepdims=True)
        found[first:last] = (shares @ values).transpose(1, 0, 2)
    return found.reshape(len(three), WIDTH)


def _bent(found: Numbers) -> Numbers:
    """The usual bend of such encoders, by its tangent form."""
    made: Numbers = found * found
    made *= BENT
    made += BEND
    made *= found
    np.tanh(made, out=made)
    made += ONE
    made *= found
    made *= HALF
    return made


def _full(kept: Mapping[str, NDArray[np.generic]], name: str) -> Numbers:
    if name in kept:
        return kept[name].astype(np.float32)
    return kept[f"{name}:eighths"].astype(np.float32) * kept[f"{name}:scale"].astype(np.float32)


@cache
def transformer() -> Transformer:
    with np.load(FILE) as kept:
        return Transformer({name: kept[name] for name in kept.files})
