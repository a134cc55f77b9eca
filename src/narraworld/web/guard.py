"""Who may ask and who may write: Host, Origin, token, size. Plain ASGI, before routing, so that nothing refused is ever read.

421 an address that is not ours · 403 another site, or a form that is not ours · 401 no token · 413 too much
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from narraworld.base.settings import DEFAULTS

__all__ = ["COOKIE", "CSP", "SVG_CSP", "AsgiApp", "FormSeal", "PageGuard"]

AsgiApp: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
COOKIE = "narraworld"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SVG_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a drawing alone keeps its own colours
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
SAFE = ("GET", "HEAD")
MOST = DEFAULTS.surfaces.web.body_bytes


class FormSeal:
    """Tells our own forms from others: a word that only this process knows how to make."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    @property
    def word(self) -> str:
        return hmac.new(self._secret, b"form", hashlib.sha256).hexdigest()

    def fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.word.encode())


class PageGuard:
    """Stands before everything else."""

    def __init__(self, app: AsgiApp, hosts: Iterable[str], token: str | None = None) -> None:
        self._app, self._token = app, token
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(Request(scope))
        answer: AsgiApp = refused or self._app
        await answer(scope, receive, _headed(send))

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("this address is not mine", 421)
        if (origin := headers.get("origin")) is not None and origin not in self._origins:
            return PlainTextResponse("another site may not ask", 403)
        if _too_much(headers.get("content-length")):
            return PlainTextResponse(f"more than {MOST:,} bytes", 413)
        return self._unknown(request) or self._foreign_form(request)

    def _unknown(self, request: Request) -> Response | None:
        """Somebody without the token, where one is needed; `/enter?token=` gives a cookie for it."""
        if self._token is None or self._bearer(request):
            return None
        if request.url.path == "/enter":
            given = parse_qs(request.url.query).get("token", [""])[0]
            return self._entered() if _same(given, self._token) else PlainTextResponse("wrong token", 401)
        if _same(request.cookies.get(COOKIE, ""), self._token):
            return None
        return PlainTextResponse("a token is needed", 401, {"www-authenticate": "Bearer"})

    def _entered(self) -> Response:
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self._token or "", httponly=True, samesite="strict", path="/")
        return answer

    def _foreign_form(self, request: Request) -> Response | None:
        """Pages write with an Origin; agents and SPARQL clients, which have none, only ask."""
        asks = request.url.path.startswith(("/mcp", "/sparql"))
        ours = request.headers.get("origin") or request.headers.get("sec-fetch-site") == "same-origin"
        if request.method in SAFE or asks or ours or self._bearer(request):
            return None
        return PlainTextResponse("writes come from our own pages, or with a token", 403)

    def _bearer(self, request: Request) -> bool:
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        return self._token is not None and kind.lower() == "bearer" and _same(given, self._token)


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())  # bytes: text must be ASCII


def _too_much(length: str | None) -> bool:
    return length is not None and (not length.isdecimal() or int(length) > MOST)


def _headed(send: Any) -> Any:
    """Every answer carries what a browser must know of us; a drawing may bring its own policy."""

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in given]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending
