"""What means the same in other words: light word vectors, offline.

The only door to wordllama, and of it only to its files: its own import takes longer than a search, sets up everybody's logging and
knows the way to the network. Its vectors are read where they lie, its tokenizer by the library that wordllama itself brings.
Without them there is no meaning to compare, and `available` says so; search then goes by words alone.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["DIMENSIONS", "available", "embed", "from_bytes", "to_bytes"]

DIMENSIONS = 256
BATCH = 64  # a batch is as wide as its longest text
FEW = 4
TOKENIZER, WEIGHTS = "tokenizers/l2_supercat_tokenizer_config.json", "weights/l2_supercat_256.safetensors"


class _Vectors:
    """One vector for each token; a text is the mean of its own."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._weights = _weights(folder / WEIGHTS)

    def embed(self, texts: Sequence[str]) -> Numbers:
        found = self._tokens(texts)
        ids = np.zeros((len(found), max(map(len, found))), dtype=np.int32)
        mask = np.zeros(ids.shape, dtype=np.float32)
        for row, tokens in enumerate(found):
            ids[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1.0
        ids = ids.clip(0, len(self._weights) - 1)
        own = self._weights[ids].astype(np.float32) * mask[..., np.newaxis]
        sums = np.sum(own, axis=1, dtype=np.float32)
        return np.asarray(sums / np.maximum(mask.sum(axis=1, keepdims=True), 1.0), dtype=np.float32)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Those of each text; a few texts one by one, as starting its threads costs more than they save."""
        if len(texts) <= FEW:
            return [self._tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        return [one.ids for one in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]


def _weights(path: Path) -> NDArray[np.float16]:
    """The matrix of a safetensors file, mapped, so that only the rows of words that occur are ever read."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        [matrix] = [one for name, one in json.loads(file.read(length)).items() if name != "__metadata__"]
    assert matrix["dtype"] == "F16"
    start = 8 + length + matrix["data_offsets"][0]
    return np.memmap(path, dtype=np.float16, mode="r", offset=start, shape=tuple(matrix["shape"]))


@cache
def _model() -> _Vectors | None:
    """The vectors, or None where the library is not installed."""
    found = find_spec("wordllama")
    if found is None or found.origin is None:
        return None
    try:
        return _Vectors(Path(found.origin).parent)
    except (ImportError, OSError):
        return None


def available() -> bool:
    return _model() is not None


def embed(texts: Sequence[str]) -> Numbers:
    """One vector of length 1 for each text; texts without words, or without the library, have vectors of nothing."""
    model = _model()
    if not texts or model is None:
        return np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    places = {
        text: nth for nth, text in enumerate(dict.fromkeys(texts))
    }  # many records quote the same sentence
    each = list(places)
    rows = [_batch(model, each[start : start + BATCH]) for start in range(0, len(each), BATCH)]
    return np.asarray(np.concatenate(rows)[[places[text] for text in texts]], dtype=np.float32)


def _batch(model: _Vectors, texts: Sequence[str]) -> Numbers:
    vectors = model.embed([text or "." for text in texts])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def to_bytes(vector: Numbers) -> bytes:
    """As it is kept: half precision is enough to rank by."""
    return vector.astype(np.float16).tobytes()


def from_bytes(kept: Sequence[bytes]) -> Numbers:
    """Vectors as they were kept; nothing stands for a vector of nothing."""
    blank = bytes(2 * DIMENSIONS)
    joined = b"".join(one or blank for one in kept)
    return np.frombuffer(joined, dtype=np.float16).reshape(-1, DIMENSIONS).astype(np.float32)
