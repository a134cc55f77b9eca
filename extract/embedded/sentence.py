"""The state of one sentence while its clauses are read; the next sentence gets a fresh one, so nothing is cleared by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import Clause

__all__ = ["Looking", "Roles", "SentenceState"]

Roles = dict[str, tuple[str, ...]]
Looking = tuple[Clause, Roles, list[int]]  # who looks or knows, and the clauses that say of what


@dataclass(slots=True)
class SentenceState:
    """What has been found in a sentence so far; its words and ``shown_before`` stand from the start."""

    words: Sequence[Word] = ()
    shown_before: int = 0  # how much was on show before it
    meant: dict[int, tuple[str, ...]] = field(default_factory=dict)  # word → the entities it stands for
    events: dict[int, str] = field(default_factory=dict)  # clause → its event
    made_so: dict[str, str | None] = field(default_factory=dict)  # what it makes so, by which event
    subjects: set[str] = field(default_factory=set)  # of whom it tells something
    reported: set[int] = field(default_factory=set)  # the clauses that are only somebody's words or thoughts
    watching: list[Looking] = field(default_factory=list)
