"""The bell: whoever waits for news of a story is told of it. Knows no story, no thread and no protocol.

It may be rung from any thread. A listener that cannot take the news any more is let go.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = ["Bell", "BellListener", "DeskNews", "NewsKind"]

NewsKind: TypeAlias = Literal["changed", "busy", "failed", "filled"]


@dataclass(frozen=True, slots=True)
class DeskNews:
    """Something happened at the desk: what, as of which revision, and the particulars."""

    kind: NewsKind
    revision: int
    data: Mapping[str, Any] = field(default_factory=dict)


BellListener: TypeAlias = Callable[[DeskNews | None], bool | None]
"""Takes news; `None` means that no more will come. Answers False when it wants no more."""


class Bell:
    """Rings for everybody who listens."""

    def __init__(self) -> None:
        self._listeners: list[BellListener] = []
        self._lock = threading.Lock()
        self.closed = False

    def ring(self, news: DeskNews) -> None:
        """Tell everybody; who answers False is let go."""
        for listener in self._present():
            if listener(news) is False:
                self.leave(listener)

    def close(self) -> None:
        """Ring for the last time: listeners go home, and nobody new is heard."""
        self.closed = True
        for listener in self._present():
            listener(None)

    def join(self, listener: BellListener) -> None:
        with self._lock:
            self._listeners.append(listener)
        if self.closed:
            listener(None)

    def leave(self, listener: BellListener) -> None:
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)

    @contextmanager
    def heard_by(self, listener: BellListener) -> Iterator[None]:
        """Listen for as long as the `with` lasts."""
        self.join(listener)
        try:
            yield
        finally:
            self.leave(listener)

    def _present(self) -> tuple[BellListener, ...]:
        with self._lock:
            return tuple(self._listeners)
