"""The style sheet at the desk: what the command's JSON says, and the same rows laid out for a page, differing values first.

Asks the world and orders its rows; writes nothing and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.settings import DEFAULTS
from narraworld.query.sheet.render import HEADINGS, respect_in_words, sheet_json

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["SheetEntry", "SheetSection", "laid_out", "sheet_page"]

SheetLine: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """What the text says of one owner in one respect: each value with its words and its place."""

    owner: str
    respect: str
    lines: tuple[SheetLine, ...]

    @property
    def words(self) -> str:
        """The respect as a reader is shown it."""
        return respect_in_words(self.respect)

    @property
    def differs(self) -> bool:
        return any(line["differs"] for line in self.lines)


@dataclass(frozen=True, slots=True)
class SheetSection:
    """One heading of the sheet: the entries that are shown, from which on, and how many there are."""

    name: str
    title: str
    entries: tuple[SheetEntry, ...]
    after: int
    total: int

    @property
    def next(self) -> int | None:
        """Where the entries that are not shown begin."""
        end = self.after + len(self.entries)
        return end if end < self.total else None


def sheet_page(seen: SeenStory, about: str = "", *, differs: bool = False) -> dict[str, Any]:
    """What `narraworld sheet --format json` says in a situation, or the rows of it that were asked for."""
    seen.authors_only("the style sheet")
    return sheet_json(seen.world.sheet(seen.situation).only(about or None, differs=differs))


def laid_out(rows: Sequence[SheetLine], one: str = "", after: int = 0) -> list[SheetSection]:
    """Every section with its first entries; or one section alone, a whole page of it from ``after`` on."""
    most = DEFAULTS.surfaces.web.rows if one else DEFAULTS.surfaces.web.entries
    found = list[SheetSection]()
    for name, heading in HEADINGS.items():
        entries = _entries(row for row in rows if row["section"] == name)
        if entries and one in ("", name):
            shown = tuple(entries[after : after + most])
            found.append(SheetSection(name, heading.capitalize(), shown, after, len(entries)))
    return found


def _entries(rows: Iterable[SheetLine]) -> list[SheetEntry]:
    """Rows of one owner and respect together; those in which two values differ come first."""
    groups: dict[tuple[str, str], list[SheetLine]] = {}
    for row in rows:
        groups.setdefault((row["owner"] or row["kind"], row["respect"]), []).append(row)
    made = [SheetEntry(owner, respect, _folded(some)) for (owner, respect), some in groups.items()]
    return sorted(made, key=lambda entry: not entry.differs)


def _folded(rows: Iterable[SheetLine]) -> tuple[SheetLine, ...]:
    """Two readings of the same words are one line, told by the plainest value."""
    kept = sorted(rows, key=_plainness)
    for sense in (_normal, _value):
        kept = list({(row["unit"], row["line"] or row["start"], sense(row)): row for row in kept}.values())
    return tuple(sorted(kept, key=lambda row: (row["told"], row["start"])))


def _plainness(row: SheetLine) -> tuple[bool, int]:
    """What is known to be somebody's words says more than the same without; then a short value is plainer. The plainest is last."""
    return row["said_by"] is not None, -len(row["value"])


def _normal(row: SheetLine) -> str:
    return ";".join(sorted(row["normal"])) or _value(row)


def _value(row: SheetLine) -> str:
    return str(row["value"]).casefold()
