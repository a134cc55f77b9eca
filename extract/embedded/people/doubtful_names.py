"""A place, a house or a family that goes by two names: the same but for a word of its sort, or the same to the ear.

`Apex Mart` nine times and `Apex Mall` once; `Gonzalez` seven times and `Gonzales` three. Every word of the unit counts, speech
included. Says which names may be one, never that they are; what a check makes of it is the check's business. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from narraworld.extract.embedded.lexicon.tables import table
from narraworld.kb.search.spelling import one_slip_apart
from narraworld.kb.spans import TextRange

__all__ = ["TwoNames", "TwoNamesSettings", "two_names"]

_WORD = r"[A-Z][^\W\d_A-Z]+"
_NAME = re.compile(
    rf"(?<=[a-z,;] )(?:{_WORD} ){{0,2}}{_WORD}(?![^\W_])"
)  # a capital that no sentence begins with
_SMALL = re.compile(r"(?<![^\W_])[a-z]+")

NamePlaces = dict[str, list[TextRange]]


@dataclass(frozen=True, slots=True)
class TwoNamesSettings:
    """How often the one name stands, how seldom the other, and how far they keep from each other."""

    often: int = 4
    rare: int = 3
    ratio: float = 2.0
    apart: int = 300  # characters: whoever names both in a breath means two
    shortest: int = 5  # letters of a name that is judged by its sound


USUAL = TwoNamesSettings()


@dataclass(frozen=True, slots=True)
class TwoNames:
    """The usual name where it first stands, and the other one."""

    name: str
    other: str
    first: TextRange
    slip: TextRange


@dataclass(frozen=True, slots=True)
class TwoNamesTable:
    sort_of: dict[str, int]
    common: frozenset[str]
    sounds: tuple[tuple[str, str], ...]


@cache
def _table() -> TwoNamesTable:
    said: dict[str, Any] = table("two_names")
    sorts = {word: number for number, line in enumerate(said["sorts"]) for word in line.split()}
    return TwoNamesTable(
        sorts, frozenset(said["common"].split()), tuple((old, new) for old, new in said["sounds"])
    )


def two_names(text: str, measures: TwoNamesSettings = USUAL) -> Iterator[TwoNames]:
    """Pairs of names that may be one, each once, the usual one first."""
    found, small = _names(text), frozenset(_SMALL.findall(text))
    groups: dict[object, list[str]] = {}
    for name in sorted(found):
        for key in (_house(name), _heard(name, small, measures)):
            groups.setdefault(key, []).append(name)
    groups.pop(None, None)
    for one, other in (pair for group in groups.values() for pair in combinations(group, 2)):
        often, rare = sorted((one, other), key=lambda name: -len(found[name]))
        if not one_slip_apart(one, other) and _a_slip(found[often], found[rare], measures):
            yield TwoNames(often, rare, found[often][0], found[rare][0])


def _names(text: str) -> NamePlaces:
    """Names of one to three words, and where they stand."""
    found: NamePlaces = {}
    for one in _NAME.finditer(text):
        found.setdefault(" ".join(one[0].split()), []).append(TextRange(*one.span()))
    return found


def _house(name: str) -> tuple[str, int] | None:
    """What a place or a house is called beside its sort, and the sort: `Apex Mart` is Apex, of the shops."""
    *beginning, last = name.lower().split()
    sort = _table().sort_of.get(last)
    if sort is None or not beginning or beginning[0] in _table().common:
        return None
    return " ".join(beginning), sort


def _heard(name: str, small: frozenset[str], measures: TwoNamesSettings) -> str | None:
    """How a single name sounds; nothing for a short one, or one that is also a word of the text."""
    heard = name.lower()
    if " " in name or len(name) < measures.shortest or heard in small:
        return None
    for written, sound in _table().sounds:
        heard = re.sub(written, sound, heard)
    return heard


def _a_slip(often: list[TextRange], rare: list[TextRange], measures: TwoNamesSettings) -> bool:
    """Whether the one name is usual, the other is not, and they never stand side by side."""
    usual = len(often) >= max(measures.often, measures.ratio * len(rare)) and len(rare) <= measures.rare
    return usual and all(abs(one.start - other.start) > measures.apart for one in often for other in rare)
