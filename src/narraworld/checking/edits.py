"""What an edit means: facts, beliefs, threads and findings that a changed chapter brought and took away.

Compares two standings of the same world, one taken before the reading and one after; nothing is derived for an old revision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from narraworld.query.difference import Difference, Said, compare, said_by
from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory
    from narraworld.query.checks.findings import Checked

__all__ = ["Edit", "EditWatch", "StoryStanding", "edited_units", "standing", "watching", "what_changed"]


@dataclass(frozen=True, slots=True)
class StoryStanding:
    """All that the views and the checks say at one moment."""

    said: Said
    checked: Checked


@dataclass(frozen=True, slots=True)
class Edit:
    """The difference in the views, and in the findings as lines."""

    views: Difference
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        yield from self.views.lines()
        if self.gained or self.lost:
            yield "findings"
            yield from (f"  - {line}" for line in self.lost)
            yield from (f"  + {line}" for line in self.gained)


def edited_units(story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main") -> tuple[str, ...]:
    """The units that were read before and have other words now."""
    from narraworld.reading.outcome import unchanged

    known = story.store.snapshot(branch=branch)
    return tuple(
        piece.unit.id
        for piece in pieces
        if piece.unit.id in known and unchanged(story, piece, branch) is None
    )


def standing(story: OpenStory, *, branch: str = "main", before: StoryStanding | None = None) -> StoryStanding:
    """All that is said now; in the names of ``before``, with which it is to be compared."""
    from narraworld.checking.check_world import check_world

    situation = Situation(branch=branch)
    said = said_by(story.scope(situation), before.said if before else None)
    return StoryStanding(said, check_world(story, situation=situation))


def what_changed(before: StoryStanding, after: StoryStanding, units: Sequence[str]) -> Edit:
    old = {one.key: f"{one.rule.id} {one.message}" for one in before.checked.findings}
    new = {one.key: f"{one.rule.id} {one.message}" for one in after.checked.findings}
    return Edit(
        compare(before.said, after.said, tuple(units)),
        tuple(line for key, line in new.items() if key not in old),
        tuple(line for key, line in old.items() if key not in new),
    )


@dataclass(slots=True)
class EditWatch:
    """What a reading changes: ``edit`` is there once the reading is over, if a chapter had been read before."""

    edit: Edit | None = None

    def lines(self) -> Iterator[str]:
        yield from self.edit.lines() if self.edit else ()

    def to_json(self) -> dict[str, Any] | None:
        """What `diff --json` says, and the findings; None where no chapter had been read before."""
        if self.edit is None:
            return None
        return {
            "views": asdict(self.edit.views),
            "findings": {"gained": self.edit.gained, "lost": self.edit.lost},
        }


@contextmanager
def watching(story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main") -> Iterator[EditWatch]:
    """Compare before and after; a first reading has nothing to compare with."""
    watch, units = EditWatch(), edited_units(story, pieces, branch=branch)
    before = standing(story, branch=branch) if units else None
    yield watch
    if before is not None:
        watch.edit = what_changed(before, standing(story, branch=branch, before=before), units)
