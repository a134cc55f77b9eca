"""Details that a story keeps to: eyes, hair, ages, families, skills, and the names people go by.

A second look at the narration, by patterns over single sentences (`details.toml`), for what the grammar of events leaves out
and checks live on. Only what is said outright, of somebody by name or by a `his` that can mean one only; whatever a
sentence leaves in doubt is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.layout.sentences import paragraphs, sentences
from narraworld.extract.embedded.lexicon.tables import Detail, details
from narraworld.extract.embedded.people.doubtful_names import rare_variants, strangers, two_names
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.telling_ways import TellingWays
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = ["write_details"]

KIN = "kin"
ONCE = "namedOnce"
OTHERWISE = "namedOtherwise"
INTRODUCED = "introduced"
NOBODY = "(?!)"  # the pattern that nothing fits


def write_details(unit: UnitState) -> None:
    """Add what the unit says of its people's looks, ages, families and skills, and every full name they go by."""
    names = _names(unit)
    _mention_variants(unit, names)
    _mention_strangers(unit, names)
    _mention_two_names(unit)
    if not names:
        return
    text = without_speech(unit.delta.unit.text)
    who = _any_of(names, text.replace("’", "'"))
    found = re.compile(rf"\b(?:{who})\b")
    ways = TellingWays(who)
    called: set[tuple[str, str]] = set()
    owned_by = unit.owners.settled()
    for where in _every_sentence(text):
        sentence = where.cut(text).replace("’", "'")
        mentioned = [(one.group(), where.start + one.start()) for one in found.finditer(sentence)]
        owned = any(where.start <= place < where.end for place in owned_by)
        if mentioned or owned:
            _name(unit, mentioned, names, called)
            _describe(unit, where, sentence, names, ways, len({names[name] for name, _ in mentioned}))


def _every_sentence(text: str) -> Iterator[TextRange]:
    for paragraph in paragraphs(text):
        yield from sentences(text, paragraph)


def _mention_variants(unit: UnitState, names: dict[str, str]) -> None:
    """Somebody of whom only the name is known, where that name looks like another's."""
    known = {*names, *(name for one in unit.company.roster.known for name in _proper(one.names))}
    for word, where in rare_variants(unit.delta.unit.text, known):
        if not any(word in name.split() for name in known):
            _mention(unit, word, where)


def _mention_strangers(unit: UnitState, names: dict[str, str]) -> None:
    """Somebody who acts under a name that stands nowhere else in the unit."""
    for word, where in strangers(unit.delta.unit.text):
        who = names.get(word) or _mention(unit, word, where)
        unit.add("Suspicion", where, kind=ONCE, about=who, name=word)


def _mention_two_names(unit: UnitState) -> None:
    """A place, a house or a family whose name may be another's, mistaken."""
    for one in two_names(unit.delta.unit.text):
        usual, other = _bearer(unit, one.name, one.first), _bearer(unit, one.other, one.slip)
        if usual != other:
            unit.add("Suspicion", one.slip, kind=OTHERWISE, about=other, other=usual)


def _bearer(unit: UnitState, name: str, where: TextRange) -> str:
    found = [one.id for one in unit.company.figures.values() if name in one.names]
    return found[0] if found else _mention(unit, name, where)


def _mention(unit: UnitState, word: str, where: TextRange) -> str:
    id = unit.company.roster.free_id(f"{unit.company.prefix}{word}", set(unit.company.figures) | unit.used)
    unit.used.add(id)
    return unit.delta.add("Entity", id, quote=where, name=word)


def _describe(
    unit: UnitState, where: TextRange, sentence: str, names: dict[str, str],
    ways: TellingWays, people: int,
) -> None:  # fmt: skip
    found: dict[str, tuple[Statement, TextRange]] = {}
    for detail, match in ways.in_sentence(sentence, people):
        if detail.negative or not details().doubtful.search(sentence):
            quote = TextRange(where.start + match.start(), where.start + match.end())
            for one in _said(unit, where, detail, match, names):
                found.setdefault(one.id, (one, quote))
    for said, quote in found.values():
        _write(unit, said, quote)


def _write(unit: UnitState, said: Statement, quote: TextRange) -> None:
    """A state of the story; that the text says who somebody is is for checks of names alone, no fact of the world."""
    if said.predicate == INTRODUCED:
        unit.add("Suspicion", quote, kind=INTRODUCED, about=said.subject, name=said.value)
    else:
        unit.add("State", quote, proposition=said)


def _said(
    unit: UnitState, where: TextRange, detail: Detail, match: re.Match[str], names: dict[str, str]
) -> list[Statement]:
    """What a match says: a value of somebody, or whose kin somebody is."""
    parts = match.groupdict()
    who = (
        names[parts["who"]]
        if "who" in parts
        else unit.owners.settled().get(where.start + match.start("owner"))
    )
    if who is None:
        return []
    word = parts[detail.word].lower()
    if detail.says == "kinship":
        other = names[parts["other"]]
        return [Statement(other, said, who) for said in ("kinship", f"{word}-of") if other != who]
    respect = parts[KIN] if detail.says == KIN else detail.says
    return [Statement(who, respect, value=word, negative=detail.negative)]


def _name(
    unit: UnitState, mentioned: list[tuple[str, int]], names: dict[str, str], called: set[tuple[str, str]]
) -> None:
    """A record for each name of several words, where it first stands."""
    for name, start in mentioned:
        if " " in name and (names[name], name) not in called:
            called.add((names[name], name))
            unit.add("Naming", TextRange(start, start + len(name)), entity=names[name], name=name)


def _names(unit: UnitState) -> dict[str, str]:
    """Proper names of the characters of this unit, and of whom each is; what two of them share is nobody's."""
    found: dict[str, set[str]] = {}
    for figure in unit.company.figures.values():
        if figure.kind == "character":
            for name in _proper(tuple(figure.names)):
                found.setdefault(name, set()).add(figure.id)
    return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}


@lru_cache(maxsize=1 << 16)
def _proper(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of which every word has a capital; every unit asks for everybody's."""
    split = (name.split() for name in names)
    return tuple(" ".join(words) for words in split if all(word[:1].isupper() for word in words))


def _any_of(names: Iterable[str], text: str) -> str:
    """A pattern for the names that stand in a text, the longest first; the whole cast in every pattern would be dear."""
    here = (name for name in sorted(names, key=len, reverse=True) if name in text)
    return "|".join(map(re.escape, here)) or NOBODY
