"""All parts of the nearest sentences that are of the kind asked for, as offers to answer, each with what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narraworld.query.ask.aligned.alignment import Aligned, Aligner
from narraworld.query.ask.aligned.asked import QuestionPattern, pattern_of, sort_of
from narraworld.query.ask.aligned.candidates import AnswerPart, candidates_of
from narraworld.query.ask.aligned.encoded import ReadSentence, answer_features
from narraworld.query.ask.aligned.fitting import is_of_kind
from narraworld.query.ask.aligned.grammar import Parse, ParsedWord, ParseTree
from narraworld.query.ask.aligned.speaks_for import Beside, Features, features, sentence_features
from narraworld.query.ask.from_sentences.deed_questions import deed_words
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, words_in
from narraworld.query.ask.slots import is_mind

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["Offer", "Offers", "offers"]

NOBODY = frozenset[str]()
PERSONAL = frozenset({"PRP", "PRP$"})


@dataclass(frozen=True, slots=True)
class Offer:
    """A part of a sentence beside the question, its words and where they begin, and what speaks for it."""

    nth: int
    beside: Beside
    candidate: AnswerPart
    words: str
    at: int
    features: Features


@dataclass(frozen=True, slots=True)
class Offers:
    """A question as a pattern, and all that can answer it."""

    pattern: QuestionPattern
    offers: tuple[Offer, ...]


def offers(question: str, read: Sequence[ReadSentence], scope: Scope, parse: Parse) -> Offers | None:
    """What can answer among the nearest sentences, the best first. None where the question is no pattern."""
    tellings = scope.once(Tellings)
    texts = [tellings.passages[one.nth].words for one in read]
    asked, *parsed = parse([question, *texts], _names(scope, [question, *texts]))
    pattern = pattern_of(ParseTree(question, asked)) if asked else None
    if pattern is None or not pattern.parts:
        return None
    offering = _Offering(question, pattern, scope)
    found = list[Offer]()
    for rank, (one, text, words) in enumerate(zip(read, texts, parsed, strict=True)):
        found += offering.of_sentence(one, ParseTree(text, words), rank)
    return Offers(pattern, tuple(found))


class _Offering:
    """One question, and what sentences offer to it."""

    def __init__(self, question: str, pattern: QuestionPattern, scope: Scope) -> None:
        self._scope, self._pattern = scope, pattern
        self._aligner, self._tellings = scope.once(Aligner), scope.once(Tellings)
        self._weights = self._aligner.weights(pattern)
        self._about = self._called(question)

    def of_sentence(self, read: ReadSentence, tree: ParseTree, rank: int) -> Iterator[Offer]:
        """The parts of one sentence that are of the kind asked for."""
        aligned = self._aligner.aligned(self._pattern, read.nth, tree)
        passage = self._tellings.passages[read.nth]
        quoted = self._tellings.speech_at(passage, passage.start + 1) is not None
        beside = Beside(self._pattern, aligned, self._weights)
        about = sentence_features(beside, rank, read.close, quoted) | read.features
        for one in candidates_of(tree):
            person = self._is_person(tree.words[one.head])
            if is_of_kind(self._pattern, tree, one, person):
                yield from self._offer(beside, one, about | answer_features(beside, one, read), person)

    def _offer(self, beside: Beside, one: AnswerPart, about: Features, person: bool) -> Iterator[Offer]:
        """A part with its words: of a pronoun the name of whoever it means. Whoever is asked about is no answer."""
        aligned, tree = beside.aligned, beside.tree
        head, words = tree.words[one.head], tree.words_of(range(one.first, one.last + 1))
        meant = (
            self._meant(aligned, one)
            if head.tag in PERSONAL
            else self._called(words)
            if head.pos == "PROPN"
            else NOBODY
        )
        if head.tag in PERSONAL and not meant:
            return
        known = bool(meant & self._about)
        if known and person and self._pattern.kind in sort_of("of_somebody"):
            return
        told = " and ".join(sorted(map(self._scope.names, meant))) if head.tag in PERSONAL else words
        found = features(beside, one, about, person, known)
        yield Offer(aligned.nth, beside, one, told, tree.words[one.first].start, found)

    def _is_person(self, word: ParsedWord) -> bool:
        """Whether a word is part of somebody's name."""
        called = self._scope.mentions.resolve(word.text) if word.pos == "PROPN" else ()
        return any(is_mind(one, self._scope) for one in called)

    def _called(self, text: str) -> frozenset[str]:
        return frozenset(symbol for mention in self._scope.mentions.find(text) for symbol in mention.symbols)

    def _meant(self, aligned: Aligned, one: AnswerPart) -> frozenset[str]:
        """Whom a pronoun means, where the reader took down who does something there, or who says I."""
        word = aligned.tree.words[one.head]
        if word.text.lower() in deed_words("owners", "self"):
            return self._aligner.saying(aligned.nth, word.start)
        passage = self._tellings.passages[aligned.nth]
        told = self._tellings.speech_at(passage, passage.start + word.start) is None
        doing = self._scope.once(Pronouns).doing(passage) if told and word.dep.startswith("nsubj") else NOBODY
        return doing if len(doing) == 1 else NOBODY


def _names(scope: Scope, texts: Sequence[str]) -> frozenset[str]:
    """The words of names in some texts, as they are written there."""
    found = set[str]()
    for text in texts:
        wanted = {word for mention in scope.mentions.find(text) for word in mention.words.split()}
        parts = {part for word in words_in(text) for part in (word, re.split(r"['’]", word)[0])}
        found |= {part for part in parts if part[:1].isupper() and part.lower() in wanted}
    return frozenset(found)
