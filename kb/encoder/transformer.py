"""The encoder itself: six layers of attention over word pieces, reckoned with numpy from weights kept in eight bits.

A few dozen lines in place of a runtime of sixty megabytes; in full precision, so that every machine finds the same. Reads no text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from narraworld.kb.encoder.pieces import PieceRow

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["Transformer", "transformer"]

FILE = Path(__file__).parent / "weights.npz"
LAYERS, WIDTH, PARTS = 6, 384, 12
TINY = 1e-12
FAR = np.float32(-1e9)  # what padding weighs


class Transformer:
    """Weights by name; a text becomes one row of numbers for each of its pieces."""

    def __init__(self, kept: Mapping[str, NDArray[np.generic]]) -> None:
        self._rows = (kept["words:eighths"], kept["words:scale"])
        names = {name.removesuffix(":eighths") for name in kept} - {"words", "words:scale"}
        self._weights = {name: _full(kept, name) for name in names if not name.endswith(":scale")}

    @property
    def places(self) -> int:
        """Pieces of the longest row."""
        return len(self._weights["places"])

    def read(self, rows: Sequence[PieceRow], lesson: str = "") -> Numbers:
        """Row by row and piece by piece what each stands for among the others; shorter rows end in padding. A lesson may have its own
        upper layers."""
        longest = max(len(row.ids) for row in rows)
        ids = np.zeros((len(rows), longest), dtype=np.int32)
        kinds, mask = np.zeros_like(ids), np.full(ids.shape, FAR, dtype=np.float32)
        for nth, row in enumerate(rows):
            ids[nth, : len(row.ids)], kinds[nth, : len(row.ids)] = row.ids, row.looked_at
            mask[nth, : len(row.ids)] = 0
        found = self._embedded(ids, kinds)
        for layer in range(LAYERS):
            found = self._layer(found, mask, self._layer_of(lesson, layer))
        return found

    def head(self, name: str, found: Numbers) -> Numbers:
        """What a task makes of them."""
        return found @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _layer_of(self, lesson: str, layer: int) -> str:
        own = f"{lesson}.{layer}."
        return own if f"{own}out.weight" in self._weights else f"{layer}."

    def _embedded(self, ids: NDArray[np.int32], kinds: NDArray[np.int32]) -> Numbers:
        eighths, scale = self._rows
        words = eighths[ids].astype(np.float32) * scale[ids].astype(np.float32)
        places = self._weights["places"][: ids.shape[1]]
        return self._normal(words + places + self._weights["kinds"][kinds], "words.norm")

    def _layer(self, found: Numbers, mask: Numbers, layer: str) -> Numbers:
        seen = self._linear(self._attended(found, mask, layer), f"{layer}out")
        found = self._normal(found + seen, f"{layer}out.norm")
        inner = _gelu(self._linear(found, f"{layer}inner"))
        return self._normal(found + self._linear(inner, f"{layer}outer"), f"{layer}outer.norm")

    def _attended(self, found: Numbers, mask: Numbers, layer: str) -> Numbers:
        many, long, _ = found.shape
        asked, keys, values = (
            self._linear(found, f"{layer}{name}").reshape(many, long, PARTS, -1).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        scores = asked @ keys.transpose(0, 1, 3, 2) * np.float32((WIDTH / PARTS) ** -0.5)
        shares = _softmax(scores + mask[:, np.newaxis, np.newaxis, :])
        return np.asarray((shares @ values).transpose(0, 2, 1, 3).reshape(many, long, WIDTH))

    def _linear(self, found: Numbers, name: str) -> Numbers:
        return found @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, found: Numbers, name: str) -> Numbers:
        centred = found - found.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.mean(np.square(centred), axis=-1, keepdims=True) + np.float32(TINY))
        return np.asarray(centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"])


def _full(kept: Mapping[str, NDArray[np.generic]], name: str) -> Numbers:
    if name in kept:
        return kept[name].astype(np.float32)
    return kept[f"{name}:eighths"].astype(np.float32) * kept[f"{name}:scale"].astype(np.float32)


def _gelu(found: Numbers) -> Numbers:
    """The usual bend of such encoders, by its tangent form."""
    half = np.float32(0.5)
    inner = np.float32((2 / np.pi) ** 0.5) * (found + np.float32(0.044715) * found * found * found)
    return np.asarray(half * found * (np.float32(1) + np.tanh(inner)))


def _softmax(scores: Numbers) -> Numbers:
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


@cache
def transformer() -> Transformer:
    with np.load(FILE) as kept:
        return Transformer({name: kept[name] for name in kept.files})
