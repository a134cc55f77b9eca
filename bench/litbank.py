"""LitBank from raw prose: realis event triggers and entities found by the shipped English weights.

Measured on the books that training never saw (each eighth by name, `training/litbank.py`), in the prose a reader would get.
Our tokens are not LitBank's, so answers are carried over by character offset: a gold token is an event when an answer
touches it, an entity is right when it covers exactly the same gold tokens with the same kind. LitBank nests entities
and we answer flat, so both are told: against every gold mention, and against those that lie in no other.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import narraworld.extract
from bench.frame import Figures, dataset, show
from training.litbank import KINDS, Book, Span, books, is_kept_back, outermost

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["DATA", "PUBLISHED", "Score", "add_options", "answers", "run", "weigh"]

DATA = "litbank"
ENGLISH = Path(narraworld.extract.__file__).parent / "english"
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
    parser.add_argument("--model", type=Path, default=ENGLISH, help="weights to measure (default: those that ship)")


def run(options: argparse.Namespace) -> Figures:
    import spacy

    english = spacy.load(options.model)
    kept = [
        book
        for position, book in enumerate(books(dataset(DATA, options.data)))
        if is_kept_back(position)
    ]
    pairs = [(book, *answers(english, book)) for book in kept]
    events = weigh((_mentions(book, book.events), said) for book, said, _ in pairs)
    nested = weigh((_mentions(book, book.entities), said) for book, _, said in pairs)
    flat = weigh((_mentions(book, outermost(book.entities)), said) for book, _, said in pairs)
    _show(events, nested, flat, kept)
    return _figures(events["all"], nested, flat["all"], kept)


def answers(english: Language, book: Book) -> tuple[set[Mention], set[Mention]]:
    """What the pipeline says happened, and who and where, in one book."""
    doc = english(book.text)
    events = [Span(span.start_char, span.end_char, span.label_) for span in doc.spans.get("events", ())]
    entities = [Span(entity.start_char, entity.end_char, entity.label_) for entity in doc.ents]
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


def _show(
    events: dict[str, Score], nested: dict[str, Score], flat: dict[str, Score], kept: Sequence[Book]
) -> None:
    rows = [_row("events", events["all"], PUBLISHED["events"])]
    rows.append(_row("entities, all mentions", nested["all"], PUBLISHED["entities"]))
    rows.append(_row("entities, outermost", flat["all"]))
    rows.extend(_row(f"  {kind}", nested[kind]) for kind in KINDS if kind in nested)
    title = f"LitBank, raw prose, {len(kept)} books kept out of training"
    show(title, ["", "P", "R", "F1", "gold", "published F1 (BERT)"], rows)


def _row(name: str, score: Score, published: tuple[float, float] | None = None) -> Iterator[object]:
    yield name
    yield from (f"{100 * share:.1f}" for share in (score.precision, score.recall, score.f1))
    yield score.gold
    yield f"{published[0]} ({published[1]})" if published else None


def _figures(event: Score, nested: dict[str, Score], flat: Score, kept: Sequence[Book]) -> Figures:
    return {
        "event_f1": event.f1, "event_precision": event.precision, "event_recall": event.recall,
        "entity_f1": nested["all"].f1, "entity_f1_outermost": flat.f1,
        "entity_f1_by_kind": {kind: nested[kind].f1 for kind in KINDS if kind in nested},
        "published": PUBLISHED, "books": [book.name for book in kept],
    }  # fmt: skip
