"""Screenplays in Fountain: sections as chapters, sluglines as scenes, character cues as notes of who speaks.

A cue stays in the text, for it is read; notes `[[ ]]`, the boneyard `/* */`, synopses, transitions and the title page are
the author's and do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.author_notes import enclosed, told
from narraworld.extract.sources.blocks import Block, Heading, Manuscript, Note, Paragraph, SourceLine
from narraworld.extract.sources.opening import OpenedFile
from narraworld.extract.sources.sheet import Sheet

__all__ = ["read_fountain"]

ASIDES = (("/*", "*/"), ("[[", "]]"))
SCENE = 7  # below every section, which has one to six `#`

_EMPHASIS = re.compile(r"(?<![\\*_])(\*{1,3}|_)(?=\S)(?:(?!\1).)+?(?<=[^\s\\])\1(?![\w*])")
_TITLE_PAGE = re.compile(
    r"(?:title|credit|authors?|source|notes|draft date|date|contact|copyright):.*", re.IGNORECASE
)
_TITLE_KEY = re.compile(r"([A-Za-z][A-Za-z ]*):\s*(.*)")
_SECTION = re.compile(r"(#{1,6})\s*(\S.*)")
_SLUG = re.compile(r"\.(?=\w)(?P<forced>.+)|(?P<slug>(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ].+)", re.IGNORECASE)
_NUMBER = re.compile(r"\s*#[\w.-]+#\s*$")
_PREFIX = re.compile(r"^(?:INT\.?/EXT|I/E|INT|EXT|EST)[. ]+\s*", re.IGNORECASE)
_TRANSITION = re.compile(r">\s*(?P<forced>[^<]+)|(?P<plain>[A-Z ]+TO:)")
_CUE = re.compile(r"@(?P<forced>.+)|(?P<plain>(?=.*[A-Z])[^a-z]*?(?:\s*\(.*\))?)\s*\^?")
_CENTRED = re.compile(r"^\s*>\s*(?=.*<\s*$)|\s*<\s*$")
_SIGNS = re.compile(r"^\s*([!~@]|>)\s*")


def read_fountain(source: OpenedFile, settings: SourceSettings) -> Manuscript:
    sheet, name = Sheet(source.text), source.name
    title = list(_title_page(sheet))
    for opening, closing in ASIDES:
        for start, end in enclosed(sheet.shown(), opening, closing):
            sheet.strike_span(start, end)
    for emphasis in _EMPHASIS.finditer(sheet.shown()):
        width = len(emphasis[1])
        sheet.strike_span(emphasis.start(), emphasis.start() + width)
        sheet.strike_span(emphasis.end() - width, emphasis.end())
    return Manuscript(name, (*title, *_blocks(sheet, name)))


def _title_page(sheet: Sheet) -> Iterator[Note]:
    """Strike out `Title: …` lines up to the first blank line, if the text begins with them."""
    if not _TITLE_PAGE.fullmatch(sheet.lines[0].strip()):
        return
    key = ""
    for number, line in enumerate(sheet.lines, 1):
        if not line.strip():
            return
        match = _TITLE_KEY.fullmatch(line.strip()) if not line[0].isspace() else None
        key = match[1] if match else key
        yield from told(key, match[2] if match else line)
        sheet.strike(number)


def _blocks(sheet: Sheet, file: str) -> Iterator[Block]:
    waiting = list[tuple[int, str]]()
    for number in range(1, len(sheet.lines) + 2):
        words = _shown(sheet, number) if number <= len(sheet.lines) else ""
        if words:
            waiting.append((number, words))
        elif waiting:
            yield from _stanza(waiting, sheet, file)
            waiting = []


def _shown(sheet: Sheet, number: int) -> str:
    return "".join(bit.text for bit in sheet.line(number))


def _stanza(lines: list[tuple[int, str]], sheet: Sheet, file: str) -> Iterator[Block]:
    """Lines without a gap: a heading, a transition, a speech with its cue, or action."""
    words = lines[0][1]
    if section := _SECTION.fullmatch(words):
        yield Heading(len(section[1]), section[2])
    elif words.startswith("=") and words.strip("="):
        yield Note("synopsis", words.lstrip("= "))
    elif slug := _SLUG.fullmatch(words):
        yield from _scene(slug["forced"] or slug["slug"])
    elif (turn := _TRANSITION.fullmatch(words)) and len(lines) == 1:
        yield Note("transition", (turn["forced"] or turn["plain"]).strip())
    else:
        yield from _speech_or_action(lines, sheet, file)
        return
    if lines[1:]:
        yield from _stanza(lines[1:], sheet, file)


def _scene(slugline: str) -> Iterator[Block]:
    """`INT. KITCHEN - NIGHT` is a scene in a place at a time."""
    title = _NUMBER.sub("", slugline).strip()
    yield Heading(SCENE, title)
    place, _, time = _PREFIX.sub("", title).rpartition(" - ")
    yield from (
        Note(kind, value.strip())
        for kind, value in (("location", place or time), ("time", time if place else ""))
        if value
    )


def _speech_or_action(lines: list[tuple[int, str]], sheet: Sheet, file: str) -> Iterator[Block]:
    cue = _CUE.fullmatch(lines[0][1]) if len(lines) > 1 else None
    if cue:
        who = cue["forced"] or cue["plain"]
        yield Note("speaker", re.sub(r"\s*\(.*", "", who).strip(" ^"))
    yield Paragraph(tuple(_line(sheet, number) for number, _ in lines), file)


def _line(sheet: Sheet, number: int) -> SourceLine:
    """A line without the signs that force what it is."""
    for sign in (_SIGNS, _CENTRED):
        for match in sign.finditer(sheet.lines[number - 1]):
            if match.end() > match.start():
                sheet.strike(number, *match.span())
    return sheet.line(number)
