"""The site without a browser: pages, their JSON twins, errors in words, writes that touch only what lies beside the manuscript."""

from __future__ import annotations

import html
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from rdflib import Graph
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from small_desk import served
from starlette.testclient import TestClient
from world_fixtures import Said

from narraworld.desk.answers.mind_strips import STATES
from narraworld.desk.answers.seen_story import SituationPins
from narraworld.desk.answers.sheet_page import laid_out
from narraworld.desk.story_desk import StoryDesk
from narraworld.query.knows import CELLS
from narraworld.web.guard import PageGuard
from narraworld.web.screens import SCREENS
from narraworld.web.site import Site, made_site
from narraworld.web.templating import static_files
from narraworld.world import World

HOST = "127.0.0.1:8420"
OURS = {"origin": f"http://{HOST}"}
PAGES = (
    "/", "/?at=1", "/text", "/text/01-the-inn", "/minds", "/map", "/threads", "/who", "/who/Mara", "/branch", "/ask", "/ask?q=Where+is+Leo%3F",
    "/ask?in=datalog&q=current(S,M,G)", "/search?q=key", "/context?task=the+key", "/history", "/history?from=r1&to=r2", "/sheet", "/sheet?differs=yes&about=mara", "/sheet?section=people",
    "/findings", "/why?goal=happened(E)", "/?as=Leo", "/threads?as=Leo",
)  # fmt: skip


def client(desk: StoryDesk, pins: SituationPins | None = None, **more: bool) -> TestClient:
    site = made_site(Site(desk, pins or SituationPins(), **more))
    return TestClient(PageGuard(site, {HOST}), base_url=f"http://{HOST}", follow_redirects=False)


@pytest.fixture(scope="module")
def desk(novel: Path) -> Iterator[StoryDesk]:
    with StoryDesk(World.open(novel)) as desk:
        desk.remember()
        yield desk


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_whole_and_obeys_the_policy(page: str, desk: StoryDesk) -> None:
    answer = client(desk).get(page)
    assert answer.status_code == 200, answer.text
    assert "<h1>" in answer.text or "<article" in answer.text
    assert re.search(r"\sstyle=|<style|\son[a-z]+=|https?://(?!www\.w3\.org)", answer.text) is None


def test_every_screen_has_a_twin_with_its_situation(desk: StoryDesk) -> None:
    for address in (
        "/api/overview",
        "/api/text/01-the-inn",
        "/api/minds",
        "/api/map",
        "/api/threads",
        "/api/who/Mara",
        "/api/history",
    ):
        told = client(desk).get(address, params={"at": "2 scene 1"}).json()
        assert set(told) == {"schema", "revision", "situation", "data", "more"}
        assert told["situation"]["at"] == "02-the-mill scene 1"
    listed = client(desk).get("/api").json()["twins"]
    assert {screen.twin for screen in SCREENS} <= {one["address"] for one in listed}


def test_a_twin_says_what_the_command_says(
    desk: StoryDesk, novel: Path, narraworld: Callable[..., Said]
) -> None:
    page = client(desk)
    checked = json.loads(
        narraworld("check", "--world", novel, "--format", "json", "--min-severity", "note").out
    )
    assert page.get("/api/findings").json()["data"]["findings"] == checked["findings"]
    asked = json.loads(narraworld("ask", "Where is Leo?", "--world", novel, "--json").out)
    assert page.get("/api/ask", params={"q": "Where is Leo?"}).json()["data"]["reply"] == asked
    changed = json.loads(narraworld("diff", "r1", "r2", "--world", novel, "--json").out)
    assert page.get("/api/history", params={"from": "r1", "to": "r2"}).json()["data"]["diff"] == changed
    sheet = json.loads(narraworld("sheet", "--world", novel, "--format", "json").out)
    assert page.get("/api/sheet").json()["data"] == sheet


def test_the_style_sheet_leads_from_differing_values_to_the_page(desk: StoryDesk) -> None:
    page = client(desk).get("/sheet").text
    first = re.search(r"<tbody>\s*<tr>(.*?)</tr>", page, re.DOTALL)
    assert first
    words = " ".join(re.sub(r"<[^>]+>", " ", html.unescape(first[1])).split())
    assert words == (
        "Mara eyes differs green “Mara had green eyes” ch 1, line 3 brown “Mara's eyes were brown” ch 2, line 3"
    )
    assert 'href="/text/01-the-inn#L3"' in first[1] and 'href="/text/02-the-mill#L3"' in first[1]


def test_every_state_of_mind_has_a_pattern_and_a_word(desk: StoryDesk) -> None:
    known = {state for _, _, _, state in CELLS}
    css = next(
        body.decode()
        for name, (body, _) in static_files().items()
        if name.startswith("desk.") and name.endswith("css")
    )
    page = client(desk).get("/minds").text
    assert set(STATES) == known
    assert [one for one in STATES.values() if f".c.{one} " not in css or f'class="c {one}"' not in page] == []


def test_a_long_list_of_the_style_sheet_goes_on_elsewhere() -> None:
    row = {
        "section": "people",
        "kind": "age",
        "respect": "age",
        "value": "9",
        "normal": (),
        "unit": "01",
        "line": 1,
        "said_by": None,
    }
    rows = [row | {"owner": f"Nobody {n}", "differs": n == 260, "told": n, "start": n} for n in range(261)]
    [people] = laid_out(rows)
    assert (people.total, people.next, people.entries[0].owner) == (261, 40, "Nobody 260")
    [more] = laid_out(rows, "people", 200)
    assert (len(more.entries), more.next) == (61, None)
    assert laid_out(rows, "things") == []


