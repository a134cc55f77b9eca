"""The page in a real browser (Debian's chromium, driven by playwright): slider, filters, proof, waiver, live change, keyboard, axe."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from mcp import Client
from playwright.sync_api import Browser, Page, expect, sync_playwright
from small_desk import ServedPage, served

from narraworld.world import World

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
SCREENS = (
    "/", "/?as=Leo", "/text/01-the-inn", "/minds?at=2", "/map", "/threads", "/who/Mara", "/branch", "/ask?q=Where+is+Leo%3F", "/search?q=key",
    "/history?from=r1&to=r2", "/sheet", "/findings", "/why?goal=happened(E)",
)  # fmt: skip


ONLY = {"light": "", "dark": "{runOnly: ['color-contrast']}"}  # what else there is does not depend on colours


expect.set_options(timeout=60_000)  # machines differ: what comes at all comes


def chromium() -> str:
    """The browser; installed where that can be done, missed loudly only where there is no apt."""
    if not Path(CHROMIUM).exists():
        if shutil.which("apt-get") is None:
            pytest.skip(
                f"NO BROWSER: {CHROMIUM} is missing and there is no apt to install it; these tests did not run"
            )
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=True, capture_output=True)
    return CHROMIUM


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def site(novel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    folder = Path(shutil.copytree(novel, tmp_path_factory.mktemp("served") / "ferry"))
    with served(folder) as page:
        yield page


@pytest.fixture
def page(browser: Browser, site: ServedPage) -> Iterator[Page]:
    """A page that must stay quiet: no word on the console, no request but to us."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened, troubles = context.new_page(), list[str]()
    opened.set_default_timeout(60_000)
    opened.on(
        "console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("request", lambda asked: None if asked.url.startswith(site.url) else troubles.append(asked.url))
    yield opened
    context.close()
    assert troubles == []


def test_a_writer_walks_through_it(page: Page, site: ServedPage) -> None:
    page.goto(f"{site.url}/minds?at=1")
    slider = page.locator("#slider")
    for _ in range(40):  # by keyboard alone
        page.keyboard.press("Tab")
        if slider.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("ArrowRight")
    expect(page.locator("form.situation output")).to_have_text("Chapter 2, scene 1")
    expect(page).to_have_url(f"{site.url}/minds?at=02-the-mill+scene+1")
    assert slider.evaluate("one => one === document.activeElement")

    page.goto(f"{site.url}/text/01-the-inn")
    note = page.locator(".margin .finding.error").first
    expect(note).to_be_visible()
    page.get_by_label("errors").uncheck()
    expect(note).to_be_hidden()

    page.goto(f"{site.url}/findings")
    page.locator("article.finding.error").first.get_by_role("link", name="why").click()
    page.locator(".tree a.no").first.click()
    assert page.url.endswith("#q1")
    expect(page.locator("mark#q1")).to_contain_text("eyes")
    assert page.locator("mark#q1").evaluate("one => one.matches(':target')")


def test_a_waiver_and_a_save_change_the_page_before_ones_eyes(page: Page, site: ServedPage) -> None:
    folder, texts = site.desk.world.path, {one: one.read_bytes() for one in site.desk.world.path.glob("*.md")}
    page.goto(f"{site.url}/findings")
    first = page.locator("article.finding.error").first
    first.get_by_text("intended…").click()
    first.get_by_label("Reason").fill("a masque")
    first.get_by_role("button", name="Waive this one").click()
    expect(page.get_by_text("Intended: a masque")).to_be_visible()
    page.get_by_role("button", name="Take the waiver back").click()
    expect(page.get_by_text("Intended: a masque")).to_have_count(0)
    assert {one: one.read_bytes() for one in texts} == texts

    page.goto(f"{site.url}/text/03-the-cove")
    expect(page.locator(".live")).to_contain_text("listening")
    file = folder / "03-the-cove.md"
    file.write_text(file.read_text() + "\nThe heron had three wings.\n", encoding="utf-8")
    expect(page.get_by_text("three wings")).to_be_visible()


async def heard_by_an_agent(url: str, words: str) -> str:
    """What an agent is told that asks for the last chapter again and again until these words stand in it."""
    async with Client(url) as agent:
        for _ in range(300):
            told = await agent.call_tool("passage", {"of": "3"})
            said = "".join(getattr(one, "text", "") for one in told.content)
            if words in said:
                return said
            await asyncio.sleep(0.1)
    return "never heard"


def test_two_browsers_and_an_agent_see_one_story_at_once(browser: Browser, novel_copy: Path) -> None:
    file = novel_copy / "03-the-cove.md"
    with served(novel_copy, agents=True) as site, ThreadPoolExecutor(1) as thread:
        contexts = [browser.new_context(), browser.new_context()]
        readers = [context.new_page() for context in contexts]
        for reader in readers:
            reader.goto(f"{site.url}/text/03-the-cove")
            expect(reader.locator(".live")).to_contain_text("listening")
        agent = thread.submit(asyncio.run, heard_by_an_agent(f"{site.url}/mcp/", "three wings"))
        file.write_text(file.read_text() + "\nThe heron had three wings.\n", encoding="utf-8")
        for reader in readers:
            expect(reader.get_by_text("three wings")).to_be_visible()
            expect(reader.locator(".live")).to_contain_text(f"r{site.desk.revision}")
        assert "three wings" in agent.result()
        for context in contexts:
            context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_against_any_screen(scheme: str, browser: Browser, site: ServedPage) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": 1280, "height": 900}, bypass_csp=True
    )  # type: ignore[arg-type]
    found = dict[str, list[str]]()
    for address in SCREENS:
        opened = context.new_page()
        opened.goto(f"{site.url}{address}")
        opened.evaluate(AXE)
        told = opened.evaluate(f"axe.run({ONLY[scheme]})")
        found[address] = [one["id"] for one in told["violations"]]
        opened.set_viewport_size({"width": 390, "height": 800})
        if opened.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found[address].append("wider than a phone")
        opened.close()
    context.close()
    assert found == {key: [] for key in SCREENS}


