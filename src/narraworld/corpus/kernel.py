"""The store-less kernel: the pieces of one story in, its base rows out. No journal, no SQLite, no lock, no folder.

    text → the embedded reader → shapes → nodes → rows that are carried, rows of the clock, rows worked out from words

The same steps as a world takes, in the same order, without the bookkeeping for later edits: whoever wants to edit a story opens a
world for it. Pure but for the reader's own weights; a worker process keeps one `Kernel` and reads any number of stories with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.checking.word_meanings import meanings
from narraworld.extract.embedded.discourse import DiscourseHistory
from narraworld.extract.embedded.reader import read_prose
from narraworld.extract.note_records import AuthorsNotes
from narraworld.kb.delta import is_described, references
from narraworld.kb.normal import Normaliser
from narraworld.kb.roster import Roster
from narraworld.kb.rows.bindings import NodeFacts, RowReader, nodes_of
from narraworld.kb.rows.meanings import Meanings
from narraworld.kb.rows.times import clock_rows, told_rows, unit_times
from narraworld.kb.time.clock import Clock
from narraworld.ontology.validate import Refusal, sift
from narraworld.reading.order import first_orders
from narraworld.rules.language.ir import Row
from narraworld.rules.living.living_world import WorldSetup, bindings_of

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.kb.delta import Delta

__all__ = ["Kernel", "StoryRows", "StoryTold"]

STRING = "http://www.w3.org/2001/XMLSchema#string"
RowSets: TypeAlias = dict[str, set[Row]]


@dataclass(frozen=True, slots=True)
class StoryRows:
    """What one story gave: its base rows by relation, how many words it has, and what was refused."""

    rows: Mapping[str, set[Row]]
    words: int
    refusals: tuple[Refusal, ...] = ()


class Kernel:
    """Reads stories one after the other; holds nothing of any of them."""

    def __init__(self, setup: WorldSetup) -> None:
        self.setup = setup
        self._reader = RowReader(bindings_of(setup.program))
        self._meanings = Meanings(Normaliser(setup.respects, setup.calendar))

    def read(self, pieces: Sequence[Piece]) -> StoryRows:
        """The base rows of one story; those of the settings are the same for all and are not among them."""
        told = StoryTold(self.setup)
        for piece, order in zip(pieces, first_orders(pieces), strict=True):
            notes = AuthorsNotes.of(_in_place(piece, order), told.roster)
            known = told.roster.plus(notes.cast) if notes.cast else told.roster
            place = (notes.unit.order, notes.unit.id)
            found = read_prose(
                notes.unit, known, stage=told.history.before(place), calendar=self.setup.calendar
            )
            notes.write(found.delta)
            nodes = told.sifted(found.delta)
            if nodes is None:
                continue
            self._take(told, nodes, notes.unit.id)
            told.history.add(place, found.moves)
            told.meet((*notes.cast, *found.cast), nodes, notes.unit.id)
        words = sum(len(piece.unit.text.split()) for piece in pieces)
        return StoryRows(self._with_words(told.rows), words, tuple(told.refusals))

    def begun(self) -> StoryTold:
        """A story of which nothing is told yet, for `take`."""
        return StoryTold(self.setup)

    def take(self, told: StoryTold, delta: Delta) -> int:
        """A unit of records instead of prose, taken as right; how many base rows the story has by now."""
        self._take(told, nodes_of(map(_quad, delta.graph)), delta.unit.id)
        return sum(map(len, told.rows.values()))

    def _take(self, told: StoryTold, nodes: Mapping[str, NodeFacts], unit: str) -> None:
        """The rows of one unit, as the living world takes them from its journal."""
        for carried in (*self._reader.rows(nodes.values(), unit), *self._meanings.rows(nodes)):
            told.rows.setdefault(carried.relation, set()).add(carried.row)
        told.rows.setdefault("told", set()).update(told_rows(nodes, unit, self.setup.clock))
        for comes, relation, row in clock_rows(told.clock.add(unit_times(nodes, unit))):
            some = told.rows.setdefault(relation, set())
            (some.add if comes else some.discard)(row)

    def _with_words(self, rows: RowSets) -> RowSets:
        """… and what the checks need to know of the words: parts of names, amounts, days."""
        known = {name: some for name, some in rows.items() if some}
        meant = meanings(lambda name: sorted(known.get(name, ())), self.setup.calendar)
        return known | {name: some for name, some in meant.items() if some}


class StoryTold:
    """How far one story has come: its rows, who is known, where everybody was left, and what time it is."""

    def __init__(self, setup: WorldSetup) -> None:
        self.rows: RowSets = {}
        self.refusals: list[Refusal] = []
        self.roster, self.history = Roster(), DiscourseHistory()
        self.clock = Clock(setup.calendar, setup.clock)
        self._kinds: dict[str, str] = {}  # of every node that a unit has described

    def sifted(self, delta: Delta) -> dict[str, NodeFacts] | None:
        """What the shapes accept of a unit; None if not even the unit itself."""
        unit = delta.unit.id
        outside = (node for node in references(delta.graph) if not node.startswith(f"{unit}/"))
        known = {node: self._kinds[node] for node in outside if node in self._kinds}
        accepted, refusals = sift(delta.graph, known)
        self.refusals += (*delta.refusals, *refusals)
        return nodes_of(map(_quad, accepted)) if is_described(accepted, unit) else None

    def meet(self, cast: Iterable[Any], nodes: Mapping[str, NodeFacts], unit: str) -> None:
        """Whoever was accepted is known from now on."""
        threads = {node for node, facts in nodes.items() if facts.kind == "Development"}
        self.roster = self.roster.plus((one for one in cast if one.id in nodes), threads | {unit})
        self._kinds |= {node: facts.kind for node, facts in nodes.items()}


def _in_place(piece: Piece, order: int) -> Piece:
    """The piece at its place in the telling, whose unit knows the way back to its file."""
    return replace(piece, unit=replace(piece.unit, order=order, source_map=piece.places.to_text()))


def _quad(triple: Any) -> Any:
    """A statement as `nodes_of` wants it: nothing is written down and parsed again on the way."""
    subject, predicate, value = triple
    told = SimpleNamespace(value=str(value))
    if hasattr(value, "language"):  # a literal
        told.datatype = SimpleNamespace(value=str(value.datatype or STRING))
    return SimpleNamespace(
        subject=SimpleNamespace(value=str(subject)),
        predicate=SimpleNamespace(value=str(predicate)),
        object=told,
    )
