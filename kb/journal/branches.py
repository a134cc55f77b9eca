"""Branches: what-ifs that grow from a revision of their parent and leave it alone.

`.narraworld/branches/<name>/` holds `branch.json` (parent, revision) and a `journal/` of its own. A branch appears
and disappears by one rename. Only folders here: what a branch shows is `store`'s; the caller holds the lock.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.errors import BranchExists, BranchInUse, JournalDamaged, UnknownBranch
from narraworld.kb.journal.leaf import sync_folder
from narraworld.kb.units import MAIN, branch_name

__all__ = ["Branch", "Branches"]

_UNBORN, _DEAD = ".new-", ".old-"  # names that no branch can have


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a branch forks: from `revision` of `parent`."""

    name: str
    parent: str
    revision: int


class Branches:
    """The folder of branches; `main` is none of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))

    def all(self) -> list[Branch]:
        return [self.get(name) for name in self.names()]

    def get(self, name: str) -> Branch:
        """The branch called `name`; its file is read each time, for others may create and delete."""
        path = self.origin(name)
        try:
            said = json.loads(path.read_bytes())
            return Branch(name, str(said["parent"]), int(said["revision"]))
        except (FileNotFoundError, NotADirectoryError) as absent:
            raise UnknownBranch(name, [MAIN, *self.names()]) from absent
        except (ValueError, KeyError, TypeError) as trouble:
            raise JournalDamaged(str(path), None, f"branch {name} does not say where it forks") from trouble

    def lineage(self, name: str) -> list[Branch]:
        """The branch, its parent, and so on; `main`, where all end, is left out."""
        line: list[Branch] = []
        while name != MAIN:
            line.append(self.get(name))
            name = line[-1].parent
            if any(name == branch.name for branch in line):
                raise JournalDamaged(str(self.origin(name)), None, f"branch {name} forks from itself")
        return line

    def new(self, name: str, parent: str, revision: int) -> Branch:
        """Create an empty branch."""
        branch_name(name)
        taken = next((known for known in [MAIN, *self.names()] if known.casefold() == name.casefold()), None)
        if taken:
            raise BranchExists(
                f"there is a branch {taken!r} already", fix="choose another name, or delete it first"
            )
        unborn = self._aside(_UNBORN, name)
        make_folder(unborn / "journal")
        origin = {"parent": parent, "revision": revision}
        write_whole(unborn / "branch.json", json.dumps(origin) + "\n")
        unborn.rename(self.folder / name)
        sync_folder(self.folder)
        return Branch(name, parent, revision)

    def check_deletable(self, name: str) -> None:
        """UnknownBranch or BranchInUse, if it is not."""
        if name == MAIN:
            raise BranchInUse(
                f"{MAIN!r} is the story itself", fix="what can be deleted: narraworld branch list"
            )
        self.get(name)
        children = [branch.name for branch in self.all() if branch.parent == name]
        if children:
            raise BranchInUse(f"{', '.join(children)} grow from {name!r}", fix="delete those first")

    def delete(self, name: str) -> None:
        """Remove a branch and all that was committed on it."""
        self.check_deletable(name)
        dead = self._aside(_DEAD, name)
        (self.folder / name).rename(dead)
        sync_folder(self.folder)
        self.bury()

    def bury(self) -> None:
        """Remove what was deleted and, for a crash, is still there; needs no lock, since nobody looks at it any more."""
        self._remove(_DEAD)

    def sweep(self) -> None:
        """Remove what a crash left half created or half deleted."""
        self.bury()
        self._remove(_UNBORN)

    def _remove(self, mark: str) -> None:
        for path in self.folder.glob(mark + "*"):
            shutil.rmtree(path, ignore_errors=True)  # another process may be at it too

    def journal(self, name: str) -> Path:
        return self.folder / branch_name(name) / "journal"

    def origin(self, name: str) -> Path:
        return self.folder / branch_name(name) / "branch.json"

    def _aside(self, mark: str, name: str) -> Path:
        """A place nobody looks at, on the same file system, with nothing in it."""
        aside = self.folder / (mark + name)
        if aside.exists():
            shutil.rmtree(aside)
        return aside
