"""The site: routes over the screens, pages and twins from one answer, errors in words, forms that write only beside the manuscript.

The world is asked in threads, never on the event loop. Pages read whole without the script.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.base.version import __version__
from narraworld.desk.answers.seen_story import (
    ADDRESSED,
    NotForThisMind,
    NotInThisSituation,
    PinnedSituation,
    SeenStory,
    SituationPins,
    seen_in,
)
from narraworld.kb.errors import StoreLocked
from narraworld.query.errors import Outdated, UnknownMoment, UnknownName
from narraworld.web.guard import SVG_CSP, AsgiApp, FormSeal
from narraworld.web.live import live_stream
from narraworld.web.page_frame import framed
from narraworld.web.screens import SCREENS, TWINS_ONLY, Asked, Screen, map_figures
from narraworld.web.sparql_endpoint import SparqlEndpoint
from narraworld.web.templating import link_to, rendered, static_files

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["Site", "made_site", "status_of"]

STATUS = ((UnknownName, 404), (UnknownMoment, 404), (NotInThisSituation, 404), (PinnedSituation, 403), (NotForThisMind, 403), (StoreLocked, 409))  # fmt: skip
DROPPED = 499  # nobody waits for the answer any more
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}


def status_of(error: NarraWorldError) -> int:
    """400 cannot be read · 403 may not be seen · 404 not in this situation · 409 somebody writes"""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 400)


@dataclass
class Site:
    """What the handlers share: the desk, what it is pinned to, whether anything may be written."""

    desk: StoryDesk
    pins: SituationPins = field(default_factory=SituationPins)
    read_only: bool = False
    seal: FormSeal = field(default_factory=FormSeal)

    def __post_init__(self) -> None:
        self._heavy = asyncio.Semaphore(DEFAULTS.surfaces.web.at_once)

    @property
    def writes(self) -> bool:
        return not self.read_only and not self.pins

    # -- pages and twins

    def page(self, screen: Screen) -> Callable[[Request], Any]:
        async def handler(request: Request) -> Response:
            return await self._asked(request, screen, self._rendered)

        return handler

    def twin(self, screen: Screen) -> Callable[[Request], Any]:
        async def handler(request: Request) -> Response:
            return await self._asked(request, screen, self._as_data)

        return handler

    async def _asked(
        self, request: Request, screen: Screen, answer: Callable[[Request, Screen], Response]
    ) -> Response:
        if await request.is_disconnected():
            return Response(status_code=DROPPED)
        if not screen.heavy:
            return await run_in_threadpool(answer, request, screen)
        if self._heavy.locked():
            return self._failed(
                request, NarraWorldError("other questions are under way", fix="ask again in a moment"), 503
            )
        async with self._heavy:
            return await run_in_threadpool(answer, request, screen)

    def _answer(self, request: Request, screen: Screen) -> tuple[SeenStory, Any]:
        """The situation and what the screen says in it; once more if a chapter was read just then."""
        for once_more in (True, False):
            try:
                seen = seen_in(self.desk, dict(request.query_params), self.pins)
                return seen, screen.answer(seen, Asked(request.query_params, request.path_params))
            except Outdated:
                if not once_more:
                    raise
        raise AssertionError

    def _rendered(self, request: Request, screen: Screen) -> Response:
        try:
            seen, data = self._answer(request, screen)
            more = screen.dressed(data, Asked(request.query_params, request.path_params))
            frame = framed(self, seen, screen, request)
            return _page(rendered(screen.template, {**frame, "data": data, **more}))
        except NarraWorldError as error:
            return self._failed(request, error)

    def _as_data(self, request: Request, screen: Screen) -> Response:
        try:
            seen = seen_in(self.desk, dict(request.query_params), self.pins)
            tag = self._tag(request, seen)
            if request.headers.get("if-none-match") == tag:
                return Response(status_code=304, headers={"etag": tag})
            seen, data = self._answer(request, screen)
            return JSONResponse(
                json.loads(json.dumps(seen.envelope(data, _more(request, data)), default=str)),
                headers={"etag": tag, "cache-control": "no-cache"},
            )
        except NarraWorldError as error:
            return self._failed(request, error)

    def _tag(self, request: Request, seen: SeenStory) -> str:
        stamp = self.desk.world.store.snapshot(seen.situation.revision, seen.situation.branch).stamp
        said = repr(
            (
                stamp,
                self.desk.kept.generation,
                request.url.path,
                request.url.query,
                sorted(seen.address.items()),
            )
        )
        return f'"{hashlib.sha256(said.encode()).hexdigest()[:24]}"'

    def _failed(self, request: Request, error: NarraWorldError, status: int | None = None) -> Response:
        code = status or status_of(error)
        headers = {"retry-after": "1"} if code == 503 else {}
        if request.url.path.startswith("/api"):
            return JSONResponse({"error": _error_json(error)}, code, headers)
        frame = framed(self, None, SCREENS[0], request)
        return _page(rendered("error.html", {**frame, "error": error, "status": code}), code, headers)

    # -- other addresses

    async def drawing(self, request: Request) -> Response:
        """`/map.svg`: the chart alone, with its own colours."""

        def drawn() -> Response:
            try:
                screen = next(one for one in SCREENS if one.name == "map")
                _, data = self._answer(request, screen)
                return Response(
                    map_figures(data)["charts"][0].svg,
                    media_type="image/svg+xml",
                    headers={"content-security-policy": SVG_CSP},
                )
            except NarraWorldError as error:
                return self._failed(request, error)

        return await run_in_threadpool(drawn)

    async def live(self, request: Request) -> Response:
        narrowed = bool(self.pins) or any(request.query_params.get(name) for name in ("told", "as"))
        return live_stream(self.desk, narrowed=narrowed, last=request.headers.get("last-event-id"))

    async def index(self, request: Request) -> Response:
        """`/api`: every twin with an example."""
        examples = {
            "/api/text/{unit}": "/api/text/01", "/api/who/{id}": "/api/who/Leo", "/api/why": "/api/why?goal=mistaken(W,P,T)",
            "/api/ask": "/api/ask?q=Where+is+the+key%3F", "/api/query": "/api/query?q=mistaken(W,P,T)", "/api/search": "/api/search?q=key",
            "/api/context": "/api/context?task=the+next+scene&budget=2000",
        }  # fmt: skip
        listed = [
            {"address": one.twin, "says": one.title, "example": examples.get(one.twin, one.twin + "?at=2")}
            for one in (*SCREENS, *TWINS_ONLY)
        ]
        return JSONResponse(
            {"schema": 1, "version": __version__, "situation": list(ADDRESSED), "twins": listed}
        )

    # -- writes: beside the manuscript, never in it

    async def waive(self, request: Request) -> Response:
        return await self._written(request, lambda form: self._decided(request, form, "waive"))

    async def unwaive(self, request: Request) -> Response:
        return await self._written(request, lambda form: self._decided(request, form, "unwaive"))

    async def new_branch(self, request: Request) -> Response:
        def made(form: Mapping[str, str]) -> str:
            self.desk.world.branch(form.get("name", "").strip())
            return link_to(f"/branch/{form.get('name', '').strip()}", {})

        return await self._written(request, made)

    async def delete_branch(self, request: Request) -> Response:
        def gone(form: Mapping[str, str]) -> str:
            self.desk.world.delete_branch(request.path_params["name"])
            return "/branch"

        return await self._written(request, gone)

    def _decided(self, request: Request, form: Mapping[str, str], what: str) -> str:
        from narraworld.checking.authors_word import take_back

        key = request.path_params["key"]
        if what == "waive":
            self.desk.world.waive(key, form.get("reason", ""))
        else:
            take_back(self.desk.world.story, key)
        self.desk.look_again()
        return (
            form.get("back", "")
            if form.get("back", "").startswith("/") and "//" not in form.get("back", "")
            else "/"
        )

    async def _written(self, request: Request, write: Callable[[Mapping[str, str]], str]) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        if not self.writes:
            return PlainTextResponse("this desk is read only", 403)
        if not self.seal.fits(form.get("form", "")):
            return PlainTextResponse(
                "this form is not ours, or from before a restart: load the page again", 403
            )
        try:
            return RedirectResponse(await run_in_threadpool(write, form), 303)
        except NarraWorldError as error:
            return self._failed(request, error)


def _page(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, status, {"cache-control": "no-cache", **(headers or {})}, "text/html")


def _more(request: Request, data: Any) -> str | None:
    """The address of the next rows."""
    if not (isinstance(data, dict) and data.get("truncated") and "after" not in data):
        return None
    after = int(request.query_params.get("after", "0") or 0) + len(data["rows"])
    return str(request.url.include_query_params(after=after).replace(scheme="", netloc=""))


def _error_json(error: NarraWorldError) -> dict[str, Any]:
    fix = error.fix or ""
    meant = (
        fix.removeprefix("did you mean ").rstrip("?").split(" or ") if fix.startswith("did you mean ") else []
    )
    return {
        "what": error.what,
        "where": error.where,
        "why": type(error).__name__,
        "fix": error.fix,
        "did_you_mean": meant,
    }


async def _static(request: Request) -> Response:
    found = static_files().get(request.path_params["name"])
    return (
        Response(found[0], media_type=found[1], headers=FOR_EVER)
        if found
        else PlainTextResponse("no such file", 404)
    )


def made_site(site: Site, agents: tuple[AsgiApp, Any] | None = None) -> Starlette:
    """The application; ``agents`` is the MCP app and what must run for as long as the site does."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with agents[1]() if agents else contextlib.nullcontext():
            yield

    endpoint = SparqlEndpoint(site.desk, site.pins)

    async def sparql(request: Request) -> Response:
        return await endpoint(request)

    post = ["POST"]
    return Starlette(
        lifespan=lifespan,
        routes=[
            *(Route(screen.path, site.page(screen)) for screen in SCREENS if "{" not in screen.path),
            Route("/api", site.index),
            *(Route(screen.twin, site.twin(screen)) for screen in (*SCREENS, *TWINS_ONLY)),
            Route("/map.svg", site.drawing), Route("/live", site.live), Route("/static/{name}", _static),
            Route("/sparql", sparql, methods=["GET", "POST"]),
            Route("/finding/{key}/waive", site.waive, methods=post), Route("/finding/{key}/unwaive", site.unwaive, methods=post),
            Route("/branch", site.new_branch, methods=post), Route("/branch/{name}/delete", site.delete_branch, methods=post),
            *(Route(screen.path, site.page(screen)) for screen in SCREENS if "{" in screen.path),
            *([Mount("/mcp", agents[0])] if agents else []),
        ],
    )  # fmt: skip
