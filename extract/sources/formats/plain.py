"""Plain text, most of all as Project Gutenberg gives it: hard-wrapped lines, blank lines between paragraphs, `_italics_`.

Headings have no mark here; a line is one when it stands alone and calls itself one (see `headings`). A table of contents
consists of headings that come again. Nothing is dropped unsaid: the licence, the contents and a title page become notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.blocks import Block, Heading, Manuscript, Note, Paragraph
from narraworld.extract.sources.headings import HeadingReading, is_title, read_heading
from narraworld.extract.sources.opening import OpenedFile
from narraworld.extract.sources.sheet import Sheet

__all__ = ["read_plain"]

PART, CHAPTER, SCENE = 1, 2, 3
HEADING_LINES = 3
LEVELS = {"part": PART, "chapter": CHAPTER, "scene": SCENE, "numeral": SCENE}

_START = re.compile(
    r"^\*\*\* ?START OF TH(?:E|IS) PROJECT GUTENBERG[^*]*\*\*\*.*$", re.MULTILINE | re.IGNORECASE
)
_END = re.compile(
    r"^(?:\*\*\* ?END OF TH(?:E|IS) PROJECT GUTENBERG|End of (?:the |this )?Project Gutenberg)",
    re.MULTILINE | re.IGNORECASE,
)
_ITALICS = re.compile(r"(?<![\w_])_(?=[^\s_])[^_]*?(?<=[^\s_])_(?![\w_])")


@dataclass(frozen=True, slots=True)
class _Stanza:
    """Lines `first` to `last` without a gap between them; `heading` when that is what they are."""

    first: int
    last: int
    words: int
    heading: HeadingReading | None = None
    title: str = ""
    contents: bool = False


def read_plain(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    sheet, name = Sheet(source.text), source.name
    first, last = _body(sheet)
    licence = _without(sheet, first, last)
    for italics in _ITALICS.finditer(sheet.text):
        _strike_marks(sheet, *italics.span())
    stanzas = _with_headings(list(_stanzas(sheet, first, last, settings)), sheet, settings)
    stanzas = _ranked(_without_contents(stanzas, settings))
    return Manuscript(name, (*licence, *_blocks(stanzas, sheet, name, settings)), chapter_level=CHAPTER)


def _body(sheet: Sheet) -> tuple[int, int]:
    """First and last line of the book inside Project Gutenberg's licence; all lines of any other text."""
    start = _START.search(sheet.text)
    end = _END.search(sheet.text, start.end() if start else 0)
    first = sheet.place(start.end())[0] + 1 if start else 1
    return first, sheet.place(end.start())[0] - 1 if end else len(sheet.lines)


def _without(sheet: Sheet, first: int, last: int) -> list[Note]:
    cut = [(1, first - 1), (last + 1, len(sheet.lines))]
    return [Note("licence", f"lines {a}-{b}") for a, b in cut if a <= b]


def _strike_marks(sheet: Sheet, start: int, end: int) -> None:
    sheet.strike_span(start, start + 1)
    sheet.strike_span(end - 1, end)


def _stanzas(sheet: Sheet, first: int, last: int, settings: SourceSettings) -> Iterator[_Stanza]:
    begun, words = 0, 0
    for number in range(first, last + 2):
        line = sheet.lines[number - 1] if number <= last else ""
        alone = len(line) > settings.long_line
        if begun and (alone or not line.strip()):
            yield _Stanza(begun, number - 1, words)
            begun, words = 0, 0
        if alone:
            yield _Stanza(number, number, len(line.split()))
        elif line.strip():
            begun, words = begun or number, words + len(line.split())


def _with_headings(stanzas: list[_Stanza], sheet: Sheet, settings: SourceSettings) -> list[_Stanza]:
    """Stanzas read as headings where they are; a heading without a name takes the title that stands below it."""
    found = list[_Stanza]()
    for stanza in stanzas:
        before = found[-1] if found else None
        if _is_prose(stanza, sheet, settings):
            found.append(stanza)
            continue
        lines = [_shown(sheet, number) for number in range(stanza.first, stanza.last + 1)]
        heading = _heading(lines, settings)
        if _lists_headings(lines, settings):
            found.append(replace(stanza, contents=True))
        elif before and _wants_title(before, heading) and _gives_title(lines, settings):
            found[-1] = replace(before, last=stanza.last, title=f"{before.title.rstrip('.')}. {lines[0]}")
        elif heading:
            found.append(replace(stanza, heading=heading, title=" ".join(lines)))
        else:
            found.append(stanza)
    return found


def _is_prose(stanza: _Stanza, sheet: Sheet, settings: SourceSettings) -> bool:
    """As nearly all is: neither heading nor contents."""
    return _is_long(stanza) and not read_heading(_shown(sheet, stanza.first), settings.heading_words)


def _lists_headings(lines: list[str], settings: SourceSettings) -> bool:
    """Whether this is a table of contents."""
    enough = len(lines) >= settings.contents_lines
    return enough and all(read_heading(line, settings.heading_words) for line in lines)


def _wants_title(before: _Stanza, heading: HeadingReading | None) -> bool:
    return _lacks_name(before) and (heading is None or _only_a_word(heading))


def _gives_title(lines: list[str], settings: SourceSettings) -> bool:
    return len(lines) == 1 and is_title(lines[0], settings.heading_words)


