"""Names that stand once or twice on the page and look like a slip of one that stands there often.

Every word of the unit counts here, speech included: a name is a name whoever says it. Says who is mentioned, never that two
are one; what a check makes of it is the check's business. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from narraworld.kb.search.spelling import slips_among
from narraworld.kb.spans import TextRange

__all__ = ["MisspeltSettings", "rare_variants"]

_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")
_SMALL = re.compile(r"(?<![^\W_])[a-z]+")
_INSIDE = re.compile(r"[a-z,;] $")  # a capital that no sentence begins with
_INTRODUCED = r"[a-z], {word}, (?:who|whose|a|an|the|his|her)\b|\b(?:named|called) {word}\b"
_STOP = re.compile(r"[.!?…]")


@dataclass(frozen=True, slots=True)
class MisspeltSettings:
    """How rare a slip is, and how much oftener the name it is a slip of."""

    rare: int = 2
    ratio: int = 10


USUAL = MisspeltSettings()


def rare_variants(
    text: str, names: Iterable[str], measures: MisspeltSettings = USUAL
) -> Iterator[tuple[str, TextRange]]:
    """Words that could be a slip of one of the ``names``, and where each first stands inside a sentence."""
    small = set(_SMALL.findall(text))
    count = Counter(_CAPITAL.findall(text))
    known = {word for name in names for word in name.split()}
    often = {word for word in known if count[word] > measures.ratio * measures.rare}
    rare = {
        word
        for word in count
        if count[word] <= measures.rare and word not in often and word.lower() not in small
    }
    for word, name in slips_among(rare | often):
        if word in rare and name in often and (where := _mention(text, word, name)):
            yield word, where


def _mention(text: str, word: str, name: str) -> TextRange | None:
    """Where the word is plainly a name; nowhere if it stands beside the other or is introduced, for then they are two."""
    if re.search(_INTRODUCED.format(word=re.escape(word)), text):
        return None
    found = None
    for one in re.finditer(rf"\b{re.escape(word)}\b", text):
        if name in _around(text, one.start()):
            return None
        if found is None and _INSIDE.search(text[max(0, one.start() - 2) : one.start()]):
            found = TextRange(one.start(), one.end())
    return found


def _around(text: str, at: int) -> str:
    """The sentence around an offset, roughly."""
    before, after = _STOP.split(text[max(0, at - 400) : at]), _STOP.split(text[at : at + 400])
    return before[-1] + after[0]
