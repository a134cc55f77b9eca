"""Names for units: from the file, or from the heading when a file holds several. Stable when other chapters change.

* A file that is one unit is known by its name: `ch03.md` is `ch03`. Only a file without a number whose heading has one
  (`novel.md`, "Chapter 1") is known by its heading, so that the name stays when a second chapter is added.
* A file of several units knows them by their headings: `ch03`, `the-drawer`, and `book02.ch03` when it has parts.
* When several such files are read at once, the name of the file goes before: `dawn.ch03`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.blocks import Heading
from narraworld.extract.sources.chapters import Chapter
from narraworld.extract.sources.headings import HeadingReading, read_heading
from narraworld.kb.units import NAME_LENGTH, RESERVED

__all__ = ["name_units", "natural", "slug"]

FRONT = "front"
PART_LENGTH = NAME_LENGTH // 4  # file, part, heading, dots and a counter fit


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key in which ch2 stands before ch10."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def slug(words: str, longest: int = PART_LENGTH) -> str:
    """Letters, digits and hyphens. What has none of these, or too many, keeps its own name by a digest."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    whole = "-".join(re.findall(r"[a-z0-9_]+", re.sub(r"['’]", "", plain)))
    digest = sha256(words.encode()).hexdigest()[:6]
    if not whole:
        return f"u{digest}"
    return whole if len(whole) <= longest else f"{whole[: longest - 7].rstrip('-')}-{digest}"


def name_units(books: Sequence[Sequence[Chapter]], settings: SourceSettings) -> list[list[str]]:
    """One name per chapter, no two alike."""
    several = sum(len(book) > 1 for book in books) > 1
    taken = Counter(RESERVED)  # so that a file called plotlines.md is plotlines-2
    return [[_unique(name, taken) for name in _names(book, several, settings)] for book in books]


def _names(book: Sequence[Chapter], several: bool, settings: SourceSettings) -> list[str]:
    if len(book) == 1:
        return [_name_of_file(book[0], settings)]
    prefix = f"{_stem(book[0])}." if several else ""
    parts = {chapter.part for chapter in book if chapter.part}
    return [prefix + _name_in_book(chapter, len(parts) > 1, settings) for chapter in book]


def _name_of_file(chapter: Chapter, settings: SourceSettings) -> str:
    stem, reading = _stem(chapter, 3 * PART_LENGTH), _reading(chapter.heading, settings)
    if reading and reading.number is not None and not re.search(r"\d", stem):
        return reading.key
    return stem


def _name_in_book(chapter: Chapter, parts_matter: bool, settings: SourceSettings) -> str:
    part = chapter.part
    shown = part is not None and (parts_matter or _reading(part, settings) is not None)
    before = f"{_name_of(part, settings)}." if shown else ""
    return before + _name_of(chapter.heading, settings)


def _name_of(heading: Heading | None, settings: SourceSettings) -> str:
    if heading is None:
        return FRONT
    reading = _reading(heading, settings)
    return reading.key if reading else slug(heading.title)


def _reading(heading: Heading | None, settings: SourceSettings) -> HeadingReading | None:
    return read_heading(heading.title, settings.heading_words) if heading else None


def _stem(chapter: Chapter, longest: int = PART_LENGTH) -> str:
    return slug(PurePath(chapter.manuscript.name).stem, longest)


def _unique(name: str, taken: Counter[str]) -> str:
    taken[name] += 1
    if taken[name] == 1:
        return name
    return _unique(f"{name}-{taken[name]}", taken)
