"""Marks on a parsed text: which words tell what really happens, and which stand for people and places.

A linear model over the templates of `features.py`, trained on LitBank (see ATTRIBUTION.md). An event is one word; an entity
is found by its head word, and its extent is read off the parse, so that one may lie in another. Results are
`doc.spans["events"]` (label EVENT) and `doc.spans["entities"]` (labels PER, FAC, GPE, LOC, VEH, ORG); `doc.ents` has the
outermost entities. Never changes the parse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from narraworld.base.settings import DEFAULTS, MarkSettings
from narraworld.extract.embedded.english.features import Clusters, features, mark_words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.tokens import Doc, Token

__all__ = ["EVENT", "KINDS", "MarkSettings", "Marks", "extent", "probabilities"]

Floats: TypeAlias = "NDArray[np.float32]"

EVENT = "EVENT"
KINDS = ("PER", "FAC", "GPE", "LOC", "VEH", "ORG")
FUNCTION_WORDS = ("PUNCT", "SPACE", "SYM", "CCONJ", "SCONJ", "PART", "ADP", "INTJ")
BEFORE = frozenset({"det", "det:predet", "amod", "compound", "nummod", "nmod:poss", "nmod", "flat"})
AFTER = frozenset({"flat"})
OF = "of"


@dataclass(frozen=True)
class Marks:
    """The trained model: sorted features, and for each its weight for an event and for each kind of entity."""

    keys: NDArray[np.uint64]
    weights: NDArray[Any]  # one row for each key and a last one, which every word has
    clusters: Clusters
    settings: MarkSettings = DEFAULTS.embedded.marks

    @classmethod
    def load(cls, path: Path) -> Marks:
        with np.load(path, allow_pickle=False) as stored:
            clusters = Clusters(stored["spellings"], stored["clusters"])
            return cls(stored["keys"], stored["weights"].astype(np.float32), clusters)

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, keys=self.keys, weights=self.weights.astype(np.float16),
            spellings=self.clusters.keys, clusters=self.clusters.numbers,
        )  # fmt: skip

    def __call__(self, doc: Doc) -> Doc:
        """Marks the text and returns it: the shape of a spaCy component."""
        from spacy.tokens import Span
        from spacy.util import filter_spans

        events, kinds = self.judge(doc)
        doc.spans["events"] = [Span(doc, token.i, token.i + 1, EVENT) for token in doc if events[token.i]]
        doc.spans["entities"] = list(_entities(doc, kinds))
        doc.ents = filter_spans(doc.spans["entities"])
        return doc

    def judge(self, doc: Doc) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """For each word: is it an event, and which kind of entity does it head (-1: none)."""
        event, kind = probabilities(self.scores(doc))
        content = np.array([token.pos_ not in FUNCTION_WORDS for token in doc], dtype=bool)
        real = np.ones(len(doc), dtype=bool)
        real[
            [
                token.head.i
                for token in doc
                if token.dep_ in {"aux", "mark"} and token.lower_ in mark_words("unreal")
            ]
        ] = False
        sure = content & (1 - kind[:, 0] >= self.settings.entity)
        return content & real & (event >= self.settings.event), np.where(sure, kind[:, 1:].argmax(1), -1)

    def scores(self, doc: Doc) -> Floats:
        total = np.tile(self.weights[-1], (len(doc), 1))
        for found in features(
            doc, self.clusters
        ).T:  # one template at a time: a long text must not fill the memory
            nearest = np.minimum(np.searchsorted(self.keys, found), len(self.keys) - 1)
            total += self.weights[nearest] * (self.keys[nearest] == found)[:, None]
        return total


def probabilities(scores: Floats) -> tuple[Floats, Floats]:
    """Of being an event; and of heading nothing, or an entity of each kind."""
    event = np.asarray(1 / (1 + np.exp(-scores[:, 0])), dtype=scores.dtype)
    grown = np.exp(scores[:, 1:] - scores[:, 1:].max(1, keepdims=True))
    return event, grown / grown.sum(1, keepdims=True)


def _entities(doc: Doc, kinds: NDArray[np.int64]) -> Iterator[Any]:
    from spacy.tokens import Span

    for place in np.flatnonzero(kinds >= 0):
        first, last = extent(doc[int(place)])
        yield Span(doc, first, last + 1, KINDS[kinds[place]])


def extent(head: Token) -> tuple[int, int]:
    """The first and last word of the mention with this head."""
    first = last = head.i
    for child in head.children:
        if child.i < head.i and child.dep_ in BEFORE:
            first = min(first, child.left_edge.i)
        elif child.i > head.i and (child.dep_ in AFTER or _is_of_phrase(child)):
            last = max(last, child.right_edge.i)
    return first, last


def _is_of_phrase(child: Token) -> bool:
    return child.dep_ == "nmod" and any(word.lower_ == OF for word in child.children)
