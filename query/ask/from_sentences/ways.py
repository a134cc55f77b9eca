"""The ways to answer a question from recorded sentences, the surest first: yes or no, of a deed, by wording, by the kind of words asked for.

Never used through a character's eyes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, answers_by_deeds
from narraworld.query.ask.from_sentences.by_kind import answers_by_kind
from narraworld.query.ask.from_sentences.by_verdict import verdicts
from narraworld.query.ask.from_sentences.by_wording import answers_by_wording

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["InSentences", "answers_in_sentences"]

WAYS = (answers_by_deeds, answers_by_wording, answers_by_kind)


class InSentences(NamedTuple):
    """What was asked for, the answers, and yes or no where that was asked."""

    asked: str
    found: list[DeedAnswer]
    verdict: bool | None = None


def answers_in_sentences(question: str, scope: Scope) -> InSentences | None:
    """The answers of the first way that has any."""
    if judged := verdicts(question, scope):
        return InSentences("whether, of a deed", [one for _, one in judged], judged[0][0])
    for way in WAYS:
        asked, found = way(question, scope)
        if found:
            return InSentences(asked, found)
    return None
