"""Whether what a clause says can be so, here and now: the tests that a state passes before it is written.

Silence is better than a wrong state: what was so long ago or is not so yet, a place that is none, a thing that nobody can
have, a pronoun of which the two opinions differ. Reads the unit; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordmap
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.extract.embedded.lexicon.nouns import holding_words, nouns
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.propositions import Statement

__all__ = ["can_be_used", "can_hold", "holds", "no_places"]

PASSING = frozenset(
    {"location", "possession", "emotion"}
)  # what has mostly ended since, where it `had been` so


def holds(unit: UnitState, clause: Clause, said: Statement, *, told: bool = False) -> bool:
    """Whether a clause tells that this is so; ``told`` when it says so outright, and not as what follows from a deed."""
    if _elsewhen(clause, said, told) or not can_hold(unit, said) or _only_some(unit, clause, said):
        return False
    if said.predicate == "possession" and not said.negative and _not_to_have(unit, clause, said):
        return False
    if said.predicate == "possession" and said.negative and _stays_theirs(unit, clause, said):
        return False
    if told and said.predicate == "location" and _in_no_place(unit, clause, said):
        return False
    return not _listed_behind(unit, clause, said) and _sure_of_whom(unit, clause, said)


def can_hold(unit: UnitState, said: Statement) -> bool:
    """Whether this can be so of anybody or anything."""
    if said.predicate == "location" and said.object is not None:
        return _is_somewhere(unit, said.subject, said.object)
    if said.predicate not in {"possession", "appearance"}:
        return True
    owner = said.object if said.predicate == "possession" else said.subject
    return _can_have(unit, owner or "") and (said.negative or _can_be_had(unit, said))


def can_be_used(unit: UnitState, thing: str) -> bool:
    """Whether something can be done with it: a thing, by our lists, or by the dictionary too if it knows the noun; not `sent to bed with
    measles`. What has been done to it already shows that it is one."""
    kind, figure = noun_kinds().of(_head(unit, thing)), unit.company.figures.get(thing)
    known = kind is None or kind.kind in holding_words().owned or (figure is not None and figure.sure)
    return unit.kind(thing) == "object" and known


def no_places(unit: UnitState, clause: Clause) -> set[int]:
    """The positions of nouns that a clause has behind `in`, `on` or `to`, and in which nobody and nothing is or comes to be."""
    return {
        word.position for preposition, word in clause.phrases if _no_place(unit, clause, preposition, word)
    }


# -- when


def _elsewhen(clause: Clause, said: Statement, told: bool) -> bool:
    """`before the sun got into it`, `since he was in a pushchair`, `had once held arrowroot`."""
    table = holding_words()
    if clause.marker in table.elsewhen:
        return True
    if not told:
        return False
    past = clause.earlier and (said.predicate in PASSING or bool(clause.adverbs & table.once))
    return past or (clause.marker in table.since and said.predicate == "location")


# -- what


def _is_somewhere(unit: UnitState, subject: str, place: str) -> bool:
    """Nobody is in a coat, and nothing at a time; `on top` is no place."""
    head, table = _head(unit, place), holding_words()
    if head in table.parts or noun_kinds().surely(head) in table.nowhere:
        return False
    return not (head in table.garments and unit.kind(subject) == "character")


def _no_place(unit: UnitState, clause: Clause, preposition: str, word: Word) -> bool:
    """`came round in her gumboots`, where nothing is put into them; `put the van in reverse`; `came down in the gale`."""
    table = holding_words()
    if word.pos != "NOUN" or word.name or preposition not in table.manner:
        return False
    if _worn(word):
        return not (clause.objects or clause.passive or clause.verb == "be")
    return word.lemma in table.weathers or (_stands_bare(unit, word) and not _is_a_spot(word))


def _worn(word: Word) -> bool:
    return bool({word.lemma, word.text.lower()} & holding_words().garments)


def _stands_bare(unit: UnitState, word: Word) -> bool:
    """One thing, and nothing beside it says which: `in Ida's box`, `in box 9`."""
    words = unit.sentence.words
    before, after = words[max(0, word.position - 1) : word.position], words[word.position + 1 :][:1]
    numbered = any(one.pos == "NUM" for one in after)
    return (
        word.tag == "NN"
        and not numbered
        and all(one.relation == "case" and one.tag != "POS" for one in before)
    )


def _is_a_spot(word: Word) -> bool:
    table, kind = holding_words(), noun_kinds().of(word.lemma)
    known = nouns().listed(word.lemma) == "place" or word.lemma in table.bare
    return known or kind is None or kind.kind in table.spots


def _can_have(unit: UnitState, owner: str) -> bool:
    """Somebody with a name, or one whose noun is no thing's: `a wave` has nothing."""
    figure = unit.company.figures.get(owner)
    if figure is None or not figure.names[0].islower():
        return True
    return noun_kinds().surely(figure.head) not in holding_words().ownerless