LONG = 45  # chapters: the ruler has a cell for each, and the map a column


@pytest.fixture(scope="module")
def long_novel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    """Many chapters of a line or two, whose files break lines within a paragraph."""
    folder = tmp_path_factory.mktemp("long")
    for n in range(1, LONG + 1):
        text = "Mara went to the mill. Leo was at the mill, and the\nlamp was lit. Leo saw Mara.\n"
        (folder / f"{n:02}.md").write_text(f"# Chapter {n}\n\n{text}", encoding="utf-8")
    with World.open(folder, create=True) as world:
        world.check()
    with served(folder) as page:
        yield page


def test_a_long_novel_has_an_even_ruler_and_a_map_one_can_read(
    browser: Browser, long_novel: ServedPage
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{long_novel.url}/map")
    tops = page.locator(".ruler ol").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    drawn = page.locator("figure.map.wide svg").first
    pressed = drawn.evaluate("one => one.getBoundingClientRect().width / one.viewBox.baseVal.width")

    assert len(tops) == LONG and max(tops) - min(tops) < 1
    assert pressed >= 1, "it is pushed along, and not made smaller"

    page.goto(f"{long_novel.url}/minds")
    cut = page.locator(".strips thead th:not(:has(.hidden))").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflow !== 'visible')"
        ".map(one => one.textContent)"
    )
    assert cut == [], "numbers over narrow columns are not cut"
    context.close()


def test_on_a_phone_numbers_do_not_run_together_and_lines_run_on(
    browser: Browser, long_novel: ServedPage
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{long_novel.url}/minds")
    edges = page.locator(".strips thead th:not(:has(.hidden))").evaluate_all(
        "all => all.map(one => { const range = document.createRange(); range.selectNodeContents(one);"
        " const box = range.getBoundingClientRect(); return [box.left, box.right]; })"
    )
    assert len(edges) == LONG // 5
    assert all(one[1] <= other[0] for one, other in pairwise(edges))

    page.goto(f"{long_novel.url}/text/01")
    lines = page.locator(".paragraph .para").evaluate_all(
        "all => all.map(one => [...one.getClientRects()].map(box => box.top))"
    )
    assert lines[1][0] == lines[0][-1], "the second line of the file goes on where the first ends"
    context.close()
