"""Full names that may be one, spelled in two ways: rows of `misspelled`, worked out from the names that were read.

Two names of two words that share one of them, and whose other words are nearly the same: `Davie Flett`, `Davie Flatt`. Demonyms, plurals and two common
first names make two. Pure: asks nothing, writes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from narraworld.kb.english import wordrow
from narraworld.kb.search.spelling import edits_between
from narraworld.rules.language.ir import Row

__all__ = ["misspelled_rows"]

NAME, SURE = "name", "low"
SHORT, LONG = 4, 5  # letters up to which no slip is told, and from which two may be
ENDINGS = wordrow("names.endings")  # that make another name of one


def misspelled_rows(details: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """The first record of a name, and that of its rarer spelling."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    sure: dict[str, bool] = {}
    for record, respect, value, uncertainty, _ in details:
        if respect == NAME and len(str(value).split()) == 2:
            places[str(value)].append(str(record))
            sure[str(value)] = uncertainty == SURE
    for side, one, other in _sharing_a_word(places):
        if (side == 0 or (sure[one] and sure[other])) and _slip(one, other, 1 - side):
            usual, rare = sorted((one, other), key=lambda name: -len(places[name]))
            if len(places[rare]) == 1:
                yield "misspelled", (min(places[usual]), places[rare][0], usual, rare)


def _sharing_a_word(names: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Each two names of two words with one word alike, and on which side it stands."""
    shared: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    for name in names:
        for side, word in enumerate(name.split()):
            shared[side, word].add(name)
    for (side, _), some in shared.items():
        yield from ((side, one, other) for one in some for other in some if one < other)


def _slip(one: str, other: str, side: int) -> bool:
    """Whether the words on one side are one, mistyped."""
    a, b = sorted((one.split()[side], other.split()[side]), key=len)
    ended = any(b == a + ending for ending in ENDINGS) or {a[-3:], b[-3:]} == {"man", "men"}
    if len(a) < SHORT or a[0] != b[0] or ended:
        return False
    return edits_between(a, b) <= (2 if len(a) > LONG else 1)
