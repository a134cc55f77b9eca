"""LitBank from raw prose: realis event triggers and entities found by the shipped English weights.

The shipped marks are trained on every book here, so by default each book is marked by a model that was trained without it, in
five folds: a book's fold is its place by name, modulo five (some minutes). `--shipped` measures the marks that ship instead: for books
that are not here. Text is the prose a reader would get; thresholds are the shipped ones.
Our tokens are not LitBank's, so answers are carried over by character offset: a gold token is an event when an answer
touches it, an entity is right when it covers exactly the same gold tokens with the same kind. Entities nest, in the gold and
in our answers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bench.frame import Figures, dataset, show
from narraworld.extract.embedded.english import WEIGHTS
from narraworld.extract.embedded.english.marks import KINDS, Marks
from training.litbank import Book, Span, books
from training.marks import FOLDS, cross_validated, lesson

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["DATA", "PUBLISHED", "Score", "add_options", "answers", "run", "weigh"]

DATA = "litbank"
# F1 without and with BERT: Sims, Park and Bamman 2019 (events); Bamman, Popat and Shen 2019 (entities).
PUBLISHED = {"events": (66.9, 73.6), "entities": (68.3, 77.6)}

Mention: TypeAlias = tuple[int, int, str]  # first gold token, last gold token, kind


class Score(NamedTuple):
    right: int = 0
    said: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.said + self.gold) if self.said + self.gold else 0.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shipped", action="store_true", help="measure the shipped marks, on books they never saw"
    )


def run(options: argparse.Namespace) -> Figures:
    import spacy

    english, shipped = spacy.load(WEIGHTS), Marks.load(WEIGHTS / "marks.npz")
    gold = books(dataset(DATA, options.data))
    docs = [english(book.text) for book in gold]
    marked = _marked_by(shipped, docs) if options.shipped else _cross_validated(shipped, gold, docs)
    pairs = [(book, *answers(doc, book)) for book, doc in zip(gold, marked, strict=True)]
    events = weigh((_mentions(book, book.events), said) for book, said, _ in pairs)
    entities = weigh((_mentions(book, book.entities), said) for book, _, said in pairs)
    how = "the shipped marks" if options.shipped else f"{FOLDS}-fold cross-validation"
    _show(events["all"], entities, f"LitBank, raw prose, {len(gold)} books, {how}")
    return _figures(events["all"], entities) | {"books": len(gold), "how": how}


def _marked_by(marks: Marks, docs: Iterable[Doc]) -> list[Doc]:
    return [marks(doc) for doc in docs]


def _cross_validated(shipped: Marks, gold: Sequence[Book], docs: Sequence[Doc]) -> list[Doc]:
    taught = [lesson(doc, book, shipped.clusters) for doc, book in zip(docs, gold, strict=True)]
    for fold, marks in cross_validated(taught, shipped.clusters):
        _marked_by(marks, docs[fold::FOLDS])
    return list(docs)


def answers(doc: Doc, book: Book) -> tuple[set[Mention], set[Mention]]:
    """What the pipeline says happened, and who and where, in one book."""
    events, entities = (
        [Span(span.start_char, span.end_char, span.label_) for span in doc.spans[name]]
        for name in ("events", "entities")
    )
    return _mentions(book, events), _mentions(book, entities)


def _mentions(book: Book, spans: Iterable[Span]) -> set[Mention]:
    """Spans of characters as spans of gold tokens: those that they touch."""
    return {(*_touched(book.tokens, span), span.label) for span in spans}


def _touched(tokens: Sequence[Span], span: Span) -> tuple[int, int]:
    touched = [nth for nth, token in enumerate(tokens) if token.start < span.end and span.start < token.end]
    return touched[0], touched[-1]


def weigh(pairs: Iterable[tuple[set[Mention], set[Mention]]]) -> dict[str, Score]:
    """Scores of each kind, and of all."""
    right, said, gold = Counter[str](), Counter[str](), Counter[str]()
    for truth, answer in pairs:
        for counter, found in ((right, truth & answer), (said, answer), (gold, truth)):
            counter.update(kind for mention in found for kind in (mention[2], "all"))
    return {kind: Score(right[kind], said[kind], gold[kind]) for kind in gold | said}


def _show(events: Score, entities: dict[str, Score], title: str) -> None:
    rows = [_row("events", events, PUBLISHED["events"])]
    rows.append(_row("entities", entities["all"], PUBLISHED["entities"]))
    rows.extend(_row(f"  {kind}", entities[kind]) for kind in KINDS if kind in entities)
    show(title, ["", "P", "R", "F1", "gold", "published F1 (BERT)"], rows)


def _row(name: str, score: Score, published: tuple[float, float] | None = None) -> Iterator[object]:
    yield name
    yield from (f"{100 * share:.1f}" for share in (score.precision, score.recall, score.f1))
    yield score.gold
    yield f"{published[0]} ({published[1]})" if published else None


def _figures(events: Score, entities: dict[str, Score]) -> dict[str, object]:
    return {
        "event_f1": events.f1, "event_precision": events.precision, "event_recall": events.recall,
        "entity_f1": entities["all"].f1,
        "entity_f1_by_kind": {kind: entities[kind].f1 for kind in KINDS if kind in entities},
        "published": PUBLISHED,
    }  # fmt: skip
