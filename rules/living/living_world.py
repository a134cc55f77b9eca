"""The living world of one branch: base rows and derived tables kept in step with the journal.

`refresh` brings the tables from the snapshot they were stamped with to the newest one, unit by unit: an edited or
retracted unit leaves exactly what would be there had it never been read. Reads the journal, writes only caches.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from pathlib import Path

from narraworld.base.atomic_files import make_file, make_folder
from narraworld.base.errors import NarraWorldError
from narraworld.base.quick_dataclass import dataclass
from narraworld.base.undisturbed import undisturbed
from narraworld.kb.errors import JournalDamaged, KbError, NotDerivable
from narraworld.kb.journal.folder import Entry
from narraworld.kb.journal.store import Snapshot, Store
from narraworld.kb.normal import Normaliser
from narraworld.kb.rows.bindings import (
    BaseRow,
    Binding,
    Carried,
    NodeFacts,
    RowReader,
    parse_binding,
)
from narraworld.kb.rows.canonical_nodes import nodes_in
from narraworld.kb.rows.carriers import Carriers, Overtaken, RowChange, owned
from narraworld.kb.rows.meanings import Meanings
from narraworld.kb.rows.times import clock_rows, from_text, to_text, told_rows, unit_times
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.clock import Clock, Recalled, check
from narraworld.kb.time.clock_values import ClockSettings, UnitTimes
from narraworld.ontology.deeds import deed_facts
from narraworld.ontology.respects import Respects, respects
from narraworld.rules.engines import Limits
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Atom, Change, Const, Program, Var
from narraworld.rules.language.program import RuleBook

__all__ = ["SWITCHES", "LivingWorld", "WorldSetup", "bindings_of", "stamp_of", "switches_in", "thresholds_in"]

SWITCHES = frozenset(
    {
        "participation",
        "observation",
        "copresence",
        "reading",
        "discovery",
        "memory",
        "inference",
        "faction",
        "avowal",
        "own",
    }
)
ANEW_FROM = 4  # commits; fewer are always followed one by one


@dataclass(frozen=True, slots=True)
class WorldSetup:
    """What a project decides once: rules, which access rules are on, numbers of its own, calendar, limits."""

    program: RuleBook
    switches: frozenset[str] = SWITCHES
    calendar: Calendar = GREGORIAN
    clock: ClockSettings = field(default_factory=ClockSettings)
    limits: Limits = field(default_factory=Limits)
    thresholds: tuple[tuple[str, int], ...] = ()
    respects: Respects = field(default_factory=respects)

    @property
    def settings_rows(self) -> dict[str, set[BaseRow]]:
        """What is not read from the story: switches, thresholds, and what the table of respects says."""
        table: dict[str, set[BaseRow]] = {**self.respects.facts(), **deed_facts()}
        known = {name: rows for name, rows in table.items() if name in self.program.relations}
        switches: set[BaseRow] = {(name,) for name in self.switches}
        return {"switch": switches, "chosen_threshold": set(self.thresholds), **known}


def switches_in(program: Program) -> frozenset[str]:
    """The switches that rules ask for by name."""
    atoms = (literal for rule in program.rules for literal in rule.body if isinstance(literal, Atom))
    asked = (atom.args[0] for atom in atoms if atom.relation == "switch")
    return frozenset(str(term.value) for term in asked if isinstance(term, Const))


def thresholds_in(program: Program) -> frozenset[str]:
    """The thresholds that have a number by default."""
    heads = (rule.head for rule in program.rules if rule.head.relation == "default_threshold")
    return frozenset(str(head.args[0].value) for head in heads if isinstance(head.args[0], Const))


def stamp_of(snapshot: Snapshot) -> tuple[object, ...]:
    """The snapshot's stamp. A damaged head has no seal: what was made from the whole one is not taken for it."""
    try:
        return snapshot.stamp
    except JournalDamaged as trouble:
        return snapshot.branch, snapshot.revision, trouble.what


def bindings_of(program: Program) -> list[Binding]:
    """The ontology bindings that the base rule files state."""
    base = (relation for relation in program.relations.values() if relation.base)
    return [parse_binding(relation.name, line) for relation in base for line in relation.bindings]


