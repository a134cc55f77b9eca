"""Who may ask, who may write: refused before anything is read."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from narraworld.web.guard import CSP, PageGuard

HOST = "127.0.0.1:8420"
OURS = {"origin": f"http://{HOST}"}


async def home(request: Request) -> Response:
    return PlainTextResponse("the page")


def client(token: str | None = None) -> TestClient:
    app = Starlette(routes=[Route("/", home), Route("/finding/k/waive", home, methods=["POST"])])
    return TestClient(PageGuard(app, {HOST}, token), base_url=f"http://{HOST}", follow_redirects=False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1:9999"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        (OURS, 200),
    ],
)
def test_only_our_own_address_and_origin_may_ask(headers: dict[str, str], status: int) -> None:
    assert client().get("/", headers=headers).status_code == status


def test_a_write_needs_an_origin_of_ours() -> None:
    assert client().post("/finding/k/waive").status_code == 403
    assert client().post("/finding/k/waive", headers=OURS).status_code == 200
    assert client().post("/finding/k/waive", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_elsewhere_a_token_is_needed_by_header_or_by_cookie() -> None:
    far = client("s3cret")
    assert far.get("/").status_code == 401
    assert far.get("/enter?token=no").status_code == 401
    entered = far.get("/enter?token=s3cret")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert "httponly" in entered.headers["set-cookie"].lower()
    assert far.get("/").status_code == 200
    assert client("s3cret").get("/", headers={"authorization": "Bearer s3cret"}).status_code == 200
    odd = {"authorization": "Bearer s3crét".encode("latin-1")}
    assert client("s3cret").get("/", headers=odd).status_code == 401  # type: ignore[arg-type]


def test_too_much_is_refused_unread() -> None:
    assert client().post("/finding/k/waive", headers=OURS, content=b"x" * 1_000_001).status_code == 413


def test_every_answer_forbids_what_a_page_does_not_need() -> None:
    for answer in (client().get("/"), client().get("/", headers={"host": "evil.example"})):
        assert answer.headers["content-security-policy"] == CSP
        assert answer.headers["x-content-type-options"] == "nosniff"
