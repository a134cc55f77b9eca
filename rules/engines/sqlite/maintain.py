"""Keeping derived rows true while base rows come and go, at a cost that follows the change, not the story.

Runs the steps of `plans` on one SQLite connection, inside the caller's transaction. Relations are taken in the order
of their strata. A relation that changed first tells those above it which of their rows are in doubt, while its old rows
are still there to be joined; only then do the old rows go. So each broken derivation is seen through its first broken
literal, and no copy of the old state is needed. Rows in doubt get a second look in the new state; folds are made
anew for the groups touched. Recursive strata let doubt spread first, then take back what still follows.
"""

from __future__ import annotations

from collections.abc import Collection

from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.writer import Writer, check_rows
from narraworld.rules.engines.sqlite.plans import FoldPlan, HeadPlan, Plans
from narraworld.rules.engines.sqlite.worktables import WorkTables
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Change, Row, Stratum

__all__ = ["Maintainer"]


class Maintainer:
    """Applies changes to the tables of one connection."""

    def __init__(self, sql: Writer, plans: Plans, work: WorkTables) -> None:
        self.sql, self.plans, self.work = sql, plans, work

    def apply(self, change: Change, deadline: Deadline) -> None:
        """Bring every table to the new state; the marked rows are left, to tell or to clear."""
        self._check(change)
        for name in self.sql.program.base():
            self._enter(name, change.added.get(name, ()), change.removed.get(name, ()))
            self._settle(name)
        for stratum in self.plans.strata:
            if not any(map(self.work.changed, self.plans.below[stratum])):
                continue
            deadline.working_on = ", ".join(stratum.relations)
            if stratum.recursive:
                self._renew_recursive(stratum, deadline)
            else:
                self._renew(self.plans.heads[stratum.relations[0]], deadline)

    def outcome(self) -> Change:
        """Exactly what came and what went with the change applied last."""
        return Change(self._marked("+"), self._marked("-"))

    def _check(self, change: Change) -> None:
        for name in (*change.added, *change.removed):
            relation = self.sql.program.relations.get(name)
            if relation is None or not relation.base:
                raise EngineError(f"{name!r} is not a base relation of the program")
            check_rows(relation, [*change.added.get(name, ()), *change.removed.get(name, ())])

    def _marked(self, mark: str) -> dict[str, frozenset[Row]]:
        names = [*self.sql.program.base(), *self.plans.derived]
        return {name: frozenset(rows) for name in names if (rows := self.work.rows(name, mark))}

    # ---- base relations

    def _enter(self, name: str, added: Collection[Row], removed: Collection[Row]) -> None:
        """Only rows that are new come, only rows that are there go; a row in both lists stays or comes."""
        if not added and not removed:
            return
        coming, going = set(added), set(removed) - set(added)
        columns = self.sql.columns(name)
        same = " AND ".join(f"{column} = ?{i}" for i, column in enumerate(columns, 1))
        present = f"EXISTS (SELECT 1 FROM {self.sql.table(name)} WHERE {same})"
        values = ", ".join(f"?{i}" for i in range(1, len(columns) + 1))
        for mark, rows, condition in (("+", coming, f"NOT {present}"), ("-", going, present)):
            if rows:
                padded = [row or (1,) for row in rows]
                self.work.add_rows(self.sql.table(name, mark), f"SELECT {values} WHERE {condition}", padded)

    def _settle(self, name: str) -> None:
        """Let fresh rows in, tell the relations above while gone rows are still there, let those go."""
        if not self.work.changed(name):
            return
        self.work.store(name, "+")
        self.work.take_once(self.plans.doubts[name])
        self.work.remove(name, "-")

    # ---- one derived relation

    def _renew(self, plan: HeadPlan, deadline: Deadline) -> None:
        for step in plan.gains:
            self.work.take(step)
        self._fold_again(plan)
        fresh, gone, doubted = (self.sql.table(plan.name, mark) for mark in "+-?")
        if self.work.holds(doubted):
            self.work.add(gone, f"SELECT * FROM {doubted} k WHERE NOT ({plan.derivable.text})")
        if self.work.holds(fresh) or self.work.holds(gone):
            deadline.spend(self._count(fresh) - self._count(gone))
            self._settle(plan.name)

    def _fold_again(self, plan: HeadPlan) -> None:
        touched = [fold for fold in plan.folds if self.work.holds(fold.groups)]
        for fold in touched:
            self._doubt_groups(plan, fold)
        if not plan.alone:  # a row in doubt may also follow from a fold that was not touched
            touched = [fold for fold in plan.folds if self._look_at_doubted(plan, fold)]
        for fold in touched:
            self.work.add(fold.rows, fold.fold.text)
            known = (
                f"SELECT 1 FROM {self.sql.table(plan.name)} o WHERE {self.sql.same_row(plan.name, 'o', 'z')}"
            )
            new = f"SELECT * FROM {fold.rows} z WHERE NOT EXISTS ({known})"
            self.work.add(self.sql.table(plan.name, "+"), new)
            self._reassure(plan, fold)

    def _doubt_groups(self, plan: HeadPlan, fold: FoldPlan) -> None:
        """All rows of a touched group are in doubt."""
        groups = [f"g{i}" for i in range(len(fold.rule.head.args) - 1)]
        columns = self.sql.columns(plan.name)
        same = " AND ".join(f"h.{column} = k.{group}" for column, group in zip(columns, groups, strict=False))
        rows = f"SELECT h.* FROM {fold.groups} k CROSS JOIN {self.sql.table(plan.name)} h WHERE {same or '1'}"
        self.work.add(self.sql.table(plan.name, "?"), rows)

    def _look_at_doubted(self, plan: HeadPlan, fold: FoldPlan) -> bool:
        doubted = self.sql.table(plan.name, "?")
        if self.work.holds(doubted):
            groups = ", ".join(self.sql.columns(plan.name)[:-1]) or "1"
            self.work.add(fold.groups, f"SELECT {groups} FROM {doubted}")
        return self.work.holds(fold.groups)

    def _reassure(self, plan: HeadPlan, fold: FoldPlan) -> None:
        """Rows that the fold still gives are not in doubt any more."""
        columns = ", ".join(self.sql.columns(plan.name))
        doubted = self.sql.table(plan.name, "?")
        if self.work.holds(doubted) and self.work.holds(fold.rows):
            self.work.connection.execute(
                f"DELETE FROM {doubted} WHERE ({columns}) IN (SELECT {columns} FROM {fold.rows})"
            )

    # ---- recursive strata

    def _renew_recursive(self, stratum: Stratum, deadline: Deadline) -> None:
        """Over-delete, re-derive, continue with what is new."""
        self._spread_doubt(stratum)
        for name in stratum.relations:
            deadline.rows -= self.work.remove(name, "?")
        for name in stratum.relations:
            self._second_look(self.plans.heads[name])
        self.work.rounds(stratum, self.plans.recursions[stratum].gains, "+", deadline)
        for name in stratum.relations:
            self._sort_out(name)
        for name in stratum.relations:
            self._settle(name)

    def _spread_doubt(self, stratum: Stratum) -> None:
        for name in stratum.relations:
            doubted = self.sql.table(name, "?")
            if self.work.holds(doubted):
                self.work.add(self.sql.table(name, ">"), f"SELECT * FROM {doubted}")
        self.work.rounds(stratum, self.plans.recursions[stratum].doubts, "?", None)

    def _second_look(self, plan: HeadPlan) -> None:
        """Rows in doubt that follow from what is left, and rows that follow from what is new below."""
        last, doubted = self.sql.table(plan.name, ">"), self.sql.table(plan.name, "?")
        if self.work.holds(doubted):
            self.work.add(last, f"SELECT * FROM {doubted} k WHERE {plan.derivable.text}")
        for step in plan.gains:
            self.work.take(step)

    def _sort_out(self, name: str) -> None:
        """Of all rows found and all in doubt: what is fresh, what is gone. Gone rows come back until told."""
        table, gone, doubted = self.sql.table(name), self.sql.table(name, "-"), self.sql.table(name, "?")
        if self.work.holds(doubted):
            back = f"SELECT 1 FROM {table} o WHERE {self.sql.same_row(name, 'o', 'k')}"
            self.work.add(gone, f"SELECT * FROM {doubted} k WHERE NOT EXISTS ({back})")
            self.work.remove(name, "?", from_mark="+")
        self.work.store(name, "-")

    def _count(self, table: str) -> int:
        if not self.work.holds(table):
            return 0
        return int(self.work.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
