"""Whole relations at a time: for whoever asks about everything, one question in place of thousands.

Answers as the engine behind it does, from rows it fetched when a relation was first asked about or, if it may ask how many there
are, when single questions have come to cost as much; so it is for one state of the world. Derives nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import TypeVar

from narraworld.rules.engines.sql.lookup import Bound
from narraworld.rules.language.ir import Atom, Const, Row, Term, Value, Var
from narraworld.rules.proofs.matching import Answers

FEW = 8  # rows that are looked through one by one

Key = TypeVar("Key")

__all__ = ["OFTEN", "AtOnce", "repeats"]

OFTEN = 32  # single questions about one relation, from which on reading it whole is considered
ROWS_A_QUESTION = 40  # that are read in the time of one question


class AtOnce:
    """An engine's answers by pattern, each relation fetched once; what is derived on demand is asked for as ever."""

    def __init__(self, engine: Answers, how_many: Callable[[Atom], int] | None = None) -> None:
        self.program, self._engine, self._how_many = engine.program, engine, how_many
        self._whole: dict[str, list[Row]] = {}
        self._indexes: dict[tuple[str, int], dict[Value, Row | list[Row]]] = {}
        self._wide: dict[tuple[str, tuple[int, ...]], dict[Row, Row | list[Row]]] = {}
        self._asked: Counter[str] = Counter()
        self._sizes: dict[Atom, int] = {}

    def ask(self, goal: Atom) -> list[Row]:
        known = tuple(
            [(place, term.value) for place, term in enumerate(goal.args) if isinstance(term, Const)]
        )
        found = None if repeats(goal.args) else self.at_hand(goal.relation, known)
        return self._engine.ask(goal) if found is None else found

    def at_hand(self, relation: str, known: Bound) -> list[Row] | None:
        """The rows that carry these values, in order, from a relation that is read whole; None where the engine has to be asked."""
        if not known or (relation not in self._whole and not self._is_worth_reading(relation)):
            return None
        if len(known) == 1:
            [(place, value)] = known
            return _several(self._index(relation, place).get(value))
        if known[0][0] == 0:
            first = _several(self._index(relation, 0).get(known[0][1]))
            if len(first) <= FEW:  # of an event or a state: no index by several columns is worth its making
                return [row for row in first if all(row[place] == value for place, value in known[1:])]
        wide = self._wide_index(relation, tuple([place for place, _ in known]))
        return _several(wide.get(tuple([value for _, value in known])))

    def read(self, relations: Iterable[str]) -> None:
        """Have these at hand, whether they were asked about or not."""
        for name in relations:
            if not self.program.relations[name].on_demand:
                self._index(name, 0)

    def alone(self, goal: Atom) -> list[Row]:
        """What the engine says to a single question."""
        return self._engine.ask(goal)

    def each(self, relation: str, values: Iterable[Value]) -> list[Row]:
        """The rows that begin with any of these values, in the order of the values."""
        index = self._indexes.get((relation, 0))
        if index is not None:
            return [row for value in values for row in _several(index.get(value))]
        found = ((value, self.by_first(relation, value)) for value in values)
        return [
            row
            for value, known in found
            for row in (self._beginning(relation, value) if known is None else known)
        ]

    def _beginning(self, relation: str, value: Value) -> list[Row]:
        rest = range(1, self.program.relations[relation].arity)
        return self.alone(Atom(relation, (Const(value), *(Var(f"V{place}") for place in rest))))

    def by_first(self, relation: str, value: Value) -> list[Row] | None:
        """The same for what is asked most: the rows that begin with a value."""
        index = self._indexes.get((relation, 0))
        return self.at_hand(relation, ((0, value),)) if index is None else _several(index.get(value))

    def _is_worth_reading(self, name: str) -> bool:
        """Whether it was asked about often enough, for its size."""
        if self.program.relations[name].on_demand:
            return False
        if self._how_many is None:
            return True
        self._asked[name] += 1
        return self._asked[name] >= OFTEN and self.pays(self._everything(name), self._asked[name])

    def pays(self, goal: Atom, asked: int) -> bool:
        """Whether all answers to a goal are read in the time that so many single questions take."""
        if self._how_many is None:
            return True
        if goal not in self._sizes:
            self._sizes[goal] = self._how_many(goal)
        return asked * ROWS_A_QUESTION >= self._sizes[goal]

    def _index(self, name: str, place: int) -> dict[Value, Row | list[Row]]:
        """Its rows by the value of one column; filled before it is kept, so that a second thread sees all of it or none."""
        found = self._indexes.get((name, place))
        if found is None:
            found = self._indexes[name, place] = _filled(self._rows(name), itemgetter(place))
        return found

    def _wide_index(self, name: str, places: tuple[int, ...]) -> dict[Row, Row | list[Row]]:
        """Its rows by the values of several columns."""
        found = self._wide.get((name, places))
        if found is None:
            found = self._wide[name, places] = _filled(self._rows(name), itemgetter(*places))
        return found

    def _rows(self, name: str) -> Iterable[Row]:
        if name not in self._whole:
            self._whole[name] = self._engine.ask(self._everything(name))  # which are sorted
        return self._whole[name]

    def _everything(self, name: str) -> Atom:
        width = self.program.relations[name].arity
        return Atom(name, tuple(Var(f"V{place}") for place in range(width)))


def _filled(rows: Iterable[Row], key_of: Callable[[Row], Key]) -> dict[Key, Row | list[Row]]:
    """Rows by what stands in some of their columns: nearly always one alone, for which no list is made."""
    found: dict[Key, Row | list[Row]] = {}
    for row in rows:
        key = key_of(row)
        known = found.get(key)
        if known is None:
            found[key] = row
        elif type(known) is list:
            known.append(row)
        else:
            found[key] = [known, row]  # type: ignore[list-item]
    return found


def _several(found: Row | list[Row] | None) -> list[Row]:
    """The rows found under a key, for whoever asks to keep."""
    return [] if found is None else list(found) if type(found) is list else [found]  # type: ignore[list-item]


def repeats(terms: tuple[Term, ...]) -> bool:
    """Whether a variable stands twice."""
    names = [term.name for term in terms if isinstance(term, Var)]
    return len(set(names)) < len(names)
