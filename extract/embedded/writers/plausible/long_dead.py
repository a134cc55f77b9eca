"""Who `had died`: nobody who has just been doing things, where the sentence names somebody else who can be meant. Writes no record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import Clause
from narraworld.extract.embedded.lexicon.function_words import wordmap
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame
from narraworld.extract.embedded.unit import UnitState

__all__ = ["settle_the_dead"]

DEAD = ".alive:dead"


def settle_the_dead(unit: UnitState, frame: VerbFrame, clause: Clause, words: Sequence[Word]) -> None:
    """`Ruth wiped the glasses. The portrait of her mother, Agnes, hung there; she had died in May.`: Agnes."""
    if len(words) != 1 or not clause.earlier or not any(one.endswith(DEAD) for one in frame.changes):
        return
    gender = wordmap("pronouns.gender").get(words[0].text.lower())
    if gender not in {"male", "female"} or words[0].position in unit.sentence.meant:
        return
    acting = {id for deed in unit.deeds if deed.realis == "actual" and not deed.earlier for id in deed.agents}
    at_rest = {id for id in _named_before(unit, words[0], gender) if id not in acting}
    if len(at_rest) == 1:
        (unit.owners.told[words[0].start],) = unit.mean(words, at_rest.pop())


def _named_before(unit: UnitState, pronoun: Word, gender: str) -> Iterator[str]:
    """Whom the sentence names before the pronoun, as far as they can be meant by it."""
    for word in unit.sentence.words[: pronoun.position]:
        person = unit.company.people.called(word.text) if word.name else None
        id = unit.company.person(person) if person is not None else None
        if id and unit.kind(id) == "character" and unit.company.figures[id].gender in {None, gender}:
            yield id
