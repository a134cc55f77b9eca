"""Spellings one slip apart: which words could be the same name, mistyped. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import combinations

__all__ = ["edits_between", "one_slip_apart", "slips_among"]

SHORTEST, SHORTEST_CHANGED = 3, 4  # letters: shorter names are one letter from too many others
APOSTROPHE = "'"
FIRST_COUNTS = 5  # from this length on, another first letter can be a slip


def one_slip_apart(one: str, other: str) -> bool:
    """Whether two names differ by one letter put in, left out or changed, or by two that changed places.

    Endings make other names (`Paul`, `Paula`; `Luke`, `Lukes`), so they do not count; nor do the first letters of short ones,
    nor letters that an apostrophe stands for (`Em'ly`), for so people speak.

    >>> one_slip_apart("Alan", "Allan"), one_slip_apart("Korath", "Koarth"), one_slip_apart("Paul", "Paula")
    (True, True, False)
    """
    a, b = sorted((_plain(one), _plain(other)), key=len)
    if a == b or not _comparable(a, b):
        return False
    if len(a) < len(b):
        return a[0] == b[0] and any(b[:i] + b[i + 1 :] == a for i in range(1, len(b) - 1))
    return len(a) >= SHORTEST_CHANGED and _one_change([i for i in range(len(a)) if a[i] != b[i]], a, b)


def _comparable(short: str, long: str) -> bool:
    """Long enough, nearly of one length, with one ending, and both with or both without an apostrophe."""
    return (
        len(short) >= max(SHORTEST, len(long) - 1)
        and short[-1] == long[-1]
        and (APOSTROPHE in short) == (APOSTROPHE in long)
    )


def _one_change(places: list[int], a: str, b: str) -> bool:
    if len(places) == 1:
        return places[0] > 0 or len(a) >= FIRST_COUNTS
    first, *rest = places
    return rest == [first + 1] and first > 0 and a[first : first + 2] == b[first : first + 2][::-1]


def slips_among(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """All pairs one slip apart, each both ways; quick, for words that are no slip apart share no shape."""
    shapes: dict[str, set[str]] = {}
    for word in set(words):
        for shape in _shapes(_plain(word)):
            shapes.setdefault(shape, set()).add(word)
    pairs = {pair for alike in shapes.values() for pair in combinations(sorted(alike), 2)}
    for one, other in sorted(pairs):
        if one_slip_apart(one, other):
            yield one, other
            yield other, one


def _shapes(letters: str) -> Iterator[str]:
    """A word without any one of its letters; two that changed places share one such shape, too."""
    yield letters
    for i in range(len(letters)):
        yield letters[:i] + letters[i + 1 :]


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word)
    plain = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return plain.lower().replace("’", APOSTROPHE)


def edits_between(one: str, other: str) -> int:
    """How many letters must be put in, left out or changed to make one word of the other.

    >>> edits_between("Anneke", "Annika"), edits_between("Flett", "Flatt")
    (2, 1)
    """
    a, b = _plain(one), _plain(other)
    row = list(range(len(b) + 1))
    for i, sign in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, letter in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (sign != letter))
    return row[-1]
