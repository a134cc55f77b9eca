"""novelWriter projects: the order of `nwProject.nwx`, the documents under `content/`, their tags as the author's notes.

Only documents of the novel that are marked active are read: not notes, archive, templates or trash. Levels are fixed:
`#` part, `##` chapter, `###` scene, `####` section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource
from narraworld.extract.sources.author_notes import tag_lines
from narraworld.extract.sources.blocks import Block, Heading, Manuscript
from narraworld.extract.sources.formats.archive import parse_xml
from narraworld.extract.sources.formats.markdown import markdown_blocks
from narraworld.extract.sources.opening import OpenedFile, load
from narraworld.extract.sources.sheet import Sheet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["read_document", "read_project"]

CHAPTER = 2
ABOVE_PARTS = 0
ORDER_DIGITS = 9

_HANDLE = re.compile(r"[0-9a-f]{13}")
_UNNUMBERED = re.compile(r"^#{1,3}(!) ", re.MULTILINE)
_COMMAND = re.compile(r"^\[(?:newpage|new page|vspace(?::\d+)?)\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_SHORTCODE = re.compile(r"\[/?(?:b|i|s|u|m|sup|sub)\]|\[footnote:\w+\]|\[br\]")
_ALIGNMENT = re.compile(r"^[ \t]*>{1,2} ?|(?<=\s)<{1,2}[ \t]*$", re.MULTILINE)


def read_document(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    """One `.nwd` file."""
    return Manuscript(source.name, tuple(_blocks(source, settings)), chapter_level=CHAPTER)


def read_project(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    """All documents of a project as one book."""
    root = parse_xml(source.data, source.name, settings)
    if root.tag != "novelWriterXML" or source.path is None:
        raise BadSource("is not a novelWriter project", where=source.name)
    tree = _Tree(list(root.iter("item")), source.name)
    blocks = list[Block]()
    for novel in tree.novels:
        if len(tree.novels) > 1:
            blocks.append(Heading(ABOVE_PARTS, novel.findtext("name") or "Novel"))
        for handle in tree.documents(novel):
            blocks += _document(handle, source.path, source.name, settings)
    return Manuscript(source.name, tuple(blocks), chapter_level=CHAPTER)


def _document(handle: str, project: Path, shown: str, settings: SourceSettings) -> list[Block]:
    path = project.parent / "content" / f"{handle}.nwd"
    name = str(PurePosixPath(shown).parent / "content" / path.name)
    if path.is_file() and not path.stat().st_size:  # a document not yet begun
        return []
    return _blocks(load(path, name, settings), settings)


def _blocks(source: OpenedFile, settings: SourceSettings) -> list[Block]:
    sheet = Sheet(source.text)
    notes = tag_lines(sheet, source.name)
    for pattern in (_UNNUMBERED, _COMMAND, _ALIGNMENT):
        for mark in pattern.finditer(sheet.shown()):
            sheet.strike_span(*mark.span(mark.lastindex or 0))
    shown = sheet.shown()
    for code in _SHORTCODE.finditer(shown):
        sheet.strike_span(*code.span())
    return markdown_blocks(sheet, shown, source.name, notes, settings, html=False)


class _Tree:
    """The items of a project below one another; files of format 1.5 say with attributes what older ones say inside."""

    def __init__(self, items: list[Element], name: str) -> None:
        self._name = name
        self._below: dict[str, list[Element]] = {}
        for item in items:
            self._below.setdefault(item.get("parent", ""), []).append(item)
        self.novels = [
            item for item in items if (_said(item, "type"), _said(item, "class")) == ("ROOT", "NOVEL")
        ]

    def documents(self, item: Element) -> Iterator[str]:
        """Handles of the documents below an item, in the order of the tree; each parent is looked up once."""
        for child in sorted(self._below.pop(item.get("handle", ""), ()), key=_order):
            handle = child.get("handle", "")
            if not _HANDLE.fullmatch(handle):
                raise BadSource(f"names a document {handle!r}, which is no handle", where=self._name)
            if _said(child, "type") == "FILE" and _said(child, "layout") != "NOTE" and _active(child):
                yield handle
            yield from self.documents(child)


def _said(item: Element, key: str) -> str:
    return item.get(key) or item.findtext(key) or ""


def _order(item: Element) -> int:
    order = item.get("order", "")
    return int(order) if order.isdecimal() and len(order) <= ORDER_DIGITS else 0


def _active(item: Element) -> bool:
    name = item.find("name")
    told = (name.get("active") or name.get("exported")) if name is not None else None
    return (told or item.findtext("exported") or "yes").lower() in ("yes", "true")
