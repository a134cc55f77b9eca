"""What can go wrong between a rule file and a derived fact.

* NarraWorldError
  - RuleError              a rule program is wrong; carries file:line:column
    . RuleSyntaxError      it cannot be read
    . UnknownRelation      it names a relation nobody declared (with "did you mean")
    . WrongArity           it uses a relation with too few or too many arguments
    . WrongType            a symbol stands where a number should, or the other way round
    . UnsafeRule           a variable is bound by nothing
    . NotStratified        a relation depends on its own absence or on an aggregate of itself
  - EngineError            an engine cannot run a checked program
    . LimitReached         derivation passed the limit on facts or time
    . NumberTooLarge       arithmetic left the 64 bits that numbers have
"""

from __future__ import annotations

from narraworld.base.errors import NarraWorldError
from narraworld.rules.language.ir import SourcePlace

__all__ = [
    "EngineError", "LimitReached", "NotStratified", "NumberTooLarge", "RuleError", "RuleSyntaxError",
    "UnknownRelation", "UnsafeRule", "WrongArity", "WrongType",
]  # fmt: skip


class RuleError(NarraWorldError):
    """A rule program is wrong at `place`."""

    def __init__(self, what: str, place: SourcePlace, *, fix: str | None = None) -> None:
        super().__init__(what, where=str(place), fix=fix)
        self.place = place


class RuleSyntaxError(RuleError):
    """The text is not a rule program."""


class UnknownRelation(RuleError):
    """A relation that nobody declared."""


class WrongArity(RuleError):
    """Too few or too many arguments."""


class WrongType(RuleError):
    """A symbol where a number should stand, or the other way round."""


class UnsafeRule(RuleError):
    """A variable that no positive literal binds."""


class NotStratified(RuleError):
    """A relation that depends on its own absence."""


class EngineError(NarraWorldError):
    """An engine cannot run a checked program."""


class NumberTooLarge(EngineError):
    """A number that 64 bits cannot hold; rounding it or letting it wrap would be worse than stopping."""


class LimitReached(EngineError):
    """Derivation passed the limit on facts or seconds; nothing derived is kept."""
