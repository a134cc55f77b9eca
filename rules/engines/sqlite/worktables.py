"""The scratch tables of one SQLite connection, and which of them hold rows right now.

Each is made when rows are first put into it, and emptied after use: making and dropping tables would cost SQLite more
than the work itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.writer import Writer
from narraworld.rules.engines.sqlite.plans import Plans, PlanStep
from narraworld.rules.language.ir import Row, Stratum, Value

__all__ = ["WorkTables"]


class WorkTables:
    """Rows on their way: in, out, in doubt, of this round and of the last."""

    def __init__(self, connection: sqlite3.Connection, sql: Writer, plans: Plans) -> None:
        self.connection, self.sql, self.plans = connection, sql, plans
        self._filled: set[str] = set()
        self._made: set[str] = set()

    def make(self, table: str) -> None:
        """Have the table there, so that it can be read even if nothing is ever put in."""
        if table not in self._made:
            self.connection.execute(self.plans.scratch[table])
            self._made.add(table)

    def holds(self, table: str) -> bool:
        return table in self._filled

    def changed(self, relation: str) -> bool:
        """Whether rows of the relation came or went."""
        return self.holds(self.sql.table(relation, "+")) or self.holds(self.sql.table(relation, "-"))

    def add(self, target: str, select: str, values: Sequence[Value] = ()) -> int:
        """Put what a SELECT finds into a scratch table; returns how many rows were new to it."""
        self.make(target)
        count = self.connection.execute(f"INSERT OR IGNORE INTO {target} {select}", values).rowcount
        if count:
            self._filled.add(target)
        return count

    def add_rows(self, target: str, select: str, rows: Iterable[Row]) -> None:
        """The same SELECT for each row of parameters."""
        self.make(target)
        if self.connection.executemany(f"INSERT OR IGNORE INTO {target} {select}", rows).rowcount > 0:
            self._filled.add(target)

    def take(self, step: PlanStep) -> int:
        """Run one step if anything sets it off."""
        return self.add(step.target, step.query.text) if self.holds(step.cause) else 0

    def take_once(self, steps: Iterable[PlanStep]) -> None:
        """Run those that something sets off; rules that ask the same are asked once."""
        waiting = [step for step in steps if self.holds(step.cause)]
        for step in {(step.target, step.query.text): step for step in waiting}.values():
            self.take(step)

    def store(self, relation: str, mark: str) -> int:
        """Put the marked rows into the relation itself."""
        source = self.sql.table(relation, mark)
        if not self.holds(source):
            return 0
        table = self.sql.table(relation)
        return self.connection.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM {source}").rowcount

    def remove(self, relation: str, mark: str, from_mark: str = "") -> int:
        """Take the marked rows out of the relation, or out of another companion."""
        source, table = self.sql.table(relation, mark), self.sql.table(relation, from_mark)
        if not self.holds(source) or (from_mark and not self.holds(table)):
            return 0
        columns = ", ".join(self.sql.columns(relation))
        rows = f"SELECT {columns} FROM {source}"
        return self.connection.execute(f"DELETE FROM {table} WHERE ({columns}) IN ({rows})").rowcount

    def clear(self, table: str) -> None:
        if self.holds(table):
            self.connection.execute(f"DELETE FROM {table}")
            self._filled.discard(table)

    def clear_all(self) -> None:
        for table in tuple(self._filled):
            self.clear(table)

    def forget(self) -> None:
        """After a rollback all scratch tables are as empty as they were before, or not there any more."""
        self._filled.clear()
        self._made.clear()

    def rows(self, relation: str, mark: str) -> list[Row]:
        table = self.sql.table(relation, mark)
        if not self.holds(table):
            return []
        arity = self.sql.program.relations[relation].arity
        return [row[:arity] for row in self.connection.execute(f"SELECT * FROM {table}")]

    # ---- rounds of a recursive stratum

    def rounds(
        self, stratum: Stratum, steps: Sequence[PlanStep], gather: str, deadline: Deadline | None
    ) -> None:
        """Repeat the steps on what the last round found; all rounds together end up under `gather`, if it names a mark.

        With a deadline the found rows are stored in the relation as well, and counted.
        """
        for name in stratum.relations:
            if deadline:
                deadline.check_time()
            if gather:
                self.make(self.sql.table(name, gather))
        self._keep(stratum, gather, deadline)
        while any(self.holds(self.sql.table(name, ">")) for name in stratum.relations):
            for step in steps:
                self.take(step)
            for name in stratum.relations:
                self._next_round(name)
            self._keep(stratum, gather, deadline)

    def _next_round(self, name: str) -> None:
        last, this = self.sql.table(name, ">"), self.sql.table(name, "<")
        self.clear(last)
        if self.holds(this):
            self.add(last, f"SELECT * FROM {this}")
            self.clear(this)

    def _keep(self, stratum: Stratum, gather: str, deadline: Deadline | None) -> None:
        for name in stratum.relations:
            last = self.sql.table(name, ">")
            if self.holds(last):
                if gather:
                    self.add(self.sql.table(name, gather), f"SELECT * FROM {last}")
                if deadline:
                    deadline.spend(self.store(name, ">"))
