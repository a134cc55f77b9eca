"""What a unit has on its way through the passes, the clause at hand, and what a whole reading gives. Values; reads nothing."""

from __future__ import annotations

from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.discourse import DiscourseState, Moves
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.people.cast import UnitCast
from narraworld.extract.embedded.people.ranker import Judge
from narraworld.extract.embedded.people.trail import Trail
from narraworld.extract.embedded.talk.dialogue import Dialogue
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.role_filling import Fitted
from narraworld.extract.embedded.writers.speeches import Speeches
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Roster
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.units import Unit

__all__ = ["ClauseAtHand", "ProseReading", "Reading"]


@dataclass(frozen=True, slots=True)
class ProseReading:
    """What one unit gave: records, how much of it was understood, who is in it, and whom and what it moved."""

    delta: Delta
    coverage: Coverage
    cast: tuple[Known, ...]
    moves: Moves


@dataclass(slots=True)
class Reading:
    """A unit on its way through the passes; each field below the line is there once its pass has run."""

    text: Unit
    roster: Roster
    before: DiscourseState
    prefix: str
    calendar: Calendar = GREGORIAN
    judge: Judge | None = None  # another judge of pronouns than the language's table
    doubting: bool = True  # whether what is doubtful is left out at the end
    # --
    document: UnitDocument = field(init=False)
    cast: UnitCast = field(init=False)
    kinds: dict[str, str] = field(init=False)
    talk: Dialogue = field(init=False)
    trail: Trail = field(init=False)
    unit: UnitState = field(init=False)
    speeches: Speeches = field(init=False)
    coverage: Coverage = field(default_factory=Coverage)


@dataclass(slots=True)
class ClauseAtHand:
    """A clause on its way through its passes; the first pass that takes it says whether it was understood."""

    reading: Reading
    sentence: Sentence
    number: int
    fitted: Fitted = (None, {})

    @property
    def unit(self) -> UnitState:
        return self.reading.unit

    @property
    def clause(self) -> Clause:
        return self.sentence.clauses[self.number]
