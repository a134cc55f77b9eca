"""The world: the flow of the whole, told once and in order.

    records → SHACL → journal → base rows → rules → a situated scope → answers, views, proofs

Composes the rooms and decides nothing itself. Opening is cheap; the living tables are brought up to date when first
asked. One writer at a time; any number of readers. Threads may share a world: they take turns. A scope that a thread keeps
for itself may be `Outdated` by what another reads.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import write_whole
from narraworld.kb.errors import NotAStore
from narraworld.kb.journal.store import Snapshot, Store
from narraworld.kb.units import check_not_reserved
from narraworld.project.file import ProjectSettings, load_settings
from narraworld.project.recent import Recent
from narraworld.project.search_indexes import Shelves
from narraworld.project.setup import frame_of
from narraworld.project.source_places import PlaceFinder
from narraworld.query.scope import Explanation, GoalAnswer, Scope
from narraworld.query.situation import Situation, horizon_of
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import ChosenEngine, EngineName
from narraworld.rules.living.census import Census
from narraworld.rules.living.cut import cut
from narraworld.rules.living.living_world import LivingWorld, WorldSetup, stamp_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rdflib import Graph

    from narraworld.kb.delta import Delta
    from narraworld.kb.errors import JournalDamaged
    from narraworld.kb.journal.branches import Branch
    from narraworld.kb.journal.leaf import Damage, Entry
    from narraworld.kb.rdf.exchange import Imported, RefusedStatement
    from narraworld.kb.rdf.sparql import SparqlAnswer
    from narraworld.ontology.validate import Refusal
    from narraworld.query.ask.answer import Reply, Translate
    from narraworld.query.checks.findings import Checked
    from narraworld.query.difference import Difference
    from narraworld.query.knows import Matrix
    from narraworld.query.memory.context import Planner
    from narraworld.query.memory.needs import MemoryContext, MemorySwitches
    from narraworld.query.memory.preview import Preview
    from narraworld.query.views import Views

__all__ = ["NOW", "Committed", "PlaceFinder", "World", "frame_of"]

NOW = Situation()


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of one unit: its journal entry, how many records of each class, and what was refused and why."""

    unit: str
    entry: Entry | None
    records: dict[str, int]
    refusals: tuple[Refusal, ...]


