"""What speaks how much for a part of a sentence as the answer to a question: learned from questions with their answers.

python -m training.answers DATA KEPT     # writes query/ask/aligned/weights.json; DATA as in NARRAWORLD_DATA, KEPT worlds already read

FairytaleQA (dev) and the open manuscripts. Every part of the nearest sentences is an offer; those that say what the key says, where the
key says it, are right, and where there is none, no answer is. A logistic choice over all offers of a question together and over
nothing, fitted by L-BFGS: the same weights every time.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.memory import fairytale, questions
from bench.memory.read_worlds import read_world
from narraworld.extract.sources import read_sources
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.aligned.encoded import read_beside
from narraworld.query.ask.aligned.offers import offers
from narraworld.query.ask.found import passages_by_nearness
from narraworld.query.ask.from_sentences.tellings import Tellings
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.reading.with_embedded import parsed

__all__ = ["main"]

OUT = Path(__file__).parents[1] / "query" / "ask" / "aligned" / "weights.json"
OPEN = ("manuscripts", "questions/manuscripts", "unseen/manuscripts", "fresh/open")


@dataclass(frozen=True)
class Course:
    sentences: int = 14
    right: float = 0.5  # F1 of stems with an answer of the key
    nearly: float = 0.34  # of the best, where none is right
    seen: int = 4  # questions in which a feature must occur
    penalty: float = 2.0
    rounds: int = 80
    least: float = 0.01  # a weight below it is left out


@dataclass
class Lesson:
    """A question's offers by the numbers of their features, and which of them are right."""

    names: list[np.ndarray]
    values: list[np.ndarray]
    right: np.ndarray


class Vocabulary(dict[str, int]):
    def number(self, name: str) -> int:
        return self.setdefault(name, len(self))


Located = Callable[[Any], bool]


def _lesson(
    scope: Scope, text: str, answers: Sequence[str], located: Located, known: Vocabulary, course: Course
) -> Lesson | None:
    read = read_beside(text, list(passages_by_nearness(text, scope)), scope)[: course.sentences]
    found = offers(text, read, scope, parsed) if read else None
    if found is None or not found.offers:  # nothing to choose from teaches nothing
        return None
    passages = scope.once(Tellings).passages
    names, values, alike = [], [], []
    for one in found.offers:
        some = [(known.number(name), value) for name, value in one.features.items() if value]
        names.append(np.array([name for name, _ in some], dtype=np.int32))
        values.append(np.array([value for _, value in some], dtype=np.float32))
        said = analyse(one.words) if located(passages[one.nth]) else ()
        alike.append(max((_f1(said, analyse(answer)) for answer in answers), default=0.0))
    best = max(alike)
    floor = course.right if best >= course.right else best if best >= course.nearly else 2.0
    return Lesson(names, values, np.array([share >= floor for share in alike]))


def _f1(one: Sequence[str], other: Sequence[str]) -> float:
    common = len(set(one) & set(other))
    return 2 * common / (len(set(one)) + len(set(other))) if common else 0.0


# -- the questions


def _manuscripts(folder: Path, kept: Path, known: Vocabulary, course: Course) -> Iterator[Lesson | None]:
    for path in sorted(folder.glob("*/questions.toml")):
        pieces = read_sources(sorted((path.parent / "clean").glob("*.md")))
        texts = {piece.unit.id: piece.unit.text for piece in pieces}
        with read_world(pieces, kept / path.parent.name) as world:
            scope = world.scope(Situation.questioner())
            for asked in questions.keys_of(path, texts):
                answers = [asked.answer] if asked.answerable else []
                yield _lesson(scope, asked.text, answers, _in_places(asked.places), known, course)


def _in_places(places: Sequence[tuple[str, int, int]]) -> Located:
    return lambda one: any(
        one.unit == unit and one.start < end and start < one.end for unit, start, end in places
    )


def _tales(folder: Path, kept: Path, known: Vocabulary, course: Course) -> Iterator[Lesson | None]:
    for tale in fairytale.tales_of(folder):
        rows = {row["question"]: row for row in _rows(folder / "questions" / f"{tale.name}-questions.csv")}
        with read_world(fairytale.pieces_of(tale), kept / tale.name) as world:
            scope = world.scope()
            for asked in tale.asked:
                answers = [
                    text for name, text in rows[asked.text].items() if name.startswith("answer") and text
                ]
                yield _lesson(scope, asked.text, answers, _in_sections(asked.sections), known, course)


def _in_sections(sections: frozenset[str]) -> Located:
    return lambda one: str(int(one.unit.removeprefix("s"))) in sections


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# -- the fitting


def _fitted(lessons: Sequence[Lesson], known: Vocabulary, course: Course) -> dict[str, float]:
    from scipy import sparse
    from scipy.optimize import minimize

    kept = _kept(lessons, known, course)
    starts = np.cumsum([0, *(len(one.right) for one in lessons)])
    column = np.concatenate([kept[names] for one in lessons for names in one.names])
    value = np.concatenate([values for one in lessons for values in one.values])
    row = np.repeat(np.arange(starts[-1]), [len(names) for one in lessons for names in one.names])
    there = column >= 0
    offered = sparse.csr_matrix(
        (value[there], (row[there], column[there])), shape=(starts[-1], kept.max() + 1)
    )
    right = np.concatenate([one.right for one in lessons])
    of = np.repeat(np.arange(len(lessons)), np.diff(starts))

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = offered @ weights
        top = np.maximum(np.maximum.reduceat(scores, starts[:-1]), 0.0)
        raised = np.exp(scores - top[of])
        whole = np.add.reduceat(raised, starts[:-1]) + np.exp(-top)
        share, none = raised / whole[of], np.exp(-top) / whole
        good = np.add.reduceat(np.where(right, share, 0), starts[:-1])
        some = np.add.reduceat(right.astype(int), starts[:-1]) > 0
        wanted = np.maximum(np.where(some, good, none), 1e-9)
        slope = share - np.where(right, share / np.maximum(good, 1e-9)[of], 0)
        return -np.log(
            wanted
        ).sum() + course.penalty * weights @ weights, offered.T @ slope + 2 * course.penalty * weights

    found = minimize(
        loss, np.zeros(kept.max() + 1), jac=True, method="L-BFGS-B", options={"maxiter": course.rounds}
    )
    by_name = {name: float(found.x[kept[number]]) for name, number in known.items() if kept[number] >= 0}
    return {name: round(weight, 3) for name, weight in sorted(by_name.items()) if abs(weight) >= course.least}


def _kept(lessons: Sequence[Lesson], known: Vocabulary, course: Course) -> np.ndarray:
    """The column of each feature that occurs often enough; -1 for the others."""
    seen = np.zeros(len(known), dtype=int)
    for one in lessons:
        seen[np.unique(np.concatenate(one.names))] += 1
    enough = seen >= course.seen
    return np.where(enough, np.cumsum(enough) - 1, -1)


def main(data: Path, kept: Path, course: Course | None = None) -> None:
    chosen, known = course or Course(), Vocabulary()
    found = [*_tales(data / "fairytaleqa", kept / "tales", known, chosen)]
    ours = Path(__file__).parents[1] / "bench" / "data"
    for folder in (data / "manuscripts", *(ours / name for name in OPEN)):
        found += _manuscripts(folder, kept / folder.parent.name / folder.name, known, chosen)
    weights = _fitted([one for one in found if one is not None], known, chosen)
    OUT.write_text(json.dumps(weights, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
