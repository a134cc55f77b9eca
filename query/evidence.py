"""The words on the page that an answer or an item of memory rests on. A plain value."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """Words on the page."""

    unit: str
    start: int
    end: int
    quote: str
    place: str = ""
