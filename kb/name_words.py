"""The words of a name by which people are told apart: no titles, no small words. Pure; knows no story."""

from __future__ import annotations

import re

from narraworld.kb.english import wordset

__all__ = ["TITLES", "name_words"]

TITLES = wordset("names.titles")
SMALL = wordset("names.small")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def name_words(name: str) -> frozenset[str]:
    """The telling words of a name, in small letters; all of them where there is none but titles.

    >>> sorted(name_words("Mr. Lorenz Abel"))
    ['abel', 'lorenz']
    """
    words = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(name)]
    telling = [word for word in words if len(word) > 1 and word not in TITLES | SMALL]
    return frozenset(telling or words)
