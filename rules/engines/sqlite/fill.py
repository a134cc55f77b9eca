"""Deriving everything from scratch in SQLite: stratum by stratum, indexes as soon as a table is full."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.indexes import Order, serves
from narraworld.rules.engines.sql.writer import Writer, quoted
from narraworld.rules.engines.sqlite.orders import Orders, orders_of
from narraworld.rules.engines.sqlite.plans import Plans
from narraworld.rules.engines.sqlite.worktables import WorkTables
from narraworld.rules.language.ir import Atom, Rule, Stratum

__all__ = ["Filler"]

LARGE = 1000  # rows from which on a wrong guess costs more than a look
LOOKED_AT = 400  # entries of an index that a look reads


class Filler:
    """Fills the derived tables of one connection from its base tables."""

    def __init__(self, connection: sqlite3.Connection, sql: Writer, plans: Plans, work: WorkTables) -> None:
        self.connection, self.sql, self.plans, self.work = connection, sql, plans, work

    def fill(self, program_is: str, deadline: Deadline) -> None:
        orders = orders_of(program_is, self.plans, deadline.check_planning)
        self.connection.execute(f"PRAGMA analysis_limit = {LOOKED_AT}")
        for name in self.sql.program.base():
            deadline.check_time()
            self._index(name, orders[name])
            self._size_up(name)
        for stratum in self.plans.strata:
            deadline.working_on = ", ".join(stratum.relations)
            early = self._early(stratum, orders)
            for name in stratum.relations:
                self._index(name, early[name])
            self._fill_stratum(stratum, deadline)
            for name in stratum.relations:
                deadline.check_time()
                self._index(name, [order for order in orders[name] if order not in early[name]])
                self._size_up(name)
        self.work.clear_all()
        self._forget_sizes()

    def _size_up(self, name: str) -> None:
        """Let the database look at a large table: it would take `sign = 'yes'`, half of the rows, for ten of them."""
        table = self.sql.table(name)
        [(many,)] = self.connection.execute(f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {LARGE})")
        if many == LARGE:
            self.connection.execute(f"ANALYZE main.{table}")

    def _forget_sizes(self) -> None:
        """Nobody keeps them true from here on. The connection must forget them too: it would go by them until it is closed."""
        self.connection.execute("ANALYZE main.sqlite_schema")  # makes the table where no relation was large
        self.connection.execute("DELETE FROM main.sqlite_stat1")
        self.connection.execute("ANALYZE main.sqlite_schema")
        self.connection.execute("DROP TABLE main.sqlite_stat1")

    def _early(self, stratum: Stratum, orders: Orders) -> dict[str, list[Order]]:
        """Those that the rounds of a recursion look things up by; all others are quicker made when the rows are there."""
        gains = self.plans.recursions[stratum].gains if stratum.recursive else ()
        probes = {probe for step in gains for probe in step.query.probes}
        return {
            name: [
                order
                for order in orders[name]
                if any(serves(order, probe) for probe in probes if probe.relation == name)
            ]
            for name in stratum.relations
        }

    def _fill_stratum(self, stratum: Stratum, deadline: Deadline) -> None:
        for name in stratum.relations:
            for rule, select in self.plans.conclusions[name]:
                deadline.check_time()
                if not stratum.recursive:
                    self._conclude(select, self.sql.table(name), deadline)
                elif not _reads_inside(rule, stratum):
                    self.work.add(self.sql.table(name, ">"), _bounded(select, deadline))
        if stratum.recursive:
            # nobody will ask what came: everything did
            self.work.rounds(stratum, self.plans.recursions[stratum].gains, "", deadline)
            self.work.clear_all()

    def _conclude(self, select: str, table: str, deadline: Deadline) -> None:
        statement = f"INSERT OR IGNORE INTO {table} {_bounded(select, deadline)}"
        deadline.spend(self.connection.execute(statement).rowcount)

    def _index(self, name: str, orders: Iterable[Order]) -> None:
        columns = self.sql.columns(name)
        for order in orders:
            index = quoted(f"{self.sql.names[name]} by {' '.join(map(str, order))}")
            keys = ", ".join(columns[position] for position in order)
            self.connection.execute(f"CREATE INDEX {index} ON {self.sql.table(name)} ({keys})")


def _reads_inside(rule: Rule, stratum: Stratum) -> bool:
    return any(isinstance(item, Atom) and item.relation in stratum.relations for item in rule.body)


def _bounded(select: str, deadline: Deadline) -> str:
    """Distinct rows, so more of them than the limit allows can only mean that the limit is passed."""
    return f"SELECT * FROM ({select}) LIMIT {deadline.limits.facts + 1}"
