"""What is told in a verb of saying, thinking or meaning: a speech, an attitude, a decision, the opening of a thread.

What is reported stays theirs: whoever reads the clauses inside is told which they are (`sentence.reported`).
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.developments import open_thread
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.intentions import take_leave
from narraworld.extract.embedded.writers.minds import contents, write_attitude, write_speech
from narraworld.extract.embedded.writers.role_filling import Fitted, fit

__all__ = ["REPORTING", "write_report"]

REPORTING = frozenset({"speech", "mind", "intend"})


def write_report(unit: UnitState, clauses: Sequence[Clause], number: int, fitted: Fitted) -> bool:
    """Write what the clause at ``number`` reports; whether anything was understood."""
    clause, frame = clauses[number], fitted[0]
    assert frame is not None
    inner = contents(clauses, number)
    means = _means(clauses, number, inner) if frame.type == "intend" else []
    unit.sentence.reported |= {*means} if frame.factive else {*means, *inner}
    told = {n: clauses[n] for n in inner}
    wrote = _said_or_thought(unit, clause, fitted, told, number)
    if frame.deciding and clause.realis == "actual":
        _decide(unit, [clauses[n] for n in (*inner[:1], *means)])
    wrote = _opened(unit, clause, fitted, list(told.values()), number) or wrote
    return wrote or write_event(unit, clause, fitted, number) is not None


def _opened(unit: UnitState, clause: Clause, fitted: Fitted, told: list[Clause], number: int) -> bool:
    """Whether the report opens a thread: somebody means to do something, or promises it."""
    frame = fitted[0]
    opens = frame is not None and (frame.type == "intend" or frame.manner == "promises")
    return opens and open_thread(unit, clause, fitted, told, number)


def _said_or_thought(
    unit: UnitState, clause: Clause, fitted: Fitted, told: dict[int, Clause], number: int
) -> bool:
    frame = fitted[0]
    if frame is not None and _speaks(frame, told):
        return write_speech(unit, clause, fitted, list(told.values()), number)
    return frame is not None and frame.type == "mind" and write_attitude(unit, clause, fitted, told)


def _speaks(frame: VerbFrame, told: dict[int, Clause]) -> bool:
    return frame.type == "speech" and (bool(told) or not frame.quoting)


def _decide(unit: UnitState, plans: Sequence[Clause]) -> None:
    """Keep what somebody has made up their mind to do; who decides to leave has left."""
    decided = [(plan, fit(unit, plan)) for plan in plans if not plan.copular and not plan.negated]
    unit.decided += [one for one in decided if not take_leave(unit, *one)]


def _means(clauses: Sequence[Clause], number: int, inner: list[int]) -> list[int]:
    """How somebody means to do it: `decided to surprise him by moving it`."""
    last = max((clauses[n].head.position for n in inner), default=None)
    if last is None:
        return []
    by = [(n, clause) for n, clause in enumerate(clauses) if clause.marker == "by"]
    return [n for n, clause in by if clause.parent in {number, *inner} and clause.head.position > last]
