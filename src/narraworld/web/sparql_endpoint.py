"""SPARQL 1.1 protocol over the records: queries only, through the door that refuses updates and SERVICE, in a process with a time limit."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.desk.answers import asking
from narraworld.desk.answers.seen_story import NotForThisMind, PinnedSituation, SituationPins, seen_in

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.kb.rdf.sparql import SparqlAnswer

__all__ = ["SparqlEndpoint"]

RESULTS = {
    "application/sparql-results+json": "json", "application/json": "json", "application/sparql-results+xml": "xml",
    "text/csv": "csv", "text/tab-separated-values": "tsv",
}  # fmt: skip
GRAPHS = {"text/turtle": "turtle", "application/n-triples": "nt", "application/rdf+xml": "xml"}
SECONDS = DEFAULTS.surfaces.web.sparql_seconds


class SparqlEndpoint:
    """`/sparql`: a browser without a query is sent to the page where one can be written."""

    def __init__(self, desk: StoryDesk, pins: SituationPins) -> None:
        self._desk, self._pins = desk, pins
        self._free = asyncio.Semaphore(DEFAULTS.surfaces.web.sparql_at_once)

    async def __call__(self, request: Request) -> Response:
        query = await self._query(request)
        if isinstance(query, Response):
            return query
        if self._free.locked():
            return PlainTextResponse("two queries are under way: come again", 503, {"retry-after": "2"})
        async with self._free:
            return await run_in_threadpool(
                self._answered, query, dict(request.query_params), request.headers.get("accept", "")
            )

    async def _query(self, request: Request) -> str | Response:
        kind = request.headers.get("content-type", "").split(";")[0].strip()
        if request.method == "GET":
            said = dict(request.query_params)
        elif kind == "application/sparql-query":
            said = {"query": (await request.body()).decode("utf-8", "replace"), **request.query_params}
        elif kind == "application/x-www-form-urlencoded":
            said = {name: str(value) for name, value in (await request.form()).items()}
        else:
            return PlainTextResponse("send application/sparql-query or a form", 415)
        if "update" in said:
            return PlainTextResponse("updates are not taken here: the story changes by reading alone", 403)
        if any(name in said for name in ("default-graph-uri", "named-graph-uri", "using-graph-uri")):
            return PlainTextResponse("the dataset is this story; other graphs are not asked", 400)
        if not said.get("query"):
            wants_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            return (
                RedirectResponse("/ask?in=sparql", 303)
                if wants_page
                else PlainTextResponse("the query is missing", 400)
            )
        return said["query"]

    def _answered(self, query: str, address: dict[str, str], accept: str) -> Response:
        try:
            found = asking.sparql(seen_in(self._desk, address, self._pins), query)
        except (NotForThisMind, PinnedSituation) as error:
            return PlainTextResponse(str(error), 403)
        except NarraWorldError as error:
            late = "was not answered within" in error.what
            return PlainTextResponse(str(error), 504 if late else 403 if "would" in error.what else 400)
        return _serialised(found, query, accept)


def _serialised(found: SparqlAnswer, query: str, accept: str) -> Response:
    from rdflib import Graph
    from rdflib.query import Result
    from rdflib.term import Variable

    if found.truth is None and found.variables == ("subject", "predicate", "object") and not _selects(query):
        name, form = _chosen(accept, GRAPHS)
        graph = Graph()
        for row in found.rows:
            graph.add(row)  # type: ignore[arg-type]
        return Response(graph.serialize(format=form), media_type=name)
    name, form = _chosen(accept, RESULTS)
    result = Result("ASK" if found.truth is not None else "SELECT")
    if found.truth is not None:
        result.askAnswer = found.truth
        form, name = ("xml", name) if form == "xml" else ("json", "application/sparql-results+json")
    else:
        result.vars = [Variable(one) for one in found.variables]
        rows = (
            {Variable(v): cell for v, cell in zip(found.variables, row, strict=True) if cell is not None}
            for row in found.rows
        )
        result.bindings = list(rows)  # type: ignore[arg-type]
    if form == "tsv":
        return Response(_tsv(found), media_type=name)
    body = io.BytesIO()
    result.serialize(destination=body, format=form)
    return Response(body.getvalue(), media_type=name)


def _tsv(found: SparqlAnswer) -> bytes:
    head = "\t".join(f"?{name}" for name in found.variables)
    rows = ("\t".join("" if cell is None else cell.n3() for cell in row) for row in found.rows)
    return "\n".join([head, *rows, ""]).encode()


def _selects(query: str) -> bool:
    import re

    bare = re.sub(r"<[^>]*>|#[^\n]*|\"[^\"]*\"", " ", query)
    found = re.search(r"\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", bare, re.IGNORECASE)
    return found is not None and found[0].upper() == "SELECT"


def _chosen(accept: str, offered: dict[str, str]) -> tuple[str, str]:
    wanted = [part.split(";")[0].strip() for part in accept.split(",")]
    return next(((name, offered[name]) for name in wanted if name in offered), next(iter(offered.items())))
