"""LitBank's coreference as running text: who is who in 80 excerpts, by character offset (CC BY 4.0).

The tokens are set as prose (`training.litbank.prose`), one unit to a book; LitBank has no paragraphs, so neither has the
prose, and talk is harder to follow than in a manuscript. Reads the data folder; touches no reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from training.litbank import prose

__all__ = ["PRONOUNS", "CorefBook", "GoldMention", "coref_books"]

PRONOUNS = frozenset({"he", "she", "him", "his", "her", "hers", "himself", "herself"})
OVERLAP = 0.3  # of the characters that a name and a gold mention must share
LONGEST = 60  # characters of a gold mention around a noun that does not end it
_PART = re.compile(r"(\()?(\d+)(\))?")


class GoldMention(NamedTuple):
    start: int
    end: int
    cluster: str
    described: bool = False  # people, by a noun


@dataclass(frozen=True)
class CorefBook:
    """One excerpt: its prose, and every mention with the cluster of whom it means."""

    name: str
    text: str
    mentions: tuple[GoldMention, ...]

    @cached_property
    def pronouns(self) -> dict[int, str]:
        """Where each pronoun for a man or a woman begins → whom it means."""
        return {
            one.start: one.cluster
            for one in self.mentions
            if self.text[one.start : one.end].lower() in PRONOUNS
        }

    def cluster(self, phrases: Iterable[tuple[int, int]]) -> str | None:
        """The cluster in which most of these phrases lie: of each the mention with most in common."""
        votes = Counter(found for start, end in phrases if (found := self._nearest(start, end)) is not None)
        return votes.most_common(1)[0][0] if votes else None

    def _nearest(self, start: int, end: int) -> str | None:
        shared = (
            (_shared(start, end, one), one.cluster)
            for one in self.mentions
            if one.start < end and start < one.end
        )
        best = max(shared, default=(0.0, None), key=lambda pair: pair[0])
        return best[1] if best[0] >= OVERLAP else None

    def around(self, start: int, end: int) -> str | None:
        """The cluster of the smallest mention that a noun heads: it ends with the noun, or not far behind."""
        wide = [one for one in self.mentions if one.start <= start and end <= one.end]
        found = [one for one in wide if one.end == end or one.end - one.start < LONGEST]
        return min(found, key=lambda one: (one.end - one.start, one.cluster)).cluster if found else None


def _shared(start: int, end: int, one: GoldMention) -> float:
    return (min(end, one.end) - max(start, one.start)) / (max(end, one.end) - min(start, one.start))


def coref_books(folder: Path) -> list[CorefBook]:
    """All excerpts by name; ``folder`` is LitBank's."""
    tables = folder / "coref" / "tsv"
    return [
        _read(path, _described(tables / f"{path.stem}.ann"))
        for path in sorted((folder / "coref" / "conll").glob("*.conll"))
    ]


def _described(path: Path) -> set[tuple[int, int, int, int]]:
    """First and last token, each with its sentence, of every mention of people by a noun."""
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    rows = (line.split("\t") for line in written.splitlines())
    return {
        (int(row[2]), int(row[3]), int(row[4]), int(row[5]))
        for row in rows
        if row[0] == "MENTION" and row[7:9] == ["PER", "NOM"]
    }


def _read(path: Path, described: set[tuple[int, int, int, int]]) -> CorefBook:
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    sentences, marks = list[list[str]](), list[str]()
    for line in rows:
        cells = line.split("\t")
        if not line.strip():
            sentences.append([])
            continue
        sentences = sentences or [[]]
        sentences[-1].append(cells[3])
        marks.append(cells[-1].strip())
    whole = [one for one in sentences if one]
    text, places = prose(whole)
    firsts = [0, *accumulate(map(len, whole))]
    people = {(firsts[row[0]] + row[1], firsts[row[2]] + row[3]) for row in described}
    found = (
        GoldMention(places[first][0], places[last][1], cluster, (first, last) in people)
        for first, last, cluster in _spans(marks)
    )
    return CorefBook(path.stem.removesuffix("_brat"), text, tuple(found))


def _spans(marks: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """First and last token of every mention; `(7` opens one of cluster 7 and `7)` closes the innermost."""
    opened = list[tuple[str, int]]()
    for place, mark in enumerate(marks):
        for part in _PART.finditer(mark if mark != "_" else ""):
            if part[1]:
                opened.append((part[2], place))
            if part[3]:
                nth = max(n for n, (cluster, _) in enumerate(opened) if cluster == part[2])
                cluster, first = opened.pop(nth)
                yield first, place, cluster
