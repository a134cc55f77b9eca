"""What a request needs of memory, and what memory gives back: the plain values that planning, retrieval and assembly share.

Decides nothing and touches nothing: `plan.py` makes a `Plan`, `retrieve.py` answers it with `Found` items, `assemble.py`
packs them into a `Context`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import MemorySwitches
from narraworld.query.evidence import Span
from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.names import ReadAs

__all__ = [
    "FoundRecord",
    "MemoryContext",
    "MemoryItem",
    "MemoryPlan",
    "MemorySwitches",
    "Need",
    "NeedKind",
    "Section",
    "Unmet",
]

Section: TypeAlias = Literal["W", "B", "D", "H", "T"]
"""World facts, beliefs by holder, developments, hypotheticals, and passages of the text itself."""

NeedKind: TypeAlias = Literal[
    "state",
    "belief",
    "knowledge",
    "event",
    "thread",
    "possibility",
    "relation",
    "place",
    "time",
    "passage",
    "asked",
]


@dataclass(frozen=True, slots=True)
class Need:
    """One thing the writer must know: the rule queries that would settle it and the words to search for.

    ``goals`` are rule queries over symbols (`belief("leo", P, T, Mode, Record)`), answered by `goals.bindings`: `Record` is what
    an answer rests on, `P` a proposition that ``holders`` hold, `D` a development. ``after`` names needs this one refines.
    """

    name: str
    kind: NeedKind
    why: str
    words: str = ""
    goals: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The paper's (F, K, r, N): evidence form, focal characters, retrieval intent, needs with dependencies."""

    form: str
    focal: tuple[str, ...]
    intent: str
    needs: tuple[Need, ...]
    planner: str = "rules"

    def shares(self) -> list[float]:
        """How much each need weighs beside the weightiest, or beside one of usual weight where all are light."""
        weightiest = max((1.0, *(need.weight for need in self.needs)))
        return [need.weight / weightiest for need in self.needs]


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One line of memory: what it says, which view it belongs to, whose it is, and what it rests on.

    ``key`` names its content: two items with one key say the same, and only one is ever told. ``known``: the words without
    `knows that`, of what its holder knows, for a heading that says so once.
    """

    key: str
    section: Section
    words: str
    records: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    holder: str | None = None
    when: int | None = None
    told: int | None = None
    conditions: tuple[str, ...] = ()
    known: str = ""


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """An item, how much it is worth to the request, and which needs it serves."""

    item: MemoryItem
    score: float
    needs: frozenset[str] = frozenset()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unmet:
    """A need for which memory provably holds nothing: which goals were asked and what was missing."""

    need: str
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class MemoryContext(TabledResult):
    """Memory for the next scene, within its budget: the text, its machine-readable twin, and what could not be met."""

    text: str
    tokens: int
    budget: int
    plan: MemoryPlan
    items: tuple[FoundRecord, ...]
    unmet: tuple[Unmet, ...] = ()
    left_out: int = 0
    counted_with: str = "o200k_base"
    notes: tuple[str, ...] = field(default=())
    read_as: tuple[ReadAs, ...] = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        from narraworld.query.memory.tokens import counter

        return [
            {
                "line": one.item.words, "section": one.item.section, "tokens": counter()(one.item.words),
                "record": next(iter(one.item.records), None),
            }
            for one in self.items
        ]  # fmt: skip

    def in_short(self) -> str:
        return f"Context: {self.tokens} of {self.budget} tokens, {len(self.items)} items"
