"""Names that may be one: those that share a word, or of which one word is another with a letter or two changed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["alike", "families"]

SHORTEST = 4  # letters of a word that can be another one misspelled
LONG = 6  # letters of a word in which two may differ


def families(names: Iterable[str]) -> dict[str, str]:
    """For each name the first of those that may be one with it, directly or through a third."""
    met: dict[str, str] = {}
    for name in dict.fromkeys(names):
        near = [met[other] for other in met if any(_pairs(name, other))]
        first = near[0] if near else name
        met = {other: first if family in near else family for other, family in met.items()} | {name: first}
    return met


def _pairs(name: str, other: str) -> Iterator[bool]:
    for one in name.split():
        yield from (one == two or alike(one, two) for two in other.split())


def alike(one: str, other: str) -> bool:
    """Whether two words differ by a letter, or by two where they are long and begin alike."""
    shorter = min(len(one), len(other))
    if one == other or shorter < SHORTEST or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    plural = {one, other} == {f"{min(one, other, key=len)}s", min(one, other, key=len)}
    return not plural and _distance(one.lower(), other.lower()) <= (2 if shorter >= LONG else 1)


def _distance(one: str, other: str) -> int:
    """Letters put in, left out or changed."""
    row = list(range(len(other) + 1))
    for n, sign in enumerate(one, 1):
        last, row[0] = row[0], n
        for m, against in enumerate(other, 1):
            last, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, last + (sign != against))
    return row[-1]
