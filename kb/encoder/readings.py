"""How a talk is laid out as rows for the encoder: one row for each stretch in which somebody says nothing.

Before their first line, between each two of theirs, and after their last: were they away meanwhile? The same for use and for training. Pure.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from narraworld.kb.encoder.pieces import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from narraworld.kb.encoder.pieces import PieceRow

    Script = Sequence[tuple[tuple[str, ...], str]]

__all__ = ["BESIDE", "HEADING", "LAST_WORDS", "NEXT_WORDS", "Silence", "silence_row", "silences"]

# pieces of each stretch of a row: of last words the end, of anything else the beginning
HEADING, LAST_WORDS, NEXT_WORDS, BESIDE = 12, -56, 40, 22
ENDS = 2  # lines of a silence that are shown of its beginning and of its end
UNSEEN = "… "  # stands before a line if others before it are not shown


class Silence(NamedTuple):
    """Somebody's last line before a silence (none before their first) and their next one (none after their last)."""

    who: str
    before: int | None
    after: int | None

    def lines(self, many: int) -> range:
        """The lines of others meanwhile, in a talk of so many."""
        return range(
            0 if self.before is None else self.before + 1, many if self.after is None else self.after
        )


def silences(script: Script) -> list[Silence]:
    """Every stretch in which others speak and somebody does not, person by person."""
    return [
        one for who in sorted({who for each, _ in script for who in each}) for one in _silences(script, who)
    ]


def _silences(script: Script, who: str) -> Iterator[Silence]:
    own = [nth for nth, (speakers, _) in enumerate(script) if who in speakers]
    if own[0] > 0:
        yield Silence(who, None, own[0])
    yield from (Silence(who, one, other) for one, other in pairwise(own) if other > one + 1)
    if own[-1] < len(script) - 1:
        yield Silence(who, own[-1], None)


def silence_row(script: Script, silence: Silence) -> PieceRow:
    """As the talk goes: the line before their last words, these, what others say meanwhile, their next words, and the reply."""
    who, before, after = silence
    meanwhile = silence.lines(len(script))
    parts = [(_heading(silence), HEADING, False)]
    parts += [(_line(script, before - 1), -BESIDE, False)] if before else []
    parts += [(script[before][1], LAST_WORDS, True)] if before is not None else []
    parts += [(text, BESIDE, False) for text in _meanwhile(script, who, meanwhile)]
    parts += [(script[after][1], NEXT_WORDS, True)] if after is not None else []
    parts += (
        [(_line(script, after + 1), BESIDE, False)] if after is not None and after + 1 < len(script) else []
    )
    return joined(parts)


def _heading(silence: Silence) -> str:
    if silence.before is None:
        return f"{silence.who} has not spoken"
    return f"{silence.who} is silent" if silence.after is not None else f"{silence.who} speaks no more"


def _meanwhile(script: Script, who: str, silent: range) -> Iterator[str]:
    """How a silence begins and ends, and the first and the last line that names whoever is silent."""
    named = [nth for nth in silent if _names(script[nth][1], who)]
    seen = silent.start - 1
    for nth in sorted({*silent[:ENDS], *silent[-ENDS:], *named[:1], *named[-1:]}):
        yield (UNSEEN if nth > seen + 1 else "") + _line(script, nth)
        seen = nth


def _names(words: str, who: str) -> bool:
    """Whether somebody is named, by any part of their name."""
    return any(re.search(rf"\b{re.escape(part)}\b", words) for part in who.split())


def _line(script: Script, nth: int) -> str:
    speakers, words = script[nth]
    return f"{' and '.join(speakers)}: {words}"
