"""Whole relations at a time: for whoever asks about everything, one question in place of thousands.

Answers as the engine behind it does, from rows it fetched when a relation was first asked about; so it is for one state
of the world, and for callers who want most of it. Derives nothing.
"""

from __future__ import annotations

from narraworld.rules.engines.sql.lookup import LookupTable
from narraworld.rules.language.ir import Atom, Const, Row, Term, Var
from narraworld.rules.proofs.matching import Answers

__all__ = ["AtOnce"]


class AtOnce:
    """An engine's answers by pattern, each relation fetched once; what is derived on demand is asked for as ever."""

    def __init__(self, engine: Answers) -> None:
        self.program, self._engine = engine.program, engine
        self._tables: dict[str, LookupTable] = {}

    def ask(self, goal: Atom) -> list[Row]:
        known = tuple((place, term.value) for place, term in enumerate(goal.args) if isinstance(term, Const))
        if not known or self.program.relations[goal.relation].on_demand or _repeats(goal.args):
            return self._engine.ask(goal)
        return sorted(self._table(goal.relation).find(known))

    def _table(self, name: str) -> LookupTable:
        if name not in self._tables:
            width = self.program.relations[name].arity
            everything = Atom(name, tuple(Var(f"V{place}") for place in range(width)))
            self._tables[name] = LookupTable(self._engine.ask(everything))
        return self._tables[name]


def _repeats(terms: tuple[Term, ...]) -> bool:
    names = [term.name for term in terms if isinstance(term, Var)]
    return len(set(names)) < len(names)
