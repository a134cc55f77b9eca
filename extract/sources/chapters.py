"""Blocks cut into chapters: which heading level begins one, and what belongs to it.

A unit never depends on the other files of a reading: the same file is cut in the same way alone and among others. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.blocks import Block, Heading, Manuscript, Note, Paragraph
from narraworld.extract.sources.headings import read_heading

__all__ = ["Chapter", "chapter_level", "cut"]

_CHAPTER_FILE = re.compile(r"\W*(?:\d|ch(?:ap(?:ter)?)?[\W_]*\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What will be one unit. `part`: the heading above it that has no prose of its own, as a book or part has."""

    manuscript: Manuscript
    heading: Heading | None = None
    part: Heading | None = None
    blocks: list[Block] = field(default_factory=list)

    @property
    def has_prose(self) -> bool:
        return any(isinstance(block, Paragraph) for block in self.blocks)


def cut(manuscript: Manuscript, settings: SourceSettings) -> list[Chapter]:
    """The chapters that have prose; what stands between them goes to the next one as notes."""
    every = list(_all_chapters(manuscript, chapter_level(manuscript, settings)))
    parts = [chapter.part for chapter in every if chapter.has_prose]
    chapters, waiting = list[Chapter](), list[Block]()
    for chapter in every:
        if chapter.has_prose:
            chapters.append(replace(chapter, blocks=waiting + chapter.blocks))
            waiting = []
        else:
            waiting += _remains(chapter, parts)
    if chapters:
        chapters[-1].blocks.extend(waiting)
    return chapters


def _remains(chapter: Chapter, parts: list[Heading | None]) -> Iterator[Note]:
    """What a chapter without prose still says: its headings, unless they are a part of what follows, and its notes."""
    own = [chapter.heading] if chapter.heading and chapter.heading not in parts else []
    for block in [*own, *chapter.blocks]:
        if isinstance(block, Heading):
            yield Note("heading", block.title)
        elif isinstance(block, Note):
            yield block


def _all_chapters(manuscript: Manuscript, level: int) -> Iterator[Chapter]:
    chapter, part = Chapter(manuscript), None
    for block in manuscript.blocks:
        if isinstance(block, Heading) and block.level <= level:
            yield chapter
            part = block if block.level < level else part
            chapter = Chapter(manuscript, block, part if block.level == level else None)
        else:
            chapter.blocks.append(block)
    yield chapter


def chapter_level(manuscript: Manuscript, settings: SourceSettings) -> int:
    """The heading level that begins a chapter: as told, as the format says, as the headings call themselves, else by shape."""
    told = settings.chapter_level if settings.chapter_level is not None else manuscript.chapter_level
    if told is not None:
        return told
    by_level = _headings_by_level(manuscript)
    for level, headings in by_level.items():
        if _called_chapters(headings, settings):
            return level
    levels = list(by_level)
    if len(levels) < 2:
        return levels[0] if levels else 1
    return levels[0] if _top_is_chapter(manuscript, levels[0], settings) else levels[1]


def _headings_by_level(manuscript: Manuscript) -> dict[int, list[Heading]]:
    """The headings of each level, the highest level first."""
    headings = [block for block in manuscript.blocks if isinstance(block, Heading)]
    return {
        level: [heading for heading in headings if heading.level == level]
        for level in sorted({heading.level for heading in headings})
    }


def _called_chapters(headings: list[Heading], settings: SourceSettings) -> bool:
    """Whether at least half of the headings say that they are chapters; a numeral alone says nothing."""
    readings = [read_heading(heading.title, settings.heading_words) for heading in headings]
    called = [reading for reading in readings if reading and reading.rank == "chapter" and reading.word]
    return 2 * len(called) >= len(headings)


def _top_is_chapter(manuscript: Manuscript, top: int, settings: SourceSettings) -> bool:
    """A chapter has prose of its own right below its heading, or is alone in a file named `ch03` or `03-…`; a part has not."""
    words = _words_below(manuscript.blocks, top)
    if len(words) == 1 and _CHAPTER_FILE.match(PurePath(manuscript.name).name):
        return True
    return 2 * sum(count >= settings.front_words for count in words) > len(words)


def _words_below(blocks: Iterable[Block], level: int) -> list[int]:
    """For each heading of that level, the words before the next heading of any level."""
    words, counting = list[int](), False
    for block in blocks:
        if isinstance(block, Heading):
            counting = block.level == level
            words += [0] if counting else []
        elif isinstance(block, Paragraph) and counting:
            words[-1] += len(block.text.split())
    return words
