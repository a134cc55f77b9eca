"""A goal as a question to one table: text with places for its constants, and the constants.

Shared by the SQL engines; values travel as parameters, never as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from narraworld.rules.engines.sql.writer import KINDS, Writer
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Const, Row, Value, Var

__all__ = ["HOW_MANY", "Questions", "answers"]

HOW_MANY = "SELECT count(*) FROM ({}) z"  # asked of a question's answer


class Questions:
    """Goals as SELECTs over the tables of one program; goals that bind the same columns share their text."""

    def __init__(self, sql: Writer, tables: frozenset[str]) -> None:
        self._sql, self._tables = sql, tables
        self._texts: dict[tuple[str | None, ...], str] = {}

    def __call__(self, goal: Atom) -> tuple[str, list[Value]] | None:
        """The SELECT that answers the goal; None when a constant is of the wrong type, so that nothing can match."""
        pattern = (goal.relation, *(term.name if isinstance(term, Var) else None for term in goal.args))
        if pattern not in self._texts:
            _check(self._sql, goal, self._tables)
            self._texts[pattern] = _select(self._sql, goal)
        values = []
        for term, declared in zip(goal.args, self._sql.program.relations[goal.relation].columns, strict=True):
            if isinstance(term, Const):
                if type(term.value) is not KINDS[declared.type]:
                    return None
                values.append(term.value)
        return self._texts[pattern], values


def _select(sql: Writer, goal: Atom) -> str:
    columns, conditions = sql.columns(goal.relation), []
    first: dict[str, str] = {}
    for term, column in zip(goal.args, columns, strict=False):
        if isinstance(term, Const):
            conditions.append(f"{column} = ?")
        elif isinstance(term, Var) and first.setdefault(term.name, column) != column:
            conditions.append(f"{column} = {first[term.name]}")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT DISTINCT {', '.join(columns)} FROM {sql.table(goal.relation)}{where}"


def answers(goal: Atom, rows: Iterable[Row]) -> list[Row]:
    """Rows as the caller knows them: sorted, without the phantom column."""
    return sorted(rows) if goal.args else [() for _ in rows]


def _check(sql: Writer, goal: Atom, tables: frozenset[str]) -> None:
    relation = sql.program.relations.get(goal.relation)
    if relation is None:
        near = get_close_matches(goal.relation, sql.program.relations, n=1)
        raise EngineError(
            f"no relation is called {goal.relation!r}", fix=f"Did you mean {near[0]!r}?" if near else None
        )
    if relation.arity != len(goal.args):
        raise EngineError(f"{goal.relation!r} has {relation.arity} columns, the goal {len(goal.args)}")
    if goal.relation not in tables:
        raise EngineError(
            f"{goal.relation!r} is derived on demand and has no table",
            fix="Ask the goal-directed engine (pyDatalog).",
        )