class LivingWorld:
    """Derived tables for one branch of a store; in memory without a folder, else cached there."""

    def __init__(
        self, store: Store, frame: WorldSetup, *, branch: str = "main", folder: Path | None = None
    ) -> None:
        self.store, self.frame, self.branch, self.folder = store, frame, branch, folder
        if folder:
            make_folder(folder)
        self.engine = SqliteEngine(
            frame.program, make_file(folder / "world.sqlite") if folder else ":memory:", frame.limits
        )
        self.carriers = Carriers(make_file(folder / "carriers.sqlite") if folder else None)
        self.damage: tuple[JournalDamaged, ...] = ()
        self._reader = RowReader(bindings_of(frame.program))
        self._meanings = Meanings(Normaliser(frame.respects, frame.calendar))
        self._clock: tuple[str, Clock] | None = None  # and the stamp of the tables it belongs to
        self._shown: Snapshot | None = None

    def refresh(self, snapshot: Snapshot | None = None) -> Snapshot:
        """Show ``snapshot``, by default the newest of the branch; `damage` says which units could not be read."""
        wanted = self.store.snapshot(branch=self.branch) if snapshot is None else snapshot
        if self._is_showing(wanted):
            return wanted
        before = self._recall()
        self._shown = None  # until we are there: a failure on the way leaves nothing believed
        if before is None or self._is_mostly_new(before, wanted):
            self._rebuild(wanted)
        elif stamp_of(before) != stamp_of(wanted):
            self._follow(before, wanted)
        self._shown = wanted
        return wanted

    def begin_as(self, other: LivingWorld) -> None:
        """Take over the tables of another one, to go on from there: for a revision near the one it shows.

        Damage is left out of its tables, and whoever looks at another revision must find it there too.
        """
        if not other.damage and other.shown is not None:
            self.engine.begin_as(other.engine)
            self.carriers.begin_as(other.carriers)

    def rebuild(self) -> None:
        """Forget the caches and derive everything again."""
        self._rebuild(wanted := self.store.snapshot(branch=self.branch))
        self._shown = wanted

    @property
    def shown(self) -> Snapshot | None:
        """The snapshot that the tables show; None while nobody can say."""
        return self._shown

    def shows(self, snapshot: Snapshot | None) -> bool:
        """Whether the tables are still those that showed this very snapshot."""
        return self._shown is snapshot

    def described(self, node: str) -> list[tuple[str, str]]:
        """The units that describe a node, each with its class; as the tables stand, perhaps behind the journal."""
        units = self.engine.ask(Atom("occurs", (Const(node), Var("Unit"))))
        kinds = self.engine.ask(Atom("instance", (Const(node), Var("Kind")))) if units else []
        return [(str(unit), str(kind)) for _, unit in units for _, kind in kinds]

    def close(self) -> None:
        self.closing()()

    def closing(self) -> Callable[[], None]:
        """What closes the tables and does not hold this object: for whoever closes them when it is gone."""
        engine, carriers = self.engine, self.carriers

        def close() -> None:
            engine.close()
            carriers.close()

        return close

    # -- which snapshot the caches show

    def _is_showing(self, wanted: Snapshot) -> bool:
        """Whether we brought the tables there, and nobody has moved them since."""
        if self._shown is None or stamp_of(self._shown) != stamp_of(wanted):
            return False
        return bool(self.damage) or self.carriers.stamp == self._stamp(wanted)

    def _stamp(self, snapshot: Snapshot) -> str:
        return json.dumps([stamp_of(snapshot), self._settings])

    @cached_property
    def _settings(self) -> list[object]:
        """What else the tables depend on: to write a calendar out takes as long as a small change to the tables."""
        frame = self.frame
        named = [sorted(frame.switches), frame.thresholds]
        return [*named, repr(frame.calendar), repr(frame.clock), frame.respects.key]

    def _recall(self) -> Snapshot | None:
        """The snapshot that intact caches were made from, if the journal still confirms it."""
        stamp = self.carriers.stamp
        if not stamp or self.engine.stale or self.engine.stamp != stamp:
            return None
        said = json.loads(stamp)
        try:
            snapshot = self.store.snapshot(said[0][0][1], self.branch)
        except KbError:
            return None
        return snapshot if self._stamp(snapshot) == stamp else None

    def _is_mostly_new(self, before: Snapshot, wanted: Snapshot) -> bool:
        """Whether the way there is longer than the way from nothing: then deriving everything at once is quicker."""
        way = abs(wanted.commits - before.commits)
        return ANEW_FROM <= way > min(before.commits, wanted.commits)

    # -- bringing the caches there

    def _rebuild(self, wanted: Snapshot) -> None:
        """From nothing. What is damaged is left out; caches made without it are not stamped, and so never trusted."""
        try:
            self.damage = ()
            self._load(wanted.entries, self._stamp(wanted))
        except JournalDamaged:
            whole, damaged = wanted.sound()
            derivable, odd = self._sifted(whole)
            self.damage = (*damaged, *odd)
            self._load(derivable, stamp="")

    def _sifted(self, entries: Iterable[Entry]) -> tuple[list[Entry], list[NotDerivable]]:
        """The entries that give rows, and why the others do not."""
        derivable, odd = list[Entry](), list[NotDerivable]()
        for entry in entries:
            try:
                self._given_by(entry)
                derivable.append(entry)
            except NotDerivable as trouble:
                odd.append(trouble)
        return derivable, odd

    def _load(self, entries: Iterable[Entry], stamp: str) -> None:
        """All units at once: what is shared is sorted out, and the clocks are set, when all have been read."""
        clock, told = Clock(self.frame.calendar, self.frame.clock), list[UnitTimes]()
        rows = defaultdict[str, list[BaseRow]](list)
        with undisturbed(keeping=True), self.carriers.changing(stamp):
            self.carriers.fill(self._read(entries, rows, told), rows)
            self.carriers.keep_all_times((one.unit, to_text(one)) for one in told)
            for _, relation, row in clock_rows(clock.take(told)):
                rows[relation].append(row)
            self.engine.load({**rows, **self.frame.settings_rows}, stamp)
        self._clock = stamp, clock

    def _read(
        self, entries: Iterable[Entry], rows: Mapping[str, list[BaseRow]], told: list[UnitTimes]
    ) -> Iterator[tuple[str, list[Carried]]]:
        """Whatever each unit carries that is not its own alone; its own goes to ``rows``, what it says about time to ``told``."""
        for entry in entries:
            unit = entry.unit
            with _derivable(entry):
                nodes, times = self._nodes_and_times(entry)
                told.append(times)
                own = [node for node in nodes.values() if owned(node.id, unit)]
                self._reader.gather(own, unit, rows)
                others = [node for node in nodes.values() if not owned(node.id, unit)]
                carried = [*self._reader.rows(others, unit), *self._worked_out(nodes, unit)]
            yield unit, carried

    def _follow(self, before: Snapshot, wanted: Snapshot) -> None:
        """From one snapshot to another; if another process moved the tables meanwhile, or a unit is damaged, anew."""
        old, new = self._stamp(before), self._stamp(wanted)
        clock, change = self._take_clock(old), RowChange()
        try:
            with self.carriers.changing(new, after=old):
                for unit in self.store.diff(before, wanted).units:
                    self._exchange(before.find(unit), wanted.find(unit), clock, change)
                self.engine.follow(Change(change.added, change.removed), new)
        except (JournalDamaged, Overtaken):
            self._rebuild(wanted)
        else:
            self._clock = new, clock

    def _exchange(self, old: Entry | None, new: Entry | None, clock: Clock, change: RowChange) -> None:
        """Take one version of a unit out and put another in."""
        unit = (old or new).unit  # type: ignore[union-attr]
        (gone, _), (come, times) = self._given_by(old), self._given_by(new)
        self.carriers.replace(unit, gone, come, change)
        self._retime(unit, times, clock, change)

    def _given_by(self, entry: Entry | None) -> tuple[list[Carried], UnitTimes | None]:
        """The rows of a version of a unit and what it says about time; `NotDerivable` if there can be none."""
        if entry is None:
            return [], None
        with _derivable(entry):
            nodes, times = self._nodes_and_times(entry)
            return [
                *self._reader.rows(nodes.values(), entry.unit),
                *self._worked_out(nodes, entry.unit),
            ], times

    def _nodes_and_times(self, entry: Entry) -> tuple[dict[str, NodeFacts], UnitTimes]:
        nodes = nodes_in(self.store.body(entry))
        times = unit_times(nodes, entry.unit)
        check(times, self.frame.clock)
        return nodes, times

    def _worked_out(self, nodes: Mapping[str, NodeFacts], unit: str) -> Iterator[Carried]:
        """Rows that no binding reads: what words mean, and where scenes and statements about order are told."""
        yield from self._meanings.rows(nodes)
        told = told_rows(nodes, unit, self.frame.clock)
        yield from (Carried(str(row[0]), "told", row) for row in told)

    def _retime(self, unit: str, times: UnitTimes | None, clock: Clock, change: RowChange) -> None:
        moved = clock.add(times) if times else clock.remove(unit)
        self.carriers.keep_times(unit, to_text(times) if times else None)
        for comes, relation, row in clock_rows(moved):
            (change.add if comes else change.remove)(relation, row)

    def _take_clock(self, stamp: str) -> Clock:
        """The clock of the tables with this stamp; whoever takes it puts it back when it is right again."""
        kept, self._clock = self._clock, None
        if kept and kept[0] == stamp:
            return kept[1]
        units = map(from_text, self.carriers.times())
        return Clock.recalled(units, self._said(), self.frame.calendar, self.frame.clock)

    def _said(self) -> Recalled:
        """What the clock of the tables said; scenes and statements of order have a position that is not the clock's."""
        tick, told, minutes = (
            {str(node): int(value) for node, value in self.engine.ask(Atom(name, (Var("X"), Var("N"))))}
            for name in ("at", "told", "dated")
        )
        return Recalled(tick, {node: place for node, place in told.items() if node in tick}, minutes)


@contextmanager
def _derivable(entry: Entry) -> Iterator[None]:
    """A stretch that works out what a unit gives; whatever goes wrong in it says which unit it was."""
    try:
        yield
    except JournalDamaged:
        raise
    except (NarraWorldError, LookupError, ValueError) as error:
        what = error.what if isinstance(error, NarraWorldError) else f"{type(error).__name__}: {error}"
        raise NotDerivable(str(entry.file), entry.unit, f"nothing can be derived from it: {what}") from error
