"""Words that place a sentence in time: found before the grammar is asked, because they confuse small parsers. Pure.

So do idle phrases (`to her surprise`, `could not help but`): they change nothing that is told, and are left out too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Token
from narraworld.kb.spans import TextRange

__all__ = ["TimeWords", "without_time"]

BACK = ("ago", "before", "earlier")
_NEXT = r"(?:after|following) (?:that|this)|afterwards?|then"
_PARTS = r"morning|afternoon|evening|night|day|week|month|year"
_HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}"
_WEEKDAYS = r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_BEGINS = (
    r"(?=[,.;]|$| (?:a|an|the|he|she|it|they|we|i|his|her|their|my)\b| (?-i:[A-Z]))"  # what no number counts
)
_DATED = (
    rf"(?:on|that|last|next) (?:{_WEEKDAYS})(?: (?:{_PARTS}))?|(?:{_WEEKDAYS}) (?:{_PARTS})"
    r"|in the (?:early )?(?:morning|afternoon|evening)|at (?:noon|midnight|dawn|dusk|sunrise|sunset|daybreak|nightfall)"
    r"|(?:^|(?<=, ))(?:minutes|hours|days|weeks|months|years) (?:later|earlier|ago|before|afterwards?)"
    rf"|(?:this|that|the same|the next|the following|next|last) (?:{_PARTS})|yesterday|tomorrow|today|tonight"
    rf"|one (?:\w+ )?(?:{_PARTS})|once upon a time"
    rf"|(?:\w+|a few|several) (?:minutes?|hours?|days?|weeks?|months?|years?) (?:later|earlier|ago|before|afterwards?)"
)
_IDLE = re.compile(
    r"(?:could|can)(?:n['’]t| not) (?:(?:\w+ly )?help )?but |^(?:much )?to (?:his|her|their|its|\w+['’]s) (?:\w+ )?(?:surprise|astonishment|amazement|dismay"
    r"|delight|horror|relief|disappointment|shock|annoyance), (?=\w)"
    r"|^without (?:\w+ ){0,3}(?:hesitation|thought|word|warning|explanation|time|delay), (?=\w)"
    r"| \(\d{1,2}s?\b[^()]{0,40}\)"  # a character of a screenplay: `JUNE (30s, raincoat)`
    r"|\bas (?:fate|luck|chance) would have it,? ?|,? ?\bat (?:the (?:very )?same|that|this) (?:time|moment)\b",
    re.IGNORECASE,
)
_HOUR = re.compile(
    rf"(?:^|(?<=[\s,]))at (?:{_HOURS})(?: o['’]clock)?{_BEGINS},?", re.IGNORECASE
)  # morning or evening, nobody says
_SEQUENCE = re.compile(rf"^(?:{_NEXT}),? (?=\w)", re.IGNORECASE)
_EXPRESSION = re.compile(rf"(?:^|(?<=[\s,]))(?:{_DATED})\b,?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What was said of time: an expression with its place, if there is one."""

    expression: str | None = None
    where: TextRange | None = None

    @property
    def back(self) -> bool:
        """Whether the telling goes back: `three years before`."""
        return bool(self.expression) and (self.expression or "").casefold().endswith(BACK)


def without_time(text: str, tokens: Sequence[Token]) -> tuple[list[Token], TimeWords]:
    """The sentence without its time words, and these."""
    if not tokens:
        return [], TimeWords()
    base, end = tokens[0].start, tokens[-1].end
    sentence = text[base:end]
    cut, said = list[TextRange](), TimeWords()
    if lead := _SEQUENCE.match(sentence):
        cut.append(TextRange(base, base + lead.end()))
    idle = (*_IDLE.finditer(sentence), *_HOUR.finditer(sentence))
    cut += [TextRange(base + one.start(), base + one.end()) for one in idle]
    if found := _EXPRESSION.search(sentence):
        where = TextRange(base + found.start(), base + found.end())
        said = TimeWords(found[0].rstrip(",").strip(), where)
        cut.append(where)
    kept = [token for token in tokens if not any(one.start <= token.start < one.end for one in cut)]
    return (kept, said) if any(token.text.isalpha() for token in kept) else (list(tokens), TimeWords())
