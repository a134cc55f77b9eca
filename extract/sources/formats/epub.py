"""E-books: the documents of the spine in order, named by their headings or by the table of contents.

Paragraphs are counted through the whole book. Covers, title pages, notes and Project Gutenberg's licence are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.blocks import Bit, Block, Cut, Heading, Manuscript, Paragraph
from narraworld.extract.sources.formats.archive import Archive
from narraworld.extract.sources.formats.html import PageItem, read_links, read_page
from narraworld.extract.sources.opening import OpenedFile

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["read_epub"]

CONTAINER, LOCKS = "META-INF/container.xml", "META-INF/encryption.xml"
OPF = "{http://www.idpf.org/2007/opf}"
NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
ROOT = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
LOCKED = "{http://www.w3.org/2001/04/xmlenc#}CipherReference"
PAGES = frozenset({"application/xhtml+xml", "text/html"})


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the table of contents says of a document."""

    title: str
    depth: int


@dataclass(frozen=True, slots=True)
class _Book:
    """The spine, in order, and the table of contents."""

    pages: list[str]
    contents: dict[str, _Entry]


def read_epub(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    archive, name = Archive(source.data, source.name, settings), source.name
    book = _book(archive)
    _refuse_locked(archive, book.pages)
    pages = [(page, list(read_page(_decoded(archive.read(page))))) for page in book.pages]
    usual = _usual_level([items for _, items in pages])
    numbers = count(1)
    blocks = [
        block
        for page, items in pages
        for item in _titled(items, book.contents.get(page), usual)
        for block in _block(item, numbers, name)
    ]
    return Manuscript(name, tuple(blocks), by="paragraph")


def _book(archive: Archive) -> _Book:
    root = next(archive.xml(CONTAINER).iter(ROOT), None)
    if root is None:
        raise archive.bad("names no book in META-INF/container.xml")
    opf = archive.beside("", root.get("full-path", ""))
    package = archive.xml(opf)
    items = {item.get("id", ""): item for item in package.iter(f"{OPF}item")}
    spine = [items[ref.get("idref", "")] for ref in package.iter(f"{OPF}itemref")
             if ref.get("linear") != "no" and ref.get("idref", "") in items]  # fmt: skip
    pages = [
        archive.beside(opf, item.get("href", ""))
        for item in spine
        if item.get("media-type") in PAGES and "nav" not in item.get("properties", "").split()
    ]
    return _Book(pages, _contents(archive, opf, list(items.values())))


def _contents(archive: Archive, opf: str, items: list[Element]) -> dict[str, _Entry]:
    """Document to its first entry: from the navigation page of EPUB 3, else from the ncx of EPUB 2."""
    entries = dict[str, _Entry]()
    nav = next((item for item in items if "nav" in item.get("properties", "").split()), None)
    ncx = next((item for item in items if item.get("media-type") == "application/x-dtbncx+xml"), None)
    source = nav if nav is not None else ncx
    if source is None:
        return entries
    member = archive.beside(opf, source.get("href", ""))
    found = _nav(archive, member) if source is nav else _ncx(archive.xml(member), 0)
    for href, entry in found:
        entries.setdefault(archive.beside(member, href), entry)
    return entries


def _nav(archive: Archive, member: str) -> Iterator[tuple[str, _Entry]]:
    for link in read_links(_decoded(archive.read(member))):
        if ":" not in link.href:  # not to the world outside
            yield link.href, _Entry(link.text, link.depth)


def _ncx(element: Element, depth: int) -> Iterator[tuple[str, _Entry]]:
    for child in element:
        if child.tag != f"{NCX}navPoint":
            yield from _ncx(child, depth)
            continue
        label, content = child.find(f"{NCX}navLabel/{NCX}text"), child.find(f"{NCX}content")
        if label is not None and content is not None:
            yield content.get("src", ""), _Entry(" ".join((label.text or "").split()), depth + 1)
        yield from _ncx(child, depth + 1)


def _refuse_locked(archive: Archive, pages: list[str]) -> None:
    """Fonts may be obscured; a book whose pages are is protected."""
    if LOCKS in archive and {
        archive.beside("", lock.get("URI", "")) for lock in archive.xml(LOCKS).iter(LOCKED)
    } & set(pages):
        raise archive.bad("is encrypted (DRM)", fix="read a copy without protection")


def _decoded(page: bytes) -> str:
    """EPUB allows UTF-8 and UTF-16 only; a stray byte in a page should not cost the book, and shows."""
    wide = page.startswith((b"\xff\xfe", b"\xfe\xff"))
    return page.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def _usual_level(pages: list[list[PageItem]]) -> int | None:
    """The level most documents begin with."""
    first = Counter(next((item.level for item in items if item.level), 0) for items in pages)
    del first[0]
    return first.most_common(1)[0][0] if first else None


def _titled(items: list[PageItem], entry: _Entry | None, usual: int | None) -> list[PageItem]:
    """A document without a heading takes the title that the table of contents gives it."""
    if entry is None or not entry.title or not items or any(item.level for item in items):
        return items
    rest = items[1:] if items[0].text.casefold() == entry.title.casefold() else items
    return [PageItem(usual or entry.depth or 1, entry.title), *rest]


def _block(item: PageItem, numbers: Iterator[int], file: str) -> Iterator[Block]:
    if not item.text:
        yield Cut()
        return
    number = next(numbers)
    if item.level:
        yield Heading(item.level, item.text)
    else:
        yield Paragraph(((Bit(item.text, number, 1),),), file)
