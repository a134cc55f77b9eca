"""What was read and not accepted, kept beside the journal: one small file for each unit's newest version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.base.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Store
    from narraworld.ontology.validate import Refusal

__all__ = ["KeptRefusal", "keep_refusals", "kept_refusals"]

FOLDER = "refusals"


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal that was kept: in which unit, what, and why."""

    unit: str
    record: str
    message: str
    value: str | None

    def __str__(self) -> str:
        return f"{self.unit}  {self.record}: {self.message}" + (f" ({self.value})" if self.value else "")


def keep_refusals(store: Store, unit: str, refusals: Sequence[Refusal]) -> None:
    """Put the refusals of a unit's newest version beside the journal; a clean reading leaves no file."""
    path = store.root / FOLDER / f"{unit}.json"
    if not refusals:
        path.unlink(missing_ok=True)
        return
    make_folder(path.parent)
    write_whole(path, json.dumps([asdict(refusal) for refusal in refusals], ensure_ascii=False, indent=1))


def kept_refusals(store: Store, unit: str | None = None) -> list[KeptRefusal]:
    """Every refusal that still stands, by unit; or those of one."""
    files = sorted((store.root / FOLDER).glob("*.json"))
    return [kept for path in files if unit in (None, path.stem) for kept in _kept_in(path)]


def _kept_in(path: Path) -> list[KeptRefusal]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return [KeptRefusal(path.stem, one["record"], one["message"], one["value"]) for one in said]
    except (ValueError, KeyError, TypeError) as error:
        fix = f"delete it; reading {path.stem} again says what is refused"
        raise NarraWorldError("is not a list of refusals", where=str(path), fix=fix) from error
