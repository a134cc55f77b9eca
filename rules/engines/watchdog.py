"""One thread that interrupts an engine when its time is up: started with the first question, armed anew by each.

Knows no database: it is handed what interrupts one. Arming costs two assignments as long as the thread, asleep until some earlier
question's time, wakes before it is needed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf

__all__ = ["Watchdog"]

AGAIN = 0.05  # seconds between interruptions: what falls between two statements is lost on DuckDB


class Watchdog:
    """Watches one engine, one stretch of work at a time."""

    def __init__(self, interrupt: Callable[[], object]) -> None:
        self._interrupt = interrupt
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ends = inf  # of the work that goes on; never, while there is none
        self._wakes = inf
        self._closed = False

    @contextmanager
    def watching(self, seconds: float) -> Iterator[None]:
        """Interrupt what is done in here once it takes longer."""
        with self._changed:
            self._ends = time.monotonic() + min(seconds, threading.TIMEOUT_MAX)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            elif self._ends < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:  # an interruption under way is over before the next work begins
                self._ends = inf

    def close(self) -> None:
        """Let the thread go: left running it would keep what it interrupts alive past the end of the interpreter."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                if now >= self._ends:
                    self._interrupt()
                self._wakes = max(self._ends, now + AGAIN)
                self._changed.wait(None if self._wakes == inf else self._wakes - now)
