"""The store: commit versions of units, look at any revision, on any branch.

The only code that writes under `.narraworld/`, save for the caches. One writer at a time, many readers; a reader's
snapshot never changes, because all that is ever done to a journal is to append to it. Knows what a unit's graph
is called and where its prose stands, and nothing else about what was read.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.atomic_files import PRIVATE, make_folder
from narraworld.base.quick_dataclass import dataclass
from narraworld.kb import quads as rdf
from narraworld.kb.errors import BadQuads, JournalDamaged, KbError, NotAStore, UnknownRevision, UnknownUnit
from narraworld.kb.journal.branches import Branch, Branches
from narraworld.kb.journal.folder import Damage, Entry, EntryKind, Journal, LeafFault
from narraworld.kb.journal.leaf import digest, read_body, sync_folder
from narraworld.kb.journal.lock import Lock
from narraworld.kb.units import MAIN, branch_name, unit_id

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["FOLDER", "Diff", "Snapshot", "Store"]

FOLDER = ".narraworld"


class Layer(NamedTuple):
    """One journal up to one revision; the snapshot of a branch is its own layer on those of its parents."""

    branch: str
    journal: Journal
    revision: int


class Snapshot(Mapping[str, Entry]):
    """The units visible at one revision of one branch, in the order of the telling. It never changes.

    Made in constant time: an entry is looked for when it is asked for. An entry whose header is damaged raises
    JournalDamaged when it is met; `sound()` goes around such entries and names them.
    """

    def __init__(self, layers: tuple[Layer, ...]) -> None:
        self.layers = layers
        self.branch, _, self.revision = layers[0]

    def find(self, unit: str) -> Entry | None:
        """The visible version of `unit`: the nearest layer that has one decides, and may have retracted it."""
        for _, journal, revision in self.layers:
            entry = journal.version(unit, revision)
            if entry:
                return None if entry.retracted else entry
        return None

    def __getitem__(self, unit: str) -> Entry:
        entry = self.find(unit)
        if entry is None:
            raise UnknownUnit(unit, f"{self.branch}@{self.revision}", self.candidates())
        return entry

    def __contains__(self, unit: object) -> bool:
        return isinstance(unit, str) and self.find(unit) is not None

    def __iter__(self) -> Iterator[str]:
        return (entry.unit for entry in self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __bool__(self) -> bool:
        return True  # a snapshot of nothing is a snapshot: `given or newest` must not show the newest instead

    def __repr__(self) -> str:
        return f"<Snapshot {self.branch}@{self.revision}>"

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All visible entries, in the order of the telling."""
        return _in_order(filter(None, map(self.find, self.candidates())))

    def sound(self) -> tuple[tuple[Entry, ...], tuple[JournalDamaged, ...]]:
        """The visible entries that are whole, statements included, and what is wrong with the others."""
        whole, damaged = [], []
        for unit in sorted(self.candidates()):
            try:
                entry = self.find(unit)
                if entry:
                    read_body(entry)
                    whole.append(entry)
            except JournalDamaged as trouble:
                damaged.append(trouble)
        return _in_order(whole), tuple(damaged)

    @property
    def commits(self) -> int:
        """How many commits it rests on, those of its parents up to the forks included."""
        return sum(layer.revision for layer in self.layers)

    @property
    def stamp(self) -> tuple[tuple[str, int, str], ...]:
        """What a cache writes down to know later which snapshot it was made from."""
        return tuple(
            (branch, revision, _seal(journal, revision)) for branch, journal, revision in self.layers
        )

    def candidates(self) -> set[str]:
        """All that may be visible: units with some version, retracted ones among them."""
        return {unit for _, journal, revision in self.layers for unit in journal.units(revision)}


