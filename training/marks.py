"""The linear marks, trained on LitBank over the parse that ships; and their cross-validation.

    python -m training.marks DATA

writes extract/embedded/english/weights/marks.npz from all books. Fitting is convex and starts from nothing: the same numbers every time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from narraworld.extract.embedded.english import WEIGHTS
from narraworld.extract.embedded.english.features import Clusters, features
from narraworld.extract.embedded.english.marks import FUNCTION_WORDS, KINDS, Marks, probabilities
from training.litbank import Book, books
from training.vectors import brown_clusters

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Span as Piece

__all__ = ["FOLDS", "Fitting", "Lesson", "brown_table", "cross_validated", "fit", "lesson", "main"]

Floats: TypeAlias = "NDArray[np.float64]"
FOLDS = 5  # the book at position p (by name) is measured by the model that never saw books with its p % FOLDS


@dataclass(frozen=True)
class Fitting:
    seen: int = 3  # a feature must occur this often
    penalty: float = 10.0
    rounds: int = 120


FITTING = Fitting()


@dataclass(frozen=True)
class Lesson:
    """A book as the model sees it: features of its content words, and what people marked on them."""

    features: NDArray[np.uint64]
    events: NDArray[np.bool_]
    kinds: NDArray[np.int64]  # 0: heads nothing


def lesson(doc: Doc, book: Book, clusters: Clusters) -> Lesson:
    events = np.zeros(len(doc), dtype=bool)
    kinds = np.zeros(len(doc), dtype=np.int64)
    for start, end, _ in book.events:
        span = _covered(doc, start, end)
        events[span.start : span.end] = True
    for start, end, kind in book.entities:
        kinds[_covered(doc, start, end).root.i] = 1 + KINDS.index(kind)
    content = np.array([token.pos_ not in FUNCTION_WORDS for token in doc])
    return Lesson(features(doc, clusters)[content], events[content], kinds[content])


def _covered(doc: Doc, start: int, end: int) -> Piece:
    found = doc.char_span(start, end, alignment_mode="expand")
    assert found is not None  # labels lie inside their text
    return found


def fit(lessons: Sequence[Lesson], clusters: Clusters, fitting: Fitting = FITTING) -> Marks:
    """Logistic regression for events beside a softmax over kinds, on the same features, by L-BFGS."""
    from scipy.optimize import minimize

    found = np.concatenate([one.features for one in lessons])
    keys, counts = np.unique(found, return_counts=True)
    keys = keys[counts >= fitting.seen]
    rows = _matrix(found, keys)
    truth = np.zeros((len(found), 2 + len(KINDS)))
    truth[:, 0] = np.concatenate([one.events for one in lessons])
    truth[np.arange(len(found)), 1 + np.concatenate([one.kinds for one in lessons])] = 1
    shape = (rows.shape[1], truth.shape[1])

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        event, kind = probabilities(rows @ weights)
        guess = np.column_stack([event, kind])
        likely = np.where(truth == 1, guess, 1.0)
        likely[:, 0] = np.where(truth[:, 0] == 1, event, 1 - event)
        slope = rows.T @ (guess - truth) + fitting.penalty * weights
        return -np.log(likely + 1e-12).sum() + fitting.penalty / 2 * (weights**2).sum(), slope.ravel()

    best = minimize(
        loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": fitting.rounds}
    )
    return Marks(keys, best.x.reshape(shape).astype(np.float32), clusters)


def _matrix(found: NDArray[np.uint64], keys: NDArray[np.uint64]) -> Any:
    """Words by known features, and a last column of ones."""
    from scipy.sparse import csr_matrix

    nearest = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
    known = keys[nearest] == found
    columns = np.column_stack([nearest, np.full(len(found), len(keys))])
    kept = np.column_stack([known, np.ones(len(found), dtype=bool)])
    starts = np.concatenate([[0], np.cumsum(kept.sum(1))])
    return csr_matrix((np.ones(starts[-1]), columns[kept], starts), shape=(len(found), len(keys) + 1))


def brown_table() -> Clusters:
    from spacy.strings import get_string_id

    found = {get_string_id(word): one for word, one in brown_clusters().items() if word == word.lower()}
    keys = np.array(sorted(found), dtype=np.uint64)
    _, numbers = np.unique([found[int(key)] for key in keys], return_inverse=True)
    return Clusters(keys, (1 + numbers).astype(np.uint16))


def cross_validated(lessons: Sequence[Lesson], clusters: Clusters) -> Iterator[tuple[int, Marks]]:
    """For each fold the marks that were taught without it."""
    for fold in range(FOLDS):
        yield fold, fit([one for place, one in enumerate(lessons) if place % FOLDS != fold], clusters)


def lessons(nlp: Language, data: Path, clusters: Clusters) -> list[Lesson]:
    return [lesson(nlp(book.text), book, clusters) for book in books(data / "litbank")]


def main(data: Path) -> None:
    import spacy

    clusters = brown_table()
    fit(lessons(spacy.load(WEIGHTS), data, clusters), clusters).save(WEIGHTS / "marks.npz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
