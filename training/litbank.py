"""LitBank as running text: its token columns become prose again, its labels become character spans.

LitBank ships tokens, one to a line; a reader gets prose. So that training and measuring see what a reader sees, the
tokens are put back together the way a printer would set them, and every label is kept by character offset. Never
touches spaCy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

__all__ = ["EVENT", "KINDS", "Book", "Span", "books", "outermost", "prose", "read"]

KINDS = ("PER", "FAC", "GPE", "LOC", "VEH", "ORG")
EVENT = "EVENT"

CLOSING = re.compile(r"[,.;:!?)\]”…]+|\.\.\.|['’](s|ll|ve|re|m|d|t|S|LL|VE|RE|M|D)|[nN]['’][tT]")
OPENING = frozenset("“‘([")
DASHES = frozenset({"--", "---", "----", "—"})
ENDS_SPEECH = frozenset({",", ".", "!", "?", "--", "—", "..."})


class Span(NamedTuple):
    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Book:
    """One excerpt: its prose, where its own tokens lie in it, and what people marked."""

    name: str
    text: str
    tokens: tuple[Span, ...]
    entities: tuple[Span, ...]
    events: tuple[Span, ...]


def books(folder: Path) -> list[Book]:
    return [read(folder, path.stem) for path in sorted((folder / "events" / "tsv").glob("*.tsv"))]


def outermost(spans: Sequence[Span]) -> list[Span]:
    """Those that lie in no other."""
    return [one for one in spans if not any(_inside(one, other) for other in spans)]


def _inside(one: Span, other: Span) -> bool:
    wider = (other.end - other.start) > (one.end - one.start)
    return wider and other.start <= one.start and one.end <= other.end


def read(folder: Path, name: str) -> Book:
    marked = _sentences(folder / "events" / "tsv" / f"{name}.tsv")
    typed = [row for rows in _sentences(folder / "entities" / "tsv" / f"{name}.tsv") for row in rows]
    text, places = prose([[row[0] for row in rows] for rows in marked])
    happened = [row[1] for rows in marked for row in rows]
    return Book(
        name=name.removesuffix("_brat"),
        text=text,
        tokens=tuple(Span(start, end, "") for start, end in places),
        entities=tuple(sorted(_nested(typed, places))),
        events=tuple(
            Span(*place, EVENT) for place, mark in zip(places, happened, strict=True) if mark == EVENT
        ),
    )


def _sentences(path: Path) -> list[list[list[str]]]:
    blocks = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    return [[line.split("\t") for line in block.split("\n") if line] for block in blocks if block.strip()]


def _nested(rows: Sequence[Sequence[str]], places: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Each column after the first is a layer of BIO marks."""
    for layer in range(1, max(map(len, rows))):
        marks = [row[layer] if layer < len(row) else "" for row in rows]
        for first, mark in enumerate(marks):
            if mark.startswith("B-"):
                last = first
                while last + 1 < len(marks) and marks[last + 1].startswith("I-"):
                    last += 1
                yield Span(places[first][0], places[last][1], mark[2:])


def prose(sentences: Sequence[Sequence[str]]) -> tuple[str, list[tuple[int, int]]]:
    """The tokens set as running text, and where each of them came to stand."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    at, glued, open_quote = 0, True, False
    for words in sentences:
        for nth, word in enumerate(words):
            closes = word == '"' and _closes(words, nth, open_quote)
            if word == '"':
                open_quote = not closes
            if not (glued or closes or word in DASHES or CLOSING.fullmatch(word) or _apostrophe(words, nth)):
                parts.append(" ")
                at += 1
            places.append((at, at + len(word)))
            parts.append(word)
            at += len(word)
            glued = word in OPENING or word in DASHES or (word == '"' and not closes)
    return "".join(parts), places


def _closes(words: Sequence[str], nth: int, open_quote: bool) -> bool:
    """A straight quotation mark does not say which way it faces; its neighbours mostly do."""
    if nth == 0:
        return open_quote and len(words) == 1
    if nth == len(words) - 1:
        return True
    if words[nth - 1] in ENDS_SPEECH and words[nth + 1][:1].islower():
        return True
    return open_quote


def _apostrophe(words: Sequence[str], nth: int) -> bool:
    """A lone ’ or ' after a word that ends in s, or at the end of a sentence, belongs to what stands before it."""
    return words[nth] in {"'", "’"} and nth > 0 and (words[nth - 1][-1:] in "s,.!?" or nth == len(words) - 1)
