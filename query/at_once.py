"""Whole relations at a time: for whoever asks about everything, one question in place of thousands.

Answers as the engine behind it does, from rows it fetched when a relation was first asked about or, if it may ask how many there
are, when single questions have come to cost as much; so it is for one state of the world. Derives nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from narraworld.rules.engines.sql.lookup import Bound
from narraworld.rules.language.ir import Atom, Const, Row, Term, Value, Var
from narraworld.rules.proofs.matching import Answers

__all__ = ["OFTEN", "AtOnce"]

OFTEN = 64  # single questions about one relation, from which on reading it whole is considered
ROWS_A_QUESTION = 20  # that are read in the time of one question


class AtOnce:
    """An engine's answers by pattern, each relation fetched once; what is derived on demand is asked for as ever."""

    def __init__(self, engine: Answers, how_many: Callable[[Atom], int] | None = None) -> None:
        self.program, self._engine, self._how_many = engine.program, engine, how_many
        self._whole: dict[str, list[Row]] = {}
        self._indexes: dict[tuple[str, int], dict[Value, list[Row]]] = {}
        self._wide: dict[tuple[str, tuple[int, ...]], dict[Row, list[Row]]] = {}
        self._asked: Counter[str] = Counter()
        self._sizes: dict[str, int] = {}

    def ask(self, goal: Atom) -> list[Row]:
        known = tuple(
            [(place, term.value) for place, term in enumerate(goal.args) if isinstance(term, Const)]
        )
        found = None if _repeats(goal.args) else self.at_hand(goal.relation, known)
        return self._engine.ask(goal) if found is None else found

    def at_hand(self, relation: str, known: Bound) -> list[Row] | None:
        """The rows that carry these values, in order, from a relation that is read whole; None where the engine has to be asked."""
        if not known or (relation not in self._whole and not self._is_worth_reading(relation)):
            return None
        if len(known) == 1:
            [(place, value)] = known
            return list(self._index(relation, place).get(value, ()))
        wide = self._wide_index(relation, tuple([place for place, _ in known]))
        return list(wide.get(tuple([value for _, value in known]), ()))

    def by_first(self, relation: str, value: Value) -> list[Row] | None:
        """The same for what is asked most: the rows that begin with a value."""
        index = self._indexes.get((relation, 0))
        return self.at_hand(relation, ((0, value),)) if index is None else list(index.get(value, ()))

    def _is_worth_reading(self, name: str) -> bool:
        """Whether it was asked about often enough, for its size."""
        if self.program.relations[name].on_demand:
            return False
        if self._how_many is None:
            return True
        self._asked[name] += 1
        if self._asked[name] < OFTEN:
            return False
        if name not in self._sizes:
            self._sizes[name] = self._how_many(self._everything(name))
        return self._asked[name] * ROWS_A_QUESTION >= self._sizes[name]

    def _index(self, name: str, place: int) -> dict[Value, list[Row]]:
        """Its rows by the value of one column; filled before it is kept, so that a second thread sees all of it or none."""
        found = self._indexes.get((name, place))
        if found is None:
            found = {}
            for row in self._rows(name):
                found.setdefault(row[place], []).append(row)
            self._indexes[name, place] = found
        return found

    def _wide_index(self, name: str, places: tuple[int, ...]) -> dict[Row, list[Row]]:
        """Its rows by the values of several columns."""
        found = self._wide.get((name, places))
        if found is None:
            found = {}
            for row in self._rows(name):
                found.setdefault(tuple([row[place] for place in places]), []).append(row)
            self._wide[name, places] = found
        return found

    def _rows(self, name: str) -> Iterable[Row]:
        if name not in self._whole:
            self._whole[name] = sorted(self._engine.ask(self._everything(name)))
        return self._whole[name]

    def _everything(self, name: str) -> Atom:
        width = self.program.relations[name].arity
        return Atom(name, tuple(Var(f"V{place}") for place in range(width)))


def _repeats(terms: tuple[Term, ...]) -> bool:
    names = [term.name for term in terms if isinstance(term, Var)]
    return len(set(names)) < len(names)
