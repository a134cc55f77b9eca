"""He or she: what the items of an answer take somebody for, so that the odd one among them is seen.

An item whose quote begins with he or she says by whom it names as doer or holder which of the two that one is. No list of names and no guess
from the text: what most of the items of a unit agree on is held against the few. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from narraworld.extract.model.schema import AnswerItem, AttitudeItem, EventItem, UnawarenessItem
from narraworld.kb.english import wordmap, wordset

__all__ = ["Sexes", "begins_with", "sexes_told", "speaks_against"]

SUBJECTS = wordmap("names.subjects")
_FORMS = {"male": wordset("names.masculine"), "female": wordset("names.feminine")}
HEAD = 2  # words by which a quote begins with he or she: "Then she"
LEAST, TIMES = 2, 2  # items that must agree, and how many for each that does not

Sexes: TypeAlias = Mapping[tuple[int, str], int]  # how often an entity, by its number, is a he or a she


def sexes_told(items: Iterable[AnswerItem]) -> Sexes:
    """What all items of a unit say together."""
    votes = Counter[tuple[int, str]]()
    for item in items:
        sex, mind = _begun_with(item.quote), _mind(item)
        if sex is not None and mind is not None:
            votes[mind, sex] += 1
    return votes


def speaks_against(sexes: Sexes, item: AnswerItem) -> bool:
    """Whether an item begins with he, and nowhere has she, where most others take the same one for a she; or the reverse."""
    sex, mind = _begun_with(item.quote), _mind(item)
    if sex is None or mind is None:
        return False
    others = {which: count for (who, which), count in sexes.items() if who == mind and which != sex}
    agreed = sum(others.values()) >= max(LEAST, TIMES * sexes.get((mind, sex), 0))
    return agreed and not any(_FORMS[which].intersection(_words(item.quote)) for which in others)


def begins_with(sexes: Sexes, number: int, quote: str) -> bool:
    """Whether a quote begins with he, and not most items take this one for a she; or the same with she."""
    sex = _begun_with(quote)
    others = sum(count for (who, which), count in sexes.items() if who == number and which != sex)
    return sex is not None and sexes.get((number, sex), 0) >= others


def _begun_with(quote: str) -> str | None:
    """Which of he and she stands among the first words of a quote."""
    return next((SUBJECTS[word] for word in _words(quote)[:HEAD] if word in SUBJECTS), None)


def _mind(item: AnswerItem) -> int | None:
    """Who acts or thinks in an item, by number, where that is one; what is learned, kept or attended may stand in a sentence about another."""
    if isinstance(item, (AttitudeItem, UnawarenessItem)):
        return item.holder
    doers = [*item.agent, *item.experiencer] if isinstance(item, EventItem) and not item.is_speech else []
    return doers[0] if len(doers) == 1 else None


def _words(quote: str) -> list[str]:
    return re.findall(r"\w+", quote.casefold())
