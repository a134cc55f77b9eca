"""Who and what a text speaks of: names of the story found in words a person wrote.

Reads the names of one situated world, so that nothing is recognised that the situation has not met. A part of a name ("Ines"
for "Ines Corvo", "the book" for "hollow book") is understood where only one thing it could mean is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from narraworld.kb.english import wordrow, wordset
from narraworld.query.names import NameBook, rows
from narraworld.rules.engines import Engine

__all__ = ["ARTICLES", "NameFinder", "NameMention", "stem", "tokens"]

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
ARTICLES = wordset("names.articles")
SHORTEST_STEM = 3
ENDINGS = wordrow("text.endings")


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text: which words, from token to token, and what it may stand for."""

    start: int
    end: int
    words: str
    symbols: tuple[str, ...]


def tokens(text: str) -> list[str]:
    """The words of a text, in small letters, without a possessive ending."""
    return [_POSSESSIVE.sub("", word) for word in _TOKEN.findall(text.casefold())]


def stem(word: str) -> str:
    """A word without its ending, so that 'hid the keys' and 'hiding the key' share their words."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            root = word.removesuffix(ending)
            doubled = len(root) > SHORTEST_STEM and root[-1] == root[-2] and root[-1] not in "aeiouls"
            return root[:-1] if doubled and ending not in ("ied", "ies") else root
    return word.removesuffix("y") if len(word) > SHORTEST_STEM else word


class NameFinder:
    """Finds names of one situated world in texts."""

    def __init__(self, engine: Engine, names: NameBook) -> None:
        self._engine, self._names = engine, names

    def find(self, text: str) -> list[NameMention]:
        """Names in order, the longest first at each place."""
        words = tokens(text)
        found, at = list[NameMention](), 0
        while at < len(words):
            mention = self._at(words, at)
            if mention:
                found.append(mention)
            at = mention.end if mention else at + 1
        return found

    def resolve(self, text: str) -> tuple[str, ...]:
        """What a whole phrase stands for: an id as it is, a name, or a part of one; nothing when nobody is called so."""
        if rows(self._engine, "entity", text.strip()):
            return (text.strip(),)
        words = tokens(text)
        while words and words[0] in ARTICLES and " ".join(words) not in self._whole:
            words = words[1:]
        exact = self._whole.get(" ".join(words))
        return tuple(sorted(exact)) if exact else self._by_id(words) or self._meant(words)

    def _by_id(self, words: Sequence[str]) -> tuple[str, ...]:
        """Something that records speak of, though what it is called lies outside this situation."""
        symbol = "-".join(words)
        return (symbol,) if rows(self._engine, "refers", None, symbol) else ()

    def _at(self, words: Sequence[str], at: int) -> NameMention | None:
        for end in range(min(len(words), at + self._longest), at, -1):
            symbols = self._meant(words[at:end])
            if symbols and not (end - at == 1 and words[at] in ARTICLES):
                return NameMention(at, end, " ".join(words[at:end]), symbols)
        return None

    def _meant(self, words: Iterable[str]) -> tuple[str, ...]:
        wanted = " ".join(words)
        exact = self._whole.get(wanted)
        part = self._parts.get(wanted, set())
        return tuple(sorted(exact)) if exact else tuple(part) if len(part) == 1 else ()

    @cached_property
    def _whole(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, entities in self._names.called.items():
            words = tokens(name)
            for form in {" ".join(words), " ".join(_without_article(words))} - {""}:
                found.setdefault(form, set()).update(entities)
        return found

    @cached_property
    def _parts(self) -> dict[str, set[str]]:
        """The first and the last word of longer names, and plurals of single ones."""
        found: dict[str, set[str]] = {}
        for name, entities in self._whole.items():
            words = name.split()
            for part in (words[0], words[-1]) if len(words) > 1 else (f"{name}s",):
                if part not in ARTICLES:
                    found.setdefault(part, set()).update(entities)
        return found

    @cached_property
    def _longest(self) -> int:
        return max((len(name.split()) for name in self._whole), default=1)


def _without_article(words: list[str]) -> list[str]:
    return words[1:] if words and words[0] in ARTICLES else words
