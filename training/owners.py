"""The table by which the reader tells whom a pronoun means, trained on LitBank's coreference; and its cross-validation.

    python -m training.owners DATA

writes extract/embedded/english/tables/owners.json from all books. The first round follows the gold chains, the others walk
the books with the table's own links and take gold only as label: trained on gold chains alone its probabilities mean
nothing. Fitting is convex and starts from nothing: the same numbers every time.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.extract.embedded.before_telling import trail_through
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.people.ranker import (
    CROSSED,
    FEATURES,
    Chain,
    PronounQuestion,
    RankTable,
    walk,
)
from narraworld.extract.embedded.people.trail import CASES, PersonMention, Trail
from training.coreference import CorefBook, coref_books

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FOLDS", "Lesson", "chain_cluster", "fit", "held_out", "lesson", "main"]

Floats: TypeAlias = "NDArray[np.float64]"
FOLDS = 5  # the book at position p (by name) is measured by the table that never saw books with its p % FOLDS


@dataclass(frozen=True)
class Fitting:
    rounds: int = 3  # the first along the gold chains
    penalty: float = 3.3
    steps: int = 200
    nearest: int = 3  # candidates kept as wrong ones, where none is right


FITTING = Fitting()


@dataclass(frozen=True)
class Lesson:
    """A book with its trail, and the gold cluster of every name and noun on it."""

    book: CorefBook
    trail: Trail
    clusters: dict[int, str]  # where a name or noun begins → whom it means
    persons: dict[int, str]  # somebody of the cast (by `id`) → the cluster most of their names lie in


def lesson(book: CorefBook, trail: Trail | None = None) -> Lesson:
    """A book as the ranker sees it."""
    found = trail or trail_through(book.text)
    called = [one for one in found.mentions if one.sort != "pronoun"]
    clusters = {one.start: cluster for one in called if (cluster := _cluster(book, one)) is not None}
    votes: dict[int, Counter[str]] = {}
    for one in called:
        if one.who is not None and one.start in clusters:
            votes.setdefault(id(one.who), Counter())[clusters[one.start]] += 1
    return Lesson(book, found, clusters, {who: count.most_common(1)[0][0] for who, count in votes.items()})


def _cluster(book: CorefBook, one: PersonMention) -> str | None:
    if one.sort == "name":
        return book.cluster([(one.where.start, one.where.end)])
    return book.around(one.where.start, one.where.end)


def chain_cluster(one: Lesson, chain: Chain) -> str | None:
    """Whom a chain means: of somebody of the cast by all their names, else by the nouns so far."""
    if chain.person is not None:
        return one.persons.get(id(chain.person))
    votes = Counter(one.clusters[each.start] for each in chain.called if each.start in one.clusters)
    return votes.most_common(1)[0][0] if votes else None


# -- fitting


@dataclass
class _Rows:
    """What the walks have shown: a candidate's features to a row, its case, and whether it was the right one."""

    features: list[Floats] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)

    def add(self, question: PronounQuestion, right: Sequence[bool]) -> None:
        kept = len(right) if any(right) else FITTING.nearest
        rows = question.features[:kept]
        self.features.append(rows)
        self.cases += [question.mention.case] * len(rows)
        self.right += right[:kept]


class _Teacher:
    """Judges as the table does, or as gold has it where there is none yet; and notes what was right."""

    def __init__(self, one: Lesson, table: RankTable | None, rows: _Rows) -> None:
        self._lesson, self._table, self._rows = one, table, rows

    def judge(self, question: PronounQuestion) -> Sequence[float]:
        gold = self._lesson.book.pronouns.get(question.mention.start)
        right = [gold is not None and chain_cluster(self._lesson, one) == gold for one in question.chains]
        if gold is not None:
            self._rows.add(question, right)
        if self._table is not None:
            return self._table.judge(question)
        first = right.index(True) if any(right) else -1
        return [float(place == first) for place in range(len(right))]


def fit(lessons: Sequence[Lesson]) -> RankTable:
    """Logistic regression over the candidates of all pronouns, taught on its own links from the second round on."""
    rows, table = _Rows(), None
    for _ in range(FITTING.rounds):
        for one in lessons:
            walk(one.trail, _Teacher(one, table, rows).judge)
        table = _regression(rows)
    assert table is not None
    return table


def _regression(rows: _Rows) -> RankTable:
    from scipy.optimize import minimize

    plain = np.concatenate(rows.features)
    truth = np.array(rows.right, dtype=np.float64)
    crossed = plain[:, [FEATURES.index(name) for name in CROSSED]]
    mine = np.array(rows.cases)[:, None] == np.array(CASES)[None, :]
    wide = np.concatenate([plain, *(crossed * mine[:, [n]] for n in range(len(CASES)))], axis=1)
    scale, middle = wide.std(0) + 1e-6, wide.mean(0)
    scaled = np.column_stack([(wide - middle) / scale, np.ones(len(wide))])

    def loss(weights: Floats) -> tuple[float, Floats]:
        said = scaled @ weights
        guess = 1 / (1 + np.exp(-said))
        likely = np.logaddexp(0, said) - truth * said
        held = np.append(weights[:-1], 0.0)
        return float(likely.sum() + FITTING.penalty / 2 * (held**2).sum()), scaled.T @ (
            guess - truth
        ) + FITTING.penalty * held

    best = minimize(
        loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": FITTING.steps}
    )
    weights = best.x[:-1] / scale
    parts = np.split(weights, [len(FEATURES) + n * len(CROSSED) for n in range(len(CASES))])
    return RankTable(parts[0], dict(zip(CASES, parts[1:], strict=True)), float(best.x[-1] - weights @ middle))


def held_out(lessons: Sequence[Lesson]) -> Iterator[tuple[int, RankTable]]:
    """For each fold the table that was taught without it."""
    for fold in range(FOLDS):
        yield fold, fit([one for place, one in enumerate(lessons) if place % FOLDS != fold])


def main(data: Path) -> None:
    table = fit([lesson(book) for book in coref_books(data / "litbank")])
    (LANGUAGE.tables / "owners.json").write_text(f"{table.write()}\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