def test_marks_stand_on_the_very_words(desk: StoryDesk) -> None:
    data = client(desk).get("/api/text/01-the-inn").json()["data"]
    lines = {line["n"]: line["text"] for line in data["lines"]}
    marked = {lines[m["line"]][m["start"] : m["end"]] for m in data["marks"] if m["kind"] == "finding"}
    assert "Mara had green eyes" in marked
    assert data["findings"][0]["line"] == 3


def test_an_answer_that_has_not_changed_is_not_sent_again(desk: StoryDesk) -> None:
    page = client(desk)
    first = page.get("/api/threads")
    again = page.get("/api/threads", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/api/who/Nobody", 404, "nothing in the story is called 'Nobody'"),
        ("/api/text/nosuch", 404, "no chapter is called nosuch here"),
        ("/api/overview?at=99", 404, "no moment '99' in this story"),
        ("/api/overview?revision=x", 400, "'x' is not a revision"),
        ("/api/query?q=nosuch(X)", 400, "nosuch"),
        ("/api/text/01-the-inn?as=Leo", 403, "cannot be seen through a character's eyes"),
        ("/api/finding/0000", 404, "no finding has the key 0000 here"),
    ],
)  # fmt: skip
def test_an_error_says_what_and_what_to_do(address: str, status: int, words: str, desk: StoryDesk) -> None:
    answer = client(desk).get(address)
    assert answer.status_code == status
    assert words in answer.json()["error"]["what"]
    assert set(answer.json()["error"]) == {"what", "where", "why", "fix", "did_you_mean"}


def test_a_pinned_desk_is_not_widened_by_the_address(desk: StoryDesk) -> None:
    pinned = client(desk, SituationPins(told="1"))
    assert pinned.get("/api/overview", params={"told": "3"}).status_code == 403
    assert "Cove" not in pinned.get("/").text
    assert pinned.post("/branch", data={"name": "x"}, headers=OURS).status_code == 403


def test_a_waiver_is_written_beside_the_manuscript_and_taken_back(novel_copy: Path) -> None:
    texts = {path: path.read_bytes() for path in novel_copy.glob("*.md")}
    for path in texts:
        path.chmod(0o444)
    with StoryDesk(World.open(novel_copy)) as desk:
        page, found = client(desk), desk.remember().findings
        key = next(one.key for one in found if one.rule.id == "NW111")
        form = re.search(r'name="form" value="(\w+)"', page.get("/findings").text)
        assert form
        words = {"form": form[1], "reason": "a masque", "back": "/findings"}
        assert (
            page.post(f"/finding/{key}/waive", data={**words, "form": "x"}, headers=OURS).status_code == 403
        )
        assert page.post(f"/finding/{key}/waive", data=words, headers=OURS).headers["location"] == "/findings"
        assert key in {one["key"] for one in page.get("/api/findings").json()["data"]["waived"]}
        assert page.post(f"/finding/{key}/unwaive", data=words, headers=OURS).status_code == 303
        assert key in {one["key"] for one in page.get("/api/findings").json()["data"]["findings"]}
        assert (
            client(desk, read_only=True).post(f"/finding/{key}/waive", data=words, headers=OURS).status_code
            == 403
        )
    assert {path: path.read_bytes() for path in texts} == texts


def test_sparql_is_spoken_by_rdflib_and_changes_nothing(novel_copy: Path) -> None:
    count = "SELECT ?class (COUNT(*) AS ?n) WHERE { ?s a ?class } GROUP BY ?class"
    with served(novel_copy) as page:
        url = f"{page.url}/sparql"
        for method in ("GET", "POST", "POST_FORM"):
            found = list(Graph(SPARQLStore(url, method=method, returnFormat="json")).query(count))
            assert any(str(row[0]).endswith("Character") for row in found)  # type: ignore[index]
        assert Graph(SPARQLStore(url, returnFormat="xml")).query("ASK { ?s ?p ?o }").askAnswer
        made = Graph(SPARQLStore(url)).query("CONSTRUCT { ?s a ?c } WHERE { ?s a ?c }").graph
        assert made is not None and len(made) > 3


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/sparql-query", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", 403),
        ("application/x-www-form-urlencoded", "update=DROP+ALL", 403),
        ("application/sparql-query", "DROP ALL", 403),
        ("application/sparql-query", "SELEKT", 400),
        ("text/plain", "x", 415),
    ],
)
def test_sparql_refuses_what_is_no_question(kind: str, body: str, status: int, desk: StoryDesk) -> None:
    assert client(desk).post("/sparql", content=body, headers={"content-type": kind}).status_code == status


def test_a_narrowed_situation_has_no_sparql(desk: StoryDesk) -> None:
    query = {"query": "ASK { ?s ?p ?o }"}
    assert client(desk, SituationPins(as_="Leo")).get("/sparql", params=query).status_code == 403
    assert client(desk).get("/sparql", params={**query, "told": "1"}).status_code == 400


def test_a_signal_ends_the_server_with_a_stream_open(novel: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "narraworld",
        "serve",
        "--port",
        "0",
        "--world",
        str(novel),
        "--read-only",
        "--no-mcp",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        said = re.search(r"http://\S+/", server.stdout.readline())
        assert said
        stream = urlopen(f"{said[0]}live")
        assert stream.readline() == b"retry: 2000\n"
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0  # how quick it is, bench surfaces measures
        stream.read()  # ended, not cut off
        stream.close()
