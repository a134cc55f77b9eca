"""Memory that was freed, given back to the system. The C library keeps what many small pieces have left behind, in every thread its own;
a process that lives for days and makes and drops tables all the time would only ever grow. Nothing where the library cannot do it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

__all__ = ["give_back"]


def give_back() -> None:
    """Return what is free; for whoever has just let go of something large."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # not glibc
        return lambda spare: None
    return found
