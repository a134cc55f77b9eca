"""Whom a pronoun before a verb means: by what the reader recorded of its sentence, else whoever was last named and can be meant.

In a speech `he` and `she` are neither who speaks nor who is spoken to. Guesses only between people of the story; decides no truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.from_sentences.deed_questions import deed_table, is_pronoun
from narraworld.query.ask.from_sentences.tellings import Tellings, words_in
from narraworld.query.ask.slots import is_mind
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["Pronouns"]

LIMITS = DEFAULTS.memory.deeds


class Pronouns:
    """The people of one situated world, as its pronouns mean them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tellings = scope.once(Tellings)

    def may_mean(self, meant: frozenset[str], nth: int, before: str) -> bool:
        """Whether the last pronoun of ``before``, which begins a sentence, may well mean one of these."""
        passage = self._tellings.passages[nth]
        speech = self._tellings.speech_at(passage, passage.start + len(before))
        if speech is None and len(doing := self.doing(passage)) == 1:
            return bool(meant & doing)
        talking = (speech.hearers | {str(speech.speaker)}) if speech else frozenset[str]()
        named = list(self._named(nth, before, _other(before)))
        fitting = [symbols for symbols in named if not symbols & talking]
        return bool(fitting) and bool(meant & fitting[-1])

    def doing(self, passage: AdmittedPassage) -> frozenset[str]:
        """Who does something in a sentence, as the reader took it down."""
        agents = (
            str(who)
            for record in passage.rests
            for _, who, role in rows(self._scope.engine, "role", record)
            if role == "agent"
        )
        return frozenset(who for who in agents if is_mind(who, self._scope))

    def _named(self, nth: int, before: str, other: str) -> Iterator[frozenset[str]]:
        """The people named in the sentences before, and so far in this one."""
        unit = self._tellings.passages[nth].unit
        earlier = self._tellings.passages[max(0, nth - LIMITS.pronoun) : nth]
        for text in (*(one.words for one in earlier if one.unit == unit), before):
            for mention in self._scope.mentions.find(text):
                if any(self._may_be(one, other) for one in mention.symbols):
                    yield frozenset(mention.symbols)

    def _may_be(self, entity: str, other: str) -> bool:
        """Whether a pronoun may mean somebody: not whoever has a title of the other sex."""
        return is_mind(entity, self._scope) and not re.match(other, self._scope.names(entity), re.IGNORECASE)


def _other(before: str) -> str:
    """The titles of those whom the last pronoun cannot mean."""
    pronoun = next((word.lower() for word in reversed(words_in(before)) if is_pronoun(word)), "")
    return str(deed_table()["titles"].get(pronoun, "(?!)"))
