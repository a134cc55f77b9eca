"""What can go wrong between a question and an answer.

* NarraWorldError
  - QueryError
    . UnknownName        nothing in the story goes by this name (with "did you mean")
    . AmbiguousName      several things do
    . UnknownMoment      `at` or `told` names no unit, scene or tick
    . BadBudget          a budget that holds nothing
    . EmptyRequest       nothing was asked
    . Outdated           a scope that was kept while the world went on
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.base.errors import NarraWorldError

__all__ = [
    "AmbiguousName",
    "BadBudget",
    "EmptyRequest",
    "Outdated",
    "QueryError",
    "UnknownMoment",
    "UnknownName",
]

ALIKE = 55  # how alike, out of 100, a name must be to be suggested


class QueryError(NarraWorldError):
    """Base of what this room raises."""


class Outdated(QueryError):
    """A scope was kept while the tables behind it went on: half of its answers would be old and half new."""

    def __init__(self) -> None:
        super().__init__(
            "the world has changed since this scope was made",
            fix="ask the world for a new one: world.scope()",
        )


class UnknownName(QueryError):
    """Nothing in the story goes by this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        super().__init__(f"nothing in the story is called {name!r}", fix=_nearest(name, known))


class AmbiguousName(QueryError):
    """Several things go by this name."""

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        self.name, self.candidates = name, tuple(candidates)
        super().__init__(f"{name!r} could be {' or '.join(candidates)}", fix="use the id instead of the name")


class UnknownMoment(QueryError):
    """`at` or `told` names nothing we can place."""

    def __init__(self, text: str, known: Sequence[str]) -> None:
        fix = _nearest(text, known) or "name a unit as in ch02, a scene as in ch02/scene-1, or a tick"
        super().__init__(f"no moment {text!r} in this story", fix=fix)


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
