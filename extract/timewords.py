"""Words that place a sentence in time: found before the grammar is asked, because they confuse small parsers. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narraworld.extract.parsing import Token
from narraworld.kb.spans import Range

__all__ = ["TimeWords", "without_time"]

_NEXT = r"(?:after|following) (?:that|this)|afterwards?|then"
_PARTS = r"morning|afternoon|evening|night|day|week|month|year"
_DATED = (
    rf"(?:this|that|the same|the next|the following|next|last) (?:{_PARTS})|yesterday|tomorrow|today|tonight"
    rf"|(?:\w+|a few|several) (?:minutes?|hours?|days?|weeks?|months?|years?) (?:later|earlier|ago|before|afterwards?)"
)
_SEQUENCE = re.compile(rf"^(?:{_NEXT}),? (?=\w)", re.IGNORECASE)
_EXPRESSION = re.compile(rf"(?:^|(?<=[\s,]))(?:{_DATED})\b,?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What was said of time: an expression with its place, if there is one."""

    expression: str | None = None
    where: Range | None = None


def without_time(text: str, tokens: Sequence[Token]) -> tuple[list[Token], TimeWords]:
    """The sentence without its time words, and these."""
    if not tokens:
        return [], TimeWords()
    base, end = tokens[0].start, tokens[-1].end
    sentence = text[base:end]
    cut, said = list[Range](), TimeWords()
    if lead := _SEQUENCE.match(sentence):
        cut.append(Range(base, base + lead.end()))
    if found := _EXPRESSION.search(sentence):
        where = Range(base + found.start(), base + found.end())
        said = TimeWords(found[0].rstrip(",").strip(), where)
        cut.append(where)
    kept = [token for token in tokens if not any(one.start <= token.start < one.end for one in cut)]
    return (kept, said) if any(token.text.isalpha() for token in kept) else (list(tokens), TimeWords())
