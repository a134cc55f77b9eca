"""How the embedded reader read each unit, kept beside the journal: what it understood, and whom and what the unit moved.

One small file per version of a unit's text. The journal holds all that is true of the story; these files hold what no
record can say: which sentences gave none. Without a file a unit counts as read by other means, and moves nothing.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.discourse import Moves
from narraworld.kb.errors import JournalDamaged

if TYPE_CHECKING:
    from narraworld.kb.journal.branches import Branch
    from narraworld.kb.journal.leaf import Entry
    from narraworld.kb.journal.store import Store
    from narraworld.kb.units import Unit
    from narraworld.project.opened import OpenStory

__all__ = ["HowRead", "forget", "how_read", "keep"]

FOLDER = "readings"
DIGITS = 12  # of the text's digest in the file's name


@dataclass(frozen=True, slots=True)
class HowRead:
    """One unit: what was understood of it, what it moved, and which notes the author had made beside it."""

    coverage: Coverage
    moves: Moves
    notes: str = ""


def keep(store: Store, unit: Unit, how: HowRead) -> None:
    """Write it down, whole or not at all."""
    path = _path(store, unit.id, unit.sha256)
    make_folder(path.parent)
    said = {"coverage": how.coverage.to_json(), "moves": how.moves, "notes": how.notes}
    write_whole(path, json.dumps(said, ensure_ascii=False))


def how_read(store: Store, entry: Entry) -> HowRead | None:
    """How a committed unit was read; None when another reader did it, or nobody wrote it down."""
    try:
        said = json.loads(_of(store, entry).read_text(encoding="utf-8"))
        return HowRead(Coverage.from_json(said["coverage"]), said["moves"], said["notes"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def forget(story: OpenStory, name: str) -> None:
    """Forget a what-if, and how the texts were read that it alone had."""
    store = story.store
    for branch in store.branches():
        if branch.name == name:
            _forget_its_own(store, branch)
    story.delete_branch(name)


def _forget_its_own(store: Store, branch: Branch) -> None:
    """Remove what was written down of texts that this branch has and its parent has not."""
    theirs = store.snapshot(branch=branch.parent)
    for entry in store.snapshot(branch=branch.name).entries:
        other = theirs.find(entry.unit)
        with suppress(JournalDamaged):  # of a unit that cannot be read nothing is known
            if entry != other and (other is None or _of(store, other) != _of(store, entry)):
                _of(store, entry).unlink(missing_ok=True)


def _of(store: Store, entry: Entry) -> Path:
    return _path(store, entry.unit, store.of_unit(entry, "sha256") or "")


def _path(store: Store, unit: str, digest: str) -> Path:
    return store.root / FOLDER / f"{unit}-{digest[:DIGITS]}.json"
