"""Cuts kept between commands: the tables of the situations asked about last, in files beside those of their branch.

A file is named by all that its rows depend on: the state of the branch, the rules, how far the situation sees. So it is good or it
is not found; nothing is ever brought up to date. A cache: any of it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from narraworld.base.atomic_files import make_file, make_folder
from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import Choice
from narraworld.rules.engines.sqlite.engine import SqliteEngine

__all__ = ["KeptCut", "KeptCuts"]

DEFAULT = Choice()


@dataclass(frozen=True, slots=True)
class KeptCut:
    """The place of one cut, whether or not it has been made."""

    folder: Path
    key: str
    most: int

    @property
    def path(self) -> Path:
        return self.folder / f"{self.key}.sqlite"

    def is_in(self, tables: SqliteEngine) -> bool:
        """Whether these tables, opened on our file, hold the cut already."""
        return tables.stale is None and tables.stamp == self.key

    def used(self) -> None:
        """Now it is the one used last; those beyond the number that is kept go."""
        with suppress(OSError):  # on some systems a file that somebody reads cannot be removed
            os.utime(self.path)
            for old in sorted(self.folder.glob("*.sqlite"), key=_last_used)[: -self.most]:
                for part in (old, *self.folder.glob(f"{old.name}-*")):
                    part.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class KeptCuts:
    """The cuts of one branch."""

    folder: Path
    most: int = DEFAULT.cuts

    def place(self, horizon: object, tables: SqliteEngine) -> KeptCut | None:
        """Where the cut of these tables at ``horizon`` is kept; nowhere, if they were made around damage."""
        if not tables.stamp:
            return None
        said = repr((tables.stamp, tables.program_is, horizon))
        make_folder(self.folder)
        found = KeptCut(self.folder, hashlib.sha256(said.encode()).hexdigest()[:32], self.most)
        make_file(found.path)
        return found


def _last_used(path: Path) -> tuple[float, str]:
    return path.stat().st_mtime, path.name
