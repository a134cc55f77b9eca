"""Which engine does the work: chosen by the work itself, or named by the caller.

Everything at once goes to DuckDB when there is much of it and to SQLite when there is little; relations that are
derived on demand go to pyDatalog, which reads what the others have materialised and derives only what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Literal, TypeAlias

from narraworld.base.settings import Choice
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.sql.lookup import Bound
from narraworld.rules.errors import EngineError
from narraworld.rules.language.dependencies import on_demand_part
from narraworld.rules.language.ir import Atom, Const, Facts, Program, Row, Term, Var

__all__ = ["Choice", "ChosenEngine", "EngineName", "engine_for", "engine_over"]

EngineName: TypeAlias = Literal["auto", "sqlite", "duckdb", "pydatalog"]


DEFAULT = Choice()


def engine_for(
    program: Program,
    facts: Facts,
    name: EngineName = "auto",
    *,
    limits: Limits | None = None,
    choice: Choice = DEFAULT,
) -> Engine:
    """An engine with these facts loaded, fit for asking everything about them."""
    size = sum(map(len, facts.values()))
    chosen = name if name != "auto" else "duckdb" if size >= choice.bulk_from else "sqlite"
    engine = _make(program, chosen, limits or Limits())
    engine.load(facts)
    return engine if chosen == "pydatalog" else ChosenEngine(engine, limits)


def _make(program: Program, name: str, limits: Limits) -> Engine:
    if name == "sqlite":
        from narraworld.rules.engines.sqlite.engine import SqliteEngine

        return SqliteEngine(program, limits=limits)
    if name == "duckdb":
        from narraworld.rules.engines.duckdb import DuckEngine

        return DuckEngine(program, limits)
    if name == "pydatalog":
        from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine

        return PyDatalogEngine(program, limits=limits)
    raise EngineError(f"there is no engine {name!r}", fix="use auto, sqlite, duckdb or pydatalog")


def engine_over(program: Program, tables: Engine, *asked: str, limits: Limits | None = None) -> Engine:
    """A goal-directed engine that derives only ``asked`` and what is on demand, and reads the rest off ``tables``."""
    from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine

    return PyDatalogEngine(on_demand_part(program, asked), _Tables(tables), limits=limits)


class ChosenEngine:
    """A materialising engine with a goal-directed one beside it for what is derived on demand."""

    name = "auto"

    def __init__(self, tables: Engine, limits: Limits | None = None) -> None:
        self.tables, self.program = tables, tables.program
        self._limits = limits
        self._goals: Engine | None = None

    def load(self, facts: Facts) -> None:
        self.tables.load(facts)

    def ask(self, goal: Atom) -> list[Row]:
        relation = self.program.relations.get(goal.relation)
        return self._goal_directed().ask(goal) if relation and relation.on_demand else self.tables.ask(goal)

    def count(self, goal: Atom) -> int:
        relation = self.program.relations.get(goal.relation)
        return len(self.ask(goal)) if relation and relation.on_demand else self.tables.count(goal)

    def reading(self) -> AbstractContextManager[object]:
        return self.tables.reading()

    def close(self) -> None:
        self.tables.close()

    def _goal_directed(self) -> Engine:
        if self._goals is None:
            self._goals = engine_over(self.program, self.tables, limits=self._limits)
        return self._goals


class _Tables:
    """Another engine's rows, by pattern."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, relation: str, bound: Bound) -> Iterable[Row]:
        width = self._engine.program.relations[relation].arity
        known = dict(bound)
        terms: list[Term] = [Const(known[i]) if i in known else Var(f"V{i}") for i in range(width)]
        return self._engine.ask(Atom(relation, tuple(terms)))
