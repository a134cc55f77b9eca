"""Markdown: front matter, headings, paragraphs; also the novelWriter dialect of it.

Blocks are markdown-it's. Some of CommonMark is switched off because it would lose an author's words: indented paragraphs
are not code, `1984. A year` is not a list, `[Mara]: gone` is not a link target, and a paragraph above `---` is not a
heading unless it is as short as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource
from narraworld.extract.sources.author_notes import comments, front_matter, tag_lines
from narraworld.extract.sources.blocks import Bit, Block, Heading, Manuscript, Note, Paragraph, trimmed
from narraworld.extract.sources.formats.inline import stretches
from narraworld.extract.sources.opening import OpenedFile
from narraworld.extract.sources.sheet import Sheet
from narraworld.kb.units import LARGEST_ORDER

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["markdown_blocks", "read_markdown", "stated_order"]

Placed: TypeAlias = tuple[int, Block]  # the line a block begins on

MOST_SHOWN = 40  # signs of a number that is too long
_LOSING = ["code", "list", "reference", "html_block", "inline", "text_join", "fragments_join"]
_WIKI_MARK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?|\]\]")


def read_markdown(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    sheet, name = Sheet(source.text), source.name
    front = front_matter(sheet, name)
    notes = [*comments(sheet, name), *tag_lines(sheet, name)]
    shown = sheet.shown()
    for mark in _WIKI_MARK.finditer(shown):
        sheet.strike_span(*mark.span())
    blocks = markdown_blocks(sheet, shown, name, notes, settings)
    return Manuscript(name, (*front, *blocks), order=stated_order(front, name))


def stated_order(notes: list[Note], file: str) -> int | None:
    stated = next((note.value for note in notes if note.kind == "order" and note.value.isdecimal()), None)
    if stated is None:
        return None
    if len(stated) > len(str(LARGEST_ORDER)):
        fix = f"orders count from 0 to {LARGEST_ORDER}"
        raise BadSource(f"states the order {stated[:MOST_SHOWN]}", where=file, fix=fix)
    return int(stated)


def markdown_blocks(
    sheet: Sheet, shown: str, file: str, notes: list[Note], settings: SourceSettings, *, html: bool = True
) -> list[Block]:
    """The blocks of a sheet, with its notes among them where they stand. `shown` is what the parser may see."""
    page = _Page(sheet, shown.split("\n"), file, settings, html)
    found: list[Placed] = [(note.line, note) for note in notes]
    tokens = iter(_parser(html).parse(shown))
    for token in tokens:
        if token.type == "heading_open":
            found += page.heading(token, next(tokens))
        elif token.type == "inline":
            found += page.paragraph(token)
        elif token.type in ("hr", "fence"):
            found += page.as_it_stands(token)
    return [block for _, block in sorted(found, key=lambda placed: placed[0])]


@cache
def _parser(html: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": html}).enable("strikethrough").disable(_LOSING)


@dataclass(frozen=True, slots=True)
class _Page:
    """A sheet while its tokens become blocks."""

    sheet: Sheet
    shown: list[str]
    file: str
    settings: SourceSettings
    html: bool

    def heading(self, opening: Token, inline: Token) -> Iterator[Placed]:
        line, last = _lines(opening)
        if not inline.content:  # a lone `#` parts scenes
            yield from self.as_it_stands(opening)
        elif opening.markup == "-" and self.too_long(inline.content):
            yield from self.paragraph(inline)
            yield last, Paragraph((self.sheet.line(last),), self.file)
        else:
            words = "".join(bit.text for line in self.located(inline) for bit in line)
            yield line, Heading(int(opening.tag[1:]), " ".join(words.split()))

    def too_long(self, heading: str) -> bool:
        return "\n" in heading or len(heading.split()) > self.settings.heading_words

    def paragraph(self, inline: Token) -> Iterator[Placed]:
        lines = tuple(line for line in map(trimmed, self.located(inline)) if line)
        if lines:
            yield _lines(inline)[0], Paragraph(lines, self.file)

    def as_it_stands(self, token: Token) -> Iterator[Placed]:
        first, last = _lines(token)
        fenced = token.type == "fence"
        kept = [self.sheet.line(number) for number in range(first + fenced, last + 1 - fenced)]
        if any(kept):
            yield first, Paragraph(tuple(line for line in kept if line), self.file)

    def located(self, inline: Token) -> list[list[Bit]]:
        """The paragraph in lines of bits, each with its place."""
        rows = list(self.rows(inline))
        lines: list[list[Bit]] = [[]]
        for text, start, end in stretches(inline.content, _parser(self.html)):
            line, begins, column = rows[bisect_right(rows, start, key=lambda row: row[1]) - 1]
            column += start - begins
            if text == "\n":
                lines.append([])
            elif inline.content[start:end] == text:
                lines[-1] += self.sheet.bits(line, column, column + len(text))
            else:
                lines[-1].append(Bit(text, line, column + 1, decoded=True))
        return lines

    def rows(self, inline: Token) -> Iterator[tuple[int, int, int]]:
        """For each line of the content: its number, where it begins in the content, and in its source line.

        The content is the tail of the source line; before it stand blanks, `>` or the `#` of a heading.
        """
        content = inline.content.split("\n")
        first, last = _lines(inline)
        while first < last and content[0] not in self.shown[first - 1]:  # lines of nothing but odd blanks
            first += 1
        begins = 0
        for number, words in enumerate(content, first):
            bare = words.strip(" \t")
            yield number, begins, self.shown[number - 1].rfind(bare) - words.find(bare)
            begins += len(words) + 1


def _lines(token: Token) -> tuple[int, int]:
    """First and last line, from 1, both included."""
    assert token.map is not None, "block tokens have lines"
    return token.map[0] + 1, token.map[1]
