"""Where a record stands: the sentences of its unit, which of them are said, who was last called by name, and what sort of prose it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.ledger import LedgerEntry
from narraworld.extract.embedded.unit import UnitState

__all__ = ["Standing", "Surroundings", "size"]

MANY = 4  # others who were called since
AGO = (40, 80, 150, 300, 600)  # characters
LONG, LINES = (7, 9, 11), (3, 6)  # words of a sentence, lines of a unit


def size(number: int, *steps: int) -> int:
    """A number by the step it reaches."""
    return bisect_right(steps, number)


@dataclass(slots=True)
class Surroundings:
    """The sentences of a unit by where they begin, and what is seen between them."""

    unit: UnitState
    lines: list[Sentence] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    said: set[int] = field(default_factory=set)
    prose: str = ""  # how long the unit and its sentences are
    calls: list[tuple[int, str]] = field(
        default_factory=list
    )  # where somebody was called by name or noun, and who

    @classmethod
    def of(cls, document: UnitDocument, unit: UnitState) -> Surroundings:
        lines = sorted(document, key=lambda line: line.where.start)
        said = {line.where.start for lines in document.spoken for line in lines}
        starts = [line.where.start for line in lines]
        return cls(unit, lines, starts, said, _prose(document), _calls(unit))

    def at(self, place: int) -> Sentence | None:
        number = bisect_right(self.starts, place) - 1
        return self.lines[number] if number >= 0 else None

    def since(self, id: str, place: int) -> Iterator[str]:
        """How long ago somebody was last called by a name or noun, and how many others since."""
        number = bisect_right(self.calls, (place, "")) - 1
        others = set[str]()
        while number >= 0 and self.calls[number][1] != id and len(others) < MANY:
            others.add(self.calls[number][1])
            number -= 1
        if number < 0 or self.calls[number][1] != id:
            yield "others since=many"
            return
        called = self.calls[number][0]
        yield f"others since={len(others)}"
        yield f"called ago={size(place - called, *AGO)}"
        yield f"called in sentence={self.at(called) is self.at(place)}"


def _calls(unit: UnitState) -> list[tuple[int, str]]:
    figures = unit.company.figures
    called = ((end, id) for end, (_, id) in unit.company.calls.items())
    return sorted((end, id) for end, id in called if id in figures and figures[id].kind == "character")


def _prose(document: UnitDocument) -> str:
    """Chapters have long sentences and many; games, notes and examples short ones or few."""
    long = sum(len(line.words) for line in document.told) / max(1, len(document.told))
    return f"prose={size(int(long), *LONG)} of {size(len(document.told) + len(document.quoted), *LINES)}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A record in its sentence and its clause."""

    entry: LedgerEntry
    around: Surroundings
    sentence: Sentence | None
    clause: Clause | None

    @classmethod
    def of(cls, entry: LedgerEntry, around: Surroundings) -> Standing:
        sentence = around.at(entry.quotes[0].start) if entry.quotes else None
        return cls(entry, around, sentence, _clause(entry, sentence) if sentence is not None else None)

    @property
    def unit(self) -> UnitState:
        return self.around.unit

    @property
    def words(self) -> Sequence[Word]:
        return self.sentence.words if self.sentence is not None else ()


def _clause(entry: LedgerEntry, sentence: Sentence) -> Clause | None:
    """The clause that the record quotes, else the smallest one around its words."""
    where = entry.quotes[0]
    for one in sentence.clauses:
        if one.where == where:
            return one
    around = [
        one for one in sentence.clauses if one.where.start <= where.start and where.end <= one.where.end
    ]
    return min(around, key=lambda one: one.where.end - one.where.start, default=None)
