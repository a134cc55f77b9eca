"""Evidence: tie a quotation to the exact characters it stands on.

A quote that is not in the text is refused; it is never dropped, trimmed or matched approximately. Line breaks
count as spaces, nothing else is forgiven. Pure: no graph, no files.
"""

from __future__ import annotations

import re

from narraworld.base.quick_dataclass import dataclass

__all__ = ["NotLocated", "TextRange", "locate"]


@dataclass(frozen=True, slots=True, order=True)
class TextRange:
    """Half-open range ``[start, end)`` of characters in one unit."""

    start: int
    end: int

    def cut(self, text: str) -> str:
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class NotLocated:
    """Why a quote could not be tied to the text."""

    quote: str
    why: str


def locate(text: str, quote: str) -> TextRange | NotLocated:
    """Find ``quote`` in ``text``, where it must stand once; white space is as good as any other.

    >>> locate("Leo left. Leo came.", "Leo came")
    Range(start=10, end=18)
    >>> locate("Leo left. Leo came.", "Leo").why
    'the quote stands 2 times in the text; quote more of it'
    """
    words = quote.split()
    if not words:
        return NotLocated(quote, "the quote is empty")
    found = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if not found:
        return NotLocated(quote, "the quote is not in the text")
    if len(found) > 1:
        return NotLocated(quote, f"the quote stands {len(found)} times in the text; quote more of it")
    return TextRange(*found[0].span())
