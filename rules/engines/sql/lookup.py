"""Where rows are found by what is known of them.

A pattern of bound columns is indexed the first time it is asked for. Nothing here derives anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import Protocol, TypeAlias

from narraworld.rules.engines.sql.writer import check_rows
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Facts, Relation, Row, Value

__all__ = ["Bound", "LookupTable", "MemorySource", "RowLookup"]

Bound: TypeAlias = tuple[tuple[int, Value], ...]
"""Known columns with their values, in column order."""


class RowLookup(Protocol):
    """Base facts by pattern."""

    def find(self, relation: str, bound: Bound) -> Iterable[Row]:
        """The rows that carry these values in these columns; none for a relation without facts."""


class LookupTable:
    """Rows of one relation, each once, with an index per pattern of columns that was ever asked for."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = set(rows)
        self._indexes: dict[tuple[int, ...], dict[Row, Collection[Row]]] = {}

    def find(self, bound: Bound) -> Collection[Row]:
        if not bound:
            return self.rows
        columns, values = zip(*bound, strict=True)
        index = self._indexes.get(columns)
        if index is None:
            # filled before it is shown, so that a second thread sees all of it or none
            index = self._indexes[columns] = _filled({}, columns, self.rows)
        return index.get(values, ())

    def add(self, rows: Iterable[Row]) -> set[Row]:
        """Take the rows in; returns those that are new."""
        new = set(rows) - self.rows
        self.rows |= new
        for columns, index in self._indexes.items():
            _filled(index, columns, new)
        return new


def _filled(
    index: dict[Row, Collection[Row]], columns: tuple[int, ...], rows: Iterable[Row]
) -> dict[Row, Collection[Row]]:
    """Each row under its values; one alone stands in a tuple, which Python does not look into when it searches for dead circles."""
    values = itemgetter(*columns)
    single = len(columns) == 1  # of one column there is no tuple
    for row in rows:
        key = (values(row),) if single else values(row)
        known = index.get(key)
        if known is None:
            index[key] = (row,)
        elif isinstance(known, list):
            known.append(row)
        else:
            index[key] = [*known, row]
    return index


class MemorySource:
    """Base facts held in memory; checked once, because a malformed row would be lost in silence later."""

    def __init__(self, facts: Facts, relations: Mapping[str, Relation]) -> None:
        self._facts = {name: rows for name, rows in facts.items() if rows}
        for name, rows in self._facts.items():
            if name not in relations or not relations[name].base:
                raise EngineError(f"{name!r} is not a base relation of the program")
            check_rows(relations[name], list(rows))
        self._tables: dict[str, LookupTable] = {}

    def find(self, relation: str, bound: Bound) -> Collection[Row]:
        table = self._tables.get(relation)
        if table is None:
            table = self._tables[relation] = LookupTable(self._facts.get(relation, ()))
        return table.find(bound)
