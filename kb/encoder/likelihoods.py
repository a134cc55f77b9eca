"""What the encoder finds likely: of sentences beside a question, of the lines of a talk.

The one door to the encoder for the rest of the house; its weights are loaded when the first row is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from narraworld.base.one_thread import one_thread
from narraworld.kb.encoder.pieces import on_answers
from narraworld.kb.encoder.readings import Silence, silence_row, silences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from narraworld.kb.encoder.pieces import PieceRow

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["AnswerLikelihood", "absent", "answering", "log_odds"]

AT_ONCE = (
    8  # rows in one batch: of more, what is reckoned on the way fits no more where it is quickly at hand
)
LONGEST = 14  # pieces of an answer
KEPT = 64  # talks read before


class AnswerLikelihood(NamedTuple):
    """How likely a sentence answers: by some words of it, which stand from ``start`` to ``end``, by a yes or by a no."""

    part: float
    yes: float
    no: float
    start: int
    end: int

    @property
    def any(self) -> float:
        return self.part + self.yes + self.no


def log_odds(share: float, least: float) -> float:
    """A likelihood so that several can be added up; nothing is taken for surer than ``least`` leaves open."""
    share = min(max(share, least), 1 - least)
    return log(share / (1 - share))


def answering(question: str, sentences: Sequence[tuple[str, str]]) -> list[AnswerLikelihood]:
    """Of each sentence, given with the one before it."""
    rows = [on_answers(question, sentence, before) for sentence, before in sentences]
    read = _read(rows, [[0, *sorted(row.characters)] for row in rows])
    return [_answer(row, found) for row, found in zip(rows, read, strict=True)]


def _answer(row: PieceRow, found: Numbers) -> AnswerLikelihood:
    _, part, yes, no = (float(one) for one in _shares("answers", found))
    start, end = _part(row, found)
    return AnswerLikelihood(part, yes, no, start, end)


def _part(row: PieceRow, found: Numbers) -> tuple[int, int]:
    """The characters of the likeliest answer in the sentence."""
    from narraworld.kb.encoder.transformer import transformer

    places = sorted(row.characters)
    if not places:
        return 0, 0
    begins, ends = transformer().head("parts", found[1:]).T
    pairs = ((a, b) for a in range(len(places)) for b in range(a, min(len(places), a + LONGEST)))
    first, last = max(pairs, key=lambda pair: float(begins[pair[0]] + ends[pair[1]]))
    return row.characters[places[first]][0], row.characters[places[last]][1]


@lru_cache(KEPT)
def absent(script: tuple[tuple[tuple[str, ...], str], ...], shortest: int) -> Mapping[Silence, float]:
    """Of each silence of so many lines or more, lines given with their speakers: how likely whoever says nothing is away."""
    there = [one for one in silences(script) if len(one.lines(len(script))) >= shortest]
    found = _read([silence_row(script, one) for one in there], [[0]] * len(there), "absences")
    return {one: float(_shares("absences", each)[1]) for one, each in zip(there, found, strict=True)}


def _shares(head: str, found: Numbers) -> Numbers:
    import numpy as np

    from narraworld.kb.encoder.transformer import transformer

    scores = transformer().head(head, found[0])
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum(), dtype=np.float32)


def _read(rows: Sequence[PieceRow], wanted: Sequence[Sequence[int]], lesson: str = "") -> list[Numbers]:
    """What each row is read as at the places wanted of it."""
    from narraworld.kb.encoder.transformer import transformer

    with one_thread():
        batches = (
            transformer().read(rows[start : start + AT_ONCE], wanted[start : start + AT_ONCE], lesson)
            for start in range(0, len(rows), AT_ONCE)
        )
        return list(chain.from_iterable(batches))
