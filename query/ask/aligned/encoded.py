"""The nearest sentences read beside a question by the small encoder: how likely each answers it, and the order that follows from that and
from how near they are. A likelihood, no answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.encoder.likelihoods import AnswerLikelihood, answering, log_odds
from narraworld.query.ask.from_sentences.tellings import Tellings

if TYPE_CHECKING:
    from narraworld.query.ask.aligned.candidates import AnswerPart
    from narraworld.query.ask.aligned.speaks_for import Beside
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["ReadSentence", "answer_features", "read_beside"]

LIMITS = DEFAULTS.memory.aligned
SCALE = 4.0  # of the odds as a feature: the weights were learned with it


class ReadSentence(NamedTuple):
    """A sentence by its place in the search: how near it is, how likely it answers, and what both together are worth."""

    nth: int
    close: float
    answers: AnswerLikelihood | None
    worth: float

    @property
    def features(self) -> dict[str, float]:
        """What the encoder says for the sentence as a whole."""
        if self.answers is None:
            return {}
        return {"odds": log_odds(self.answers.any, LIMITS.least) / SCALE, "answers": self.answers.any}


def read_beside(question: str, near: Sequence[tuple[int, float]], scope: Scope) -> list[ReadSentence]:
    """All of them, the first of them read by the encoder and put in the order of what they are worth."""
    passages = scope.once(Tellings).passages
    read, rest = near[: LIMITS.read], near[LIMITS.read :]
    top = max((close for _, close in near), default=0.0) or 1.0
    texts = [(passages[nth].words, _before(passages, nth)) for nth, _ in read]
    found = [
        ReadSentence(nth, close, one, close / top + LIMITS.encoder * log_odds(one.any, LIMITS.least))
        for (nth, close), one in zip(read, answering(question, texts), strict=True)
    ]
    found.sort(key=lambda one: one.worth, reverse=True)
    return found + [ReadSentence(nth, close, None, close / top - 1) for nth, close in rest]


def answer_features(beside: Beside, one: AnswerPart, read: ReadSentence) -> dict[str, float]:
    """What the encoder says for a part of a sentence: how far it is what the encoder takes for the answer, and how sure that is."""
    if read.answers is None:
        return {}
    words, answers = beside.tree.words, read.answers
    start, end = words[one.first].start, words[one.last].end
    shared = max(0, min(end, answers.end) - max(start, answers.start))
    alike = 2 * shared / ((end - start) + (answers.end - answers.start) or 1)
    return {
        "alike": alike,
        "alike and likely": alike * answers.part,
        "beside it": float(shared == 0) * answers.part,
        f"alike {beside.pattern.kind}": alike * answers.part,
    }


def _before(passages: Sequence[AdmittedPassage], nth: int) -> str:
    """The sentence before, of the same unit."""
    return passages[nth - 1].words if nth and passages[nth - 1].unit == passages[nth].unit else ""
