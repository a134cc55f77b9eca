"""Nothing beyond the situation leaks: not in pages, twins, drawings, titles, errors or choices.

The measure is a world that never had the later chapters. What a page says under `told` must be sayable there: its words are words of
the same page of that world, or of the few that every ruler has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_desk import CHAPTERS
from starlette.testclient import TestClient

from narraworld.desk.answers.seen_story import SituationPins
from narraworld.desk.story_desk import StoryDesk
from narraworld.mcp.story_tools import FOR_MINDS, story_tools
from narraworld.mcp.tools import call
from narraworld.web.guard import PageGuard
from narraworld.web.screens import SCREENS, TWINS_ONLY
from narraworld.web.site import Site, made_site
from narraworld.world import World

HOST = "127.0.0.1:8420"
FILLED = {"unit": "01-the-inn", "id": "Mara", "name": "whatif", "key": "000000000000"}
WORDS = {"q": "Mara", "goal": "happened(E)", "task": "Mara and the key"}
OF_EVERY_RULER = {"cell", "untold", "not", "yet", "told", "to", "the", "end", "of", "ch", "chapter"}
ADDRESSES = [
    *(screen.path.format_map(FILLED) for screen in SCREENS),
    *(screen.twin.format_map(FILLED) for screen in (*SCREENS, *TWINS_ONLY)),
    "/map.svg", "/who/Tobin", "/api/who/Tobin", "/api/text/03-the-cove", "/text/03-the-cove", "/api/overview?at=3", "/api/overview?at=cove",
    "/api/overview?at=99", "/api/query?q=named(R,E,N)", "/search?q=lantern", "/ask?q=Where+is+Tobin%3F", "/api/why?goal=happened(Tobin)",
    "/history?from=r1&to=r3", "/findings?since=r1",
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(novel: Path) -> Iterator[StoryDesk]:
    with StoryDesk(World.open(novel)) as desk:
        desk.remember()
        yield desk


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoryDesk]:
    """The same story as somebody has it who was given two chapters."""
    folder = tmp_path_factory.mktemp("beginning") / "ferry"
    folder.mkdir()
    for name in list(CHAPTERS)[:2]:
        (folder / name).write_text(CHAPTERS[name], encoding="utf-8")
    with StoryDesk(World.open(folder, create=True)) as desk:
        desk.world.check()
        desk.remember()
        yield desk


def client(desk: StoryDesk, pins: SituationPins) -> TestClient:
    return TestClient(PageGuard(made_site(Site(desk, pins)), {HOST}), base_url=f"http://{HOST}")


def words(text: str) -> set[str]:
    """The words of an answer; hashes and numbers are none."""
    return set(re.findall(r"[a-z]{2,}", re.sub(r"[0-9a-f]{12,}", " ", text.lower())))


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_is_told_says_no_more_than_a_world_without_the_rest(
    address: str, whole: StoryDesk, beginning: StoryDesk
) -> None:
    given = {name: value for name, value in WORDS.items() if f"{name}=" not in address}
    told, known = (
        client(desk, SituationPins(told="2")).get(address, params=given if "?" not in address else None)
        for desk in (whole, beginning)
    )
    asked = words(address)
    assert words(told.text) - words(known.text) - OF_EVERY_RULER - asked == set()
    assert told.status_code == known.status_code


def test_the_stream_tells_a_narrowed_page_the_revision_alone() -> None:
    from narraworld.desk.bell import DeskNews
    from narraworld.web.live import _event

    news = DeskNews("changed", 4, {"units": ["03-the-cove"], "gained": [], "lost": []})
    assert "cove" not in _event(news, narrowed=True)
    assert "cove" in _event(news, narrowed=False)


# -- through a character's eyes


THROUGH = [
    "/", "/threads", "/who", "/who/Leo", "/who/Mara", "/ask?q=Where+is+the+key%3F", "/search?q=key", "/search?q=hollow", "/context?task=the+key", "/map.svg",
    *(f"/api{path}" for path in ("/overview", "/threads", "/who", "/who/Leo", "/ask?q=Where+is+the+key%3F", "/search?q=key", "/context?task=the+key")),
    *(f"/api{path}" for path in ("/text/ch02", "/minds", "/map", "/findings", "/history", "/sheet", "/why?goal=mistaken(W,P,T)", "/query?q=named(R,E,N)", "/branch")),
]  # fmt: skip


@pytest.fixture(scope="module")
def keys(key_folder: Path) -> Iterator[StoryDesk]:
    with StoryDesk(World.open(key_folder)) as desk:
        desk.remember()
        yield desk


@pytest.mark.parametrize("address", THROUGH)
def test_a_mind_is_shown_nothing_that_has_not_reached_it(address: str, keys: StoryDesk) -> None:
    """Leo was away when Mara moved the key into the hollow book, after which the chapter is called."""
    answer = client(keys, SituationPins(as_="Leo", at="ch02")).get(address)
    said = answer.text.replace("q=hollow", "").replace('value="hollow"', "")
    assert answer.status_code in (200, 403, 404), answer.text
    assert "hollow" not in said.lower()
    assert "wrongly" not in said and "mistaken(" not in said.replace("goal=mistaken(", "")


def test_a_mind_is_quoted_nothing_from_the_page(keys: StoryDesk) -> None:
    page = client(keys, SituationPins(as_="Leo", at="ch02"))
    for address in ("/", "/threads", "/who/Leo", "/ask?q=Where+is+the+key%3F"):
        assert "“" not in page.get(address).text


@pytest.mark.parametrize("tool", sorted(FOR_MINDS))
def test_an_agent_that_plays_a_mind_hears_nothing_more(tool: str, keys: StoryDesk) -> None:
    given = {
        "ask": {"question": "Where is the key?"},
        "character": {"name": "Leo"},
        "search": {"words": "key"},
        "context": {"task": "the key"},
    }
    reply = call(story_tools(keys, SituationPins(as_="Leo", at="ch02")), tool, given.get(tool, {}))
    assert not reply.failed, reply.text
    assert "hollow" not in (reply.text + json.dumps(reply.data)).lower()
    assert "“" not in reply.text or tool in ("search", "context")
