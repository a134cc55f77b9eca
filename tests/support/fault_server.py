"""A real HTTP server on this machine that speaks `POST /v1/chat/completions` and misbehaves as told.

    with FaultServer(answers({"name": "Mara"})) as server:                  # always the same answer
    with FaultServer(answers(lambda seen: ...)) as server:                  # computed from the request
    with FaultServer(status(500), status(429, retry_after=0.01), answers(…)) as server:   # in turn; the last one stays
        settings = quick_settings(server, mode="tools")
        ...
        server.seen      # every request, in order of arrival: .body (bytes), .json, .mode, .user, .system, .headers

A *turn* is a function from what was seen to a `Reply`. An answer is put where the mode of the request wants it (a tool
call, JSON text, JSON in a fence), so that one script serves all four modes. `modes=` names those the server knows; the
others it refuses with 400. The probe of `auto` is answered by itself and does not use up a turn, unless `probe=False`.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from narraworld.models.environment import ModelSettings, Secret

__all__ = [
    "MODES", "FaultServer", "Reply", "Seen", "Turn", "answers", "cut", "drips", "hangs", "huge", "length_stop",
    "no_choices", "quick_settings", "raw", "refuses", "says", "schema_echo", "status",
]  # fmt: skip

MODES = frozenset({"tools", "json_schema", "json", "md_json"})
PROBE = "Mara laid seven keys on the blue table."
PROBE_ANSWER = {"colour_of_table": "blue", "number_of_keys": 7}


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def mode(self) -> str:
        if "tools" in self.json:
            return "tools"
        kind = self.json.get("response_format", {}).get("type")
        return {"json_schema": "json_schema", "json_object": "json"}.get(kind, "md_json")

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the answer, where the protocol has a place for it."""
        if self.mode == "tools":
            return self.json["tools"][0]["function"]["parameters"]
        return self.json.get("response_format", {}).get("json_schema", {}).get("schema", {})

    @property
    def system(self) -> str:
        return self.json["messages"][0]["content"]

    @property
    def user(self) -> str:
        return self.json["messages"][1]["content"]

    @property
    def is_probe(self) -> bool:
        return PROBE in self.user


@dataclass(frozen=True)
class Reply:
    """Bytes to send and how to mistreat the connection."""

    body: bytes = b""
    code: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    keep: int | None = None  # send only so many bytes, then cut the line
    wait: float = 0.0  # seconds of silence before
    drip: float = 0.0  # seconds between single bytes


Turn = Callable[[Seen], Reply]


# -- good turns -----------------------------------------------------------------------------------------------------


def answers(given: dict[str, Any] | Callable[[Seen], dict[str, Any]], **choice: Any) -> Turn:
    """An answer of the right kind for the mode; ``choice`` overrides, e.g. finish_reason="length"."""

    def turn(seen: Seen) -> Reply:
        answer = given(seen) if callable(given) else given
        return _reply(_placed(json.dumps(answer, ensure_ascii=False), seen), **choice)

    return turn


def says(text: str) -> Turn:
    """Any text where the answer should be."""
    return lambda seen: _reply(_placed(text, seen, fenced=False))


def _placed(text: str, seen: Seen, fenced: bool = True) -> dict[str, Any]:
    if seen.mode == "tools":
        name = seen.json["tools"][0]["function"]["name"]
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if seen.mode == "md_json" and fenced:
        text = f"Here it is:\n```json\n{text}\n```"
    return {"role": "assistant", "content": text}


def _reply(message: dict[str, Any], usage: object = "default", **choice: Any) -> Reply:
    if usage == "default":
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    page = {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m", "usage": usage,
        "choices": [{"index": 0, "finish_reason": "stop", "message": message} | choice],
    }  # fmt: skip
    return Reply(json.dumps({key: value for key, value in page.items() if value is not None}).encode())


# -- bad turns ------------------------------------------------------------------------------------------------------


def status(
    code: int, message: str = "", *, retry_after: float | None = None, param: str | None = None
) -> Turn:
    """An error. Retries come at once unless ``retry_after`` (seconds) says when."""
    body = json.dumps(
        {"error": {"message": message or f"status {code}", "param": param, "type": "x", "code": None}}
    )
    wait = {"retry-after-ms": "1"} if retry_after is None else {"retry-after": f"{retry_after}"}
    return lambda seen: Reply(body.encode(), code, wait)


def raw(body: bytes | str, content_type: str = "application/json") -> Turn:
    """A body that may be anything."""
    whole = body.encode() if isinstance(body, str) else body
    return lambda seen: Reply(whole, headers={"content-type": content_type})


def hangs(seconds: float = 30.0) -> Turn:
    """Silence, until the client has gone or the server closes."""
    return lambda seen: Reply(b"{}", wait=seconds)


def drips(given: dict[str, Any], seconds: float) -> Turn:
    """A good answer, one byte at a time: never silent for long, never done."""
    return lambda seen: _changed(answers(given)(seen), drip=seconds)