class World:
    """A story world beside a manuscript. Use it in a `with`, or close it."""

    def __init__(
        self, path: Path, store: Store, settings: ProjectSettings, engine: EngineName = "auto"
    ) -> None:
        self.path, self.store, self.settings = path, store, settings
        self._engine_name: EngineName = engine
        self._frame: WorldSetup | None = None
        self._living: Recent[str, LivingWorld] = Recent(settings.situations)
        self._censuses: Recent[str, Census] = Recent(settings.situations)
        self._scopes: Recent[tuple[Situation, object], Scope] = Recent(settings.situations, Scope.forget)
        self._shelves = Shelves()
        self.beside: dict[object, World] = {}  # the same story with further rules, such as the checks
        self._turn = threading.RLock()

    @classmethod
    def open(
        cls,
        path: Path | str = ".",
        *,
        create: bool = False,
        rules: tuple[Path, ...] = (),
        engine: EngineName = "auto",
    ) -> World:
        """The world in the folder ``path``; ``create`` makes one where there is none."""
        folder = Path(path)
        settings = load_settings(folder)
        settings = replace(settings, rule_files=(*settings.rule_files, *rules))
        try:
            store = Store.create(folder) if create else Store.open(folder)
        except NotAStore as error:
            raise NotAStore(
                error.what, where=error.where, fix="make one with: narraworld read FILE…"
            ) from error
        return cls(folder, store, settings, engine)

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        for other in self.beside.values():
            other.close()
        self.beside.clear()
        self._shelves.close()
        for kept in (self._scopes, self._censuses, self._living):
            kept.drop()

    # -- in

    def read(self, path: Path | str, *, branch: str = "main") -> Committed:
        """Read one file of records and commit what can be accepted."""
        from narraworld.extract.records import read_records

        return self.commit(read_records(Path(path), branch=branch), branch=branch)

    def commit(self, delta: Delta, *, branch: str = "main") -> Committed:
        """Validate a unit's delta and append what is accepted; refused records are returned, never repaired."""
        check_not_reserved(delta.unit)
        reading = self._commit_graph(delta.unit.id, delta.graph, branch)
        return replace(reading, refusals=(*delta.refusals, *reading.refusals))

    def _commit_quads(self, unit: str, quads: str, branch: str) -> Committed:
        from narraworld.kb.quads import graph_of

        return self._commit_graph(unit, graph_of(quads), branch, unless_same=True)

    def _commit_graph(self, unit: str, graph: Graph, branch: str, *, unless_same: bool = False) -> Committed:
        from narraworld.kb.delta import is_described
        from narraworld.ontology.validate import Refusal, sift

        with self._turn, self.store.writing():
            accepted, refusals = sift(graph, self._known(unit, graph, branch))
            if not is_described(accepted, unit):  # without its unit nothing has a place
                if not any(refusal.record == unit for refusal in refusals):
                    refusals.append(Refusal(unit, "SourceUnit", "the unit itself is not described"))
                return Committed(unit, None, {}, tuple(refusals))
            same = self.store.saying(unit, accepted, branch) if unless_same else None
            entry = same or self.store.commit(unit, accepted, branch=branch)
            return Committed(unit, entry, _counted(self.store.body(entry)), tuple(refusals))

    def retract(self, unit: str, *, branch: str = "main") -> Entry:
        """Take a unit out; earlier revisions still have it."""
        return self.store.retract(unit, branch=branch)

    def _known(self, unit: str, graph: Graph, branch: str) -> dict[str, str]:
        """The classes of the nodes this delta refers to that other units have committed."""
        from narraworld.kb.delta import references

        outside = {node for node in references(graph) if not node.startswith(f"{unit}/")}
        return self._census(branch).kinds(outside, besides=unit)

    def _census(self, branch: str) -> Census:
        return self._censuses.get(branch) or self._censuses.put(branch, Census(self.living(branch)))

    # -- out

    def scope(self, situation: Situation = NOW) -> Scope:
        """The world as ``situation`` sees it; asked twice, it is the same object until something is committed.

        The situations asked about last are kept; another is derived anew unless somebody still holds its scope.
        """
        with self._turn:
            snapshot = self.store.snapshot(situation.revision, situation.branch)
            key = situation, stamp_of(snapshot)
            kept = self._scopes.get(key)
            if kept is None:
                self._scopes.forget(lambda other: other[0] == situation)
                scope, releases = self._make_scope(situation, snapshot)
                kept = self._scopes.put(key, scope, *releases)
            return kept

    def query(self, text: str, situation: Situation = NOW) -> GoalAnswer:
        """Ask in rules: `mistaken(Who, P, Truth)`."""
        with self._turn:  # here and below: a scope is not outdated by another thread before it has answered
            return self.scope(situation).query(text)

    def why(self, text: str, situation: Situation = NOW) -> Explanation:
        """Why a fact holds, or why not."""
        with self._turn:
            return self.scope(situation).why(text)

    def views(self, situation: Situation = NOW) -> Views:
        with self._turn:
            return self.scope(situation).views()

    def knows(self, situation: Situation = NOW) -> Matrix:
        with self._turn:
            return self.scope(situation).knows()

    def preview(self, situation: Situation = NOW) -> Preview:
        """A compact look at memory: who there is, what is under way, how much lies where."""
        with self._turn:
            return self.scope(situation).preview

    def context(
        self,
        request: str,
        situation: Situation = NOW,
        budget: int = 4000,
        *,
        passage: str = "",
        outline: str = "",
        switches: MemorySwitches | None = None,
        planner: Planner | None = None,
    ) -> MemoryContext:
        """Memory for the next passage, in at most ``budget`` tokens; passage and outline guide and are no evidence."""
        from narraworld.query.memory.context import memory_for
        from narraworld.query.memory.plan import Request

        asked = Request(request, situation.purpose, passage, outline, situation.recipient)
        with self._turn:
            return memory_for(asked, self.scope(situation), budget, switches=switches, planner=planner)

    def ask(
        self,
        question: str,
        situation: Situation = NOW,
        *,
        switches: MemorySwitches | None = None,
        translate: Translate | None = None,
    ) -> Reply:
        """A question in English; the answer is derived, and the query it became is part of it."""
        from narraworld.query.ask.answer import ask

        with self._turn:
            return ask(question, self.scope(situation), switches=switches, translate=translate)

    def check(
        self, situation: Situation = NOW, *, select: Sequence[str] = (), ignore: Sequence[str] = ()
    ) -> Checked:
        """What does not fit, with both passages; the author's waivers are not applied."""
        from narraworld.checking.check_world import check_world

        with self._turn:
            return check_world(self, situation=situation, select=select, ignore=ignore)

    def sparql(
        self, query: str, *, branch: str = "main", revision: int | None = None, seconds: float | None = None
    ) -> SparqlAnswer:
        """Ask the RDF of the base facts, read-only; ``seconds`` at most, by default the limit of the settings."""
        from narraworld.kb.rdf.sparql_process import sparql_apart

        limit = seconds or self.settings.limits.get("seconds", Limits().seconds)
        return sparql_apart(self.store, query, branch=branch, revision=revision, seconds=limit)

    def export(self, path: Path | str, *, branch: str = "main", revision: int | None = None) -> None:
        """Write the base facts to one file, in the format of its suffix; `.dl` is program and facts for Soufflé."""
        if Path(path).suffix == ".dl":
            from narraworld.rules.language.souffle import to_souffle
            from narraworld.rules.living.cut import every_row

            engine = self.scope(Situation(branch=branch, revision=revision)).engine
            facts = {name: every_row(engine, name) for name in engine.program.base()}
            write_whole(Path(path), to_souffle(self.frame.program, facts))
            return
        from narraworld.kb.rdf.exchange import export

        export(self.store.snapshot(revision, branch), path)

    def import_(
        self, file: Path | str | Imported, *, branch: str = "main"
    ) -> tuple[list[Committed], tuple[RefusedStatement, ...]]:
        """Commit the units of a file that `export` wrote; shapes are checked as for any other reading.

        A unit that says already what the file says of it is left as it is, so that a second import changes nothing.
        """
        from narraworld.kb.rdf.exchange import Imported, read_export

        found = file if isinstance(file, Imported) else read_export(file)
        return [self._commit_quads(unit, quads, branch) for unit, quads in found.units], found.refused

    # -- history and branches

    def log(self, branch: str = "main") -> list[Entry]:
        return self.store.log(branch)

    def branch(self, name: str, *, parent: str = "main", revision: int | None = None) -> Branch:
        """A what-if that grows from ``parent`` and leaves it alone."""
        return self.store.new_branch(name, parent=parent, revision=revision)

    def delete_branch(self, name: str) -> None:
        """Forget a what-if, and how the texts were read that it alone had."""
        from narraworld.reading.how_read import forget

        for branch in self.store.branches():
            if branch.name == name:
                forget(self.store, branch)
        self._scopes.drop(lambda key: key[0].branch == name)
        self._censuses.drop(lambda branch: branch == name)
        self._living.drop(lambda key: key.partition("@")[0] == name)
        self._shelves.close(name)
        self.store.delete_branch(name)

    def diff(self, before: int, after: int, branch: str = "main") -> Difference:
        """What the world gained and lost between two revisions."""
        from narraworld.query.difference import difference

        old, new = Situation(revision=before, branch=branch), Situation(revision=after, branch=branch)
        edits = self.store.diff(self.store.snapshot(before, branch), self.store.snapshot(after, branch))
        units = (*edits.added, *edits.changed, *edits.removed)
        with self._turn:
            return difference(self.scope(old), self.scope(new), units)

    def compare(self, branch: str, other: str) -> Difference:
        """How the world on ``other`` differs from that on ``branch``."""
        from narraworld.query.difference import difference

        with self._turn:
            return difference(self.scope(Situation(branch=branch)), self.scope(Situation(branch=other)))

    def verify(self) -> list[Damage]:
        """Everything wrong with the journals."""
        return self.store.verify()

    @property
    def damage(self) -> list[JournalDamaged]:
        """Units that could not be read while answering, and were left out of the answer."""
        return [one for living in self._living.things() for one in living.damage]

    def reindex(self, branch: str = "main") -> None:
        """Throw the caches of a branch away and derive everything again."""
        with self._turn:
            living = self.living(branch)
            living.rebuild()
            self._shelves.shelf(living, self.store.snapshot(branch=branch)).index.clear()
            self._scopes.forget(lambda key: True)
            self.store.sweep_caches()

    # -- the machinery

    @property
    def frame(self) -> WorldSetup:
        if self._frame is None:
            self._frame = frame_of(self.settings)
        return self._frame

    def living(self, branch: str = "main") -> LivingWorld:
        """The branch's derived tables, brought up to date."""
        with self._turn:
            living = self._living.get(branch)
            if living is None:
                self.store.snapshot(branch=branch)  # refuses an unknown branch before a folder is made for it
                living = self._alive(branch, self.store.cache(branch))
                self._living.put(branch, living, living.closing())
            living.refresh()
            return living

    def _alive(self, branch: str, folder: Path | None) -> LivingWorld:
        """Without leave to write beside the manuscript, the tables live in memory."""
        as_acting = os.access in os.supports_effective_ids
        kept = folder if os.access(self.store.root, os.W_OK, effective_ids=as_acting) else None
        return LivingWorld(self.store, self.frame, branch=branch, folder=kept)

    def _at_revision(self, branch: str, snapshot: Snapshot) -> LivingWorld:
        name = f"{branch}@{snapshot.revision}"
        living = self._living.get(name)
        if living is None:
            living = self._alive(branch, None)
            self._living.put(name, living, living.closing(), partial(self._shelves.close_one, name))
        living.refresh(snapshot)
        return living

    def _make_scope(
        self, situation: Situation, snapshot: Snapshot
    ) -> tuple[Scope, tuple[Callable[[], None], ...]]:
        """A scope, and how to release what is its own; the living tables are not."""
        if situation.revision is None:
            living = self.living(situation.branch)
        else:
            living = self._at_revision(situation.branch, snapshot)
        engine: Engine = ChosenEngine(living.engine, self.frame.limits)
        is_current = partial(living.shows, living.shown)
        horizon, own = horizon_of(engine, situation, self.frame.clock), tuple[Callable[[], None], ...]()
        if not horizon.everything or self._engine_name != "auto":
            engine = cut(engine, living.carriers, horizon, self.frame, name=self._engine_name)
            own = (engine.close,)
        shelf = partial(self._shelves.shelf, living, snapshot, whole=horizon.everything)
        finder = PlaceFinder(engine)
        scope = Scope(engine, focalizer=situation.eyes, place_of=finder, shelf=shelf, is_current=is_current)
        return scope, own


def _counted(body: str) -> dict[str, int]:
    """How many nodes of each class a unit's statements describe."""
    from narraworld.kb.quads import classes_of

    return dict(sorted(Counter(kind for _, kind in classes_of(body)).items()))
