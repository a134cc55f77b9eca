"""Who is away between two lines of theirs: what the cues of a talk say, weighed with how likely the small encoder finds it.

Before somebody's first line, between each two that follow one another, and after the last: one decision each. Decides no line's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.extract.embedded.talk.absence_odds import ToldMoves, absence_odds, kind_of, seen
from narraworld.extract.embedded.talk.participants import Move, Utterance, moves_by_cues
from narraworld.kb.encoder.likelihoods import absent

if TYPE_CHECKING:
    from narraworld.base.settings import AbsenceSettings
    from narraworld.kb.encoder.readings import Silence

__all__ = ["moves"]

ENTERS, PRESENT = "enters", "present"


def moves(script: Sequence[Utterance], settings: AbsenceSettings | None = None) -> list[Move]:
    """Every coming and going of a script, in order."""
    told, settings = moves_by_cues(script), settings or DEFAULTS.embedded.absences
    if len(script) < settings.talk:
        return told
    return sorted(_Absences(script, told, settings).moves(), key=lambda move: (move.at, move.who))


class _Absences:
    """The silences of a talk, and in which of them somebody is away."""

    def __init__(self, script: Sequence[Utterance], told: Sequence[Move], settings: AbsenceSettings) -> None:
        self._script, self._settings = script, settings
        self._told = ToldMoves(script, told)

    def moves(self) -> Iterator[Move]:
        likely = absent(tuple((one.speakers, one.words) for one in self._script), self._settings.shortest)
        away = {silence for silence, share in likely.items() if self._is_away(silence, share)}
        yield from (Move(who, PRESENT, 0, first) for who, first in self._there_at_first(away))
        for silence in away:
            yield from self._around(silence)

    def _is_away(self, silence: Silence, share: float) -> bool:
        found = seen(self._script, silence, self._told, share, self._settings.least)
        return absence_odds(kind_of(silence), found) > self._least(silence)

    def _least(self, silence: Silence) -> float:
        if silence.before is None:
            return self._settings.joins
        return self._settings.gone if silence.after is None else self._settings.away

    def _there_at_first(self, away: set[Silence]) -> Iterator[tuple[str, int]]:
        late = {one.who for one in away if one.before is None}
        for who in sorted({who for one in self._script for who in one.speakers} - late):
            yield who, next(nth for nth, one in enumerate(self._script) if who in one.speakers)

    def _around(self, silence: Silence) -> Iterator[Move]:
        """Their going and coming back, unless all that is said meanwhile are goodbyes, which they hear."""
        who, before, after = silence
        leaves = [] if before is None else [self._told.leaving(who, before)]
        if any(one.at >= (len(self._script) if after is None else after) for one in leaves):
            return
        yield from leaves
        if after is not None:
            yield Move(who, ENTERS, after, after)
