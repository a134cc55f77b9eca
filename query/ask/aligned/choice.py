"""Which offer answers, and how sure that is: all parts of all sentences weighed together, and that none of them answers.

The weights were learned (`training/answers.py`) and stand in `weights.json`; what is not learned is that words asked for by their kind
(a number, an age, a time) must be of that kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from narraworld.query.ask.aligned.offers import Offer
from narraworld.query.ask.from_sentences.tellings import stems_in

__all__ = ["BestOffer", "chosen"]


@dataclass(frozen=True, slots=True)
class BestOffer:
    """The likeliest offer, how likely it and all that say the same are together, the likeliest other, and how likely each sentence
    holds the answer."""

    offer: Offer
    share: float
    other: float
    sentences: Mapping[int, float]


def chosen(offers: Sequence[Offer]) -> BestOffer | None:
    """The offer that answers best; None where there is none."""
    if not offers:
        return None
    likely = likelihoods([one.features for one in offers])
    best = offers[int(np.argmax(likely))]
    same = np.array([says_the_same(one.words, best.words) for one in offers])
    sentences: dict[int, float] = {}
    for one, share in zip(offers, likely, strict=True):
        sentences[one.nth] = sentences.get(one.nth, 0.0) + float(share)
    return BestOffer(best, float(likely[same].sum()), float(likely[~same].max(initial=0.0)), sentences)


def likelihoods(features: Sequence[Mapping[str, float]]) -> np.ndarray:
    """How likely each of them answers, beside that none does."""
    weights = _weights()
    scores = np.array(
        [sum(weights.get(name, 0.0) * value for name, value in one.items()) for one in features]
    )
    top = max(float(scores.max()), 0.0)
    raised = np.exp(scores - top)
    return np.asarray(raised / (raised.sum() + np.exp(-top)))


def says_the_same(one: str, other: str) -> bool:
    """Whether two answers say the same, one of them perhaps in more words."""
    less, more = sorted((stems_in(one), stems_in(other)), key=len)
    return one == other or bool(less and less <= more)


@cache
def _weights() -> dict[str, float]:
    return dict(
        json.loads((files("narraworld.query.ask.aligned") / "weights.json").read_text(encoding="utf-8"))
    )
