"""DuckDB: everything at once. Whole manuscripts, millions of facts, many stories.

Lives in memory, or in a folder where what does not fit is put on disk; derives a relation with all it rests on when it is first
asked for, and is never updated in place: a column store dislikes small changes; the living world is `sqlite`'s.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.settings import BulkSettings
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.aggregates import fold_select
from narraworld.rules.engines.sql.goal_sql import HOW_MANY, Questions, answers
from narraworld.rules.engines.sql.joins import Join, plain_select
from narraworld.rules.engines.sql.writer import DUCKDB, Writer, check_rows, reads, stored
from narraworld.rules.engines.watchdog import Watchdog
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Facts, Program, Row, Rule, Stratum

if TYPE_CHECKING:
    import duckdb

__all__ = ["DuckEngine"]


class DuckEngine(Engine):
    """An `Engine` that derives in bulk."""

    name = "duckdb"

    def __init__(
        self, program: Program, limits: Limits | None = None, *, folder: Path | None = None,
        settings: BulkSettings | None = None,
    ) -> None:  # fmt: skip
        self.program = program
        self.limits, self.settings, self._folder = limits or Limits(), settings or BulkSettings(), folder
        self._sql = Writer(program, DUCKDB)
        self._tables = stored(program)
        self._questions = Questions(self._sql, self._tables)
        self._derived = set(program.base())
        self._rows = 0
        self._fresh = True  # a database is made when facts come, or when somebody asks without any
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._watchdog: Watchdog | None = None
        self._made = 0  # databases in our folder
        self._lock = threading.RLock()

    # ---- facts in

    def load(self, facts: Facts) -> None:
        def fill(connection: duckdb.DuckDBPyConnection) -> None:
            for name, rows in self.program.with_given(facts).items():
                self._append(connection, name, rows if isinstance(rows, list) else list(rows))

        self._start_over(fill)

    def load_parquet(self, folder: Path) -> None:
        """Forget everything and take base facts from `<relation>.parquet`, columns in declared order."""

        def fill(connection: duckdb.DuckDBPyConnection) -> None:
            for name in self.program.base():
                file = folder / f"{name}.parquet"
                if file.exists():
                    connection.read_parquet(str(file)).insert_into(self._sql.table(name))

        self._start_over(fill)

    def look_at(self, files: Mapping[str, Sequence[Path]], facts: Facts) -> None:
        """Forget everything and take base facts where they lie, in Parquet files by relation; ``facts`` are the others.

        Nothing is loaded: rows are read when a rule asks for them. A relation that is neither here nor there is empty.
        """

        def fill(connection: duckdb.DuckDBPyConnection) -> None:
            for name, paths in files.items():
                columns = ", ".join(self._sql.columns(name))
                places = ", ".join(_text(path) for path in paths)
                connection.execute(f"DROP TABLE {self._sql.table(name)}")
                connection.execute(
                    f"CREATE VIEW {self._sql.table(name)} AS SELECT {columns} FROM read_parquet([{places}])"
                )
            for name, rows in self.program.with_given(facts).items():
                self._append(connection, name, list(rows))

        self._start_over(fill)

    def _start_over(self, fill: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
        """A new database takes the place of the old one only when it is complete."""
        import duckdb

        connection = self._connected()
        try:
            connection.execute("SET error_on_division_by_zero = false")  # NULL, which no comparison accepts
            for name in self.program.base():
                connection.execute(self._sql.create(name))
            fill(connection)
        except duckdb.Error as error:
            connection.close()
            raise EngineError(f"DuckDB refused the base facts: {error}") from error
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self.close()
            self._connection, self._derived, self._rows = connection, set(self.program.base()), 0
            self._watchdog = Watchdog(connection.interrupt)
            weakref.finalize(self, self._watchdog.close)  # also of an engine that nobody closes

    def _connected(self) -> duckdb.DuckDBPyConnection:
        """A database of our own; in a folder it may outgrow memory, up to the room on the disk."""
        import duckdb

        if self._folder is None:
            return duckdb.connect(":memory:")
        self._made += 1
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{self.settings.memory_mib}MiB",
            "preserve_insertion_order": False,
        }
        connection = duckdb.connect(str(self._folder / f"derived-{self._made}.duckdb"), config=config)
        connection.execute(f"SET temp_directory = {_text(self._folder / 'spilled')}")
        return connection

    def _append(self, connection: duckdb.DuckDBPyConnection, name: str, rows: list[Row]) -> None:
        relation = self.program.relations.get(name)
        if relation is None or not relation.base:
            raise EngineError(f"{name!r} is not a base relation of the program")
        check_rows(relation, rows)
        if rows:
            appender = connection.appender(self._sql.names[name])
            appender.append_rows(rows if relation.arity else [(1,)])
            appender.flush()

    # ---- answers out

    def ask(self, goal: Atom) -> list[Row]:
        return answers(goal, self._answered(goal))

    def count(self, goal: Atom) -> int:
        return sum(int(many) for (many,) in self._answered(goal, HOW_MANY))

    def _answered(self, goal: Atom, of: str = "{}") -> list[Row]:
        """What the tables say to the goal's question, or to one asked of its answer."""
        with self._lock:
            asked = self._questions(goal)
            self.derive(goal.relation)
            if asked is None:
                return []
            with self._watched(self.limits) as (connection, _):
                return connection.execute(of.format(asked[0]), asked[1]).fetchall()

    def derive(self, *relations: str) -> None:
        """Make the tables of these relations and of all they rest on; of everything when none is named."""
        with self._lock:
            wanted = self._below(set(relations) or set(self.program.relations))
            todo = [s for s in self.program.strata if set(s.relations) & wanted - self._derived]
            if todo:
                with self._watched(self.limits) as (connection, deadline), _transaction(connection):
                    for stratum in todo:
                        self._derive_stratum(connection, stratum, deadline)
                self._derived |= {name for stratum in todo for name in stratum.relations}
                self._rows = deadline.rows

    def derived(self) -> frozenset[str]:
        """The relations that have their rows by now, base relations included."""
        return frozenset(self._derived)

    def close(self) -> None:
        with self._lock:
            self._fresh = False
            if self._watchdog is not None:
                self._watchdog.close()
            if self._connection is not None:
                self._connection.close()
            self._connection = self._watchdog = None

    def _below(self, relations: set[str]) -> set[str]:
        """The relations and everything their rules read, as far as they have tables."""
        found: set[str] = set()
        waiting = [name for name in relations if name in self._tables]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [read for rule in self.program.rules_for(name) for read in reads(rule)]
        return found

    @contextmanager
    def _watched(self, limits: Limits) -> Iterator[tuple[duckdb.DuckDBPyConnection, Deadline]]:
        """The open connection, interrupted when time is up."""
        import duckdb

        if self._fresh:
            self.load({})
        if self._connection is None or self._watchdog is None:
            raise EngineError("the engine is closed", fix="Make a new one, or load facts again.")
        deadline = Deadline(limits, self._rows)
        try:
            with self._watchdog.watching(limits.seconds):
                yield self._connection, deadline
        except duckdb.InterruptException as error:
            raise deadline.too_late() from error
        except (duckdb.OutOfRangeException, duckdb.ConversionException) as error:
            raise deadline.too_wide() from error
        except duckdb.Error as error:
            raise EngineError(f"DuckDB could not derive {deadline.working_on!r}: {error}") from error

    # ---- one stratum

    def _derive_stratum(
        self, connection: duckdb.DuckDBPyConnection, stratum: Stratum, deadline: Deadline
    ) -> None:
        deadline.working_on = ", ".join(stratum.relations)
        if stratum.recursive and not (len(stratum.relations) == 1 and self._is_linear(stratum.relations[0])):
            self._loop(connection, stratum, deadline)
            return
        for name in stratum.relations:
            body = self._recursive(name) if stratum.recursive else self._union(self.program.rules_for(name))
            self._make(connection, name, body, deadline)

    def _make(
        self, connection: duckdb.DuckDBPyConnection, name: str, body: str | None, deadline: Deadline
    ) -> None:
        if body is None:
            connection.execute(self._sql.create(name))
            return
        limit = f"SELECT * FROM ({body}) z LIMIT {deadline.rows_left + 1}"
        deadline.spend(_made(connection, f"CREATE TABLE {self._sql.table(name)} AS {limit}"))

    def _union(self, rules: tuple[Rule, ...]) -> str | None:
        alone = len(rules) == 1
        return " UNION ".join(self._select(rule, distinct=alone) for rule in rules) or None

    def _select(self, rule: Rule, *, distinct: bool) -> str:
        if rule.fold:
            return fold_select(self._sql, rule).text
        return plain_select(self._sql, rule, distinct=distinct).text

    # ---- recursion

    def _is_linear(self, name: str) -> bool:
        """Each rule meets its own relation at most once, which is what WITH RECURSIVE can do."""
        return all(len(_inside(rule, {name})) <= 1 for rule in self.program.rules_for(name))

    def _recursive(self, name: str) -> str | None:
        rules = self.program.rules_for(name)
        starts = tuple(rule for rule in rules if not _inside(rule, {name}))
        steps = [
            plain_select(self._sql, rule, distinct=False, joined={name}).text
            for rule in rules
            if _inside(rule, {name})
        ]
        first = self._union(starts)
        if first is None:
            return None
        table, columns = self._sql.table(name), ", ".join(self._sql.columns(name))
        step = " UNION ALL ".join(steps)
        return f"WITH RECURSIVE {table}({columns}) AS (({first}) UNION ({step})) SELECT * FROM {table}"

    def _loop(self, connection: duckdb.DuckDBPyConnection, stratum: Stratum, deadline: Deadline) -> None:
        """Semi-naive rounds: each reads only what the last one found."""
        inside = set(stratum.relations)
        for name in stratum.relations:
            starts = tuple(rule for rule in self.program.rules_for(name) if not _inside(rule, inside))
            self._make(connection, name, self._union(starts), deadline)
        new = [_made(connection, self._copy(name, ">", self._sql.table(name))) for name in stratum.relations]
        while any(new):
            for name in stratum.relations:
                connection.execute(self._copy(name, "<", f"({self._step(name, inside, deadline)})"))
            new = [self._take(connection, name, deadline) for name in stratum.relations]
        for name in stratum.relations:
            connection.execute(f"DROP TABLE {self._sql.table(name, '>')}")
            connection.execute(f"DROP TABLE IF EXISTS {self._sql.table(name, '<')}")

    def _take(self, connection: duckdb.DuckDBPyConnection, name: str, deadline: Deadline) -> int:
        """What this round found is known, and is what the next one reads; how much it is."""
        found = self._sql.table(name, "<")
        many = _made(connection, f"INSERT INTO {self._sql.table(name)} SELECT * FROM {found}")
        connection.execute(self._copy(name, ">", found))
        deadline.spend(many)
        return many

    def _step(self, name: str, inside: set[str], deadline: Deadline) -> str:
        """What the rows found last conclude that is not known yet."""
        selects = [
            self._from_last_round(rule, place)
            for rule in self.program.rules_for(name)
            for place in _inside(rule, inside)
        ]
        table = self._sql.table(name)
        if not selects:
            return f"SELECT * FROM {table} LIMIT 0"
        known = f"SELECT 1 FROM {table} o WHERE {self._sql.same_row(name, 'o', 'z')}"
        new = f"SELECT * FROM ({' UNION '.join(selects)}) z WHERE NOT EXISTS ({known})"
        return f"{new} LIMIT {deadline.rows_left + 1}"

    def _from_last_round(self, rule: Rule, place: int) -> str:
        atom = rule.body[place]
        assert isinstance(atom, Atom)
        join = Join(self._sql)
        join.read(atom, self._sql.table(atom.relation, ">"))
        join.follow([*rule.body[:place], *rule.body[place + 1 :]], rule.head.args, greedy=False)
        return join.select(join.named(rule.head.relation, rule.head.args), greedy=False, distinct=True)

    def _copy(self, name: str, mark: str, source: str) -> str:
        return f"CREATE OR REPLACE TEMP TABLE {self._sql.table(name, mark)} AS SELECT * FROM {source}"


def _made(connection: duckdb.DuckDBPyConnection, statement: str) -> int:
    """How many rows a statement put into its table; DuckDB says so itself, and counting them again costs as much as a small rule."""
    row = connection.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _inside(rule: Rule, relations: set[str]) -> list[int]:
    """Places in the body where the rule reads one of these relations."""
    return [i for i, item in enumerate(rule.body) if isinstance(item, Atom) and item.relation in relations]


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All or nothing."""
    connection.execute("BEGIN")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
