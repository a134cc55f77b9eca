"""Sentences of a text as passages: where each begins and ends. Looks at letters and marks only.

A line break ends a passage; so does a full stop, unless an abbreviation or an initial carries it or a small letter follows.
Knows no records, no index and no reader: every text can be searched, whether anything was understood of it or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from narraworld.kb.english import wordset
from narraworld.kb.spans import TextRange

__all__ = ["passage_id", "passage_place", "passages_of"]

_LINE = re.compile(r"[^\n]+")
_END = re.compile(r"[.!?…]+[\"”’')\]*_]*(?=\s|$)")
_LAST_WORD = re.compile(r"(\w+)$")
_WORDS = re.compile(r"\w")
_ID = re.compile(r"(?P<unit>.+)@(?P<start>\d+)-(?P<end>\d+)")
ABBREVIATIONS = wordset("text.abbreviations")
LOOK_BACK, LOOK_AHEAD = 12, 8  # characters in which an abbreviation, or what follows a mark, is looked for


@lru_cache(maxsize=64)
def passages_of(text: str) -> tuple[TextRange, ...]:
    """Every sentence, in order, without the white space around it.

    >>> [one.cut("Mr. Holt left. “Stop!” he said.") for one in passages_of("Mr. Holt left. “Stop!” he said.")]
    ['Mr. Holt left.', '“Stop!” he said.']
    """
    return tuple(one for line in _LINE.finditer(text) for one in _sentences(text, *line.span()))


def _sentences(text: str, start: int, end: int) -> Iterator[TextRange]:
    begin = start
    for mark in _END.finditer(text, start, end):
        if not (_abbreviated(text, mark.start()) or _goes_on(text, mark.end(), end)):
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
    yield from _trimmed(text, begin, end)


def _abbreviated(text: str, dot: int) -> bool:
    word = _LAST_WORD.search(text[max(0, dot - LOOK_BACK) : dot])
    if word is None or text[dot] != ".":
        return False
    initial = len(word[1]) == 1 and word[1].isupper() and word[1] != "I"
    return initial or word[1].lower() in ABBREVIATIONS


def _goes_on(text: str, mark: int, end: int) -> bool:
    """A small letter after the mark: the sentence is not over."""
    following = text[mark : min(end, mark + LOOK_AHEAD)].lstrip()
    return following[:1].islower()


def _trimmed(text: str, start: int, end: int) -> Iterator[TextRange]:
    inner = text[start:end]
    first = start + len(inner) - len(inner.lstrip())
    last = start + len(inner.rstrip())
    if last > first and _WORDS.search(text, first, last):
        yield TextRange(first, last)


def passage_id(unit: str, place: TextRange) -> str:
    """The name of a passage: `ch01@120-164`."""
    return f"{unit}@{place.start}-{place.end}"


def passage_place(name: str) -> tuple[str, TextRange] | None:
    """Unit and place of a passage; None for the id of anything else."""
    found = _ID.fullmatch(name)
    return (found["unit"], TextRange(int(found["start"]), int(found["end"]))) if found else None
