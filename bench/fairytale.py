"""FairytaleQA: which section of all the tales answers the question, first guess, against BM25 on sections.

Sections and their sentences are documents of our index. A section is as good as it is itself and as its best sentence, by
words (with irregular forms known) and by meaning. Weights are three round numbers, chosen on the tales of this half by looking
at a handful of combinations; nothing was trained.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bench.frame import Figures, dataset, show
from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.query.memory import vectors as semantic
from narraworld.query.memory.ranking import scaled, telling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["add_options", "run"]

DATA = "fairytaleqa"
WHOLE, SENTENCE, MEANING = 1.0, 0.5, 0.3
PLAIN = Bm25(k1=1.2, b=0.75, boosts={"words": 1.0})
OURS = Bm25(boosts={"words": 1.0})
_END = re.compile(r"(?<=[.!?;\"”])\s+")
SHORTEST = 15  # characters of a sentence worth comparing


@dataclass(frozen=True, slots=True)
class Section:
    tale: str
    number: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    tale: str
    sections: frozenset[str]
    text: str


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, help="ask only so many questions")


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    sections, asked = list(_sections(folder)), list(_questions(folder))[: options.limit]
    library = _Library(sections)
    scores = {
        "ours": [library.ours(one.text) for one in asked],
        "bm25": [library.bm25(one.text) for one in asked],
    }
    tales = np.array([section.tale for section in sections])
    hits = {name: _hits(found, asked, sections, tales) for name, found in scores.items()}
    show(
        f"FairytaleQA: the right section at the first guess, {len(asked)} questions",
        ["", "among all tales", "within the tale"],
        [[name, *(f"{100 * share:.1f}" for share in several)] for name, several in hits.items()],
    )
    return {
        "hit1": hits["ours"][0], "bm25": hits["bm25"][0], "margin": hits["ours"][0] - hits["bm25"][0],
        "hit1_in_tale": hits["ours"][1], "bm25_in_tale": hits["bm25"][1], "questions": len(asked),
    }  # fmt: skip


def _sections(folder: Path) -> Iterator[Section]:
    for path in sorted((folder / "section-stories").glob("*.csv")):
        for row in _rows(path):
            yield Section(_tale(path), row["section"].strip(), " ".join(row["text"].split()))


def _questions(folder: Path) -> Iterator[Asked]:
    for path in sorted((folder / "questions").glob("*.csv")):
        for row in _rows(path):
            yield Asked(_tale(path), frozenset(re.findall(r"\d+", row["cor_section"])), row["question"])


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _tale(path: Path) -> str:
    return re.sub(r"-(story|section|questions)$", "", path.stem)


class _Library:
    """All sections, whole and by sentence."""

    def __init__(self, sections: Sequence[Section]) -> None:
        parts = [
            (nth, text)
            for nth, section in enumerate(sections)
            for text in _END.split(section.text)
            if len(text) > SHORTEST
        ]
        self._many = len(sections)
        self._whole = _index([section.text for section in sections])
        self._parts = _index([text for _, text in parts])
        self._owner = np.array([nth for nth, _ in parts], dtype=np.int64)
        self._vectors = semantic.embed([text for _, text in parts])

    def bm25(self, question: str) -> Numbers:
        return self._whole.scores(question, bm25=PLAIN)

    def ours(self, question: str) -> Numbers:
        words = telling(question)
        near = np.maximum(self._vectors @ semantic.embed([question, words]).sum(axis=0), 0.0).astype(
            np.float32
        )
        return np.asarray(
            WHOLE * scaled(self._whole.scores(words, bm25=OURS))
            + SENTENCE * scaled(self._best(self._parts.scores(words, bm25=OURS)))
            + MEANING * scaled(self._best(near)),
            dtype=np.float32,
        )

    def _best(self, parts: Numbers) -> Numbers:
        """Of each section, its best sentence."""
        found = np.zeros(self._many, dtype=np.float32)
        np.maximum.at(found, self._owner, parts)
        return found


def _index(texts: Sequence[str]) -> LexicalIndex:
    index = LexicalIndex()
    index.update(Document(str(nth), "all", "", "text", text) for nth, text in enumerate(texts))
    return index


def _hits(
    scores: Sequence[Numbers], asked: Sequence[Asked], sections: Sequence[Section], tales: NDArray[np.str_]
) -> tuple[float, float]:
    """The share of right first guesses, among all tales and within the one asked about."""
    among = within = 0
    for one, found in zip(asked, scores, strict=True):
        first = sections[int(np.argmax(found))]
        among += first.tale == one.tale and first.number in one.sections
        own = sections[int(np.argmax(np.where(tales == one.tale, found, -1.0)))]
        within += own.number in one.sections
    return among / len(asked), within / len(asked)
