"""What every reader makes of a file: headings, paragraphs, breaks and the author's notes, in order.

Readers know formats; from here on nobody does. Pure values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.sources.places import By

__all__ = [
    "SCENE_BREAK",
    "Bit",
    "Block",
    "Cut",
    "Heading",
    "Manuscript",
    "Note",
    "Paragraph",
    "SourceLine",
    "trimmed",
]

SCENE_BREAK = re.compile(r"\s*(?:(?:[*#~⁂•·–—_=-]\s*){3,}|[#⁂])\s*")


class Bit(NamedTuple):
    """Characters of one line (or paragraph) as they stand there; `decoded`: the source writes them in another way."""

    text: str
    line: int
    column: int
    decoded: bool = False


SourceLine: TypeAlias = tuple[Bit, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that the source does not part; where they end, the text has a line end."""

    lines: tuple[SourceLine, ...]
    file: str

    @property
    def text(self) -> str:
        return "\n".join("".join(bit.text for bit in line) for line in self.lines)


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A scene ends without a mark that could be read (a ruled line)."""


@dataclass(frozen=True, slots=True)
class Note:
    """What the author says beside the text. With a line, it holds from there on; without, from the next paragraph."""

    kind: str
    value: str
    file: str = ""
    line: int = 0
    column: int = 1


Block: TypeAlias = Heading | Paragraph | Cut | Note


@dataclass(frozen=True, slots=True)
class Manuscript:
    """One file (or one project) as blocks. `chapter_level`: the format itself says which heading begins a chapter."""

    name: str
    blocks: tuple[Block, ...]
    by: By = "line"
    chapter_level: int | None = None
    order: int | None = None


def trimmed(bits: Sequence[Bit]) -> SourceLine:
    """Without the white space at both ends."""
    left = list(bits)
    while left and not left[0].text.strip():
        del left[0]
    while left and not left[-1].text.strip():
        del left[-1]
    if left and not left[0].decoded:
        first = left[0]
        bare = first.text.lstrip()
        left[0] = first._replace(text=bare, column=first.column + len(first.text) - len(bare))
    if left and not left[-1].decoded:
        left[-1] = left[-1]._replace(text=left[-1].text.rstrip())
    return tuple(left)
