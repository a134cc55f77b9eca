"""A pack at work: only what its results need is derived, over the tables that the world has already.

The rules of the world are not run again: what a pack reads of them is taken, row by row, from the engine of a scope. Proofs see
both as one program, so that a row of a theory is explained down to the words on the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Atom, Facts, Program, Row, Var
from narraworld.rules.language.program import RuleBook
from narraworld.rules.packs.pack import Pack

__all__ = ["PackEngine", "pack_facts"]


def pack_facts(pack: Pack, tables: Engine, goals: Iterable[str]) -> Facts:
    """The rows of the world that the goals need, and those that the pack brings along."""
    part = needed(pack.program, goals)
    given = {name: rows for name, rows in pack.program.given.items() if name in part.relations}
    read = [name for name in part.base() if name in tables.program.relations and name not in given]
    return {**given, **{name: _every_row(tables, name) for name in read}}


def _every_row(engine: Engine, name: str) -> list[Row]:
    width = engine.program.relations[name].arity
    return engine.ask(Atom(name, tuple(Var(f"V{i}") for i in range(width))))


class PackEngine:
    """An `Engine` that answers for a pack's relations itself and asks the world's tables for all others."""

    name = "pack"

    def __init__(
        self, pack: Pack, tables: Engine, goals: Iterable[str] = (), engine: EngineName = "auto",
        limits: Limits | None = None, given: Facts | None = None,
    ) -> None:  # fmt: skip
        asked = tuple(goals) or tuple(pack.own)
        self.pack, self.tables = pack, tables
        self._make = partial(self._engine_of, engine=engine, limits=limits, given=given or {})
        self._derived = self._make(asked)
        self._rest: Engine | None = None  # for what is asked beside the goals: helpers, in proofs and figures
        self.program: Program = (
            _joined(tables.program, pack) if isinstance(tables.program, RuleBook) else pack.program
        )

    def _engine_of(
        self, goals: Iterable[str], *, engine: EngineName, limits: Limits | None, given: Facts
    ) -> Engine:
        goals = tuple(goals)
        facts = {**pack_facts(self.pack, self.tables, goals), **given}
        return engine_for(needed(self.pack.program, goals), facts, engine, limits=limits)

    def load(self, facts: Facts) -> None:
        raise NotImplementedError("a pack reads the tables of a world")

    def ask(self, goal: Atom) -> list[Row]:
        return self._engine(goal).ask(goal)

    def count(self, goal: Atom) -> int:
        return self._engine(goal).count(goal)

    def _engine(self, goal: Atom) -> Engine:
        if goal.relation not in self.pack.own:
            return self.tables
        if goal.relation in self._derived.program.relations:
            return self._derived
        self._rest = self._rest or self._make(self.pack.own)
        return self._rest

    def reading(self) -> AbstractContextManager[object]:
        return self.tables.reading()

    def close(self) -> None:
        """The tables of the world are not ours to close."""
        self._derived.close()
        if self._rest is not None:
            self._rest.close()


def _joined(book: RuleBook, pack: Pack) -> RuleBook:
    """The rules of the world and of the pack as one program, for proofs."""
    own = {name: relation for name, relation in pack.program.relations.items() if name in pack.own}
    return replace(
        book,
        relations={**book.relations, **own},
        rules=(*book.rules, *pack.program.rules),
        sources=(*book.sources, *pack.program.sources),
        surface={**book.surface, **pack.program.surface},
        _by_head={},
    )
