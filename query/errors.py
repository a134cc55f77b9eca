"""What can go wrong between a question and an answer.

* NarraWorldError
  - QueryError
    . UnknownName        nothing in the story goes by this name (with "did you mean")
    . AmbiguousName      several things do
    . EmptyName          a name was given that has no letter
    . UnknownMoment      `at` or `told` names no chapter, scene or tick
    . AmbiguousMoment    several chapters fit
    . BadBudget          a budget that holds nothing
    . EmptyRequest       nothing was asked
    . Outdated           a scope that was kept while the world went on
    . AuthorsOnly        a verb that shows base facts was given a focalizer
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.base.errors import NarraWorldError

__all__ = [
    "AmbiguousMoment",
    "AmbiguousName",
    "BadBudget",
    "EmptyName",
    "EmptyRequest",
    "Outdated",
    "QueryError",
    "UnknownMoment",
    "UnknownName",
]

MOMENTS = 'name a chapter by number, file or title, as in "2", "02.md" or "The Ferry"; a moment of the clock is tick:6'
MOST_SHOWN = 4  # chapters that a refusal lists
ALIKE = 55  # how alike, out of 100, a name must be to be suggested


class QueryError(NarraWorldError):
    """Base of what this room raises."""


class Outdated(QueryError):
    """A scope was kept while the tables behind it went on: half of its answers would be old and half new."""

    def __init__(self) -> None:
        super().__init__(
            "this view of the story is out of date, because a chapter was read since",
            fix="call world.scope() again",
        )


class UnknownName(QueryError):
    """Nothing in the story goes by this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        super().__init__(f"nothing in the story is called {name!r}", fix=_nearest(name, known))


class EmptyName(QueryError):
    """Somebody was to be named, and the name is empty: a field of a form that nobody filled in."""

    def __init__(self, part: str) -> None:
        super().__init__(
            f"the {part} has an empty name",
            fix="name somebody of the story, or leave it out and see as the author does",
        )


class AmbiguousName(QueryError):
    """Several things go by this name."""

    def __init__(
        self, name: str, candidates: Sequence[str], ids: Sequence[str] = (), *, meant: Sequence[str] = ()
    ) -> None:
        self.name, self.candidates, self.ids = name, tuple(candidates), tuple(meant or ids or candidates)
        either = " or ".join(candidates)
        fix = f"use the id: {' or '.join(ids)}" if ids else f"write more of the name: {either}"
        super().__init__(f"{name!r} could be {either}", fix=fix)


class UnknownMoment(QueryError):
    """`at` or `told` names nothing we can place."""

    def __init__(self, text: str, known: Sequence[str], fix: str | None = None) -> None:
        super().__init__(f"no moment {text!r} in this story", fix=fix or _nearest(text, known) or MOMENTS)


class AmbiguousMoment(QueryError):
    """Several chapters fit."""

    def __init__(self, text: str, units: Sequence[str], *, titled: bool = False) -> None:
        self.units = tuple(units)
        either = " or ".join((*units[:MOST_SHOWN], *(["…"] if len(units) > MOST_SHOWN else [])))
        what = f"is the title of {' and of '.join(units)}" if titled else f"could be {either}"
        super().__init__(f"{text!r} {what}", fix=f"say which: {either}")


class BadBudget(QueryError):
    """A budget that holds nothing."""

    def __init__(self, budget: int) -> None:
        super().__init__(
            f"a budget of {budget} tokens holds nothing", fix="give at least 1, as in --budget 4000"
        )


class EmptyRequest(QueryError):
    """Nothing was asked."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the {what} is empty", fix="say in a sentence what you want")


def _nearest(name: str, known: Sequence[str]) -> str | None:
    from rapidfuzz import fuzz, process, utils

    choices = list(dict.fromkeys(known))
    close = process.extract(
        name, choices, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=ALIKE, limit=3
    )
    return f"did you mean {' or '.join(match for match, *_ in close)}?" if close else None
