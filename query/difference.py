"""Two states of the world side by side: facts, beliefs, threads and possibilities gained and lost.

Compares what the views say, not how it was stored: an edit that changes no meaning shows no difference. Facts and states of mind are
the same where they are about the same matter, however it is worded, and everybody is called as on the first side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.names import rows
from narraworld.query.scope import Scope
from narraworld.query.shown.phrases import held, in_passing

__all__ = ["Difference", "Said", "compare", "difference", "said_by"]

TITLES = {
    "facts": "facts",
    "events": "events",
    "beliefs": "beliefs",
    "threads": "threads",
    "possibilities": "possibilities",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What each view says: its lines by what they are about, and what everybody is called in them."""

    lines: Mapping[str, Mapping[str, str]]
    called: Mapping[str, str]


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
    old = said_by(before)
    return compare(old, said_by(after, old), units)


def compare(old: Said, new: Said, units: tuple[str, ...] = ()) -> Difference:
    """The same for what was said at two moments of one world."""
    return Difference(
        {view: _missing(new.lines[view], old.lines[view]) for view in TITLES},
        {view: _missing(old.lines[view], new.lines[view]) for view in TITLES},
        units,
    )


def _missing(here: Mapping[str, str], there: Mapping[str, str]) -> tuple[str, ...]:
    known = set(there.values())
    return tuple(words for about, words in here.items() if about not in there and words not in known)


def said_by(scope: Scope, beside: Said | None = None) -> Said:
    """Everything the views of a scope say; where something else stands ``beside`` it, in the names of that."""
    named = {str(who): scope.names(str(who)) for who, _ in rows(scope.engine, "entity")}
    called = named | dict(beside.called if beside else {})
    views = scope.views(called)
    beliefs = [belief for held_by in views.beliefs.values() for belief in held_by]
    lines = {
        "facts": {fact.proposition: fact.words for fact in views.facts},
        "events": {event.words: event.words for event in views.events},
        "beliefs": {
            f"{one.holder} {one.status} {one.proposition}": f"{called[one.holder]} {held(one.status, one.words)}"
            for one in beliefs
        },
        "threads": {
            line: line for line in (f"{in_passing(one.words)}: {one.status}" for one in views.threads)
        },
        "possibilities": {option.words: option.words for option in views.possibilities},
    }
    return Said(lines, called)
