"""Yes or no from what the recorded sentences tell: the deed as it was asked, done or not; or the same question, put and answered in the story.

Every word of the question stands in the sentence that tells it, and no other sentence says the opposite: a deed that
only seems alike decides nothing. Never used through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import takewhile
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, Deeds, stems_in, stems_near
from narraworld.query.ask.from_sentences.deed_questions import DeedQuestion, deed_words, whether_questions
from narraworld.query.ask.from_sentences.tellings import (
    SpokenPart,
    Tellings,
    ToldDeed,
    asked_in,
    clause_before,
    is_denied,
    words_in,
)

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["verdicts"]

LIMITS = DEFAULTS.memory.deeds


def verdicts(question: str, scope: Scope) -> list[tuple[bool, DeedAnswer]]:
    """Yes or no with the sentence that says so; nothing where sentences disagree."""
    judge = scope.once(Verdicts)
    for asked in whether_questions(question):
        found = list(judge.told(asked)) or list(judge.replied(asked))
        if found and len({yes for yes, _ in found}) == 1:
            return found[: LIMITS.most]
    return []


class Verdicts:
    """The recorded sentences of one situated world, as they say yes or no."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._deeds, self._tellings = scope, scope.once(Deeds), scope.once(Tellings)

    def told(self, asked: DeedQuestion) -> Iterator[tuple[bool, DeedAnswer]]:
        """What the sentences say that have the verb, whoever did it, and all else that was asked."""
        for told in self._deeds.about(asked):
            denied = told.denied or is_denied(clause_before(told.before))
            if (denied or not told.supposed or asked.modal) and self._all_said(asked, told):
                yes = denied == asked.negated
                yield yes, DeedAnswer(_word(yes), told.passage, told.records, told.speaker)

    def _all_said(self, asked: DeedQuestion, told: ToldDeed) -> bool:
        said = self._deeds.said(told)
        wanted = stems_in(" ".join((*asked.besides.objects, *asked.besides.beside, *asked.besides.times)))
        return wanted <= said

    def replied(self, asked: DeedQuestion) -> Iterator[tuple[bool, DeedAnswer]]:
        """Somebody asks it in the story, with the same verb, and is answered by yes or no."""
        wanted = stems_in(" ".join((*asked.subject, asked.verb, *asked.rest)))
        for nth, passage in enumerate(self._tellings.passages):
            said = stems_in(asked_in(passage.words))
            if stems_in(asked.verb) <= said and wanted <= self._heard(nth):
                yield from self._reply(nth, stems_in(" ".join(asked.subject)))

    def _heard(self, nth: int) -> set[str]:
        """The words said near a question, and the names of those who talk."""
        near = set(stems_near(self._tellings, nth, LIMITS.patience))
        return near.union(*map(self._named, self._talking(nth)))

    def _talking(self, nth: int) -> tuple[str, ...]:
        speech = self._asked_by(nth)
        return tuple(filter(None, (*speech.hearers, speech.speaker))) if speech else ()

    def _asked_by(self, nth: int) -> SpokenPart | None:
        passage = self._tellings.passages[nth]
        return self._tellings.speech_at(passage, passage.start + 1)

    def _named(self, who: str) -> set[str]:
        return set(stems_in(self._scope.names(who)))

    def _reply(self, nth: int, subject: AbstractSet[str]) -> Iterator[tuple[bool, DeedAnswer]]:
        """What the next to speak answers, where the question is about whoever we are asked of."""
        asking, speech = self._tellings.passages[nth], self._asked_by(nth)
        after = self._tellings.passages[nth + 1 : nth + 1 + LIMITS.patience]
        for one in takewhile(lambda one: one.unit == asking.unit, after):
            if asked_in(one.words):
                return  # which is what is answered then
            reply = self._tellings.speech_at(one, one.start + 1)
            if reply is None or not reply.speaker or (speech and speech.speaker == reply.speaker):
                continue
            yes = _yes_or_no(one.words)
            if yes is not None and self._is_about(subject, nth, reply.speaker):
                yield yes, DeedAnswer(_word(yes), one, (reply.record,), reply.speaker)
            return

    def _is_about(self, subject: AbstractSet[str], nth: int, replying: str) -> bool:
        """`Have you read it?` is about whoever was asked, and theirs to answer; `Has she?` about none of the two who talk."""
        asking = asked_in(self._tellings.passages[nth].words)
        words = {word.lower() for word in words_in(asking)}
        if words & deed_words("verdict", "you"):
            speech = self._asked_by(nth)
            to = speech.hearers if speech else ()
            return subject <= self._named(replying) and (not to or replying in to)
        talking = {*self._talking(nth), replying}
        another = words & deed_words("verdict", "they") and not any(
            subject <= self._named(who) for who in talking
        )
        return subject <= stems_in(asking) or bool(another)


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


def _yes_or_no(words: str) -> bool | None:
    """How a reply begins, if it begins so."""
    first = (words_in(re.sub(r"^\W+", "", words)) or [""])[0].lower()
    if first in deed_words("verdict", "no"):
        return False
    return True if first in deed_words("verdict", "yes") else None
