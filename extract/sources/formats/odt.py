"""OpenDocument text: headings and paragraphs of `content.xml`. Deleted words, remarks and footnotes are not read."""

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

__all__ = ["read_odt"]

CONTENT, MANIFEST = "content.xml", "META-INF/manifest.xml"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
ENCRYPTION = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}encryption-data"
BLOCKS = frozenset({f"{TEXT}p", f"{TEXT}h"})
SKIPPED = frozenset(
    {f"{TEXT}note", f"{TEXT}tracked-changes", f"{TEXT}table-of-content", f"{OFFICE}annotation", *BLOCKS}
)

MOST_LEVELS = 100
SHOWN = 20  # signs of what is wrong

_WHITE = re.compile(r"[ \t\r\n]+")


def read_odt(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    archive, name = Archive(source.data, source.name, settings), source.name
    if MANIFEST in archive and archive.xml(MANIFEST).find(f".//{ENCRYPTION}") is not None:
        raise archive.bad("is encrypted", fix="save it without a password")
    blocks = [
        block
        for number, element in enumerate(_elements(archive.xml(CONTENT)), 1)
        for block in _block(element, number, archive, settings)
    ]
    return Manuscript(name, tuple(blocks), by="paragraph")


def _elements(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag in BLOCKS:
            yield child
        elif child.tag not in SKIPPED:
            yield from _elements(child)


def _block(element: Element, number: int, archive: Archive, settings: SourceSettings) -> Iterator[Block]:
    text = "".join(_text(element, archive, settings.most_blanks))
    if element.tag == f"{TEXT}h" and text.strip():
        level = _number(element, f"{TEXT}outline-level", MOST_LEVELS, archive)
        yield Heading(level, " ".join(text.split()))
    elif line := trimmed([Bit(text, number, 1)]):
        yield Paragraph((line,), archive.name)


def _number(element: Element, attribute: str, most: int, archive: Archive) -> int:
    """A small number that an element states, 1 by default."""
    stated = element.get(attribute, "1")
    if stated.isdecimal() and len(stated) <= len(str(most)) and int(stated) <= most:
        return int(stated)
    name = attribute.rpartition("}")[2]
    raise archive.bad(f"says {name}={stated[:SHOWN]!r}, which is no number up to {most}")


def _text(element: Element, archive: Archive, most_blanks: int) -> Iterator[str]:
    yield _WHITE.sub(" ", element.text or "")
    for child in element:
        if child.tag == f"{TEXT}s":
            yield " " * _number(child, f"{TEXT}c", most_blanks, archive)
        elif child.tag == f"{TEXT}tab":
            yield "\t"
        elif child.tag == f"{TEXT}line-break":
            yield "\n"
        elif child.tag not in SKIPPED:
            yield from _text(child, archive, most_blanks)
        yield _WHITE.sub(" ", child.tail or "")
