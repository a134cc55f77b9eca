"""Numpy held to one thread: on small matrices more are slower, cost twice the processor time, and sums would depend on them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[object]:
    """For the length of the block."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limited


@cache
def _threads() -> ThreadpoolController:
    import numpy as np  # noqa: F401  (only what is loaded can be held)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
