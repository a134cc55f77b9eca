"""Who is away between two lines of theirs: what the cues of a talk say, weighed with how likely the small encoder finds it.

Before somebody's first line, between each two that follow one another, and after the last: one decision each. Decides no line's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.extract.embedded.talk.participants import Move, Utterance, gone_from, moves_by_cues
from narraworld.kb.encoder.likelihoods import log_odds, moving

if TYPE_CHECKING:
    from narraworld.base.settings import AbsenceSettings

__all__ = ["moves"]

LEAVES, ENTERS = "leaves", "enters"


def moves(script: Sequence[Utterance], settings: AbsenceSettings | None = None) -> list[Move]:
    """Every coming and going of a script, in order."""
    told, settings = moves_by_cues(script), settings or DEFAULTS.embedded.absences
    if not settings.shortest <= len(script) <= settings.longest:
        return told
    return sorted(_Absences(script, told, settings).moves(), key=lambda move: (move.at, move.who))


class _Absences:
    """The odds that somebody leaves with a line, or has come before it."""

    def __init__(self, script: Sequence[Utterance], told: Sequence[Move], settings: AbsenceSettings) -> None:
        self._script, self._settings = script, settings
        self._told = {(one.who, one.movement, self._line(one)): one for one in told}
        self._likely = moving(tuple((" and ".join(one.speakers), one.words) for one in script))

    def _line(self, move: Move) -> int:
        """The line of theirs a move lies at: the last goodbye of whoever leaves, the first words of whoever has come."""
        if move.movement != LEAVES:
            return move.said
        return max(nth for nth in range(move.at) if move.who in self._script[nth].speakers)

    def moves(self) -> Iterator[Move]:
        for who in sorted({who for one in self._script for who in one.speakers}):
            own = [nth for nth, one in enumerate(self._script) if who in one.speakers]
            yield self._first(who, own[0])
            for before, after in pairwise([*own, len(self._script)]):
                yield from self._between(who, before, after)

    def _between(self, who: str, before: int, after: int) -> Iterator[Move]:
        """Their leaving with one line and coming back with the next, if they have not heard what was said in between."""
        last = after == len(self._script)
        away = self._gone(who, before) if last else self._away(who, before, after)
        told = self._told.get((who, LEAVES, before))
        at = told.at if told else gone_from(self._script, before, who)
        if away and at < after:
            yield told or Move(who, LEAVES, at, before)
            yield from () if last else (Move(who, ENTERS, after, after),)

    def _first(self, who: str, nth: int) -> Move:
        joins = nth > 0 and self._comes(who, nth) > self._settings.joins
        return Move(who, ENTERS, nth, nth) if joins else Move(who, "present", 0, nth)

    def _away(self, who: str, before: int, after: int) -> bool:
        return self._goes(who, before) + self._comes(who, after) > self._settings.away

    def _gone(self, who: str, nth: int) -> bool:
        return self._goes(who, nth) > self._settings.gone

    def _goes(self, who: str, nth: int) -> float:
        cue = self._settings.leaving_cue if (who, LEAVES, nth) in self._told else 0.0
        return cue + log_odds(self._likely[nth].leaves, self._settings.least)

    def _comes(self, who: str, nth: int) -> float:
        cue = self._settings.coming_cue if (who, ENTERS, nth) in self._told else 0.0
        return cue + log_odds(self._likely[nth].comes, self._settings.least)
