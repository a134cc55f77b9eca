"""Who somebody's kin or kind is, what it is called, and who has a thing, by how a sentence names them: `her brother Ilya`, `Mara has it`.

The sentence must say whose it is: by name, by a pronoun that may well mean them, or as the speaker's own. Shapes stand in
`deeds.toml`. Never used through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, answer_at, stems_in, stems_near
from narraworld.query.ask.from_sentences.deed_questions import deed_table, deed_words
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, is_question, words_in
from narraworld.query.ask.slots import is_mind

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["Belongings"]

Scored = tuple[tuple[float, ...], DeedAnswer]
LIMITS = DEFAULTS.memory.deeds


class Belongings:
    """The recorded sentences of one situated world, as they say whose somebody or something is."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._tellings, self._pronouns = scope, scope.once(Tellings), scope.once(Pronouns)

    def related(self, question: str) -> Iterator[Scored]:
        """`Who is Mara's brother?`, `What is the dog called?`"""
        asked = _match("asked", question)
        if asked is None or not (noun := asked["noun"].lower()).islower():
            return
        owner = (asked["owner"] or asked["of"] or "").strip()
        beside = stems_in(asked.groupdict().get("beside") or "")
        for nth, passage in self._told():
            here = beside <= self._tellings.stems_of(passage.unit)
            for rank, found in _named(passage.words, noun) if here else ():
                name = found["name"].strip()
                if not stems_in(name) & stems_in(owner) and self.belongs(owner, nth, found.start("noun")):
                    yield (float(-rank),), answer_at(self._tellings, name, passage, found.start())

    def described(self, question: str) -> Iterator[Scored]:
        """`Who is the manager of the lido?`: whoever a sentence calls so by name, with the rest of the question near."""
        asked = _match("described", question)
        if asked is None:
            return
        rest = stems_in(f"{asked['more'] or ''} {asked['kind'] or ''}")
        for nth, passage in self._told():
            found = _described(asked["noun"].lower()).finditer(passage.words)
            for one in found if rest <= stems_near(self._tellings, nth) else ():
                name = one["before"] or one["after"] or one["apart"]
                if self._is_person(name) and not stems_in(name) & rest:
                    score = (float(len(rest & stems_in(passage.words))),)
                    yield score, answer_at(self._tellings, name, passage, one.start())

    def holding(self, question: str) -> Iterator[Scored]:
        """`Who has the lamp?`: whoever is last said to have it."""
        asked = _match("held", question)
        if asked is None or not (wanted := stems_in(asked["what"])):
            return
        for nth, passage in self._told():
            for found in _having().finditer(passage.words):
                if self._is_it(found, wanted, nth) and self._is_person(found["name"]):
                    yield (float(nth),), answer_at(self._tellings, found["name"], passage, found.start())

    def _is_it(self, found: re.Match[str], wanted: frozenset[str], nth: int) -> bool:
        """Whether what is had is what is asked for, by its name or as the `it` of the sentence before."""
        before = " ".join(one.words for one in self._tellings.passages[max(0, nth - 1) : nth])
        stands_in = found["it"] is not None and wanted <= stems_in(before)
        return stands_in or wanted <= stems_in(found["what"] or "")

    def _told(self) -> Iterator[tuple[int, AdmittedPassage]]:
        """The sentences that tell something on which records rest."""
        for nth, passage in enumerate(self._tellings.passages):
            if not is_question(passage.words) and self._tellings.records_of(passage):
                yield nth, passage

    def belongs(self, owner: str, nth: int, at: int) -> bool:
        """Whether what stands at a place of a sentence is said to be theirs; of something that nobody owns, always."""
        if not owner:
            return True
        passage = self._tellings.passages[nth]
        before = passage.words[:at]
        meant = frozenset(self._scope.mentions.resolve(owner))
        said = next((word.lower() for word in reversed(words_in(before)[-LIMITS.owned :]) if _owns(word)), "")
        if said in deed_words("owners", "mine"):
            speech = self._tellings.speech_at(passage, passage.start + at)
            return bool(meant & ({str(speech.speaker)} if speech else self._tellings.narrator))
        if stems_in(owner) <= stems_in(passage.words):
            return True
        return bool(said) and bool(meant) and self._pronouns.may_mean(meant, nth, before)

    def _is_person(self, name: str) -> bool:
        return any(is_mind(one, self._scope) for one in self._scope.mentions.resolve(name))


def _owns(word: str) -> bool:
    return word.lower() in deed_words("owners", "mine") or word.lower() in deed_words("owners", "theirs")


def _match(name: str, question: str) -> re.Match[str] | None:
    found = (re.fullmatch(shape, question, re.IGNORECASE) for shape in deed_table()["owners"][name])
    return next((one for one in found if one), None)


def _named(sentence: str, noun: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Where a sentence names the noun: the surest shape first."""
    for rank, shape in enumerate(deed_table()["owners"]["says"]):
        pattern = shape.replace("NOUN", re.escape(noun)).replace("NAME", deed_table()["owners"]["name"])
        yield from ((rank, found) for found in re.finditer(pattern, sentence))


@cache
def _described(noun: str) -> re.Pattern[str]:
    owners = deed_table()["owners"]
    shape = "|".join(owners["describes"]).replace("NOUN", re.escape(noun))
    return re.compile(shape.replace("NAME", owners["name"]))


@cache
def _having() -> re.Pattern[str]:
    return re.compile(deed_table()["owners"]["having"].replace("NAME", deed_table()["owners"]["name"]))
