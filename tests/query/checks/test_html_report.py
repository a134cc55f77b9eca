"""The page for an editor: whole in one file, readable by all, and asking nobody for anything."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from sample_check import NOTHING, REPORT

from narraworld.query.checks.report import Report, render

PAGE = render(REPORT, "html")
VOID = {"meta", "br", "hr", "img", "input", "link"}
TEXT = ("ink", "soft", "error", "warning", "note", "good", "link")
GROUND = ("page", "card", "quote")


class Page(HTMLParser):
    """Every element in order with its attributes; refuses tags that do not close as they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.mark.parametrize(
    "report", [REPORT, Report(NOTHING), replace(REPORT, since=2)], ids=["findings", "nothing", "since"]
)
def test_tags_close_and_landmarks_are_there(report: Report) -> None:
    page = Page(render(report, "html"))

    assert page.all("html") == [{"lang": "en"}]
    for landmark in ("header", "nav", "main", "footer", "h1", "title"):
        assert len(page.all(landmark)) == 1, landmark
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        assert (link["href"] or "").removeprefix("#") in ids
    for _, attributes in page.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids


def test_headings_never_skip_a_level() -> None:
    levels = [int(tag[1]) for tag, _ in Page(PAGE).elements if re.fullmatch(r"h[1-6]", tag)]

    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_first_thing_to_reach_is_the_way_past_the_header() -> None:
    assert Page(PAGE).all("a")[0] == {"class": "skip", "href": "#findings"}


def test_nothing_is_fetched() -> None:
    page = Page(PAGE)

    assert not [
        tag for tag, _ in page.elements if tag in ("script", "link", "img", "iframe", "object", "embed")
    ]
    assert not [
        name for _, attributes in page.elements for name in attributes if name in ("src", "srcset", "style")
    ]
    assert not re.search(r"url\(|@import|https?:", PAGE)
    assert "default-src 'none'" in PAGE


def test_the_authors_words_are_words() -> None:
    assert "The Key &amp; the &lt;Drawer&gt;" in PAGE
    assert "<Drawer>" not in PAGE and "<eyes>" not in PAGE


def test_tables_have_headers_and_can_be_reached_by_keyboard() -> None:
    page = Page(PAGE)

    assert all(cell.get("scope") in ("col", "row") for cell in page.all("th"))
    scrolling = [attributes for attributes in page.all("div") if attributes.get("class") == "table"]
    assert len(scrolling) == len(page.all("table")) == 2
    assert all(one["tabindex"] == "0" and one["role"] == "region" and one["aria-label"] for one in scrolling)


def schemes() -> list[dict[str, str]]:
    """The colours by name: light, dark, print."""
    blocks = re.findall(r":root \{(.*?)\}", PAGE, re.DOTALL)
    found = [dict(re.findall(r"--(\w+): (#\w+)", block)) for block in blocks]
    assert len(found) == 3
    return found


def luminance(colour: str) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    digits = colour[1:] if len(colour) == 7 else "".join(sign * 2 for sign in colour[1:])
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_reckoned_as_the_standard_does() -> None:
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark", "print"])
@pytest.mark.parametrize("ground", GROUND)
@pytest.mark.parametrize("text", TEXT)
def test_all_text_can_be_read(scheme: dict[str, str], ground: str, text: str) -> None:
    assert contrast(scheme[text], scheme[ground]) >= 4.5