def cut(given: dict[str, Any], keep: int = 40) -> Turn:
    """A good answer of which only the first bytes arrive."""
    return lambda seen: _changed(answers(given)(seen), keep=keep)


def _changed(reply: Reply, **how: Any) -> Reply:
    return Reply(reply.body, reply.code, reply.headers, **how)


def refuses(words: str = "I cannot help with that.") -> Turn:
    return lambda seen: _reply({"role": "assistant", "content": None, "refusal": words})


def no_choices() -> Turn:
    return raw(
        json.dumps({"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": []})
    )


def length_stop(given: dict[str, Any]) -> Turn:
    """Cut off by length, in the middle of the JSON."""
    half = json.dumps(given)
    return lambda seen: _reply(_placed(half[: len(half) // 2], seen), finish_reason="length")


def huge(megabytes: int = 10) -> Turn:
    return answers(lambda seen: {"name": "x" * (megabytes * 2**20)})


def schema_echo() -> Turn:
    """The schema in place of an instance of it."""
    return answers(lambda seen: seen.schema or {"type": "object", "properties": {"name": {"type": "string"}}})


# -- the server -----------------------------------------------------------------------------------------------------


class FaultServer:
    """Serves its turns one after the other; the last one stays."""

    def __init__(self, *turns: Turn, modes: frozenset[str] | set[str] = MODES, probe: bool = True) -> None:
        self.turns, self.modes, self.probe = list(turns), modes, probe
        self.all_seen: list[Seen] = []
        self.models: list[dict[str, Any]] | None = None  # what it lists; None: it knows no such page
        self.closing = threading.Event()
        self._lock = threading.Lock()

    @property
    def seen(self) -> list[Seen]:
        """Every request but the probes."""
        return [seen for seen in self.all_seen if not (self.probe and seen.is_probe)]

    def wait_for(self, requests: int) -> bool:
        """Whether so many have arrived; one whose sender has given up may still be on its way to us."""
        for _ in range(1_000):
            if len(self.seen) >= requests:
                return True
            self.closing.wait(0.01)
        return False

    @property
    def probes(self) -> list[Seen]:
        return [seen for seen in self.all_seen if seen.is_probe]

    def reply_to(self, seen: Seen) -> Reply:
        with self._lock:
            self.all_seen.append(seen)
            if seen.mode not in self.modes:
                return status(400, f"{seen.mode} is not supported")(seen)
            if self.probe and seen.is_probe:
                return answers(PROBE_ANSWER)(seen)
            turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return turn(seen)

    def __enter__(self) -> FaultServer:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.faults = self
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.hang_up()
        self._http.server_close()
        self._thread.join()
        if self._http.broken:
            raise self._http.broken[0]


class _Http(ThreadingHTTPServer):
    """No thread outlives the test that began it: what it printed then would land in a stranger's capture."""

    daemon_threads = False  # so that server_close waits for them
    faults: FaultServer

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.broken: list[BaseException] = []
        self._calls: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._calls.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self._calls.discard(request)

    def hang_up(self) -> None:
        """Ends the calls that a client keeps open."""
        for call in tuple(self._calls):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                call.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the story; our own fault fails the test it happened in."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            self.broken.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits 40 ms for an acknowledgement
    server: _Http

    def do_GET(self) -> None:
        models = self.server.faults.models
        if self.path != "/v1/models" or models is None:
            return self._send(Reply(b"{}", 404))
        self._send(Reply(json.dumps({"object": "list", "data": models}).encode()))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path != "/v1/chat/completions":
            return self._send(status(404, f"no {self.path}")(Seen(body, {})))
        self._send(self.server.faults.reply_to(Seen(body, {k.lower(): v for k, v in self.headers.items()})))

    def _send(self, reply: Reply) -> None:
        self.server.faults.closing.wait(reply.wait)
        try:
            self.send_response(reply.code)
            for name, value in ({"content-type": "application/json"} | reply.headers).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            for piece in _pieces(reply):
                self.wfile.write(piece)
                self.server.faults.closing.wait(reply.drip)
        except OSError:  # the client has had enough
            self.close_connection = True
        self.close_connection |= reply.keep is not None

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: a test says what it saw."""


def _pieces(reply: Reply) -> Iterator[bytes]:
    if reply.drip:
        yield from (bytes([byte]) for byte in reply.body)
    else:
        yield reply.body[: reply.keep]


def quick_settings(server: FaultServer, **changes: Any) -> ModelSettings:
    """A client that soon gives up; what a test is about, it says itself."""
    quick = {"model": "tiny", "base_url": server.url, "key": Secret("k"), "transport_retries": 0,
             "timeout": 60.0, "patience": 120.0, "answer_bytes": 100_000}  # fmt: skip
    return ModelSettings(**(quick | changes))
