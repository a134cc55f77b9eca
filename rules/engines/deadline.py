"""One derivation's budget: how long it may take and how many rows it may make.

Knows no database; engines ask it, and turn an interrupted statement into its `LimitReached`.
"""

from __future__ import annotations

import time

from narraworld.base.settings import QuestionLimits
from narraworld.rules.engines import Limits
from narraworld.rules.errors import LimitReached, NumberTooLarge

__all__ = ["Deadline"]


# What to do where whole relations are derived; an engine that derives only what is asked for cannot be advised this.
ASK_FOR_LESS = "ask for less with --engine pydatalog, which derives only what a question with constants needs"


NARROWER = (
    "Name somebody or something in it, let its conditions share a variable, or count: N = count : { … }."
)


class Deadline:
    """Starts when it is made; `working_on` names the relation in work for the message, `otherwise` another way to try."""

    def __init__(
        self,
        limits: Limits,
        rows: int = 0,
        *,
        otherwise: str = ASK_FOR_LESS,
        question: QuestionLimits | None = None,
    ) -> None:
        self.limits, self.question = limits, question or QuestionLimits()
        self.rows = rows
        self._read = 0
        self.otherwise = f", {otherwise}," if otherwise else ","
        self.working_on = "base facts"
        self._ends = time.monotonic() + limits.seconds

    @property
    def rows_left(self) -> int:
        return max(0, self.limits.facts - self.rows)

    def passed(self) -> bool:
        return time.monotonic() > self._ends

    def spend(self, rows: int) -> None:
        """Count derived rows; one too many ends the derivation."""
        self.rows += rows
        if self.rows > self.limits.facts:
            raise LimitReached(
                f"deriving {self.working_on!r} made more than {self.limits.facts:,} derived rows",
                fix="Look for a rule that joins without a shared variable or counts for ever"
                f"{self.otherwise} or raise Limits(facts=…).",
            )
        self.check_time()

    def read(self, rows: int) -> None:
        """Count rows that a question looks at; one too many ends it."""
        self._read += rows
        if self._read > self.question.read:
            raise LimitReached(f"this question looks at more than {self.question.read:,} rows", fix=NARROWER)
        self.check_time()

    def check_answers(self, many: int) -> None:
        """One answer too many ends a question."""
        if many > self.question.answers:
            raise LimitReached(f"this question has more than {self.question.answers:,} answers", fix=NARROWER)

    def check_time(self) -> None:
        if self.passed():
            raise self.too_late()

    def check_planning(self) -> None:
        """As `check_time`, while it is still being worked out how to derive anything."""
        if self.passed():
            raise LimitReached(
                f"planning how to derive took longer than {self.limits.seconds:g} seconds",
                fix="Use fewer rules or shorter ones, or raise Limits(seconds=…).",
            )

    def too_late(self) -> LimitReached:
        return LimitReached(
            f"deriving {self.working_on!r} took longer than {self.limits.seconds:g} seconds",
            fix=f"Look for a rule that joins without a shared variable{self.otherwise} or raise Limits(seconds=…).",
        )

    def too_wide(self) -> NumberTooLarge:
        return NumberTooLarge(
            f"deriving {self.working_on!r} gave a number that does not fit in 64 bits",
            fix="Numbers lie between -9223372036854775808 and 9223372036854775807: look for a product or a sum that grows.",
        )
