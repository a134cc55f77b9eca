"""The readable part of an (X)HTML page as headings, paragraphs and cuts. Forgiving, as books are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple, TypeAlias

__all__ = ["Link", "PageItem", "read_links", "read_page"]

HEADINGS = {f"h{level}": level for level in range(1, 7)}
PARTING = frozenset({
    "p", "div", "section", "article", "aside", "blockquote", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "td",
    "th", "pre", "figure", "figcaption", "header", "footer", "main", "body", "center", "address",
})  # fmt: skip
UNREAD_TAGS = frozenset({"head", "script", "style", "svg", "math", "template", "rt", "rp", "nav"})
UNREAD_TYPES = frozenset({"cover", "titlepage", "copyright-page", "toc", "landmarks", "page-list", "noteref",
                          "footnote", "footnotes", "endnote", "endnotes", "pagebreak"})  # fmt: skip
UNREAD_CLASSES = frozenset({"pg-boilerplate", "pagenum"})
VOID = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "col", "wbr", "area", "base", "source", "track", "embed"}
)

_WHITE = re.compile(r"[ \t\r\n\f]+")
Attributes: TypeAlias = list[tuple[str, str | None]]


class PageItem(NamedTuple):
    """A heading with its level, a paragraph (level 0), or a ruled line (no text)."""

    level: int
    text: str


class Link(NamedTuple):
    """An entry of a table of contents; `depth` counts the lists around it."""

    href: str
    text: str
    depth: int


class _Page(HTMLParser):
    def __init__(self, *, everything: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.everything = everything
        self.items: list[PageItem] = []
        self.links: list[Link] = []
        self._level = 0
        self._text: list[str] = []
        self._unread: str | None = None
        self._depth = 0
        self._lists = 0
        self._href: str | None = None
        self._link_text: list[str] = []

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._unread is not None:
            self._depth += tag == self._unread
        elif self._is_unread(tag, dict(attrs)):
            self._unread, self._depth = tag, 1
        elif tag == "br":
            self._text.append("\n")
        elif tag == "hr":
            self.flush()
            self.items.append(PageItem(0, ""))
        elif tag in HEADINGS or tag in PARTING:
            self.flush()
            self._level = HEADINGS.get(tag, 0)
        self._track_links(tag, dict(attrs))

    def _is_unread(self, tag: str, attributes: dict[str, str | None]) -> bool:
        if self.everything or tag in VOID:
            return False
        types, classes = (set((attributes.get(key) or "").split()) for key in ("epub:type", "class"))
        return tag in UNREAD_TAGS or bool(UNREAD_TYPES & types) or bool(UNREAD_CLASSES & classes)

    def _track_links(self, tag: str, attributes: dict[str, str | None]) -> None:
        self._lists += tag == "ol"
        if tag == "a" and self._unread is None:
            self._href, self._link_text = attributes.get("href"), []

    def handle_endtag(self, tag: str) -> None:
        self._lists -= tag == "ol"
        if self._unread is not None:
            self._depth -= tag == self._unread
            self._unread = None if self._depth == 0 else self._unread
            return
        if tag == "a" and self._href:
            self.links.append(Link(self._href, _plain(self._link_text), self._lists))
            self._href = None
        if tag in HEADINGS or tag in PARTING:
            self.flush()
            self._level = 0

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if tag in VOID:
            self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self._unread is None:
            self._text.append(_WHITE.sub(" ", data))
            if self._href:
                self._link_text.append(data)

    def flush(self) -> None:
        text = re.sub(r"[ ]*\n[ ]*", "\n", re.sub(r" +", " ", "".join(self._text))).strip()
        self._text = []
        if text:
            self.items.append(PageItem(self._level, " ".join(text.split()) if self._level else text))


def read_page(markup: str) -> Iterator[PageItem]:
    """What a reader of the page sees, in order."""
    return iter(_parsed(markup, everything=False).items)


def read_links(markup: str) -> list[Link]:
    """The links of a page, its navigation included."""
    return _parsed(markup, everything=True).links


def _parsed(markup: str, *, everything: bool) -> _Page:
    page = _Page(everything=everything)
    page.feed(markup)
    page.close()
    page.flush()
    return page


def _plain(parts: list[str]) -> str:
    return " ".join("".join(parts).split())
