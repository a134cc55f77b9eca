"""The table of details (`particulars.toml`) as values: forms to look for, ways to find whose a detail is, and what makes it doubtful.

Patterns are put together and compiled once for a language; lists of words that the ontology has are taken from there. Finds nothing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from narraworld.base.kept_patterns import KeptPatterns
from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.ontology.respects import respects

__all__ = ["DetailForm", "DetailForms", "OwnerWay", "detail_forms", "pattern_of"]

_SLOT = re.compile(r"(?<!\?P)<(\w+)>")
FOOD = "food"


@dataclass(frozen=True, slots=True)
class DetailForm:
    """One way of giving a detail; see the head of the table for what each field says."""

    respect: str
    kind: str
    cues: tuple[str, ...]
    shapes: tuple[str, ...]
    of: str = "person"
    value: str = "{value}"
    negative: bool = False
    flip: bool = False
    deed: bool = False
    total: bool = False
    given: bool = False
    usual: bool = False
    passing: bool = False
    verb: bool = False
    plain: bool = False
    but: str = ""
    any: bool = False
    sheet: bool = False
    unparsed: bool = False

    @property
    def row(self) -> str:
        """Which row it is, in a word: `mark scar`; those of grammar have no cue."""
        return " ".join((self.respect, *self.cues[:1]))


@dataclass(frozen=True, slots=True)
class OwnerWay:
    """A way of saying whose a detail is: by the words before it, or behind it; ``sure`` where nobody else can be meant."""

    name: str
    before: re.Pattern[str] | None
    behind: re.Pattern[str] | None
    sure: bool


@dataclass(frozen=True, slots=True)
class DetailForms:
    """The whole table."""

    forms: tuple[DetailForm, ...]
    ways: tuple[OwnerWay, ...]
    supposed: re.Pattern[str]
    elsewhen: re.Pattern[str]
    then: re.Pattern[str]
    unusual: re.Pattern[str]
    denied: re.Pattern[str]
    behind: re.Pattern[str]
    question: re.Pattern[str]
    same_thing: dict[str, str]
    same_kin: dict[str, str]
    uncounted: frozenset[str]
    telling: frozenset[str]  # adjectives that tell one thing from another of its noun
    told_apart: frozenset[str]  # and the kinds of details in which they do
    sides: dict[str, str]  # the other of two
    nounless: frozenset[str]  # respects of which the noun is not part of the value
    human: frozenset[str]  # kinds of details that people, and animals with a name, alone have


def detail_forms() -> DetailForms:
    return of_spoken(_detail_forms)


def pattern_of(shape: str) -> re.Pattern[str]:
    """A shape of one of the forms, compiled when a text first has its words."""
    return of_spoken(_kept)[shape]


def _detail_forms(language: Language) -> DetailForms:
    said = language.table("particulars")
    words = {
        **said["words"],
        **_listed(said["respects"]["listed"].split()),
        "whose_plain": _unnamed(said["words"]["whose"]),
    }
    doubt = {name: _compiled(shape, words) for name, shape in said["doubt"].items()}
    return DetailForms(
        # what can be compared goes before what is only listed: the first that finds a detail has it
        tuple(sorted((_form(one, words) for one in said["particular"]), key=lambda form: form.sheet)),
        tuple(_way(one, words) for one in said["owners"]),
        **doubt,
        same_thing=said["same_thing"],
        same_kin=said["same_kin"],
        uncounted=frozenset(said["uncounted"]["nouns"].split()),
        telling=frozenset([*said["telling"]["adjectives"].split(), *respects().words.phrases["colour"]]),
        told_apart=frozenset(said["telling"]["kinds"].split()),
        sides=said["sides"],
        nounless=frozenset(said["respects"]["nounless"].split()),
        human=frozenset(said["respects"]["human"].split()),
    )


def _listed(lists: Iterable[str]) -> dict[str, str]:
    """The ontology's lists as patterns."""
    table = respects().words
    found = {name: _any(table.phrases[name]) for name in lists}
    return found | {FOOD: _any([*table.kinds_of, *table.kinds_of.values()])}


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(dict.fromkeys(words), key=len, reverse=True))


def _unnamed(shape: str) -> str:
    """The pattern without its group, for a second one in the same form."""
    return shape.replace("(?P<who>", "(?:")


def _form(said: Mapping[str, Any], words: Mapping[str, str]) -> DetailForm:
    rest = dict(said)
    shapes = tuple(_filled(shape, words) for shape in rest.pop("forms"))
    return DetailForm(cues=tuple(rest.pop("cues")), shapes=shapes, **rest)


def _way(said: Mapping[str, Any], words: Mapping[str, str]) -> OwnerWay:
    before, behind = _side(said.get("before"), words), _side(said.get("behind"), words)
    return OwnerWay(said["name"], before, behind, said.get("sure", False))


def _side(shape: str | None, words: Mapping[str, str]) -> re.Pattern[str] | None:
    return None if shape is None else _compiled(shape, words)


def _compiled(shape: str, words: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_filled(shape, words), re.IGNORECASE)


def _kept(language: Language) -> KeptPatterns:
    shapes = (shape for form in detail_forms().forms for shape in form.shapes)
    return KeptPatterns(f"details-{language.name}", shapes, re.IGNORECASE)


def _filled(shape: str, words: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: f"(?:{_filled(words[slot[1]], words)})", shape)
