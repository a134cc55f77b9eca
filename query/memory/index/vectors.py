"""What means the same in other words: light word vectors, offline.

The only door to wordllama, imported when first used. Its loader looks for the weights in the wrong folder and then goes to
the network; told where its own package lies, it finds them. Without the library there is no meaning to compare, and
`available` says so; search then goes by words alone.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["DIMENSIONS", "available", "embed", "from_bytes", "to_bytes"]

DIMENSIONS = 256
BATCH = 512


@cache
def _model() -> Any:
    """The vectors, or None where the library is not installed."""
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    try:
        import wordllama
    except ImportError:
        return None
    finally:  # it sets up everybody's logging when imported
        root.setLevel(before[0])
        root.handlers[:] = before[1]
    return wordllama.WordLlama.load(
        dim=DIMENSIONS, cache_dir=Path(wordllama.__file__).parent, disable_download=True
    )


def available() -> bool:
    return _model() is not None


def embed(texts: Sequence[str]) -> Numbers:
    """One vector of length 1 for each text; texts without words, or without the library, have vectors of nothing."""
    if not texts or not available():
        return np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    rows = [_batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
    return np.concatenate(rows)


def _batch(texts: Sequence[str]) -> Numbers:
    vectors = np.asarray(_model().embed([text or "." for text in texts], norm=False), dtype=np.float32)
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
