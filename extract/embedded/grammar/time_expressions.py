"""Words that place a sentence in time: found before the grammar is asked, because they confuse small parsers. Pure.

So do idle phrases (`to her surprise`, `could not help but`): they change nothing that is told, and are left out too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import endings, pattern
from narraworld.kb.spans import TextRange

__all__ = ["TimeWords", "without_time"]


@dataclass(frozen=True, slots=True)
class TimeWords:
    """What was said of time: an expression with its place, if there is one."""

    expression: str | None = None
    where: TextRange | None = None

    @property
    def back(self) -> bool:
        """Whether the telling goes back: `three years before`."""
        return bool(self.expression) and (self.expression or "").casefold().endswith(
            endings("endings.time_back")
        )


def without_time(text: str, tokens: Sequence[Token]) -> tuple[list[Token], TimeWords]:
    """The sentence without its time words, and these."""
    if not tokens:
        return [], TimeWords()
    base, end = tokens[0].start, tokens[-1].end
    sentence = text[base:end]
    cut, said = list[TextRange](), TimeWords()
    if lead := pattern("time.sequence").match(sentence):
        cut.append(TextRange(base, base + lead.end()))
    idle = (*pattern("idle.phrase").finditer(sentence), *pattern("time.hour").finditer(sentence))
    cut += [TextRange(base + one.start(), base + one.end()) for one in idle]
    if found := pattern("time.expression").search(sentence):
        where = TextRange(base + found.start(), base + found.end())
        said = TimeWords(found[0].rstrip(",").strip(), where)
        cut.append(where)
    kept = [token for token in tokens if not any(one.start <= token.start < one.end for one in cut)]
    return (kept, said) if any(token.text.isalpha() for token in kept) else (list(tokens), TimeWords())