def _shown(sheet: Sheet, number: int) -> str:
    return "".join(bit.text for bit in sheet.line(number))


def _heading(lines: list[str], settings: SourceSettings) -> HeadingReading | None:
    """The first line says what it is; the one or two below it can only be its title."""
    if len(lines) > HEADING_LINES or not all(is_title(line, settings.heading_words) for line in lines[1:]):
        return None
    reading = read_heading(lines[0], settings.heading_words)
    return replace(reading, name=" ".join([reading.name, *lines[1:]]).strip()) if reading else None


def _is_long(stanza: _Stanza) -> bool:
    return stanza.last - stanza.first >= HEADING_LINES


def _lacks_name(stanza: _Stanza) -> bool:
    """Whether a title may follow: only right below `CHAPTER 1`, which took no title yet."""
    heading = stanza.heading
    return (
        heading is not None and heading.rank == "chapter" and not heading.name and stanza.first == stanza.last
    )


def _only_a_word(heading: HeadingReading) -> bool:
    """`Postscript` below `CHAPTER 25` is its title."""
    return heading.rank == "chapter" and heading.number is None


def _without_contents(stanzas: list[_Stanza], settings: SourceSettings) -> list[_Stanza]:
    """Headings that come again and have next to nothing below them are the table of contents, and so is the last one."""
    keys = _keys(stanzas)
    to_come = Counter(key for key in keys if key)
    found, inside = list[_Stanza](), False
    for index, (stanza, key) in enumerate(zip(stanzas, keys, strict=True)):
        if key:
            to_come[key] -= 1
            inside = to_come[key] > 0 and (inside or _words_below(stanzas, index) < settings.contents_words)
        found.append(replace(stanza, heading=None, contents=True) if key and inside else stanza)
    return found


def _keys(stanzas: Sequence[_Stanza]) -> list[tuple[str, ...] | None]:
    """What a heading is, with the part it stands in; numbering may begin again in each."""
    part, keys = "", list[tuple[str, ...] | None]()
    for stanza in stanzas:
        heading = stanza.heading
        if heading and heading.rank == "part":
            part = heading.key
        keys.append((part, heading.rank, heading.key) if heading else None)
    return keys


def _words_below(stanzas: Sequence[_Stanza], index: int) -> int:
    words = 0
    for stanza in stanzas[index + 1 :]:
        if stanza.heading:
            break
        words += stanza.words
    return words


def _ranked(stanzas: list[_Stanza]) -> list[_Stanza]:
    """Numerals alone are chapters where nothing else is; an epilogue that has chapters is a part."""
    headings = [stanza.heading for stanza in stanzas if stanza.heading]
    only_numerals = not any(heading.rank == "chapter" for heading in headings) and _counts_up(headings)
    # Of no stanza at all there is one too many below.
    below = [*(stanza.heading for stanza in stanzas[1:]), None]
    return [
        replace(stanza, heading=_rank(stanza.heading, under, only_numerals)) if stanza.heading else stanza
        for stanza, under in zip(stanzas, below, strict=False)
    ]


def _rank(heading: HeadingReading, below: HeadingReading | None, only_numerals: bool) -> HeadingReading:
    """A heading as what it is among the others; two chapters by rank, one straight under the other, are part and chapter
    if they go by different words."""
    if heading.rank == "numeral" and only_numerals:
        return replace(heading, rank="chapter")
    if below and heading.rank == below.rank == "chapter" and heading.word != below.word:
        return replace(heading, rank="part")
    return heading


def _counts_up(headings: list[HeadingReading]) -> bool:
    """One, two, three …, beginning again in each part: chapters, not years or the numbers of pages."""
    expected = 1
    for heading in headings:
        if heading.rank == "numeral":
            if heading.number not in (expected, 1):
                return False
            expected = (heading.number or 0) + 1
    return True


def _blocks(stanzas: list[_Stanza], sheet: Sheet, file: str, settings: SourceSettings) -> Iterator[Block]:
    begins = next((n for n, stanza in enumerate(stanzas) if stanza.heading), 0)
    yield from _front(stanzas[:begins], sheet, file, settings)
    yield from _contents_notes(stanzas)
    for stanza in stanzas[begins:]:
        if stanza.heading:
            yield Heading(LEVELS[stanza.heading.rank], stanza.title)
        elif not stanza.contents:
            yield _prose(stanza, sheet, file)


def _front(stanzas: list[_Stanza], sheet: Sheet, file: str, settings: SourceSettings) -> Iterator[Block]:
    """What stands before the first heading: a note where all of it is short, else prose."""
    front = [stanza for stanza in stanzas if not stanza.contents]
    prose = [_prose(stanza, sheet, file) for stanza in front]
    if prose and all(stanza.words < settings.front_words for stanza in front):
        yield Note("front", "\n".join(one.text for one in prose))
    else:
        yield from prose


def _prose(stanza: _Stanza, sheet: Sheet, file: str) -> Paragraph:
    lines = (sheet.line(number) for number in range(stanza.first, stanza.last + 1))
    return Paragraph(tuple(line for line in lines if line), file)


def _contents_notes(stanzas: list[_Stanza]) -> Iterator[Note]:
    lines = [(stanza.first, stanza.last) for stanza in stanzas if stanza.contents]
    if lines:
        yield Note("contents", f"lines {lines[0][0]}-{lines[-1][1]}")
