"""Word documents: paragraphs with their heading styles, by the standard library alone.

python-docx was left out on purpose: its paragraph text skips what Word marks as inserted under change tracking. Deleted
words, comments, notes, headers and footers are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.blocks import Bit, Block, Heading, Manuscript, Paragraph, trimmed
from narraworld.extract.sources.formats.archive import Archive
from narraworld.extract.sources.opening import OpenedFile

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["read_docx"]

DOCUMENT, STYLES = "word/document.xml", "word/styles.xml"
TITLE_LEVEL = 0  # the title of the book stands above every heading
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
SKIPPED = frozenset({f"{W}del", f"{W}moveFrom", f"{W}p", f"{W}pPr", f"{W}rPr", f"{W}instrText", FALLBACK})
SIGNS = {
    f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011", f"{W}softHyphen": "",
}  # fmt: skip

_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)


def read_docx(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    archive, name = Archive(source.data, source.name, settings), source.name
    levels = _levels(archive.xml(STYLES)) if STYLES in archive else {}
    body = archive.xml(DOCUMENT)
    blocks = [
        block
        for number, paragraph in enumerate(_paragraphs(body), 1)
        for block in _block(paragraph, number, name, levels)
    ]
    return Manuscript(name, tuple(blocks), by="paragraph")


def _paragraphs(element: Element) -> Iterator[Element]:
    """Paragraphs in order, also those in tables and text boxes; of two versions of a box, one."""
    for child in element:
        if child.tag == f"{W}p":
            yield child
        if child.tag != FALLBACK:
            yield from _paragraphs(child)


def _block(paragraph: Element, number: int, file: str, levels: dict[str, int]) -> Iterator[Block]:
    text = "".join(_text(paragraph))
    level = _level(paragraph, levels)
    if level is not None and text.strip():
        yield Heading(level, " ".join(text.split()))
    elif line := trimmed([Bit(text, number, 1)]):
        yield Paragraph((line,), file)


def _text(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag == f"{W}t":
            yield child.text or ""
        elif child.tag in SIGNS:
            yield SIGNS[child.tag]
        elif child.tag not in SKIPPED:
            yield from _text(child)


def _level(paragraph: Element, levels: dict[str, int]) -> int | None:
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    return levels.get(style.get(f"{W}val", "")) if style is not None else None


def _levels(styles: Element) -> dict[str, int]:
    """Style id to heading level; a style made from a heading is one too."""
    found, parents = dict[str, int](), dict[str, str]()
    for style in styles.iter(f"{W}style"):
        key, name = style.get(f"{W}styleId", ""), style.find(f"{W}name")
        called = name.get(f"{W}val", "") if name is not None else ""
        if match := _HEADING.fullmatch(called):
            found[key] = int(match[1])
        elif called.lower() == "title":
            found[key] = TITLE_LEVEL
        elif (parent := style.find(f"{W}basedOn")) is not None:
            parents[key] = parent.get(f"{W}val", "")
    for key, parent_key in parents.items():
        seen = {key}
        while parent_key in parents and parent_key not in seen:
            seen.add(parent_key)
            parent_key = parents[parent_key]
        if parent_key in found:
            found[key] = found[parent_key]
    return found
