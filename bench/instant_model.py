"""A model behind an OpenAI-compatible address on loopback, in a process of its own, that answers at once.

What it says is the caller's: a function of the module level, from the path and the body of a request to a JSON document.
Knows no question and no answer.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

__all__ = ["Says", "served"]

Says: TypeAlias = Callable[[str, bytes], dict[str, Any]]


@contextmanager
def served(says: Says) -> Iterator[str]:
    """The address of a model that is there for the length of the block."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, says), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        server.terminate()
        server.join()


def _serve(line: Connection, says: Says) -> None:
    handler = type("Saying", (_AtOnce,), {"says": staticmethod(says)})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    line.send(http.server_address[1])
    http.serve_forever()


class _AtOnce(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits 40 ms for an acknowledgement
    says: Says

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        page = json.dumps(self.says(self.path, asked)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the table is the output."""
