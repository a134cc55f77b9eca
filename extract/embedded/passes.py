"""Passes: the steps of the reader, each with what must be there before it and what is there after it, checked when imported.

`ordered` gives back the steps as they were listed, if each finds what it needs and nothing but records is added twice. Knows no
step itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

__all__ = [
    "GIVEN",
    "Level",
    "Pass",
    "PassOrder",
    "TwoWriters",
    "at",
    "clause_pass",
    "closing_pass",
    "ordered",
    "sentence_pass",
    "table",
    "unit_pass",
]

Level = Literal["unit", "sentence", "clause", "closing"]
GIVEN = frozenset({"unit.text", "roster", "discourse"})  # what the reader is handed
RECORD = "record."  # what several may add


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of the reader: what must be there before it, and what is there after it."""

    run: Callable[..., Any]
    level: Level
    needs: frozenset[str]  # "clause.realis", "sentence.events", "unit.deeds"
    adds: frozenset[str]  # the same names, or "record.State"

    @property
    def name(self) -> str:
        return self.run.__name__.strip("_")

    @property
    def about(self) -> str:
        """The first line of what it says of itself."""
        return (self.run.__doc__ or "").strip().split("\n")[0]


class PassOrder(ValueError):
    """A step stands before what it needs."""

    def __init__(self, step: Pass, missing: frozenset[str]) -> None:
        super().__init__(f"{step.name} needs {', '.join(sorted(missing))}, which no step before it adds")


class TwoWriters(ValueError):
    """Two steps add the same thing, which is no record."""

    def __init__(self, what: str, first: Pass, second: Pass) -> None:
        super().__init__(f"{what} is added by {first.name} and again by {second.name}")


def _pass(level: Level, run: Callable[..., Any], *, needs: str, adds: str = "") -> Pass:
    return Pass(run, level, frozenset(needs.split()), frozenset(adds.split()))


unit_pass = partial(_pass, "unit")
sentence_pass = partial(_pass, "sentence")
clause_pass = partial(_pass, "clause")
closing_pass = partial(_pass, "closing")


def ordered(*passes: Pass) -> tuple[Pass, ...]:
    """The passes as given, if each finds what it needs and nothing but a record is added twice."""
    there, by = set(GIVEN), dict[str, Pass]()
    for step in passes:
        if missing := step.needs - there:
            raise PassOrder(step, frozenset(missing))
        for name in sorted(step.adds):
            if not name.startswith(RECORD) and name in by:
                raise TwoWriters(name, by[name], step)
            by[name] = step
        there |= step.adds
    return passes


def at(level: Level, passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """The passes of one level, in their order."""
    return tuple(step for step in passes if step.level == level)


def table(passes: Sequence[Pass]) -> Iterator[str]:
    """The lines of a table of passes, as the page about reading shows it."""
    yield "| level | pass | needs | adds |"
    yield "|---|---|---|---|"
    for step in passes:
        cells = (" ".join(f"`{name}`" for name in sorted(names)) for names in (step.needs, step.adds))
        yield f"| {step.level} | `{step.name}`: {step.about} | {' | '.join(cells)} |"
