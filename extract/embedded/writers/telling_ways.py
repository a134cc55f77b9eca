"""The ways in which details are told (`details.toml`), with the names of one unit put in; tried are those whose words a sentence has.

A pattern that holds everybody's name is dear to compile and good for one unit, so each waits for a sentence that can fit it. Judges no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from narraworld.base.needed_words import NeededWords, kept_needs
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.lexicon.tables import Detail, details

__all__ = ["TellingWays"]

_PLACEHOLDER = re.compile(r"(?<!\?P)<(\w+)>")
NAMES = ("who", "other")  # what a unit puts in


class TellingWays:
    """All ways, for the people of ``who``: a pattern of their names."""

    def __init__(self, who: str) -> None:
        self._ways = of_spoken(_ways)
        self._names = {name: f"(?P<{name}>{who})" for name in NAMES}
        self.compiled: dict[str, re.Pattern[str]] = {}

    def in_sentence(self, sentence: str, people: int) -> Iterator[tuple[Detail, re.Match[str]]]:
        """Every detail that a sentence about so many people may tell."""
        met = self._ways.words.met(sentence)
        for detail, shapes in self._ways.shapes:
            if people == 1 or not detail.alone:
                for shape, needs in shapes:
                    if needs <= met:
                        yield from ((detail, match) for match in self._pattern(shape).finditer(sentence))

    def _pattern(self, shape: str) -> re.Pattern[str]:
        found = self.compiled.get(shape)
        if found is None:
            found = self.compiled[shape] = re.compile(_filled(shape, self._names))
        return found


@dataclass(frozen=True, slots=True)
class _Ways:
    """Each detail with its patterns, names aside, and the needs of each."""

    words: NeededWords
    shapes: tuple[tuple[Detail, tuple[tuple[str, frozenset[int]], ...]], ...]


def _ways(language: Language) -> _Ways:
    each = [(detail, [_shape(pattern) for pattern in detail.patterns]) for detail in details().details]
    anybody = dict.fromkeys(NAMES, "(?:.+)")
    bare = [_filled(shape, anybody) for _, shapes in each for shape in shapes]
    words = NeededWords(kept_needs(f"telling-{language.name}", bare))
    numbers = iter(words.of)
    return _Ways(
        words, tuple((detail, tuple((shape, next(numbers)) for shape in shapes)) for detail, shapes in each)
    )


def _shape(pattern: str) -> str:
    """A pattern with the lists of the table put in; it begins a word, or the sentence."""
    begun = pattern if pattern.startswith("^") else f"(?<!\\w){pattern}"
    return _filled(begun, details().words)


def _filled(shape: str, words: dict[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: words.get(found[1], found[0]), shape)
