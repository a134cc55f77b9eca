"""Two states of the world side by side: facts, beliefs, threads and possibilities gained and lost.

Compares what the views say, not how it was stored: an edit that changes no meaning shows no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.scope import Scope

__all__ = ["Difference", "Said", "compare", "difference", "said_by"]

Said: TypeAlias = dict[str, list[str]]  # what each view says, as lines

TITLES = {
    "facts": "facts",
    "events": "events",
    "beliefs": "beliefs",
    "threads": "threads",
    "possibilities": "possibilities",
}


@dataclass(frozen=True, slots=True, repr=False)
class Difference(TabledResult):
    """What one state of the world says and the other does not, by view; `units` are those that were edited."""

    gained: dict[str, tuple[str, ...]]
    lost: dict[str, tuple[str, ...]]
    units: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self.gained.values()) or any(self.lost.values())

    def to_dicts(self) -> list[dict[str, str]]:
        both = (("−", self.lost), ("+", self.gained))
        return [
            {"part": part, "sign": sign, "words": words}
            for part in TITLES
            for sign, found in both
            for words in found[part]
        ]

    def in_short(self) -> str:
        gained, lost = (sum(map(len, found.values())) for found in (self.gained, self.lost))
        return f"Difference: {gained} gained, {lost} lost"

    def lines(self) -> Iterator[str]:
        if self.units:
            yield f"units: {', '.join(self.units)}"
        if not self:
            yield "the views are the same"
        for view, title in TITLES.items():
            gained, lost = self.gained[view], self.lost[view]
            if gained or lost:
                yield title
                yield from (f"  - {words}" for words in lost)
                yield from (f"  + {words}" for words in gained)


def difference(before: Scope, after: Scope, units: tuple[str, ...] = ()) -> Difference:
    """How ``after`` differs from ``before``."""
    return compare(said_by(before), said_by(after), units)


def compare(old: Said, new: Said, units: tuple[str, ...] = ()) -> Difference:
    """The same for what was said at two moments of one world."""
    return Difference(
        {view: _missing(new[view], old[view]) for view in TITLES},
        {view: _missing(old[view], new[view]) for view in TITLES},
        units,
    )


def _missing(here: list[str], there: list[str]) -> tuple[str, ...]:
    known = set(there)
    return tuple(words for words in here if words not in known)


def said_by(scope: Scope) -> Said:
    """Everything the views of a scope say."""
    views, names = scope.views(), scope.names
    beliefs = [belief for held in views.beliefs.values() for belief in held]
    return {
        "facts": [fact.words for fact in views.facts],
        "events": [event.words for event in views.events],
        "beliefs": [f"{names(belief.holder)} ({belief.status}): {belief.words}" for belief in beliefs],
        "threads": [f"{thread.words}: {thread.status}" for thread in views.threads],
        "possibilities": [option.words for option in views.possibilities],
    }
