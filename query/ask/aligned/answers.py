"""A question answered from the sentence that fits it best, by grammar: given where that is likely enough, and the nearest sentences in
the order in which they may hold the answer.

Never used through a character's eyes. The part that answers is quoted with its sentence; what only somebody says is told as theirs.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.aligned.choice import BestOffer, chosen
from narraworld.query.ask.aligned.encoded import ReadSentence, read_beside
from narraworld.query.ask.aligned.offers import offers
from narraworld.query.ask.aligned.sound import is_sound
from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, answer_at
from narraworld.query.ask.from_sentences.tellings import Tellings, stems_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from narraworld.query.ask.aligned.grammar import Parse
    from narraworld.query.scope import Scope

__all__ = ["AlignedAnswer", "answer_by_alignment"]

LIMITS = DEFAULTS.memory.aligned
LEAST = 1e-3  # a likelihood below which sentences are not told apart


class AlignedAnswer(NamedTuple):
    """What was asked for, the answer if one is likely enough, and all nearest sentences, the likeliest to answer first."""

    asked: str
    found: tuple[DeedAnswer, ...]
    order: tuple[int, ...]


def answer_by_alignment(
    question: str, near: Sequence[tuple[int, float]], scope: Scope, parse: Parse
) -> AlignedAnswer:
    """What the nearest sentences answer; ``near`` has their places in the search and how near each is."""
    read = read_beside(question, near, scope)
    found = offers(question, read[: LIMITS.sentences], scope, parse) if read else None
    choice = chosen(found.offers) if found else None
    if found is None or choice is None:
        return AlignedAnswer("", (), tuple(one.nth for one in read))
    answers = (_told(choice, scope),) if _is_sure(choice) else ()
    return AlignedAnswer(f"{found.pattern.kind}, by the sentence it fits", answers, _order(read, choice))


def _told(choice: BestOffer, scope: Scope) -> DeedAnswer:
    tellings, offer = scope.once(Tellings), choice.offer
    return answer_at(tellings, offer.words, tellings.passages[offer.nth], offer.at)


def _is_sure(choice: BestOffer) -> bool:
    """Whether the answer is likely enough, may stand, and says anything that was not asked."""
    offer = choice.offer
    fresh = stems_in(offer.words) - stems_in(offer.beside.pattern.tree.text)
    return choice.share >= LIMITS.sure and bool(fresh) and is_sound(offer.beside, offer.candidate)


def _order(read: Sequence[ReadSentence], choice: BestOffer) -> tuple[int, ...]:
    """The sentences by what they are worth and how likely they hold the answer, both."""

    def worth(one: ReadSentence) -> float:
        return one.worth + LIMITS.answers * log(choice.sentences.get(one.nth, 0.0) + LEAST)

    return tuple(one.nth for one in sorted(read, key=worth, reverse=True))
