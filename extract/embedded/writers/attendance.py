"""Who is there at each line of a script, as records: the comings and goings of `talk/participants.py`, each with the words that tell it.

A script names no place, so its talk is one; the rules then find who heard what as they do in any room.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.coreference import DiscourseEntity
from narraworld.extract.embedded.talk.absences import moves
from narraworld.extract.embedded.talk.attribution import SpeechTurn
from narraworld.extract.embedded.talk.participants import Move, Utterance
from narraworld.extract.embedded.unit import UnitState

__all__ = ["Attendance"]

PLACE = "the conversation"


class Attendance:
    """The comings and goings of a script; nothing for any other text."""

    def __init__(self, unit: UnitState, turns: Sequence[SpeechTurn]) -> None:
        self._unit, self._turns = unit, turns
        text = unit.delta.unit.text
        script = [Utterance(turn.labels, turn.quotations[0].words.cut(text)) for turn in turns]
        told = turns and turns[0].labels and not turns[0].quotations[0].staged
        self._moves = moves(script) if told else []
        self._there = self._each_line()

    def _each_line(self) -> list[set[str]]:
        found, there = list[set[str]](), set[str]()
        for nth in range(len(self._turns) if self._moves else 0):
            for move in self._moves:
                if move.at == nth:
                    (there.discard if move.movement == "leaves" else there.add)(move.who)
            found.append(set(there))
        return found

    def there(self, nth: int, person: CastMember) -> bool:
        """Whether somebody is there at a line; where nothing is known of it, they may be."""
        return not self._there or any(name in self._there[nth] for name in person.forms.values())

    def write(self, events: Sequence[str | None]) -> None:
        """Presence records, tied to the line from which on they hold."""
        if not self._moves:
            return
        place = self._place()
        for move in self._moves:
            holder = self._holder(move)
            event = events[move.at]
            if holder is not None and event is not None:
                where = self._turns[move.said].quotations[0].where
                self._unit.add(
                    "Presence", where, holder=holder, movement=move.movement, place=place, at=event
                )

    def _holder(self, move: Move) -> str | None:
        person = self._unit.company.people.called(move.who)
        return self._unit.company.person(person) if person is not None else None

    def _place(self) -> str:
        company = self._unit.company
        id = company.roster.free_id(f"{company.prefix}{company.unit} talk", set(company.figures))
        company.figures[id] = DiscourseEntity(
            id, "place", [PLACE], self._turns[0].quotations[0].where, "conversation"
        )
        return id
