"""Findings as plain values: what a check says, where, how sure, and what the author answered.

Decides nothing and touches nothing: rules raise findings, `check.py` gathers them, `report/` shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "CheckOutcome",
    "Checked",
    "Finding",
    "Passage",
    "RuleCard",
    "RuleReport",
    "Severity",
    "Waiver",
    "folded",
]

Severity: TypeAlias = Literal["error", "warning", "note"]
CheckOutcome: TypeAlias = Literal["violated", "held", "not evaluated"]


@dataclass(frozen=True, slots=True)
class Passage:
    """Words on the page a finding rests on; file, line and column where the unit came from a file (else None)."""

    record: str
    unit: str
    start: int
    end: int
    quote: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class RuleCard:
    """What a check is: its number, how grave, its name, the ConStory subtype it serves, and who decides.

    ``verdict`` is decides, explicit half, nominates, or judge; ``about`` is a paragraph for `narraworld rule`; ``needs`` is what a
    story must hold for the check to have anything to look at.
    """

    id: str
    severity: Severity
    title: str
    subtype: str
    verdict: str
    about: str = ""
    fires: str = ""
    silent: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Waiver:
    """The author's word on a finding: intentional, and why; ``origin`` says where it is written."""

    key: str
    reason: str
    origin: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit. ``key`` stays the same while its rule, its records' words and its passages do.

    ``others`` have the same cause and stand behind it, each with passages and a key of its own; ``alike`` counts them all.
    """

    key: str
    rule: RuleCard
    message: str
    passages: tuple[Passage, ...]
    records: tuple[str, ...]
    goal: str
    weight: float = 1.0
    alike: int = 1
    waived: Waiver | None = None
    judged: str | None = None
    others: tuple[Finding, ...] = ()

    def each(self) -> tuple[Finding, ...]:
        """This one and the others of its cause, one by one."""
        return (replace(self, alike=1, others=()), *self.others) if self.others else (self,)


def folded(each: Sequence[Finding]) -> Finding:
    """Findings of one cause as one: the first speaks for them."""
    first, *others = each
    return replace(first, alike=len(each), others=tuple(others)) if others else first


@dataclass(frozen=True, slots=True)
class RuleReport:
    """What became of one check: violated, held, or not evaluated and which records it would have needed."""

    rule: RuleCard
    outcome: CheckOutcome
    looked_at: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A whole check: findings that stand, those the author waived, every rule's outcome, waivers nothing needed."""

    findings: tuple[Finding, ...]
    waived: tuple[Finding, ...]
    reports: tuple[RuleReport, ...]
    unused: tuple[Waiver, ...]
    words: int
    revision: int
