"""The journal: a folder of leaves, one per version of a unit, written once and never touched again.

Each leaf holds the digest of the one before it, so that none can be exchanged; only cutting off the newest leaves no
trace. Opening looks at names alone: headers and bodies are read when asked for, and then verified.

Knows nothing of RDF, branches or what a unit says. Whoever appends holds the lock.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from narraworld.kb.journal import leaf
from narraworld.kb.journal.leaf import Damage, Entry, EntryKind, LeafFault

__all__ = ["Damage", "Entry", "EntryKind", "Journal", "LeafFault"]

_NO_LEAF_BEFORE = "0" * 64
# Two files named within one tick of the file system's clock leave the folder with one time stamp, so a stamp
# this young proves nothing; 2 s is the coarsest clock in use, that of FAT.
_TICK_NS = 2_000_000_000
_NEVER = (0, 0)


class Journal:
    """The leaves of one folder, by revision and by unit.

    `origin`, for a branch, is the file that says where it forks; the chain begins with its digest.
    """

    def __init__(self, folder: Path, *, origin: Path | None = None) -> None:
        self.folder, self.origin = folder, origin
        self.head = 0
        self._units: dict[int, str] = {}  # revision → unit
        self._versions: dict[str, list[int]] = {}  # unit → its revisions, ascending
        self._entries: dict[str, Entry] = {}  # name → header already read
        self._tail: str | None = None  # digest of the newest leaf
        self._listed = False
        self._seen = _NEVER  # inode and time stamp of the folder when it was listed

    # Looking

    def refresh(self, *, alone: bool = False) -> None:
        """See what other writers have added. With `alone` the caller knows that there were none."""
        if not self._listed or not (alone or self._seen == _stamp(self.folder)):
            self._list()

    def distrust(self) -> None:
        """Somebody else may have written: look again before anything else."""
        self._listed = False

    def units(self, revision: int) -> Iterator[str]:
        """Units with a version at or before `revision`, retracted or not, in no order."""
        return (unit for unit, versions in list(self._versions.items()) if versions[0] <= revision)

    def touched(self, after: int, until: int) -> set[str]:
        """Units with a version later than revision `after`, up to `until`."""
        return {self._units[revision] for revision in range(after + 1, until + 1) if revision in self._units}

    def version(self, unit: str, revision: int) -> Entry | None:
        """The newest entry of `unit` at or before `revision`: a bisection, and at most one header to read."""
        versions = self._versions.get(unit, [])
        place = bisect_right(versions, revision)
        return self._entry(versions[place - 1], unit) if place else None

    def entry(self, revision: int) -> Entry:
        """The entry of one revision."""
        if revision not in self._units:
            raise self._absent(revision).error()
        return self._entry(revision, self._units[revision])

    def _entry(self, revision: int, unit: str) -> Entry:
        name = leaf.leaf_name(revision, unit)
        if name not in self._entries:
            found = leaf.examine_header(self.folder / name)
            if isinstance(found, Damage):
                raise found.error()
            self._entries[name] = found
        return self._entries[name]

    def _list(self) -> None:
        now, seen = time.time_ns(), _stamp(self.folder)
        if not self._listed or seen[0] != self._seen[0]:
            self._entries = {}
        leaves = self._leaves()
        versions: dict[str, list[int]] = {}
        for revision, unit in leaves:
            versions.setdefault(unit, []).append(revision)
        self._units, self._versions = dict(reversed(leaves)), versions
        self.head, self._tail = max(self._units, default=0), None
        self._listed, self._seen = True, (seen if now - seen[1] > _TICK_NS else _NEVER)

    def _leaves(self) -> list[tuple[int, str]]:
        """All leaves in order, but never a newer one while an older one is still on its way.

        Reading a folder is not atomic: a file added meanwhile may be passed over while a later one is seen. All that
        was there at the end of the first look is there at the second; what is newer counts as far as it is dense.
        """
        leaves = self._names()
        if _is_dense(leaves):
            return leaves
        sure = leaves[-1][0]
        leaves = self._names()
        newer = sorted({revision for revision, _ in leaves if revision > sure})
        dense = sum(revision == place for place, revision in enumerate(newer, sure + 1))
        return [found for found in leaves if found[0] <= sure + dense]

    def _names(self) -> list[tuple[int, str]]:
        return sorted(filter(None, map(leaf.parse_name, os.listdir(self.folder))))  # noqa: PTH208 — thrice as fast

    # Writing

    def append(self, unit: str, kind: EntryKind, body: str, *, order: int, note: str | None = None) -> Entry:
        """Write the next revision. Once this returns, it survives a power cut; until then, it never was."""
        data = body.encode()
        revision = self.head + 1
        path = self.folder / leaf.leaf_name(revision, unit)
        entry = Entry(
            path, revision, unit, kind, order, self._last_digest(), leaf.digest(data), len(data), note
        )
        content = entry.header() + data
        try:
            leaf.write_once(path, content)
        except BaseException:
            self.distrust()  # it may be there or not: look, do not guess
            raise
        self._admit(entry, leaf.digest(content))
        return entry

    def sweep(self) -> None:
        """Remove what a crashed writer left half written."""
        for path in self.folder.glob(leaf.TEMPORARY + "*"):
            path.unlink(missing_ok=True)

    def _admit(self, entry: Entry, digest: str) -> None:
        self._entries[entry.file.name] = entry
        self._units[entry.revision] = entry.unit
        self._versions.setdefault(entry.unit, []).append(entry.revision)
        self.head, self._tail = entry.revision, digest

    def _last_digest(self) -> str:
        """Digest of the newest leaf. A damaged one is not built upon: restoring it would break the chain."""
        if self._tail is None:
            self._tail = self._sound_digest(self.head) if self.head else self._first_link()
        return self._tail

    def _sound_digest(self, revision: int) -> str:
        path = self.folder / leaf.leaf_name(revision, self._units[revision])
        found, data = leaf.examine(path)
        if isinstance(found, Damage):
            raise found.error()
        return leaf.digest(data)

    def _first_link(self) -> str:
        return leaf.digest(self.origin.read_bytes()) if self.origin else _NO_LEAF_BEFORE

    # Verifying

    def verify(self) -> list[Damage]:
        """Everything that is wrong with this journal, by revision; empty when it is whole."""
        damages: list[Damage] = []
        sound: dict[int, tuple[Entry, str]] = {}  # revision → entry and digest of its leaf
        claimed: set[int] = set()
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith("."):
                continue
            found, data = leaf.examine(path)
            if isinstance(found, Damage):
                damages.append(found)
                claimed.add(leaf.claimed_revision(path, data) or found.revision or 0)
            elif found.revision in sound:
                damages.append(leaf.damage(path, LeafFault.TWICE))
            else:
                sound[found.revision] = (found, leaf.digest(data))
        damages += self._missing(claimed | sound.keys()) + self._broken_links(sound)
        return sorted(damages, key=lambda damage: (damage.revision or 0, damage.file.name))

    def _missing(self, claimed: set[int]) -> list[Damage]:
        newest = max(claimed, default=0)
        return [self._absent(revision) for revision in range(1, newest + 1) if revision not in claimed]

    def _absent(self, revision: int) -> Damage:
        return Damage(self.folder / f"{revision:06d}-?.nq", None, revision, LeafFault.MISSING)

    def _broken_links(self, sound: dict[int, tuple[Entry, str]]) -> list[Damage]:
        """Sound leaves (or the origin) that are not what their successors were written after."""
        before = {revision: (entry.file, digest) for revision, (entry, digest) in sound.items()}
        if 1 in sound:
            before[0] = (self.origin or sound[1][0].file, self._first_link())
        return [
            leaf.damage(before[revision - 1][0], LeafFault.CHAIN)
            for revision, (entry, _) in sound.items()
            if revision - 1 in before and entry.previous != before[revision - 1][1]
        ]


def _is_dense(leaves: list[tuple[int, str]]) -> bool:
    return not leaves or len({revision for revision, _ in leaves}) == leaves[-1][0]


def _stamp(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_ino, status.st_mtime_ns
