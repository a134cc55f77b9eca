"""A story's folder held open: its journal, its settings, its derived tables, and the situated scopes over them.

    records → SHACL → journal → base rows → rules → a scope

What reading and checking are handed; `World` says the verbs over it. Opening is cheap; the tables are brought up to date when
first asked. One writer at a time; any number of readers. Threads may share it: they take turns. A scope
that a thread keeps for itself may be `Outdated` by what another reads.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.journal.store import Snapshot, Store
from narraworld.kb.units import check_not_reserved
from narraworld.project.file import ProjectSettings, load_settings
from narraworld.project.journal import open_journal
from narraworld.project.recent import Recent
from narraworld.project.search_indexes import Shelves
from narraworld.project.setup import frame_of
from narraworld.project.source_places import PlaceFinder
from narraworld.query.eyes import as_one, mind_of
from narraworld.query.names import NameBook
from narraworld.query.resolve import MINDS, NameResolver
from narraworld.query.scope import Scope
from narraworld.query.situation import NOW, Situation, placed
from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import ChosenEngine, EngineName
from narraworld.rules.living.census import Census
from narraworld.rules.living.cut import cut
from narraworld.rules.living.kept_cuts import KeptCuts
from narraworld.rules.living.living_world import LivingWorld, WorldSetup, stamp_of

if TYPE_CHECKING:
    from typing import Self

    from rdflib import Graph

    from narraworld.kb.delta import Delta
    from narraworld.kb.errors import JournalDamaged
    from narraworld.kb.journal.leaf import Entry
    from narraworld.ontology.validate import Refusal

__all__ = ["Committed", "OpenStory"]


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of one unit: its journal entry, how many records of each class, and what was refused and why."""

    unit: str
    entry: Entry | None
    records: dict[str, int]
    refusals: tuple[Refusal, ...]


