"""What can go wrong between an accepted delta and the disk.

* NarraWorldError
  - KbError
    . BadName            a unit id or branch name that could not be a file name
    . BadUnit            a unit at no place in the telling that can be counted, or longer than one may be
    . BadQuads           not N-Quads, a blank node, or a statement in another unit's graph
    . NotAStore          there is no `.narraworld/` here
    . StoreLocked        somebody else is writing; says who
    . JournalDamaged     a file is not what was once written; names file and unit
      .. NotDerivable    a unit is whole, but no rows can be made of it
    . UnknownUnit        no such unit at this revision      (all three with "did you mean")
    . UnknownRevision    no such revision on this branch
    . UnknownBranch      no such branch
    . BranchExists       the name is taken
    . BranchInUse        other branches grow from it, or it is the story itself
    . QueryRefused       a SPARQL text that is wrong, takes too long, or would do more than read
    . UnknownFormat      an export or import suffix we do not speak
"""

from __future__ import annotations

from collections.abc import Iterable

from narraworld.base.errors import NarraWorldError

__all__ = [
    "BadName", "BadQuads", "BadUnit", "BranchExists", "BranchInUse", "JournalDamaged", "KbError", "NotAStore",
    "NotDerivable", "QueryRefused", "StoreLocked", "UnknownBranch", "UnknownRdfFormat", "UnknownRevision", "UnknownUnit", "did_you_mean",
]  # fmt: skip


class KbError(NarraWorldError):
    """Base of what this room raises."""


class BadName(KbError):
    """A unit id or branch name that could not be a file name everywhere."""


class BadUnit(KbError):
    """A unit whose order or length is beyond what the clocks count."""


class BadQuads(KbError):
    """Statements the journal does not take."""


class NotAStore(KbError):
    """A folder without `.narraworld/`."""


class StoreLocked(KbError):
    """Somebody else is writing."""


class JournalDamaged(KbError):
    """A file of the journal is not what was once written; everything else stays readable."""

    advice = "restore the file from a copy, or read the unit again; other units are not affected"

    def __init__(self, file: str, unit: str | None, what: str) -> None:
        self.file, self.unit = file, unit
        about = f"unit {unit}: " if unit else ""
        super().__init__(f"{about}{what}", where=file, fix=self.advice)


class NotDerivable(JournalDamaged):
    """A unit was written as it stands, but no rows can be made of it; everything else stays derivable."""

    advice = "retract the unit, or read it again; other units are not affected"


class UnknownUnit(KbError, KeyError):
    """No such unit is visible; a `KeyError` too, because a snapshot is a mapping."""

    def __init__(self, unit: str, where: str, known: Iterable[str] = ()) -> None:
        self.unit = unit
        super().__init__(f"no unit {unit!r}", where=where, fix=did_you_mean(unit, known))


class UnknownRevision(KbError):
    """No such revision on this branch."""

    def __init__(self, revision: int, branch: str, head: int) -> None:
        self.revision, self.branch, self.head = revision, branch, head
        super().__init__(
            f"no revision {revision}", where=branch, fix=f"revisions go from 0 (empty) to {head}"
        )


class UnknownBranch(KbError):
    """No such branch."""

    def __init__(self, branch: str, known: Iterable[str] = ()) -> None:
        self.branch = branch
        super().__init__(f"no branch {branch!r}", fix=did_you_mean(branch, known))


class BranchExists(KbError):
    """The name is taken."""


class BranchInUse(KbError):
    """Other branches grow from it."""


class QueryRefused(KbError):
    """A SPARQL text that is wrong, takes too long, or would do more than read."""


class UnknownRdfFormat(KbError):
    """A file suffix we neither write nor read."""


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A suggestion for a mistyped name; None when nothing known comes near."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=3)
    return f"did you mean {', '.join(close)}?" if close else None
