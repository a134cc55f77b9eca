"""How much a record is worth to a request: several opinions, one number. Weights are data, not code.

Pure arithmetic over arrays that run parallel to the records of a search; touches no engine and no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.kb.search.inverted_index import Bm25
from narraworld.query.memory.neighbours import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["Weights", "connected", "fused", "scaled"]


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much. Round numbers, chosen once on three LoCoMo conversations; all of them can be changed."""

    word: float = 0.5  # shares a rare word with the request
    meaning: float = 0.5  # says something alike in other words
    holder: float = 0.2  # said, done or held by somebody the request is about
    name: float = 0.1  # names somebody or something the request is about
    evidence: float = 0.3  # another record that quotes the same words is good
    scene: float = 0.3  # the scene is good
    before: float = 0.1  # what stands just before is good: an answer follows its question
    after: float = 0.05
    focal: float = 0.25  # on the mind of a focal character
    goal: float = 0.6  # answers a rule query of a need
    linked: float = 0.5  # is cause, thread or part of something good, as a share of its worth
    bm25: Bm25 = field(default_factory=Bm25)


def scaled(scores: Numbers) -> Numbers:
    """The same order between 0 and 1; all zero stays so."""
    top = float(scores.max(initial=0.0))
    return (scores / top).astype(np.float32) if top > 0 else scores


def fused(word: Numbers, meaning: Numbers, weights: Weights) -> Numbers:
    """One opinion out of two."""
    return np.asarray(weights.word * scaled(word) + weights.meaning * scaled(meaning), dtype=np.float32)


def connected(scores: Numbers, layout: Layout, weights: Weights) -> Numbers:
    """Scores with what each document owes to its company: same words, scene, what stands before and after."""
    places = layout.best(scores)
    company = (
        weights.evidence * places
        + weights.scene * layout.around(places)
        + weights.before * layout.before(places)
        + weights.after * layout.after(places)
    )
    return np.asarray(scores + layout.spread(company), dtype=np.float32)
