"""Two names, one person: where the text says so, and where it cannot be.

`Strider, whose real name was Aragorn` gives an Identity when both are people of the story already, a Naming when the second name is
new. Refused, with the reason, is what cannot be: another gender, another kind, other numbers, or two who do something together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from narraworld.extract.embedded.layout.document import Sentence
from narraworld.extract.embedded.lexicon.function_words import patterns
from narraworld.extract.embedded.lexicon.person_names import OTHER_WORDS, compare, form_of
from narraworld.extract.embedded.people.cast import NARRATOR, CastMember
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.spans import TextRange
from narraworld.ontology.validate import Refusal
from narraworld.ontology.vocabulary import DATA, NW, compact

__all__ = ["CLASSES", "conflict", "reconcile", "write_entities"]

CLASSES = {"character": "Character", "place": "Place", "object": "Object", "group": "Group"}

_ROLES = ("agent", "patient", "recipient", "companion", "speaker", "addressee")


@dataclass(frozen=True, slots=True)
class IdentityClaim:
    """Two names that the text sets equal, or apart."""

    one: str
    other: str
    verdict: str
    where: TextRange


def reconcile(unit: UnitState, told: Iterable[Sentence]) -> None:
    """Write what the narration says of names, and refuse what cannot be."""
    text = unit.delta.unit.text
    for claim in [claim for line in told if line.tokens for claim in _claims(text, line.where)]:
        pair = [unit.company.people.called(name) for name in (claim.one, claim.other)]
        if pair[0] is not None and pair[1] is not None and pair[0] is not pair[1]:
            _write(unit, claim, pair[0], pair[1])


def _claims(text: str, where: TextRange) -> Iterator[IdentityClaim]:
    sentence = where.cut(text)
    for verdict, shapes in (
        ("same", patterns("identity.same")),
        ("different", patterns("identity.different")),
    ):
        for shape in shapes:
            for found in shape.finditer(sentence):
                place = TextRange(where.start + found.start(), where.start + found.end())
                yield IdentityClaim(found["one"], found["other"], verdict, place)


def _write(unit: UnitState, claim: IdentityClaim, one: CastMember, other: CastMember) -> None:
    first, second = unit.company.person(one, claim.where), unit.company.person(other, claim.where)
    if first is None:
        return
    if claim.verdict == "different":
        if second is not None:
            unit.add("Identity", claim.where, one=first, other=second, verdict="different")
        return
    if why := conflict(one, other) or (second and _together(unit, first, second)):
        said = f"{one.main} and {other.main} cannot be one: {why}"
        unit.delta.refusals.append(
            Refusal(first, "Identity-same", said, claim.where.cut(unit.delta.unit.text))
        )
    elif second is not None and second in unit.used:
        unit.add("Identity", claim.where, one=first, other=second, verdict="same")
    else:
        unit.company.figures[first].names.append(other.main)
        unit.add("Naming", claim.where, entity=first, name=other.main)


def conflict(one: CastMember, other: CastMember) -> str | None:
    """Why two cannot be one, as far as names, gender and kind tell."""
    if one.gender and other.gender and one.gender != other.gender:
        return "one is a man, the other a woman"
    kinds = {one.kind, other.kind} - {None, "unknown"}
    if len(kinds) > 1:
        return " is not ".join(sorted(str(kind) for kind in kinds))
    return _names_apart(one.names, other.names)


def _names_apart(ours: Iterable[str], theirs: Iterable[str]) -> str | None:
    """Why no two of the names can be one, beyond that their words differ."""
    verdicts = [compare(form_of(mine), form_of(yours)) for mine, yours in product(ours, theirs)]
    return next((one.why for one in verdicts if not one.possible and one.why != OTHER_WORDS), None)


def _together(unit: UnitState, one: str, other: str) -> str | None:
    """Whether both take part in one event."""
    from rdflib import URIRef

    graph = unit.delta.graph
    for role in _ROLES:
        for event in graph.subjects(URIRef(NW + role), URIRef(DATA + one)):
            if any((event, URIRef(NW + mate), URIRef(DATA + other)) in graph for mate in _ROLES):
                return f"both take part in {compact(str(event))}"
    return None


def write_entities(unit: UnitState) -> None:
    """The entities that records speak of, and who tells: what earlier units call somebody is theirs to say."""
    text = _folded(unit.delta.unit.text)
    for figure in unit.company.figures.values():
        if figure.id in unit.used:
            names = list(dict.fromkeys(figure.names))
            # a teller needs the word by which the next unit knows them
            here = [name for name in names if _folded(name) in text or name == NARRATOR]
            unit.delta.add(CLASSES[figure.kind], figure.id, quote=figure.where, name=here or names[:1])
    if (teller := unit.company.teller) and teller in unit.used:
        unit.delta.told_by(teller)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
