"""Letters in a text: whose words they are and for whom they are meant, by the line that greets and the line that signs.

A letter goes from its greeting to its signature: a name on a line of its own, the last before the next letter. One that
nobody signs has no writer. Finds places only. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.kb.spans import TextRange

__all__ = ["Letter", "letters", "without_greetings"]

_NAME = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}"
_DATE = r"[^\n]{0,40}\b(?:1[0-9]|20)\d\d\b[^\n]{0,10}"
_HEAD = re.compile(rf"(?:^{_DATE}\n\s*)\Z", re.M)
_SIGNED = re.compile(rf"^[ \t]*(?P<by>{_NAME})\.?[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class Letter:
    """Where a letter stands, who signs it and who is greeted, as written; ``greeting`` is what comes before the name."""

    where: TextRange
    greeting: TextRange
    writer: str | None
    readers: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The words of all these names."""
        return [word for name in (*self.readers, self.writer or "") for word in name.split()]


def letters(text: str) -> list[Letter]:
    """The letters of a text, in order."""
    greetings = list(pattern("letter.greeting").finditer(text))
    return list(_letters(text, greetings)) if greetings else []


def _letters(text: str, greetings: Sequence[re.Match[str]]) -> Iterator[Letter]:
    for here, following in pairwise([*greetings, None]):
        assert here is not None
        end = _head_of(text, following.start()) if following else len(text)
        signed = [one["by"] for one in _SIGNED.finditer(text, here.end(), end)]
        readers = tuple(pattern("letter.and").split(here["to"]))
        writer = signed[-1] if signed else None
        greeting = TextRange(here.start(), here.start("to"))
        yield Letter(
            TextRange(here.start(), end), greeting, writer if writer not in readers else None, readers
        )


def _head_of(text: str, greeting: int) -> int:
    """Where the date above a greeting begins."""
    head = _HEAD.search(text, 0, greeting)
    return head.start() if head else greeting


def without_greetings(text: str, found: Sequence[Letter]) -> str:
    """The text with every character in its place, but nobody is called `Dear`."""
    for one in found:
        text = f"{text[: one.greeting.start]}{' ' * (one.greeting.end - one.greeting.start)}{text[one.greeting.end :]}"
    return text