@dataclass(frozen=True, slots=True)
class Diff:
    """Units that came, went, or have other statements (or another place in the telling) than before."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def units(self) -> tuple[str, ...]:
        """All of them; those that went come first."""
        return (*self.removed, *self.changed, *self.added)


class Store:
    """The journals under one `.narraworld/`. Cheap to keep open; closes by being forgotten."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._branches = Branches(root / "branches")
        self._main = Journal(root / "journal")
        self._forks: dict[str, Journal] = {}
        self._of_units: dict[str, dict[str, str]] = {}  # by digest of their statements, which never change
        self._lock = Lock(root / "lock")
        self._threads = RLock()
        self._depth = 0

    @classmethod
    def open(cls, path: Path | str) -> Store:
        """Open the store beside a manuscript; `path` is the folder that has `.narraworld/` in it."""
        root = Path(path) / FOLDER
        if not (root / "journal").is_dir():
            raise NotAStore(f"no {FOLDER}/ here", where=str(path), fix="create one with Store.create")
        store = cls(root)
        store.sweep_caches()
        return store

    @classmethod
    def create(cls, path: Path | str) -> Store:
        """Make what is missing of a store beside a manuscript, and open it; its owner alone may look into a new one."""
        root = Path(path) / FOLDER
        if not root.is_dir():
            root.parent.mkdir(parents=True, exist_ok=True)
            root.mkdir(mode=PRIVATE, exist_ok=True)
            sync_folder(root.parent)
        make_folder(root / "journal")
        sync_folder(root)
        return cls.open(path)

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one writer for a while: StoreLocked if another is. Single commits do this by themselves."""
        with self._threads:
            self._depth += 1
            try:
                if self._depth == 1 and not self._lock.take():
                    self._after_others()
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._lock.release()

    def commit(
        self,
        unit: str,
        quads: rdf.Quads,
        *,
        branch: str = MAIN,
        order: int | None = None,
        note: str | None = None,
    ) -> Entry:
        """Append a version of `unit`; what it said before stays readable at earlier revisions.

        `order` is its place in the telling: the `nw:order` among its statements, that of the version before, or the end.
        """
        body = rdf.canonical(quads, unit_id(unit))
        with self.writing():
            snapshot = self.snapshot(branch=branch)
            place = _order(unit, body, snapshot) if order is None else order
            return snapshot.layers[0].journal.append(unit, EntryKind.UNIT, body, order=place, note=note)

    def retract(self, unit: str, *, branch: str = MAIN, note: str | None = None) -> Entry:
        """Append that `unit` is gone; on a branch, its parent keeps it."""
        with self.writing():
            snapshot = self.snapshot(branch=branch)
            order = snapshot[unit].order
            return snapshot.layers[0].journal.append(unit, EntryKind.RETRACT, "", order=order, note=note)

    def new_branch(self, name: str, *, parent: str = MAIN, revision: int | None = None) -> Branch:
        """Fork from a revision of `parent`, by default its newest."""
        with self.writing():
            return self._branches.new(name, parent, self.snapshot(revision, parent).revision)

    def delete_branch(self, name: str) -> None:
        """Remove a branch, its journal and its caches; nothing of it stays, even if we are stopped in between."""
        with self.writing():
            self._branches.check_deletable(name)
            # The caches first: while the branch is there, they can be made anew.
            shutil.rmtree(self.cache(name), ignore_errors=True)
            self._branches.delete(name)
            self._forks.pop(name, None)
            self.sweep_caches()  # a reader may have made them anew

    def sweep_caches(self) -> None:
        """Remove what is left of branches that are no more: their words are nobody's business now."""
        folder = self.root / "cache"
        found = list(folder.iterdir()) if folder.is_dir() else []
        known = {MAIN, *self._branches.names()}  # looked up last: a branch is there before its caches are
        for path in found:
            if path.is_dir() and path.name not in known:
                shutil.rmtree(path, ignore_errors=True)
        self._branches.bury()

    # Reading

    def branches(self) -> list[Branch]:
        """All branches but `main`, by name."""
        return self._branches.all()

    def snapshot(self, revision: int | None = None, branch: str = MAIN) -> Snapshot:
        """What is visible at a revision of a branch, by default its newest; 0 is what it forked from."""
        alone = self._depth > 0 or self._lock.last_was_mine()
        line = self._branches.lineage(branch)
        journals = [(fork.name, self._fork(fork.name)) for fork in line] + [(MAIN, self._main)]
        for _, journal in journals:
            journal.refresh(alone=alone)
        head = journals[0][1].head
        if revision is not None and not 0 <= revision <= head:
            raise UnknownRevision(revision, branch, head)
        revisions = [head if revision is None else revision, *(fork.revision for fork in line)]
        return Snapshot(tuple(Layer(*named, at) for named, at in zip(journals, revisions, strict=True)))

    def units(self, snapshot: Snapshot) -> tuple[Entry, ...]:
        """The visible entries in the order of the telling."""
        return snapshot.entries

    def log(self, branch: str = MAIN) -> list[Entry]:
        """All that was committed on a branch itself, oldest first."""
        _, journal, head = self.snapshot(branch=branch).layers[0]
        return [journal.entry(revision) for revision in range(1, head + 1)]

    def saying(self, unit: str, quads: rdf.Quads, branch: str = MAIN) -> Entry | None:
        """The visible version of `unit`, if it consists of exactly these statements."""
        entry = self.snapshot(branch=branch).find(unit)
        same = entry is not None and entry.body_sha == digest(rdf.canonical(quads, unit_id(unit)).encode())
        return entry if same else None

    def body(self, entry: Entry) -> str:
        """The statements of an entry as canonical N-Quads, verified."""
        return read_body(entry)

    def quads(self, entry: Entry) -> list[ox.Quad]:
        """The statements of an entry, verified and parsed."""
        return rdf.parse(read_body(entry))

    def text(self, entry: Entry) -> str:
        """The prose of an entry: the `nw:text` of its source unit."""
        text = self.of_unit(entry, "text")
        if text is None:
            raise KbError(f"unit {entry.unit} was committed without its text", where=entry.file.name)
        return text

    def of_unit(self, entry: Entry, name: str) -> str | None:
        """The value of one `nw:` property of an entry's source unit; its statements are read and verified once."""
        known = self._of_units.get(entry.body_sha)
        if known is None:
            known = self._of_units[entry.body_sha] = rdf.values_of(read_body(entry), rdf.DATA + entry.unit)
        return known.get(rdf.NW + name)

    def diff(self, before: Snapshot, after: Snapshot) -> Diff:
        """What differs between two snapshots; in step with the change, not with the story, along one branch."""
        found: dict[str, list[Entry]] = {"added": [], "removed": [], "changed": []}
        for unit in _suspects(before, after):
            match before.find(unit), after.find(unit):
                case (None, Entry() as new):
                    found["added"].append(new)
                case (Entry() as old, None):
                    found["removed"].append(old)
                case (Entry() as old, Entry() as new) if _differ(old, new):
                    found["changed"].append(new)
        return Diff(**{kind: tuple(entry.unit for entry in _in_order(some)) for kind, some in found.items()})

    def verify(self) -> list[Damage]:
        """Everything that is wrong with any journal of this store; empty when all is whole."""
        journals = [self._main]
        damages: list[Damage] = []
        for name in self._branches.names():
            whole = self._branches.origin(name).is_file() and self._branches.journal(name).is_dir()
            if whole:
                journals.append(self._fork(name))
            else:
                damages.append(Damage(self._branches.origin(name), None, None, LeafFault.MISSING))
        return [damage for journal in journals for damage in journal.verify()] + damages

    def cache(self, branch: str = MAIN) -> Path:
        """The folder for what can be deleted at any time."""
        return self.root / "cache" / branch_name(branch)

    def _fork(self, name: str) -> Journal:
        if name not in self._forks:
            self._forks[name] = Journal(self._branches.journal(name), origin=self._branches.origin(name))
        return self._forks[name]

    def _after_others(self) -> None:
        """Another process had the lock: forget what we think we know, and tidy up in case it crashed."""
        self._main.distrust()
        self._forks = {}
        self._branches.sweep()
        for journal in [self._main, *map(self._fork, self._branches.names())]:
            journal.sweep()


