"""The door to uvicorn: a port, a server that ends within two seconds of a signal, and the desk that ends with it.

uvicorn waits for open streams for ever and raises the signal again after a clean end; so the signal rings the bell for the last time
here, before connections are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.web.guard import AsgiApp

__all__ = ["LOOPBACK", "PageServer", "bound", "is_loopback"]

LOOPBACK = "127.0.0.1"
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class PageServer(uvicorn.Server):
    """Serves one application until a signal comes; ``leaving`` is called first."""

    def __init__(self, app: AsgiApp, leaving: Callable[[], None]) -> None:
        grace = DEFAULTS.surfaces.web.grace_seconds
        super().__init__(
            uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=grace, access_log=False)
        )
        self._leaving = leaving

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        try:
            loop = asyncio.get_running_loop()
            for name in SIGNALS:
                loop.add_signal_handler(name, self.leave)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            pass
        yield

    def leave(self) -> None:
        self._leaving()
        self.should_exit = True


def is_loopback(host: str) -> bool:
    return host in (LOOPBACK, "localhost", "::1")


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens on this port, or on the next free one; port 0 is any."""
    tries = range(port, port + DEFAULTS.surfaces.web.ports_tried) if port else (0,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for one in tries:
        made = socket.socket(family)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, one))
            made.listen()
        except OSError as error:
            made.close()
            if error.errno not in (48, 98, 10048):  # taken
                raise NarraWorldError(f"cannot listen on {host}: {error.strerror}") from error
            continue
        return made
    raise NarraWorldError(f"ports {port} to {tries[-1]} are taken", fix="name another one: --port 9000")
