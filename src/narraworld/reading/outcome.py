"""What becomes of a unit when it is read: plain values, and whether there is anything to read at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from narraworld.extract.embedded.coverage import Coverage
    from narraworld.extract.model.port import Usage
    from narraworld.extract.sources import Piece
    from narraworld.ontology.validate import Refusal
    from narraworld.project.opened import Committed, OpenStory

__all__ = ["OnFailure", "Outcome", "Tell", "UnitRead", "committed_json", "unchanged"]

MOST_NAMED = 3  # of those for whose sake a unit is read again

Outcome: TypeAlias = Literal["read", "unchanged", "empty", "failed"]
OnFailure: TypeAlias = Literal["stop", "go-on"]
Tell: TypeAlias = Callable[[int, int, str], object]
"""How far a reading has come: units done, units in all, and the title of the one just done."""


@dataclass(frozen=True, slots=True)
class UnitRead:
    """What became of one unit: ``why`` it failed, what it cost, how much of it was understood.

    ``waiting`` counts what a consolidation into plotlines left for the next one. ``again`` are the names for whose sake a unit
    whose words are as they were was read again: an earlier chapter says something else of them now.
    """

    unit: str
    title: str | None
    outcome: Outcome
    committed: Committed | None = None
    why: str | None = None
    usage: Usage | None = None
    coverage: Coverage | None = None
    waiting: int = 0
    again: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The unit and its revision, or why there is none."""
        if self.again:
            return f"{self.unit} {self.why_again}"
        if self.committed and self.committed.entry:
            return f"{self.unit} (r{self.committed.entry.revision})"
        return f"{self.unit}: {self.why or 'not committed'}"

    @property
    def why_again(self) -> str:
        """`read again: it speaks of the key, Tom and 3 more`."""
        named, more = self.again[:MOST_NAMED], len(self.again[MOST_NAMED:])
        return f"read again: it speaks of {', '.join(named)}{f' and {more} more' if more else ''}"

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What was read and not accepted."""
        return self.committed.refusals if self.committed else ()

    def to_json(self) -> dict[str, Any]:
        """The unit for a program: what became of it, what was read, what was refused, what it cost."""
        said = self.coverage
        read = {"sentences": said.sentences, "read": said.read, "partly": said.partly} if said else None
        return {
            "unit": self.unit, "title": self.title, "outcome": self.outcome, "why": self.why,
            **committed_json(self.committed), "coverage": read, "usage": asdict(self.usage) if self.usage else None,
            "waiting": self.waiting, "again": list(self.again),
        }  # fmt: skip


def committed_json(committed: Committed | None) -> dict[str, Any]:
    """Revision, records by class and refusals of what was committed."""
    if committed is None:
        return {"revision": None, "records": {}, "refused": []}
    refused = [{"record": one.record, "why": one.message, "value": one.value} for one in committed.refusals]
    revision = committed.entry.revision if committed.entry else None
    return {"revision": revision, "records": dict(committed.records), "refused": refused}


def unchanged(story: OpenStory, piece: Piece, branch: str) -> UnitRead | None:
    """The outcome for a unit whose words are those of its committed version."""
    entry = story.store.snapshot(branch=branch).find(piece.unit.id)
    if entry is None:
        return None
    known = story.store.of_unit(entry, "sha256")
    return UnitRead(piece.unit.id, piece.unit.title, "unchanged") if known == piece.unit.sha256 else None
