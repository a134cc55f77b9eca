"""Names to look at twice: two names for one place or family, slips of a name that stands often, strangers who act once.

A place, a house or a family that goes by two names: the same but for a word of its sort, or the same to the ear.

`Apex Mart` nine times and `Apex Mall` once; `Gonzalez` seven times and `Gonzales` three. Every word of the unit counts, speech
included. Says which names may be one, never that they are; what a check makes of it is the check's business. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from narraworld.base.settings import MisspeltSettings, StrangerSettings, TwoNamesSettings
from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.extract.embedded.lexicon.person_names import names
from narraworld.extract.embedded.lexicon.tables import stranger_table, two_names_table
from narraworld.kb.search.spelling import one_slip_apart, slips_among
from narraworld.kb.spans import TextRange

__all__ = [
    "MisspeltSettings",
    "StrangerSettings",
    "TwoNames",
    "TwoNamesSettings",
    "rare_variants",
    "strangers",
    "two_names",
]

_WORD = r"[A-Z][^\W\d_A-Z]+"

_NAME = re.compile(
    rf"(?<=[a-z,;] )(?:{_WORD} ){{0,2}}{_WORD}(?![^\W_])"
)  # a capital that no sentence begins with

_SMALL = re.compile(r"(?<![^\W_])[a-z]+")

NamePlaces = dict[str, list[TextRange]]


USUAL = TwoNamesSettings()


@dataclass(frozen=True, slots=True)
class TwoNames:
    """The usual name where it first stands, and the other one."""

    name: str
    other: str
    first: TextRange
    slip: TextRange


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
    sort = two_names_table().sort_of.get(last)
    if sort is None or not beginning or beginning[0] in two_names_table().common:
        return None
    return " ".join(beginning), sort


def _heard(name: str, small: frozenset[str], measures: TwoNamesSettings) -> str | None:
    """How a single name sounds; nothing for a short one, or one that is also a word of the text."""
    heard = name.lower()
    if " " in name or len(name) < measures.shortest or heard in small:
        return None
    for written, sound in two_names_table().sounds:
        heard = re.sub(written, sound, heard)
    return heard


def _a_slip(often: list[TextRange], rare: list[TextRange], measures: TwoNamesSettings) -> bool:
    """Whether the one name is usual, the other is not, and they never stand side by side."""
    usual = len(often) >= max(measures.often, measures.ratio * len(rare)) and len(rare) <= measures.rare
    return usual and all(abs(one.start - other.start) > measures.apart for one in often for other in rare)


# -- Names that stand once or twice on the page and look like a slip of one that stands there often
_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")


_INSIDE = re.compile(r"[a-z,;] $")  # a capital that no sentence begins with


_STOP = re.compile(r"[.!?…]")


USUAL_MISSPELT = MisspeltSettings()


def rare_variants(
    text: str, names: Iterable[str], measures: MisspeltSettings = USUAL_MISSPELT
) -> Iterator[tuple[str, TextRange]]:
    """Words that could be a slip of one of the ``names``, and where each first stands inside a sentence."""
    count = Counter(_CAPITAL.findall(text))
    known = {word for name in names for word in name.split()}
    often = {word for word in known if count[word] > measures.ratio * measures.rare}
    rare = _rare(text, count, measures) - often
    for word, name in slips_among(rare | often):
        if word in rare and name in often and (where := _mention(text, word, name)):
            yield word, where


def _rare(text: str, count: Counter[str], measures: MisspeltSettings) -> set[str]:
    """Capitals that stand hardly ever, and never as a common word."""
    small = set(_SMALL.findall(text))
    return {word for word in count if count[word] <= measures.rare and word.lower() not in small}


def _mention(text: str, word: str, name: str) -> TextRange | None:
    """Where the word is plainly a name; nowhere if it stands beside the other or is introduced, for then they are two."""
    if _introduced(text, word):
        return None
    found = None
    for one in re.finditer(rf"\b{re.escape(word)}\b", text):
        if name in _around(text, one.start()):
            return None
        if found is None and _INSIDE.search(text[max(0, one.start() - 2) : one.start()]):
            found = TextRange(one.start(), one.end())
    return found


def _introduced(text: str, word: str) -> bool:
    """`…, Jost, who …`, `a man called Jost`."""
    name, before, behind = (
        re.escape(word),
        pattern("doubtful.introduced_before"),
        pattern("doubtful.introduced_behind"),
    )
    return re.search(rf"[a-z], {name}{behind.pattern}|{before.pattern}{name}\b", text) is not None


def _around(text: str, at: int) -> str:
    """The sentence around an offset, roughly."""
    before, after = _STOP.split(text[max(0, at - 400) : at]), _STOP.split(text[at : at + 400])
    return before[-1] + after[0]


# -- People who act once, under a name that stands nowhere else on the page: often another's name, mistaken

_CAPITAL_STRANGERS = re.compile(r"[^\W\d_a-z][^\W\d_]+")


_BEGINS = re.compile(r"(?:^|[.!?…”\"’'*\n]\s*)$")


USUAL_STRANGERS = StrangerSettings()


def strangers(text: str, measures: StrangerSettings = USUAL_STRANGERS) -> Iterator[tuple[str, TextRange]]:
    """Names that stand once, each with the words in which its bearer acts."""
    known = stranger_table()
    count = Counter(_CAPITAL_STRANGERS.findall(text))
    if not count or max(count.values()) < measures.often:
        return
    small = set(_SMALL.findall(text))
    for found in known.act.finditer(without_speech(text), measures.told):
        name = found["who"]
        alone = count[name] == 1 and name.lower() not in small and not _short_for_another(name, count)
        if alone and _acts(text, found.start(), name, known.given):
            yield name, TextRange(found.start(), found.end())


def _acts(text: str, start: int, name: str, given: frozenset[str]) -> bool:
    """Whether a name at this place can only be somebody's, and nothing before it says whose."""
    before = text[max(0, start - 12) : start]
    titled = before.split()[-1:] and before.split()[-1].rstrip(".").lower() in names().titles
    if titled:
        return False
    return bool(pattern("doubtful.goes_on").search(before)) or (
        name.lower() in given and bool(_BEGINS.search(before))
    )


def _short_for_another(name: str, count: Counter[str]) -> bool:
    """Whether somebody on the page may be called so for short: Sam, Sammy."""
    full = names().long.get(name.lower(), frozenset())
    return any(
        other != name and (other.lower() in full or _pet(other, name) or _pet(name, other)) for other in count
    )


def _pet(short: str, name: str) -> bool:
    """Whether one is the beginning of the other, or its beginning with another ending: Thomas, Tommy."""
    stem = short.lower().rstrip("yie")
    return len(stem) > 2 and name.lower().startswith(stem) and name.lower() != short.lower()
