"""What is what: the classes of committed nodes, known without deriving anything.

What the tables say, and what the journal has gained since they were brought up to date. So a long manuscript can be
committed unit by unit and derived once, when somebody asks. Reads tables and journal, writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from narraworld.kb.errors import JournalDamaged
from narraworld.kb.journal.folder import Entry
from narraworld.kb.journal.store import Snapshot
from narraworld.kb.quads import classes_of
from narraworld.rules.living.living_world import LivingWorld

__all__ = ["Census", "classes_in"]


def classes_in(body: str) -> dict[str, str]:
    """The class of each node that a unit's canonical statements describe; spans too, since plotlines quote them."""
    return dict(classes_of(body))


class Census:
    """The classes of the nodes of one branch, by the units that describe them."""

    _tables: Snapshot  # what the tables show
    _seen: Snapshot  # how far we have read the journal

    def __init__(self, living: LivingWorld) -> None:
        self._living = living
        self._start_over(living.refresh())

    def kinds(self, nodes: Iterable[str], *, besides: Collection[str]) -> dict[str, str]:
        """For each of these nodes that some unit ``besides`` these describes, its class."""
        self._catch_up()
        return {node: kind for node in nodes for unit, kind in self._described(node) if unit not in besides}

    def _described(self, node: str) -> Iterator[tuple[str, str]]:
        if node not in self._older:
            self._older[node] = self._living.described(node) if self._tables.commits else []
        yield from (one for one in self._older[node] if one[0] not in self._units)
        yield from self._newer.get(node, {}).items()

    # -- keeping up with the journal

    def _catch_up(self) -> None:
        if self._living.shown is not self._tables:
            self._start_over(self._living.refresh())
        newest = self._living.store.snapshot(branch=self._living.branch)
        try:
            for unit in self._living.store.diff(self._seen, newest).units:
                self._note(unit, newest.find(unit))
        except JournalDamaged:
            self._start_over(self._living.refresh())  # which goes around the damage, and says so
        else:
            self._seen = newest

    def _start_over(self, shown: Snapshot) -> None:
        self._tables = self._seen = shown
        self._older: dict[str, list[tuple[str, str]]] = {}  # node → who describes it, in the tables
        self._newer: dict[str, dict[str, str]] = {}  # node → unit → class, in units committed since
        self._units: dict[str, list[str]] = {}  # those units, and the nodes they describe

    def _note(self, unit: str, entry: Entry | None) -> None:
        for node in self._units.get(unit, ()):
            del self._newer[node][unit]
        found = classes_in(self._living.store.body(entry)) if entry else {}
        self._units[unit] = list(found)
        for node, kind in found.items():
            self._newer.setdefault(node, {})[unit] = kind
