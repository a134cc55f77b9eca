"""A sentence with its grammar, as a tree. Whoever parses is handed in; knows no world and no parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

__all__ = ["Parse", "ParseTree", "ParsedWord"]


class ParsedWord(NamedTuple):
    """A word with its grammar; ``head`` is the place of the word it hangs on (its own: the root), ``kind`` what a noun stands for."""

    text: str
    start: int
    end: int
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    kind: str = ""


# Texts of one sentence each, and the words that are names there: their words.
Parse: TypeAlias = Callable[[Sequence[str], frozenset[str]], "list[list[ParsedWord]]"]


class ParseTree:
    """The words of one sentence and how they hang together."""

    def __init__(self, text: str, words: Sequence[ParsedWord]) -> None:
        self.text, self.words = text, words

    @cached_property
    def below(self) -> list[list[int]]:
        """For each word those that hang on it."""
        found: list[list[int]] = [[] for _ in self.words]
        for nth, word in enumerate(self.words):
            if word.head != nth:
                found[word.head].append(nth)
        return found

    @cached_property
    def root(self) -> int:
        return next((nth for nth, word in enumerate(self.words) if word.head == nth), 0)

    def having(self, nth: int, *deps: str) -> list[int]:
        """The words that hang on one in one of these ways."""
        return [one for one in self.below[nth] if self.words[one].dep.partition(":")[0] in deps]

    def under(self, nth: int, without: frozenset[str] = frozenset()) -> list[int]:
        """A word with all that hangs on it, in order, but for parts that hang on it in some ways."""
        found, waiting = [nth], list(self.below[nth])
        waiting = [one for one in waiting if self.words[one].dep.partition(":")[0] not in without]
        while waiting:
            one = waiting.pop()
            found.append(one)
            waiting += self.below[one]
        return sorted(found)

    def above(self, nth: int) -> Iterator[int]:
        """A word, the one it hangs on, and so on to the root."""
        seen = set[int]()
        while nth not in seen:
            yield nth
            seen.add(nth)
            nth = self.words[nth].head

    def apart(self, one: int, other: int) -> int:
        """How many steps of grammar lie between two words."""
        up = {nth: far for far, nth in enumerate(self.above(one))}
        return next(
            (far + up[nth] for far, nth in enumerate(self.above(other)) if nth in up), len(self.words)
        )

    def words_of(self, places: Sequence[int]) -> str:
        """The text from the first to the last of some words."""
        return self.text[self.words[places[0]].start : self.words[places[-1]].end] if places else ""
