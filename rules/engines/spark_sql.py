"""Spark: the same program as Spark SQL, where the rows already lie on a cluster. With `corpus.spark` the only door to PySpark.

One statement a relation, strata in order; what was derived is cut from what it was derived from, because Spark would derive it
again as often as it is read. Recursion goes by rounds on the driver, each joining only what the last one found: Spark's own knows no
sets, so that a cycle would never end. Costs a second or two a relation whatever its size; DuckDB is the engine of one machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from narraworld.rules.engines.sql.aggregates import fold_select
from narraworld.rules.engines.sql.joins import Join, plain_select
from narraworld.rules.engines.sql.writer import SPARK, Writer, stored
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Program, Row, Rule

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SETTINGS", "SparkTables"]

NEW = "new_"  # begins the name under which the rows of the last round are kept
# What a session must say; the reasons stand in docs/scale.md.
SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.parser.escapedStringLiterals": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.constraintPropagation.enabled": "false",
}


class SparkTables:
    """The relations of a program as temporary views of one session."""

    def __init__(self, spark: SparkSession, program: Program) -> None:
        self.spark, self.program = spark, program
        self._sql = Writer(program, SPARK)
        self._tables = stored(program)

    # -- base rows

    def look_at(self, frames: Mapping[str, DataFrame], rows: Mapping[str, list[Row]]) -> None:
        """Take base rows from frames, whose columns are named as the relation's, and from lists; the others have none."""
        for name in self.program.base():
            if name in frames:
                columns = [f"`{column.name}`" for column in self.program.relations[name].columns]
                self._show(name, frames[name].selectExpr(*columns))
            else:
                self._show(name, self._frame(name, rows.get(name, [])))

    def _frame(self, name: str, rows: list[Row]) -> DataFrame:
        kinds = {"symbol": "string", "number": "bigint", "float": "double"}
        columns = self.program.relations[name].columns
        schema = ", ".join(f"`{one.name}` {kinds[one.type]}" for one in columns) or "`_` bigint"
        return self.spark.createDataFrame([tuple(row) or (1,) for row in rows], schema=schema)

    def _show(self, name: str, frame: DataFrame, mark: str = "") -> None:
        frame.createOrReplaceTempView(f"`{mark}{self._sql.names[name]}`")

    # -- deriving

    def derive(self) -> None:
        """Every relation that has a table, stratum by stratum."""
        for stratum in self.program.strata:
            if not self._tables.issuperset(stratum.relations):
                continue
            if stratum.recursive:
                self._rounds(stratum.relations)
            else:
                for name in stratum.relations:
                    self._show(name, self._union(name, self.program.rules_for(name)))

    def rows(self, name: str) -> list[Row]:
        """All rows of a relation, sorted."""
        found = {tuple(row) for row in self.spark.table(f"`{self._sql.names[name]}`").collect()}
        return sorted(found) if self.program.relations[name].arity else [() for _ in found]

    def _union(self, name: str, rules: tuple[Rule, ...]) -> DataFrame:
        alone = len(rules) == 1
        texts = [
            fold_select(self._sql, rule).text
            if rule.fold
            else plain_select(self._sql, rule, distinct=alone).text
            for rule in rules
        ]
        return self._made(" UNION ".join(texts)) if texts else self._frame(name, [])

    def _made(self, text: str) -> DataFrame:
        """The rows of a statement, made now and cut from the plan that made them."""
        from pyspark.errors import PySparkException

        try:
            return self.spark.sql(text).localCheckpoint(eager=True)
        except PySparkException as error:
            said = error.getCondition() or str(error).partition("\n")[0]
            raise EngineError(f"Spark could not derive a relation: {said}", fix=text[:400]) from error

    def _rounds(self, names: tuple[str, ...]) -> None:
        """Semi-naive: each round joins what the last one found, until nothing is new."""
        inside = set(names)
        known: dict[str, Any] = {}
        for name in names:
            starts = tuple(rule for rule in self.program.rules_for(name) if not _places(rule, inside))
            known[name] = self._union(name, starts).localCheckpoint(eager=True)
            self._show(name, known[name])
            self._show(name, known[name], NEW)
        fresh = dict(known)
        while any(not one.isEmpty() for one in fresh.values()):
            fresh = {name: self._step(name, inside) for name in names}
            for name, found in fresh.items():
                known[name] = known[name].unionAll(found).localCheckpoint(eager=True)
                self._show(name, known[name])
                self._show(name, found, NEW)

    def _step(self, name: str, inside: set[str]) -> DataFrame:
        """What the rows found last conclude that is not known yet."""
        texts = [
            self._from_last_round(rule, place)
            for rule in self.program.rules_for(name)
            for place in _places(rule, inside)
        ]
        columns, table = ", ".join(self._sql.columns(name)), self._sql.table(name)
        if not texts:
            return self._frame(name, [])
        return self._made(
            f"SELECT {columns} FROM ({' UNION '.join(texts)}) EXCEPT SELECT {columns} FROM {table}"
        )

    def _from_last_round(self, rule: Rule, place: int) -> str:
        atom = rule.body[place]
        assert isinstance(atom, Atom)
        join = Join(self._sql)
        join.read(atom, self._sql.table(atom.relation, NEW))
        join.follow([*rule.body[:place], *rule.body[place + 1 :]], rule.head.args, greedy=False)
        return join.select(join.named(rule.head.relation, rule.head.args), greedy=False, distinct=True)


def _places(rule: Rule, inside: set[str]) -> list[int]:
    """Where the rule reads one of these relations."""
    return [place for place, one in enumerate(rule.body) if isinstance(one, Atom) and one.relation in inside]
