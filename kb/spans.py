"""Evidence: tie a quotation to the exact characters it stands on.

A quote that is not in the text is refused; it is never dropped, trimmed or matched approximately. Line breaks
count as spaces, nothing else is forgiven. Pure: no graph, no files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["NotLocated", "Range", "locate"]


@dataclass(frozen=True, slots=True, order=True)
class Range:
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


def locate(text: str, quote: str, *, occurrence: int | None = None) -> Range | NotLocated:
    """Find ``quote`` in ``text``; a quote that stands there several times needs ``occurrence`` (from 1).

    >>> locate("Leo left. Leo came.", "Leo came")
    Range(start=10, end=18)
    >>> locate("Leo left. Leo came.", "Leo").why
    'the quote stands 2 times in the text; say which occurrence'
    """
    words = quote.split()
    if not words:
        return NotLocated(quote, "the quote is empty")
    found = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if not found:
        return NotLocated(quote, "the quote is not in the text")
    if occurrence is None and len(found) > 1:
        return NotLocated(quote, f"the quote stands {len(found)} times in the text; say which occurrence")
    if occurrence is not None and not 1 <= occurrence <= len(found):
        return NotLocated(quote, f"the quote stands {len(found)} times in the text, not {occurrence}")
    return Range(*found[(occurrence or 1) - 1].span())
