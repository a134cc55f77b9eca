"""Ways to ask as patterns: words, alternatives and slots of the tables as regular expressions. Pure; knows no world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product

__all__ = ["Pattern", "compiled"]

_PART = re.compile(r"\{(?P<slot>\w+):(?P<type>\w+)\}|(?P<word>[^\s\[\]]+)|(?P<bracket>[\[\]])")
LONGEST = 4  # words of a name that nothing separates from what follows it


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to ask: what the words look like, and which slots of which type they leave open."""

    text: str
    regexes: tuple[str, ...]
    slots: tuple[tuple[str, str], ...]
    needed: tuple[tuple[str, ...], ...] = ()  # words without which nothing fits, each with its alternatives

    def matches(self, words: str) -> Iterator[dict[str, str]]:
        """What each slot would take, longer names first; a slot that may be missing takes nothing."""
        for choices in (
            self.needed
        ):  # hundreds of patterns for each question: most end here, and no expression is made for them
            if not any(map(words.__contains__, choices)):
                return
        for regex in self.regexes:
            if match := _made(regex).fullmatch(words):
                yield {slot: (match[slot] or "").strip() for slot, _ in self.slots}


@cache
def compiled(text: str) -> Pattern:
    """A pattern of the table as regular expressions over `plain_words`.

    Where one slot follows another, nothing says where the first ends: then there is one expression for each size of it.

    >>> next(compiled("where is|was {what:thing} [now]").matches(" where was the red key now"))["what"]
    'the red key'
    """
    found = list(_PART.finditer(text))
    slots = tuple((match["slot"], match["type"]) for match in found if match["slot"])
    adjacent = [one["slot"] for one, after in pairwise(_certain(found)) if one["slot"] and after["slot"]]
    sizes = product(range(LONGEST, 0, -1), repeat=len(adjacent))
    regexes = tuple(_regex(found, dict(zip(adjacent, size, strict=True))) for size in sizes)
    return Pattern(text, regexes, slots, tuple(_choices_of(one) for one in _certain(found) if one["word"]))


def _certain(parts: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The parts that cannot be missing."""
    depth = 0
    for match in parts:
        depth += {"[": 1, "]": -1}.get(match["bracket"] or "", 0)
        if depth == 0 and not match["bracket"]:
            yield match


def _choices_of(word: re.Match[str]) -> tuple[str, ...]:
    return tuple(f" {choice.replace('_', ' ')}" for choice in word["word"].split("|"))


@cache
def _made(regex: str) -> re.Pattern[str]:
    return re.compile(regex)


def _regex(parts: Sequence[re.Match[str]], sizes: Mapping[str, int]) -> str:
    written = []
    for match in parts:
        if match["slot"]:
            size = f"{{{sizes[match['slot']]}}}" if match["slot"] in sizes else "+?"
            written.append(rf"(?P<{match['slot']}>(?: [^ ]+){size})")
        elif match["bracket"]:
            written.append("(?:" if match["bracket"] == "[" else ")?")
        else:
            written.append(f"(?:{'|'.join(map(re.escape, _choices_of(match)))})")
    return "".join(written)
