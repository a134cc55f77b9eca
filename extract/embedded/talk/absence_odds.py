"""The odds that whoever says nothing is away: what is seen of a silence, weighed by numbers that were learned.

The weights stand in `absences.json`, learned by `training/absences.py` on talks of other authors than those the encoder was taught then.
The same for use and for training. Decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, TypeAlias

from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.talk.participants import Move, Utterance, gone_from
from narraworld.kb.encoder.likelihoods import log_odds

if TYPE_CHECKING:
    from narraworld.kb.encoder.readings import Silence

__all__ = ["LEAVES", "ToldMoves", "absence_odds", "kind_of", "seen"]

LEAVES = "leaves"
AbsenceWeights: TypeAlias = Mapping[str, Mapping[str, float]]


class ToldMoves:
    """What the cues of a talk say, by who it is of and the line of theirs it lies at."""

    def __init__(self, script: Sequence[Utterance], moves: Sequence[Move]) -> None:
        self._script = script
        self._told = {(one.who, one.movement, self._line(one)): one for one in moves}

    def _line(self, move: Move) -> int:
        """The last goodbye of whoever leaves, the first words of whoever has come."""
        if move.movement != LEAVES:
            return move.said
        return max(nth for nth in range(move.at) if move.who in self._script[nth].speakers)

    def leaves(self, silence: Silence) -> bool:
        return (silence.who, LEAVES, silence.before) in self._told

    def comes(self, silence: Silence) -> bool:
        return (silence.who, "enters", silence.after) in self._told

    def leaving(self, who: str, before: int) -> Move:
        told = self._told.get((who, LEAVES, before))
        return told or Move(who, LEAVES, gone_from(self._script, before, who), before)


def kind_of(silence: Silence) -> str:
    """Before somebody's first line, between two of theirs or after their last: each sort has weights of its own."""
    if silence.before is None:
        return "before"
    return "between" if silence.after is not None else "after"


def seen(
    script: Sequence[Utterance], silence: Silence, told: ToldMoves, share: float, least: float
) -> dict[str, float]:
    """What the encoder finds and the cues say, and how long somebody is silent in a talk of how many. A cue counts for more before a long
    silence."""
    people = {who for one in script for who in one.speakers}
    lines = log(len(silence.lines(len(script))))
    leaving, coming = float(told.leaves(silence)), float(told.comes(silence))
    return {
        "always": 1.0,
        "encoder": log_odds(share, least),
        "leaving": leaving,
        "leaving for long": leaving * lines,
        "coming": coming,
        "coming after long": coming * lines,
        "lines": lines,
        "others": log(max(1, len(people) - 1)),
        "talk": log(len(script)),
    }


def absence_odds(kind: str, found: Mapping[str, float]) -> float:
    """As a logarithm: above nothing they are rather away than there."""
    weights = of_spoken(_weights)[kind]
    return sum(weights[name] * value for name, value in found.items())


def _weights(language: Language) -> AbsenceWeights:
    found: AbsenceWeights = json.loads((language.tables / "absences.json").read_text("utf-8"))
    return found