def _can_be_had(unit: UnitState, said: Statement) -> bool:
    """Whether somebody can have it: a thing by the dictionary, by our lists, or by what the story does with it."""
    if said.predicate == "appearance":
        return True
    figure = unit.company.figures.get(said.subject)
    kind = noun_kinds().of(_head(unit, said.subject))
    return figure is None or figure.sure or (kind is not None and kind.kind in holding_words().owned)


def _head(unit: UnitState, id: str) -> str:
    figure = unit.company.figures.get(id)
    return figure.head if figure is not None else ""


def _listed_behind(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """`There was half a lemon under a saucer, and a dish of potatoes`: only the lemon was there."""
    meant, place = unit.sentence.meant, said.object
    if said.predicate != "location" or len(clause.subjects) < 2:
        return False
    places = [word.position for word in _words(clause) if place in meant.get(word.position, ())]
    named = [word.position for word in clause.subjects if said.subject in meant.get(word.position, ())]
    first = clause.subjects[0].position
    return bool(places and named) and first < min(places) < min(named)


def _not_to_have(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """`had it explained`, `has a rent to pay`, `got their shoes off`, `was holding the door`: nothing that they have from now on."""
    table, meant = holding_words(), unit.sentence.meant
    objects = {word.position for word in clause.objects if said.subject in meant.get(word.position, ())}
    verb = clause.head.position
    done = any(word.relation == "xcomp" and word.head == verb for word in unit.sentence.words)
    due = any(
        word.relation == "acl" and word.head in objects and _to(unit, word) for word in unit.sentence.words
    )
    fixed = _head(unit, said.subject) in table.fixed
    return done or due or fixed or bool(table.away & (clause.adverbs | {clause.particle or ""}))


def _stays_theirs(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """`put down her fork`: it is hers still."""
    things = {
        word.position for word in clause.objects if said.subject in unit.sentence.meant.get(word.position, ())
    }
    owned = {word.head for word in unit.sentence.words if word.dep == "nmod:poss" and word.pos == "PRON"}
    return clause.verb in holding_words().kept and bool(things & owned)


def _in_no_place(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """`the heater was on loan`."""
    where = [(clause.preposition or "", word) for word in clause.predicates]
    return any(
        said.object in unit.sentence.meant.get(word.position, ())
        and _no_place(unit, clause, preposition, word)
        for preposition, word in (*where, *clause.phrases)
        if not _worn(word)
    )


def _to(unit: UnitState, verb: Word) -> bool:
    return any(word.head == verb.position and word.tag == "TO" for word in unit.sentence.words)


def _only_some(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """`ate plums`: there may be others left."""
    if not said.negative or said.predicate == "location":
        return False
    eaten = [word for word in clause.objects if said.subject in unit.sentence.meant.get(word.position, ())]
    return any(_bare(word, unit.sentence.words) for word in eaten)


def _bare(noun: Word, words: Sequence[Word]) -> bool:
    """Several, and nothing says which."""
    told = any(word.head == noun.position and word.position < noun.position for word in words)
    return noun.tag == "NNS" and not told


# -- whom


def _sure_of_whom(unit: UnitState, clause: Clause, said: Statement) -> bool:
    """Whether a pronoun, where nothing else calls them, means these by both opinions."""
    return all(_called(unit, clause, id) for id in (said.subject, said.object) if id is not None)


def _called(unit: UnitState, clause: Clause, id: str) -> bool:
    words = [word for word in _words(clause) if id in unit.sentence.meant.get(word.position, ())]
    return not words or any(_meant_surely(unit, word, id) for word in words)


def _meant_surely(unit: UnitState, word: Word, id: str) -> bool:
    pronoun = word.text.lower() in wordmap("pronouns.gender")
    return not pronoun or (word.start not in unit.company.faint and unit.owners.agreed(word.start, id))


def _words(clause: Clause) -> Iterator[Word]:
    yield from (*clause.subjects, *clause.objects, *clause.seconds, *clause.predicates)
    yield from (word for _, word in clause.phrases)
