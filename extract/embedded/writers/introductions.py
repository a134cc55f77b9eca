"""Introductions: who somebody is and what they are called, wherever the text says so outright.

`Ruth Hale, his daughter` gives a kinship and tells whom `her father` means later; `the crow was called Mab` gives somebody
already met a name. Writes kinship states; decides no doubtful case.
"""

from __future__ import annotations

from collections.abc import Iterable

from narraworld.extract.embedded.grammar.appositions import Apposition
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.mentions import mention_of
from narraworld.extract.embedded.grammar.parser import Token, Word
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.kinship import relatives, turned
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.coreference import SUBJECT
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.propositions import Statement

__all__ = ["introduce", "names_somebody"]


def introduce(unit: UnitState, asides: Iterable[Apposition]) -> None:
    """Keep what the sentence says beside names: nouns for them, whose they are, of which sex."""
    for aside in asides:
        person = unit.company.people.called(aside.name.text)
        id = unit.company.person(person) if person is not None else None
        if id is not None and unit.kind(id) == "character":
            _present(unit, aside, id)


def _present(unit: UnitState, aside: Apposition, id: str) -> None:
    figure = unit.company.figures[id]
    if aside.noun not in relatives():
        figure.known_as.add(aside.noun)
    figure.gender = figure.gender or nouns().gender(aside.noun)
    owner = _owner(unit, aside.owner, id) if aside.owner else None
    if aside.owner and owner is not None and owner != id:
        whose = unit.company.figures[owner]
        whose.gender = whose.gender or wordmap("pronouns.gender").get(aside.owner.text.lower())
        unit.company.kin.add(owner, aside.noun, id, whose.gender)
        _write_kinship(unit, aside, id, owner)


def _write_kinship(unit: UnitState, aside: Apposition, id: str, owner: str) -> None:
    if aside.noun in wordset("kin.recorded"):
        for said in ("kinship", f"{aside.noun}-of"):
            unit.add("State", aside.where, proposition=Statement(id, said, owner))
        if other := turned(aside.noun, unit.company.figures[owner].gender):
            unit.add("State", aside.where, proposition=Statement(owner, f"{other}-of", id))


def _owner(unit: UnitState, word: Token, named: str) -> str | None:
    """Whose: of the people this sentence is about, else the only one near whom the word can mean."""
    company = unit.company
    if word.name:
        person = company.people.called(word.text)
        return company.person(person) if person is not None else None
    gender = wordmap("pronouns.gender").get(word.text.lower())
    if gender is None:
        return company.teller if word.text.lower() == "my" else None
    acting = [
        id for id in unit.sentence.subjects - {named}
        if unit.kind(id) == "character" and company.figures[id].gender in {None, gender}
    ]  # fmt: skip
    return acting[0] if len(acting) == 1 else company.only(gender, (named,))


def names_somebody(unit: UnitState, clause: Clause) -> bool:
    """`The crow was called Mab`, `his name was Adeyemi`: give that name to somebody already met; whether it was one."""
    found = _called(unit, clause) or _name_is(unit, clause)
    if found is None:
        return False
    bearers, name = found
    person = _bearer(unit, name)
    if len(bearers) != 1 or person is None or person.id not in {None, bearers[0]}:
        return False
    if person.id == bearers[0]:  # who is known to be called so (`introduced`)
        return True
    unit.company.christen(bearers[0], person)
    unit.mean([name], bearers[0])
    return True


def _bearer(unit: UnitState, name: Word) -> CastMember | None:
    return unit.company.people.called(mention_of(name, unit.sentence.words, unit.delta.unit.text).text)


def _called(unit: UnitState, clause: Clause) -> tuple[tuple[str, ...], Word] | None:
    """`The crow was called Mab`: who, and the name."""
    if clause.verb not in wordset("verbs.calling") or not clause.passive:
        return None
    name = _name_given(unit, clause)
    if name is None or (clause.relation.startswith("acl") and _calls_on(unit, name)):
        return None
    return unit.who(clause.subjects, SUBJECT), name


def _name_given(unit: UnitState, clause: Clause) -> Word | None:
    below = (word for word in unit.sentence.words if word.head == clause.head.position)
    return next((word for word in below if word.name and word.relation in {"obj", "xcomp"}), None)


def _calls_on(unit: UnitState, name: Word) -> bool:
    """`the nurse named Dilys as the thief`: what stands behind the name makes a deed of it."""
    behind = unit.sentence.words[name.position + 1 : name.position + 2]
    return bool(behind) and behind[0].text.lower() in wordset("verbs.calling_on")


def _name_is(unit: UnitState, clause: Clause) -> tuple[tuple[str, ...], Word] | None:
    """`His name was Adeyemi`: whose, and the name."""
    named = [word for word in clause.predicates if word.name]
    if not named or [word.lemma for word in clause.subjects] != ["name"]:
        return None
    person = _bearer(unit, named[0])
    if person is not None and person in unit.company.people.described.values():
        return _led_on(unit, clause.subjects[0], person), named[0]
    return _whose_name(unit, clause.subjects[0]), named[0]


def _led_on(unit: UnitState, noun: Word, person: CastMember) -> tuple[str, ...]:
    """`His name was Jost`, of one who is known to be meant: the telling is about Jost."""
    id = unit.company.person(person)
    if id is None:
        return ()
    unit.company.lead([id])
    return unit.mean(
        [word for word in unit.sentence.words if word.head == noun.position != word.position], id
    )


def _whose_name(unit: UnitState, noun: Word) -> tuple[str, ...]:
    """`His name was Jost` is said of somebody without one, `his real name` of anybody."""
    about = [word for word in unit.sentence.words if word.head == noun.position]
    owners = [
        word for word in about if word.dep == "nmod:poss" and word.text.lower() in wordset("pronouns.whose")
    ]
    narrowed = any(word.relation == "amod" for word in about)
    return unit.who(owners, SUBJECT, () if narrowed else _bearers_of_names(unit))


def _bearers_of_names(unit: UnitState) -> set[str]:
    figures = unit.company.figures.values()
    return {figure.id for figure in figures if any(name[:1].isupper() for name in figure.names)}