class OpenStory:
    """A story beside its manuscript, open. Close it when done."""

    def __init__(
        self, path: Path, store: Store, settings: ProjectSettings, engine: EngineName = "auto"
    ) -> None:
        self.path, self.store, self.settings = path, store, settings
        self._engine_name: EngineName = engine
        self._frame: WorldSetup | None = None
        self._living: Recent[str, LivingWorld] = Recent(settings.situations)
        self._censuses: Recent[str, Census] = Recent(settings.situations)
        self._scopes: Recent[tuple[Situation, tuple[bool, object]], Scope] = Recent(
            settings.situations, Scope.forget
        )
        self._shelves = Shelves()
        self.beside: dict[object, OpenStory] = {}  # the same story with further rules, such as the checks
        self.kept: dict[object, object] = {}  # what readers remember of their last reading
        self.turn = (
            threading.RLock()
        )  # whoever asks and answers holds it, so that no other thread outdates a scope in between

    @classmethod
    def open(
        cls,
        path: Path | str = ".",
        *,
        create: bool = False,
        rules: tuple[Path, ...] = (),
        engine: EngineName = "auto",
    ) -> Self:
        """The story in the folder ``path``; ``create`` begins one where there is none."""
        folder = Path(path)
        settings = load_settings(folder)
        settings = replace(settings, rule_files=(*settings.rule_files, *rules))
        return cls(folder, open_journal(folder, create=create), settings, engine)

    def close(self) -> None:
        for other in self.beside.values():
            other.close()
        self.beside.clear()
        self._shelves.close()
        for kept in (self._scopes, self._censuses, self._living):
            kept.drop()

    # -- in

    def commit(
        self, delta: Delta, *, branch: str = "main", later: Collection[str] = (), unless_same: bool = False
    ) -> Committed:
        """Validate a unit's delta and append what is accepted; refused records are returned, never repaired.

        ``later`` are units that have no say in what is what; ``unless_same`` leaves alone a unit that says so already.
        """
        check_not_reserved(delta.unit)
        committed = self.commit_graph(
            delta.unit.id, delta.graph, branch, unless_same=unless_same, later=later
        )
        return replace(committed, refusals=(*delta.refusals, *committed.refusals))

    def commit_graph(
        self, unit: str, graph: Graph, branch: str = "main", *, unless_same: bool = False,
        later: Collection[str] = (),
    ) -> Committed:  # fmt: skip
        """The same for the bare statements of a unit."""
        from narraworld.kb.delta import is_described
        from narraworld.ontology.validate import Refusal, sift

        with self.turn, self.store.writing():
            accepted, refusals = sift(graph, self._known(unit, graph, branch, later))
            if not is_described(accepted, unit):  # without its unit nothing has a place
                if not any(refusal.record == unit for refusal in refusals):
                    refusals.append(Refusal(unit, "SourceUnit", "the unit itself is not described"))
                return Committed(unit, None, {}, tuple(refusals))
            same = self.store.saying(unit, accepted, branch) if unless_same else None
            entry = same or self.store.commit(unit, accepted, branch=branch)
            return Committed(unit, entry, _counted(self.store.body(entry)), tuple(refusals))

    def _known(self, unit: str, graph: Graph, branch: str, later: Collection[str]) -> dict[str, str]:
        """The classes of the nodes this delta refers to that other units have committed."""
        from narraworld.kb.delta import references

        outside = {node for node in references(graph) if not node.startswith(f"{unit}/")}
        return self.census(branch).kinds(outside, besides={unit, *later})

    def census(self, branch: str = "main") -> Census:
        """What each node of a branch is, without deriving anything."""
        return self._censuses.get(branch) or self._censuses.put(branch, Census(self.living(branch)))

    def delete_branch(self, name: str) -> None:
        """Let go of a branch: its journal, its tables, its scopes."""
        self._scopes.drop(lambda key: key[0].branch == name)
        self._censuses.drop(lambda branch: branch == name)
        self._living.drop(lambda key: key.partition("@")[0] == name)
        self._shelves.close(name)
        self.store.delete_branch(name)

    # -- out

    def scope(self, situation: Situation = NOW, *, joined: bool = False) -> Scope:
        """The story as ``situation`` sees it; asked twice, it is the same object until something is committed.

        ``joined`` asks about those who turned out to be one as one; readers and checks look at names as they were written.
        The situations asked about last are kept; another is derived anew unless somebody still holds its scope.
        """
        with self.turn:
            snapshot = self.store.snapshot(situation.revision, situation.branch)
            key = situation, (joined, stamp_of(snapshot))
            kept = self._scopes.get(key)
            if kept is None:
                self._scopes.forget(lambda other: other[0] == situation and other[1][0] is joined)
                scope, releases = self._make_scope(situation, snapshot, joined)
                kept = self._scopes.put(key, scope, *releases)
                if releases and self._scopes.is_full:  # another one had to go: a server, not a command
                    from narraworld.base.memory_given_back import give_back

                    give_back()
            return kept

    def _make_scope(
        self, situation: Situation, snapshot: Snapshot, joined: bool
    ) -> tuple[Scope, tuple[Callable[[], None], ...]]:
        """A scope, and how to release what is its own; the living tables are not."""
        if situation.revision is None:
            living = self.living(situation.branch)
        else:
            living = self._at_revision(situation.branch, snapshot)
        engine: Engine = ChosenEngine(living.engine, self.frame.limits)
        is_current = partial(living.shows, living.shown)
        horizon, read_as = placed(engine, situation, self.frame.clock)
        own = list[Callable[[], None]]()
        if not horizon.everything or self._engine_name != "auto":
            kept = KeptCuts(living.folder / "cuts") if living.folder else None
            engine = cut(engine, living.carriers, horizon, self.frame, name=self._engine_name, kept=kept)
            own.append(engine.close)
        who = None
        if situation.eyes is not None:  # the one place: whatever is asked of this scope, one mind answers
            eyes = NameResolver(engine, NameBook(engine)).read(situation.eyes, MINDS)
            mind = mind_of(engine, eyes.meant, name=self._engine_name, limits=self.frame.limits)
            engine, who, read_as = (
                mind.engine,
                mind.who,
                (*read_as, *((eyes,) if eyes.text != eyes.meant else ())),
            )
            own.append(engine.close)
        elif joined and (one := as_one(engine, name=self._engine_name, limits=self.frame.limits)):
            engine = one
            own.append(engine.close)
        shelf = partial(self._shelves.shelf, living, snapshot, whole=horizon.everything)
        scope = Scope(
            engine, focalizer=who, place_of=PlaceFinder(engine), shelf=shelf, is_current=is_current,
            read_as=read_as,
        )  # fmt: skip
        return scope, tuple(own)

    def export_program(self, path: Path, situation: Situation) -> None:
        """Write the program and the facts that ``situation`` sees, for Soufflé."""
        from narraworld.base.atomic_files import write_whole
        from narraworld.rules.language.souffle import to_souffle
        from narraworld.rules.living.cut import every_row

        engine = self.scope(situation).engine
        facts = {name: every_row(engine, name) for name in engine.program.base()}
        write_whole(path, to_souffle(self.frame.program, facts))

    @property
    def damage(self) -> list[JournalDamaged]:
        """Units that could not be read while answering, and were left out of the answer."""
        return [trouble for living in self._living.things() for trouble in living.damage]

    # -- the tables

    @property
    def frame(self) -> WorldSetup:
        """Rules, switches, calendar and limits, as the settings decide."""
        if self._frame is None:
            self._frame = frame_of(self.settings)
        return self._frame

    def living(self, branch: str = "main") -> LivingWorld:
        """The branch's derived tables, brought up to date."""
        with self.turn:
            living = self._living.get(branch)
            if living is None:
                self.store.snapshot(branch=branch)  # refuses an unknown branch before a folder is made for it
                living = self._alive(branch, self.store.cache(branch))
                self._living.put(branch, living, living.closing())
            living.refresh()
            return living

    def reindex(self, branch: str = "main") -> None:
        """Throw the caches of a branch away and derive everything again."""
        with self.turn:
            living = self.living(branch)
            living.rebuild()
            self._shelves.shelf(living, self.store.snapshot(branch=branch)).index.clear()
            self._scopes.forget(lambda key: True)
            self.store.sweep_caches()

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
            living.begin_as(self.living(branch))
            self._living.put(name, living, living.closing(), partial(self._shelves.close_one, name))
        living.refresh(snapshot)
        return living


def _counted(body: str) -> dict[str, int]:
    """How many nodes of each class a unit's statements describe."""
    from narraworld.kb.quads import classes_of

    return dict(sorted(Counter(kind for _, kind in classes_of(body)).items()))
