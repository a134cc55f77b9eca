"""From an offset in canonical text back to where the author sees it.

A map is made of runs: stretches of canonical text that stand in the source character for character. What lies between
two runs (line ends, blank lines) was put there by us and belongs to the end of the run before it. Lines, columns and
paragraphs count from 1, columns in code points. Pure: knows no file but its name.

As text, a map is a JSON list (`"line"` or `"paragraph"`, then the files) and one word per run, relative to the run before:
`68` next line, column 1, 68 characters; `2g2l68` after a gap of two, two lines on; `0g0l6c3` same line, column 6;
`1!` a character the source writes in another way (`&amp;`); `1f2l68` goes on in file 1.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from narraworld.base.quick_dataclass import dataclass

__all__ = ["By", "Place", "Places", "Run"]

By: TypeAlias = Literal["line", "paragraph"]

_WORD = re.compile(r"(?:(\d+)f)?(?:(\d+)g)?(?:(\d+)l)?(?:(\d+)c)?(\d+)(!?)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the author finds it: a line and a column, or the number of a paragraph."""

    file: str
    line: int | None = None
    column: int | None = None
    paragraph: int | None = None

    def __str__(self) -> str:
        if self.paragraph is not None:
            return f"{self.file}: paragraph {self.paragraph}"
        return f"{self.file}:{self.line}:{self.column}"


class Run(NamedTuple):
    """`length` characters from `start` stand in `line` (or paragraph) from `column`; `decoded`: written in another way there."""

    start: int
    line: int
    column: int
    length: int
    decoded: bool = False
    file: int = 0

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Places:
    """The map of one unit, runs in the order of the text."""

    files: tuple[str, ...]
    runs: tuple[Run, ...]
    by: By = "line"

    def at(self, offset: int) -> Place:
        """Where the character at `offset` stands; the end of a range is a place too."""
        if not self.runs or not 0 <= offset <= self.runs[-1].end:
            raise ValueError(f"offset {offset} is outside the text")
        run = self.runs[bisect_right(self.runs, offset, key=lambda run: run.start) - 1]
        file = self.files[run.file]
        if self.by == "paragraph":
            return Place(file, paragraph=run.line)
        into = 0 if run.decoded else min(offset - run.start, run.length)
        return Place(file, run.line, run.column + into)

    def offset(self, file: str, line: int, column: int) -> int:
        """The first character that stands there in `file` or later; the end of the text when nothing does."""
        there = (self.files.index(file), line, column)
        after = bisect_right(self.runs, there, key=lambda run: (run.file, run.line, run.column + run.length))
        if after == len(self.runs):
            return self.runs[-1].end if self.runs else 0
        run = self.runs[after]
        inside = (run.file, run.line) == there[:2] and column > run.column
        return run.start + (column - run.column if inside else 0)

    def to_text(self) -> str:
        return " ".join([json.dumps([self.by, *self.files], ensure_ascii=False), *_words(self.runs)])

    @classmethod
    def from_text(cls, text: str) -> Places:
        (by, *files), end = json.JSONDecoder().raw_decode(text)
        return cls(tuple(files), tuple(_runs(text[end:].split())), by)


_BEFORE = Run(-1, 0, 0, 0)


def _words(runs: tuple[Run, ...]) -> Iterator[str]:
    before = _BEFORE
    for run in runs:
        moved = run.file != before.file
        gap, down = run.start - before.end, run.line - (0 if moved else before.line)
        yield "".join([
            f"{run.file}f" if moved else "",
            f"{gap}g" if gap != 1 else "",
            f"{down}l" if down != 1 else "",
            f"{run.column}c" if run.column != 1 else "",
            f"{run.length}", "!" if run.decoded else "",
        ])  # fmt: skip
        before = run


def _runs(words: list[str]) -> Iterator[Run]:
    before = _BEFORE
    for word in words:
        match = _WORD.fullmatch(word)
        if match is None:
            raise ValueError(f"{word!r} is no run of a source map")
        file, gap, down, column, length, decoded = match.groups()
        line = (0 if file else before.line) + int(down or 1)
        before = Run(
            before.end + int(gap or 1),
            line,
            int(column or 1),
            int(length),
            bool(decoded),
            int(file or before.file),
        )
        yield before
