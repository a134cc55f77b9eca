"""A text as its author sees it: lines from 1, columns in code points, and what is not for the reader struck out.

Line ends may be of any of the three kinds, even mixed. Striking never moves a character, so a parser that is shown the
sheet speaks of the places the author sees. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Iterator

from narraworld.extract.sources.blocks import Bit, SourceLine, trimmed

__all__ = ["Sheet"]

_LINE_END = re.compile(r"\r\n|\r|\n")


class Sheet:
    """Lines are counted from 1, columns inside this class from 0."""

    def __init__(self, text: str) -> None:
        self.lines = _LINE_END.split(text)
        self.text = "\n".join(self.lines)
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._struck: dict[int, list[tuple[int, int]]] = {}

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of `text`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def strike(self, line: int, start: int = 0, end: int | None = None) -> None:
        """Take columns of a line out of what is read; of the spaces around them, leave one."""
        words = self.lines[line - 1]
        end = len(words) if end is None else end
        if start == 0 or words[start - 1].isspace():
            while end < len(words) and words[end].isspace():
                end += 1
        insort(self._struck.setdefault(line, []), (start, end))

    def strike_span(self, start: int, end: int) -> None:
        """Take `text[start:end]` out of what is read, over as many lines as it has."""
        (first, column), (last, stop) = self.place(start), self.place(end)
        for line in range(first, last + 1):
            self.strike(line, column if line == first else 0, stop if line == last else None)

    def shown(self) -> str:
        """The text with blanks where something was struck out."""
        lines = list(self.lines)
        for number, stretches in self._struck.items():
            signs = list(lines[number - 1])
            for start, end in stretches:
                signs[start:end] = " " * (end - start)
            lines[number - 1] = "".join(signs)
        return "\n".join(lines)

    def bits(self, line: int, start: int = 0, end: int | None = None) -> Iterator[Bit]:
        """What is left to read of these columns."""
        words = self.lines[line - 1]
        end = len(words) if end is None else end
        struck = self._struck.get(line, [])
        first = bisect_right(struck, start, key=lambda stretch: stretch[0]) - 1  # may reach into ours
        for number in range(max(first, 0), len(struck)):
            a, b = struck[number]
            if a >= end:
                break
            if a > start:
                yield Bit(words[start:a], line, start + 1)
            start = max(start, b)
        if start < end:
            yield Bit(words[start:end], line, start + 1)

    def line(self, number: int) -> SourceLine:
        """What is left to read of a line, without the white space at both ends."""
        if number in self._struck:
            return trimmed(tuple(self.bits(number)))
        words = self.lines[number - 1]  # most lines are whole
        begun = words.lstrip()
        return (Bit(begun.rstrip(), number, 1 + len(words) - len(begun)),) if begun else ()
