"""Canonical text: what the reader of the book reads, with the way back to every character.

Paragraphs are parted by one blank line; lines that the source breaks stay broken, because nothing is gained by joining
them and every offset stays plain. Lines that only mark a break (`* * *`) stay in the text and belong to no scene. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.sources.blocks import SCENE_BREAK, Block, Heading, Note, Paragraph
from narraworld.extract.sources.piece import AuthorNote, SceneRange
from narraworld.extract.sources.places import By, Places, Run

__all__ = ["Canon", "canon"]


@dataclass(frozen=True, slots=True)
class Canon:
    """The text of one unit with all that is known of it."""

    text: str
    scenes: tuple[SceneRange, ...]
    notes: tuple[AuthorNote, ...]
    places: Places


def canon(blocks: Iterable[Block], by: By) -> Canon:
    """The canonical text of one chapter."""
    page = _Page()
    for block in blocks:
        if isinstance(block, Paragraph):
            page.paragraph(block)
        elif isinstance(block, Note):
            page.notes.append((block, page.next_start))
        else:
            page.cut(block.title if isinstance(block, Heading) else None)
    page.end()
    text = "".join(page.written)
    places = Places(tuple(page.files), tuple(page.runs), by)
    notes = sorted((_placed(note, start, places) for note, start in page.notes), key=lambda note: note.start)
    return Canon(text, tuple(page.scenes), tuple(notes), places)


def _placed(note: Note, start: int, places: Places) -> AuthorNote:
    if note.line and note.file in places.files:
        start = places.offset(note.file, note.line, note.column)
    return AuthorNote(note.kind, note.value, start)


@dataclass(slots=True)
class _Page:
    """A text being written."""

    written: list[str] = field(default_factory=list)
    length: int = 0
    files: list[str] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    scenes: list[SceneRange] = field(default_factory=list)
    notes: list[tuple[Note, int]] = field(default_factory=list)
    scene_start: int | None = None
    title: str | None = None

    @property
    def next_start(self) -> int:
        """Where the next paragraph will begin."""
        return self.length + 2 if self.length else 0

    def paragraph(self, block: Paragraph) -> None:
        mark = SCENE_BREAK.fullmatch(block.text)
        if mark:
            self.cut(None)
        if self.length:
            self.write("\n\n")
        if self.scene_start is None and not mark:
            self.scene_start = self.length
        self.lines(block)

    def lines(self, block: Paragraph) -> None:
        file = self.file(block.file)
        for number, line in enumerate(block.lines):
            if number:
                self.write("\n")
            for bit in line:
                self.runs.append(Run(self.length, bit.line, bit.column, len(bit.text), bit.decoded, file))
                self.write(bit.text)

    def write(self, text: str) -> None:
        self.written.append(text)
        self.length += len(text)

    def file(self, name: str) -> int:
        if name not in self.files:
            self.files.append(name)
        return self.files.index(name)

    def end(self) -> None:
        """End the text; headings with nothing below them are remembered."""
        self.cut(None)
        if self.title:
            self.notes.append((Note("heading", self.title), self.length))

    def cut(self, title: str | None) -> None:
        """End the scene, if one has begun; headings in a row make one title."""
        if self.scene_start is not None:
            end = self.runs[-1].end
            self.scenes.append(SceneRange(self.scene_start, end, self.title))
            self.scene_start, self.title = None, None
        self.title = ": ".join(name for name in (self.title, title) if name) or None
