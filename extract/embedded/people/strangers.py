"""People who act once, under a name that stands nowhere else on the page: often another's name, mistaken.

Every word of the unit counts, speech included: whoever was spoken of before is no stranger. Says who acts so, never whose name
was meant; what a check makes of it is the check's business. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.lexicon.person_names import names
from narraworld.extract.embedded.lexicon.tables import table
from narraworld.kb.spans import TextRange

__all__ = ["StrangerSettings", "strangers"]

_CAPITAL = re.compile(r"[^\W\d_a-z][^\W\d_]+")
_SMALL = re.compile(r"(?<![^\W_])[a-z]+")
_BEGINS = re.compile(r"(?:^|[.!?…”\"’'*\n]\s*)$")
_GOES_ON = re.compile(r"[a-z], (?:(?:and|but|then) )?$")  # a capital here is a name, whatever its letters


@dataclass(frozen=True, slots=True)
class StrangerSettings:
    """How much must have been told, so that everybody has had time to be introduced, and how often another is named."""

    told: int = 6_000  # characters before the stranger acts
    often: int = 20


USUAL = StrangerSettings()


@cache
def _table() -> tuple[frozenset[str], re.Pattern[str]]:
    said = table("strangers")
    known = names()
    given = frozenset(said["given"].split()) | known.men | known.women | frozenset(known.long)
    deeds = "|".join(said["deeds"].split())
    act = rf"(?<![^\W_])(?P<who>[A-Z][^\W\d_]+) (?:[a-z]+ly )?(?:[a-z]+ed|{deeds})\b"
    return given, re.compile(act)


def strangers(text: str, measures: StrangerSettings = USUAL) -> Iterator[tuple[str, TextRange]]:
    """Names that stand once, each with the words in which its bearer acts."""
    given, act = _table()
    count = Counter(_CAPITAL.findall(text))
    if not count or max(count.values()) < measures.often:
        return
    small = set(_SMALL.findall(text))
    for found in act.finditer(without_speech(text), measures.told):
        name = found["who"]
        alone = count[name] == 1 and name.lower() not in small and not _short_for_another(name, count)
        if alone and _acts(text, found.start(), name, given):
            yield name, TextRange(found.start(), found.end())


def _acts(text: str, start: int, name: str, given: frozenset[str]) -> bool:
    """Whether a name at this place can only be somebody's, and nothing before it says whose."""
    before = text[max(0, start - 12) : start]
    titled = before.split()[-1:] and before.split()[-1].rstrip(".").lower() in names().titles
    if titled:
        return False
    return bool(_GOES_ON.search(before)) or (name.lower() in given and bool(_BEGINS.search(before)))


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
