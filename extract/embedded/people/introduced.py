"""Described, then named: where the text says that somebody it describes is called so (`introduced.toml`).

Names are masked in the unit's text, and nouns for one person, letter by letter; the forms of the table are tried on what is left.
Each tells how sure it makes it, and what speaks against it is taken off. Nobody is joined for standing near. Resolves no pronoun; touches no graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from narraworld.base.settings import IntroducedSettings
from narraworld.extract.embedded.lexicon.introducing_words import IntroducingForm, introducing_words
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.person_names import form_of
from narraworld.extract.embedded.people.cast import CastMember, UnitCast
from narraworld.extract.embedded.people.trail import PersonMention, Trail, told_apart
from narraworld.kb.spans import TextRange

__all__ = ["Introduced", "introduced", "join"]

SETTINGS = IntroducedSettings()
NAME, NOUN, NEITHER = "¤", "§", {"place", "object", "group"}
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")
_CURLY = str.maketrans("’", "'")


@dataclass(frozen=True, slots=True)
class Introduced:
    """Somebody described by the noun that ends here is called so; how sure that is, by which words."""

    noun: TextRange
    person: CastMember
    certainty: float
    words: TextRange


def introduced(text: str, trail: Trail) -> dict[int, Introduced]:
    """Where a noun begins → who it is, by the surest of what the text says of it."""
    found: dict[int, Introduced] = {}
    for one in sorted(_found(text, trail), key=lambda one: (-one.certainty, one.words.start)):
        found.setdefault(one.noun.start, one)
    return found


def join(trail: Trail, people: UnitCast, found: Mapping[int, Introduced]) -> None:
    """Let the nouns mean whom they introduce, and those by which the same one was spoken of before."""
    nouns_told = [one for one in trail.mentions if one.sort == "noun"]
    for place, mention in enumerate(nouns_told):
        link = found.get(mention.start)
        if link is not None:
            for one in (mention, *_before(mention, nouns_told[:place])):
                one.known = one.known or link.person
                people.described.setdefault(one.where.end, link.person)
            people.presented(link.person.names)


def _before(mention: PersonMention, earlier: Sequence[PersonMention]) -> Iterator[PersonMention]:
    """`A boy … the boy, whose name was Piet`: the mentions back to the first, where nobody else is called so between."""
    last = mention
    for one in reversed(earlier):
        if one.word != mention.word or one.turn is not None:
            continue
        far = last.sentence - one.sentence > SETTINGS.window
        if not last.picks_up or far or one.known is not None or told_apart(last, one):
            return
        yield one
        last = one


def _found(text: str, trail: Trail) -> Iterator[Introduced]:
    named = {start: one for start, one in _by_start(trail, "name").items() if one.who is not None}
    plain = _by_start(trail, "noun")
    described = {where.start: where for where in (*trail.beside, *(one.where for one in plain.values()))}
    if named and described:
        masked = _masked(text, [one.where for one in named.values()], list(described.values()))
        for form, match in _forms_in(masked):
            yield from _links(form, match, plain, named)


def _by_start(trail: Trail, sort: str) -> dict[int, PersonMention]:
    return {one.start: one for one in trail.mentions if one.sort == sort}


def _forms_in(masked: str) -> Iterator[tuple[IntroducingForm, re.Match[str]]]:
    """Every form of the table wherever it fits."""
    for form in introducing_words().forms:
        for pattern in form.patterns:
            yield from ((form, match) for match in pattern.finditer(masked))


def _links(
    form: IntroducingForm,
    match: re.Match[str],
    plain: Mapping[int, PersonMention],
    named: Mapping[int, PersonMention],
) -> Iterator[Introduced]:
    """What one fit of a form says of each noun in it."""
    name = named.get(match.start("name"))
    if name is None:
        return
    for place in {match.start(group) for group in ("noun", "also") if match.groupdict().get(group)}:
        noun = plain.get(place)
        link = _link(form, match, noun, name) if noun is not None else None
        if link is not None:
            yield link


def _masked(text: str, names: Sequence[TextRange], described: Sequence[TextRange]) -> str:
    """The text without its people, each paragraph on one line."""
    letters = list(_WRAPPED.sub(" ", text).translate(_CURLY))
    for mark, places in ((NOUN, described), (NAME, names)):
        for where in places:
            letters[where.start : where.end] = mark * (where.end - where.start)
    return "".join(letters)


def _link(
    form: IntroducingForm, match: re.Match[str], noun: PersonMention, name: PersonMention
) -> Introduced | None:
    """What a form makes of the two, after what speaks against it."""
    person = name.who
    if person is None or person.kind in NEITHER or not _holds(form, noun, name):
        return None
    met = 0 <= person.start < match.start()
    certainty = form.certainty - introducing_words().met * met - _doubt(noun)
    if certainty < SETTINGS.least or (certainty < SETTINGS.grammar and _clash(noun, person)):
        return None
    return Introduced(noun.where, person, certainty, TextRange(*match.span()))


def _holds(form: IntroducingForm, noun: PersonMention, name: PersonMention) -> bool:
    """Whether it is told or said as the form wants it, and the name has a title where it wants one."""
    told = noun.turn is None and (name.turn is None) != form.said
    titles = form_of(name.word).titles
    return (told or not (form.told or form.said)) and (bool(titles) or not form.titled)


def _doubt(noun: PersonMention) -> float:
    """What it takes away that thieves and spies give other people's names."""
    words = introducing_words()
    return words.doubtful if noun.word in words.doubtful_nouns else 0.0


def _clash(noun: PersonMention, person: CastMember) -> bool:
    """Whether one is a man and the other a woman."""
    gender = noun.gender or nouns().gender(noun.word)
    return gender is not None and person.gender is not None and gender != person.gender
