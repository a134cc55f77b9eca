"""Where the words of a question stand in a sentence: the same word, another form of it, one much like it, or a pronoun for a name.

What stands only in the sentences beside counts less and stands at no place. Guesses; decides no truth.
"""

from __future__ import annotations

from functools import cache
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.aligned.asked import AskedPart, QuestionPattern
from narraworld.query.ask.aligned.grammar import ParseTree
from narraworld.query.ask.from_sentences.by_deeds import alike, joined_in
from narraworld.query.ask.from_sentences.deed_questions import deed_words, verb_stems
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, stems_in
from narraworld.query.memory.index import vectors
from narraworld.query.memory.index.search import Search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.query.scope import Scope

__all__ = ["Aligned", "Aligner", "Met"]

LIMITS = DEFAULTS.memory.aligned
VERB, PERSONAL = "VERB", frozenset({"PRP", "PRP$"})
SMALL = frozenset({"PUNCT", "DET", "ADP", "CCONJ", "PART"})
UNLIKE = frozenset({"PRON", "AUX", "PROPN"})


class Met(NamedTuple):
    """Where a word of the question stands, and how surely; at no place where only its neighbours have it."""

    sure: float
    place: int = -1


NOWHERE = Met(0.0)


class Aligned(NamedTuple):
    """A sentence beside a question: for each part of the question, in its order, where it stands."""

    nth: int
    tree: ParseTree
    met: tuple[Met, ...]


class Aligner:
    """The sentences of one situated world, laid beside questions."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._tellings = scope, scope.once(Tellings)
        self._pronouns = scope.once(Pronouns)
        self._near: dict[str, NDArray[np.float32]] = {}

    def weights(self, pattern: QuestionPattern) -> tuple[float, ...]:
        """What each part of a question weighs: the rarer in this world, the more."""
        return tuple(self._rarity(one.word.text) for one in pattern.parts)

    def aligned(self, pattern: QuestionPattern, nth: int, tree: ParseTree) -> Aligned:
        near = stems_in(" ".join(self._tellings.near(nth, LIMITS.sides)))
        return Aligned(nth, tree, tuple(self._met(one, nth, tree, near) for one in pattern.parts))

    def _rarity(self, word: str) -> float:
        having = self._scope.once(Search).stretches.having(stems_in(word))
        return log(1 + len(having) / (1 + int(having.sum())))

    def _met(self, part: AskedPart, nth: int, tree: ParseTree, near: frozenset[str]) -> Met:
        best = max((self._alike(part, tree, place) for place in range(len(tree.words))), default=NOWHERE)
        if best.sure < LIMITS.enough and part.named:
            best = max(best, self._pronoun(part, nth, tree))
        beside = stems_in(part.word.text) & near and best.sure < LIMITS.beside
        return Met(LIMITS.beside) if beside else best

    def _alike(self, part: AskedPart, tree: ParseTree, place: int) -> Met:
        """How surely a word of the question stands at one place of a sentence."""
        one, other = part.word, tree.words[place]
        if other.pos in SMALL:
            return NOWHERE
        small, said = one.lemma.lower(), other.lemma.lower()
        if stems_in(one.text) & stems_in(other.text) or (small == said and stems_in(said)):
            return Met(1.0, place)
        if VERB in (one.pos, other.pos) and verb_stems(one.text) & verb_stems(other.text):
            return Met(LIMITS.form, place)
        if (other.pos == VERB and verb_stems(other.text) & _alike_stems(small)) or joined_in(
            small, other.text
        ):
            return Met(LIMITS.like, place)
        if part.named or other.pos in UNLIKE:
            return NOWHERE
        close = float(self._vector(small) @ self._vector(said))
        return Met(LIMITS.close * close, place) if close > LIMITS.closest else NOWHERE

    def _vector(self, word: str) -> NDArray[np.float32]:
        if word not in self._near:
            self._near[word] = vectors.embed([word])[0]
        return self._near[word]

    def _pronoun(self, part: AskedPart, nth: int, tree: ParseTree) -> Met:
        """A pronoun of the sentence that may well mean whoever is named."""
        meant = frozenset(self._scope.mentions.resolve(part.word.text))
        places = (place for place, word in enumerate(tree.words) if word.tag in PERSONAL)
        return next(
            (met for place in places if meant and (met := self._meaning(meant, nth, tree, place)).sure),
            NOWHERE,
        )

    def _meaning(self, meant: frozenset[str], nth: int, tree: ParseTree, place: int) -> Met:
        word = tree.words[place]
        if word.text.lower() in deed_words("owners", "self"):
            return Met(LIMITS.myself, place) if meant & self.saying(nth, word.start) else NOWHERE
        return (
            Met(LIMITS.pronoun, place)
            if self._pronouns.may_mean(meant, nth, tree.text[: word.end])
            else NOWHERE
        )

    def saying(self, nth: int, at: int) -> frozenset[str]:
        """Who says I at a place of a sentence: whoever speaks there, else whoever tells the story."""
        passage = self._tellings.passages[nth]
        speech = self._tellings.speech_at(passage, passage.start + at)
        if speech is None:
            return self._tellings.narrator
        return frozenset({speech.speaker} if speech.speaker else ())


@cache
def _alike_stems(verb: str) -> frozenset[str]:
    return frozenset(stem for other in alike(verb) for stem in verb_stems(other))
