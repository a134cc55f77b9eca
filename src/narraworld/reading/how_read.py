"""How the embedded reader read each unit, kept beside the journal: what it understood, and whom and what the unit moved.

One small file per version of a unit's text, on each branch that reads it. The journal holds all that is true of the story; these files hold what no
record can say: which sentences gave none. Without a file a unit counts as read by other means, and moves nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.discourse import Moves
from narraworld.kb.roster import Known
from narraworld.kb.units import MAIN, branch_name
from narraworld.reading.again.known_so_far import NamedByUnit

if TYPE_CHECKING:
    from narraworld.kb.journal.leaf import Entry
    from narraworld.kb.journal.store import Store
    from narraworld.kb.units import Unit

__all__ = ["HowRead", "ToldToUnit", "how_read", "keep"]

FOLDER, BRANCHES = "readings", "branches"
DIGITS = 12  # of the text's digest in the file's name


@dataclass(frozen=True, slots=True)
class ToldToUnit:
    """What a unit was told of those before it, and told itself: a digest of each whom it was shown, by id; the words by which they
    were found; and whom it names."""

    words: tuple[str, ...]
    shown: dict[str, str]
    named: NamedByUnit

    def to_json(self) -> dict[str, Any]:
        cast = [[one.id, one.kind, *one.names] for one in self.named.cast]
        return {"words": self.words, "shown": self.shown, "cast": cast, "taken": sorted(self.named.taken)}

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> ToldToUnit:
        cast = tuple(Known(id, kind, tuple(names)) for id, kind, *names in said["cast"])
        return cls(tuple(said["words"]), said["shown"], NamedByUnit(cast, frozenset(said["taken"])))


@dataclass(frozen=True, slots=True)
class HowRead:
    """One unit: what was understood of it, what it moved, which notes the author had made beside it, and what it was told."""

    coverage: Coverage
    moves: Moves
    notes: str = ""
    told: ToldToUnit | None = None


def keep(store: Store, unit: Unit, how: HowRead, branch: str = MAIN) -> None:
    """Write it down, whole or not at all."""
    path = _folder(store, branch) / _name(unit.id, unit.sha256)
    make_folder(path.parent)
    said = {"coverage": how.coverage.to_json(), "moves": how.moves, "notes": how.notes}
    if how.told:
        said["told"] = how.told.to_json()
    write_whole(path, json.dumps(said, ensure_ascii=False))


def how_read(store: Store, entry: Entry) -> HowRead | None:
    """How a committed unit was read; None when another reader did it, or nobody wrote it down."""
    try:
        said = json.loads(_of(store, entry).read_text(encoding="utf-8"))
        told = ToldToUnit.from_json(said["told"]) if "told" in said else None
        return HowRead(Coverage.from_json(said["coverage"]), said["moves"], said["notes"], told)
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _of(store: Store, entry: Entry) -> Path:
    """The file beside the journal that the entry lies in; older stores have all beside the story's own."""
    name = _name(entry.unit, store.of_unit(entry, "sha256") or "")
    beside = entry.file.parent.parent / FOLDER / name
    return beside if beside.exists() else store.root / FOLDER / name


def _folder(store: Store, branch: str) -> Path:
    return store.root / FOLDER if branch == MAIN else store.root / BRANCHES / branch_name(branch) / FOLDER


def _name(unit: str, digest: str) -> str:
    return f"{unit}-{digest[:DIGITS]}.json"
