"""A source unit: one accepted piece of prose, and the rule for its name.

Pure values: no files, no RDF. The name of a unit becomes part of a file name and of IRIs, so it is held to letters
that mean the same on every file system; anything else is refused, never rewritten.
"""

from __future__ import annotations

import re
from hashlib import sha256

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.errors import BadName, BadUnit

__all__ = [
    "LARGEST_ORDER",
    "LONGEST_TEXT",
    "MAIN",
    "NAME_LENGTH",
    "RESERVED",
    "Unit",
    "branch_name",
    "check_not_reserved",
    "number_in",
    "unit_id",
]

MAIN = "main"
NAME_LENGTH = 80
LARGEST_ORDER = 999_999_999  # a tick, of which every character of a unit has a thousand, still fits 64 bits
COUNTED_DIGITS = 8  # a date; what is longer was not counted by anybody
LONGEST_TEXT = 1_000_000  # characters: the positions that the clock keeps for a unit; the shapes say the same
RESERVED = frozenset(
    {"plotlines", "authors-word"}
)  # units that we write ourselves; no text may take their place
TEXT = "sourceText"

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One version of one source unit; `order` is its place in the telling, counted by the author."""

    id: str
    order: int
    text: str
    title: str | None = None
    source: str | None = None
    source_map: str | None = None
    branch: str = MAIN
    authority: str = TEXT
    time_anchor: str | None = None
    participants: tuple[str, ...] = ()
    teller: str | None = None
    focalizer: str | None = None

    def __post_init__(self) -> None:
        unit_id(self.id)
        branch_name(self.branch)
        if not 0 <= self.order <= LARGEST_ORDER:
            raise BadUnit(
                f"the order of unit {self.id} is {self.order}", fix=f"orders count from 0 to {LARGEST_ORDER}"
            )
        if len(self.text) > LONGEST_TEXT:
            raise BadUnit(
                f"unit {self.id} has {len(self.text)} characters, more than {LONGEST_TEXT}",
                fix="give each chapter a heading or a file of its own",
            )

    @property
    def sha256(self) -> str:
        """Digest of the text alone: equal when nothing has to be read again."""
        return sha256(self.text.encode()).hexdigest()


def check_not_reserved(unit: Unit) -> None:
    """A piece of text under a name that we keep for ourselves would be overwritten: it is refused."""
    if unit.id in RESERVED and unit.authority == TEXT:
        raise BadName(
            f"the unit id {unit.id!r} is kept for what is made out of the story",
            fix="give the unit another id",
        )


def unit_id(name: str) -> str:
    """`name` itself, or BadName saying what is wrong with it."""
    return _checked(name, "unit id")


def branch_name(name: str) -> str:
    """`name` itself, or BadName saying what is wrong with it."""
    return _checked(name, "branch name")


def number_in(name: str) -> int | None:
    """The last number in a name, if it could be one by which an author counts: `ch07`, `20261116`."""
    numbers = re.findall("[0-9]+", name)
    return int(numbers[-1]) if numbers and len(numbers[-1]) <= COUNTED_DIGITS else None


def _checked(name: str, role: str) -> str:
    wrong = _whats_wrong(name)
    if wrong:
        fix = f"use letters a-z, digits, '-', '_' and '.', at most {NAME_LENGTH} of them, as in ch01 or part-2.ch07"
        raise BadName(f"{role} {name!r} {wrong}", fix=fix)
    return name


def _whats_wrong(name: str) -> str | None:
    if not name:
        return "is empty"
    if len(name) > NAME_LENGTH:
        return f"has {len(name)} characters"
    if ".." in name or name.endswith("."):
        return "has a dot where a path could hide"
    if not _NAME.fullmatch(name):
        strange = next((sign for sign in name if not _NAME.fullmatch("_" + sign)), name[0])
        return f"has {strange!r} in it" if strange != name[0] else f"begins with {strange!r}"
    return None
