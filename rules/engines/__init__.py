"""Engines behind one interface: facts and a checked program in, derived rows out.

Each engine lives in its own module and imports its library only when it is made.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from narraworld.base.settings import Limits
from narraworld.rules.language.ir import Atom, Facts, Program, Row

__all__ = ["Engine", "Limits"]


class Engine(Protocol):
    """Facts in, answers out. Answers are sorted, without repetition, and equal on every engine."""

    name: str
    program: Program

    def load(self, facts: Facts) -> None:
        """Forget everything and take these base facts."""

    def ask(self, goal: Atom) -> list[Row]:
        """Rows of the goal's relation (base or derived) that match its constants; variables match anything,
        a variable that stands twice matches equal values."""

    def count(self, goal: Atom) -> int:
        """How many rows `ask` would give; an engine may be quicker where nobody wants to see them."""
        return len(self.ask(goal))

    def reading(self) -> AbstractContextManager[object]:
        """Several questions about one state of the facts, whatever others write meanwhile; here nobody else does."""
        return nullcontext()

    def close(self) -> None:
        """Let go of files, memory and registrations; closing twice is harmless."""
