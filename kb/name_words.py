"""The words of a name by which people are told apart: no titles, no small words. Pure; knows no story."""

from __future__ import annotations

import re

__all__ = ["TITLES", "name_words"]

_TITLES = """
    mr mrs miss ms dr sir lady lord madame mademoiselle monsieur captain colonel major general lieutenant sergeant corporal
    commander admiral aunt uncle king queen prince princess professor father mother sister brother inspector detective
    count countess duke duchess baron baroness rev reverend master mistress doctor judge mayor president senator elder chief
    nurse officer agent saint st old young little grandpa grandma emperor empress tsar tsarina czar czarina sultan pope cardinal
    bishop abbot abbess marshal governor marquis marquise marquess viscount viscountess vicomte comte comtesse
"""
TITLES = frozenset(_TITLES.split())
SMALL = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "in",
        "on",
        "at",
        "to",
        "from",
        "for",
        "with",
        "de",
        "la",
        "le",
        "du",
        "von",
        "van",
        "der",
        "his",
        "her",
        "their",
        "my",
        "our",
        "your",
    ]
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def name_words(name: str) -> frozenset[str]:
    """The telling words of a name, in small letters; all of them where there is none but titles.

    >>> sorted(name_words("Mr. Lorenz Abel"))
    ['abel', 'lorenz']
    """
    words = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(name)]
    telling = [word for word in words if len(word) > 1 and word not in TITLES | SMALL]
    return frozenset(telling or words)
