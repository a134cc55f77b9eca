"""Whether a context tells what a scene needs, by words, in two measures: in one sentence, and in one line.

`in_a_sentence` is strict: a fact is told where one sentence, under its holder's name, has half of the fact's words, where these are a fair
part (`FAIR`) of what the sentence says, and where both deny or neither does. What is told in a summary of two sentences, of somebody called
he, it misses: of sixty facts of two stories that were read by eye 34 were there, and it called 17 told, 2 of them wrongly.

`in_a_line` asks for two fifths (`TWO_FIFTHS`) of the fact's words in one line under its holder's name, and nothing else. Of 120 facts of two
stories, read by eye in contexts of two kinds, 73 were there; it calls 61 told, 11 of them wrongly. The threshold was chosen on these: of 60 of
two others, which were read afterwards, 49 were there, and it calls 44 told, 5 of them wrongly. It calls too few; of what another story needs it finds
two to five in a hundred (`needs_of_others`). Of 240 read by judges who did not know which context was which (`--judges`), in
contexts by rule 86 of 120 were there, and it calls 78 told, 13 of them wrongly; in contexts whose lines a mind chose 103, and it calls 83, 6
of them wrongly: pieces of the text with `he` and `she` it misses most.

Words weigh what they tell apart among the lines, or sentences, of the context, so that names which stand everywhere meet nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bench.minds.minds_matching import CONTENT_FREE, denied, stems

__all__ = ["TellingContext"]

HALF = 0.5  # of a fact's words, by weight
TWO_FIFTHS = 0.4
FAIR = 0.25  # of a sentence's words, by weight
_HOLDER = re.compile(r"B: (.+)")
_PLACE = re.compile(r" \([^()]*:\d+:\d+\)$")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;:])[\"”]?\s+")


class TellingContext:
    """The lines of one context, and their sentences, each with its words."""

    def __init__(self, text: str) -> None:
        self._told = [*_lines(text)]

    def in_a_line(self, fact: str) -> bool:
        wanted = stems(fact) - CONTENT_FREE
        return any(self._lines.has(TWO_FIFTHS, wanted, words) for _, words in self._lines.pieces)

    def in_a_sentence(self, fact: str) -> bool:
        wanted = stems(fact) - CONTENT_FREE
        return any(
            self._sentences.has(HALF, wanted, words)
            and self._sentences.has(FAIR, words, wanted)
            and denied(one) == denied(fact)
            for one, words in self._sentences.pieces
        )

    @cached_property
    def _lines(self) -> _Pieces:
        return _Pieces([f"{holder} {line}".strip() for holder, line in self._told])

    @cached_property
    def _sentences(self) -> _Pieces:
        parts = ((holder, one) for holder, line in self._told for one in _SENTENCE_ENDS.split(line))
        return _Pieces([f"{holder} {one}".strip() for holder, one in parts])


@dataclass(frozen=True)
class _Pieces:
    """Pieces of one context, and how much words tell apart among them."""

    texts: Sequence[str]

    @cached_property
    def pieces(self) -> list[tuple[str, set[str]]]:
        return [(one, stems(one) - CONTENT_FREE) for one in self.texts]

    @cached_property
    def _seen(self) -> Counter[str]:
        return Counter(word for _, words in self.pieces for word in words)

    def has(self, share: float, wanted: set[str], words: set[str]) -> bool:
        """Whether words hold so much of what is wanted."""
        shared = self._weight(wanted & words)
        return shared > 0 and shared >= share * self._weight(wanted)

    def _weight(self, words: set[str]) -> float:
        return sum(math.log(1 + len(self.texts) / (self._seen[one] or 1)) for one in sorted(words))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line without its place, and whose mind it is on."""
    holder = ""
    for line in text.splitlines():
        if found := _HOLDER.fullmatch(line):
            holder = found[1]
        elif line.startswith("- "):
            yield holder, _PLACE.sub("", line[2:])
        elif not line.startswith("["):  # another section, and nobody's mind
            holder = ""