def _differ(old: Entry, new: Entry) -> bool:
    return (old.body_sha, old.order) != (new.body_sha, new.order)


def _order(unit: str, body: str, snapshot: Snapshot) -> int:
    """A unit's place in the telling: as it says itself, as before, or at the end."""
    stated = rdf.values_of(body, rdf.DATA + unit).get(rdf.NW + "order")
    if stated is not None:
        return _whole_number(stated, unit)
    before = snapshot.find(unit)
    return before.order if before else 1 + snapshot.commits


def _whole_number(stated: str, unit: str) -> int:
    try:
        return int(stated)
    except ValueError as trouble:
        raise BadQuads(
            f"the nw:order of unit {unit} is {stated!r}", fix="orders are whole numbers"
        ) from trouble


def _suspects(before: Snapshot, after: Snapshot) -> set[str]:
    """Units that may differ: those touched between two revisions of one branch, or else all."""
    (branch, journal, old), (other, same, new) = before.layers[0], after.layers[0]
    if branch == other and journal is same and before.layers[1:] == after.layers[1:]:
        return journal.touched(min(old, new), max(old, new))
    return before.candidates() | after.candidates()


def _in_order(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: (entry.order, entry.unit)))


def _seal(journal: Journal, revision: int) -> str:
    return journal.entry(revision).seal if revision else ""
