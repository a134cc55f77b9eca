"""The speeches of a screenplay: a name in capitals on a line of its own, what it is said in brackets, and the words below.

A text is one where a name so set is used in it again, or where such speeches outnumber its quotation marks. Finds places
only. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.kb.spans import TextRange

__all__ = ["Cue", "cues"]

_CUE = re.compile(
    r"(?:(?<=\n\n)|\A)[ \t]*(?P<who>[A-Z][A-Z0-9'’.\- ]*[A-Z0-9.])(?:[ \t]*\([^()\n]*\))*[ \t]*\^?\n"
    r"(?P<aside>(?:[ \t]*\([^()\n]*\)[ \t]*\n)*)"
    r"(?P<words>[^\n]*[a-z?!.…—-][^\n]*(?:\n[^\n]*\S[^\n]*)*)"
)
_MARK = re.compile('[“"]')


@dataclass(frozen=True, slots=True)
class Cue:
    """A speech with its place: all of it, the words, the name above them, and whom the brackets say it is for."""

    where: TextRange
    words: TextRange
    who: TextRange
    to: tuple[str, ...] = ()


def cues(text: str) -> list[Cue]:
    """The speeches of a screenplay, in order; of any other text, none."""
    found = list(_CUE.finditer(text))
    return list(map(_cue, found)) if found and _is_screenplay(text, found) else []


def _is_screenplay(text: str, found: list[re.Match[str]]) -> bool:
    if len(_MARK.findall(text)) > len(found):
        return False
    return any(count > 1 for count in Counter(_mentions(text, found)).values())


def _mentions(text: str, found: list[re.Match[str]]) -> Iterator[str]:
    """Each name above a speech, as often as the text has it."""
    for who in {one["who"] for one in found}:
        yield from (who for _ in re.finditer(rf"\b{re.escape(who)}\b", text, re.IGNORECASE))


def _cue(one: re.Match[str]) -> Cue:
    to = tuple(name["whom"].strip() for name in pattern("quotation.to").finditer(one["aside"]))
    return Cue(
        TextRange(one.start("who"), one.end()), TextRange(*one.span("words")), TextRange(*one.span("who")), to
    )
