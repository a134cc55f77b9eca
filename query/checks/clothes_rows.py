"""Clothes in passing: which garment a detail is about, where it is worn, and whether somebody takes it off or puts it on.

Rows of `garment`, worked out from the words of details, because rules cannot spell. Pure: asks nothing, writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from narraworld.kb.english import wordmap, wordset
from narraworld.kb.english.normal_words import singular
from narraworld.rules.language.ir import Row

__all__ = ["garment_rows"]

CLOTHING = "clothing"
SLOTS: Mapping[str, Mapping[str, str]] = {
    "footwear": wordmap("values.footwear"),
    "legwear": wordmap("values.legwear"),
    "outerwear": wordmap("values.outerwear"),
}
OFF, ON = tuple(wordset("values.taking_off")), tuple(wordset("values.putting_on"))
_WORD = re.compile(r"[a-z-]+")


def garment_rows(details: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """Every garment of which a detail speaks: the last one that it names."""
    for record, respect, value, _, _ in details:
        words = str(value).lower()
        if respect == CLOTHING and (found := _garment(words)):
            yield "garment", (record, *found, _doing(words))


def _garment(words: str) -> tuple[str, str] | None:
    """Where it is worn, and which sort of what is worn there."""
    for word in reversed(_WORD.findall(words)):
        for slot, sorts in SLOTS.items():
            sort = sorts.get(word) or sorts.get(singular(word))
            if sort is not None:
                return slot, sort
    return None


def _doing(words: str) -> str:
    return "off" if words.startswith(OFF) else "on" if words.startswith(ON) else "worn"
