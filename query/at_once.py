"""Whole relations at a time: for whoever asks about everything, one question in place of thousands.

Answers as the engine behind it does, from rows it fetched when a relation was first asked about or, if it may ask how many there
are, when single questions have come to cost as much; so it is for one state of the world. Derives nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from narraworld.rules.engines.sql.lookup import Bound, LookupTable
from narraworld.rules.language.ir import Atom, Const, Row, Term, Var
from narraworld.rules.proofs.matching import Answers

__all__ = ["OFTEN", "AtOnce"]

OFTEN = 64  # single questions about one relation, from which on reading it whole is considered
ROWS_A_QUESTION = 20  # that are read in the time of one question


class AtOnce:
    """An engine's answers by pattern, each relation fetched once; what is derived on demand is asked for as ever."""

    def __init__(self, engine: Answers, how_many: Callable[[Atom], int] | None = None) -> None:
        self.program, self._engine, self._how_many = engine.program, engine, how_many
        self._tables: dict[str, LookupTable] = {}
        self._asked: Counter[str] = Counter()
        self._sizes: dict[str, int] = {}

    def ask(self, goal: Atom) -> list[Row]:
        known = tuple((place, term.value) for place, term in enumerate(goal.args) if isinstance(term, Const))
        found = None if _repeats(goal.args) else self.at_hand(goal.relation, known)
        return self._engine.ask(goal) if found is None else found

    def at_hand(self, relation: str, known: Bound) -> list[Row] | None:
        """The rows that carry these values, from a relation that is read whole; None where the engine has to be asked."""
        if not known or self.program.relations[relation].on_demand or not self._is_worth_reading(relation):
            return None
        return sorted(self._table(relation).find(known))

    def _is_worth_reading(self, name: str) -> bool:
        """Whether it was asked about often enough, for its size."""
        if name in self._tables or self._how_many is None:
            return True
        self._asked[name] += 1
        if self._asked[name] < OFTEN:
            return False
        if name not in self._sizes:
            self._sizes[name] = self._how_many(self._everything(name))
        return self._asked[name] * ROWS_A_QUESTION >= self._sizes[name]

    def _table(self, name: str) -> LookupTable:
        if name not in self._tables:
            self._tables[name] = LookupTable(self._engine.ask(self._everything(name)))
        return self._tables[name]

    def _everything(self, name: str) -> Atom:
        width = self.program.relations[name].arity
        return Atom(name, tuple(Var(f"V{place}") for place in range(width)))


def _repeats(terms: tuple[Term, ...]) -> bool:
    names = [term.name for term in terms if isinstance(term, Var)]
    return len(set(names)) < len(names)
