"""SQLite: the living world. Derived tables kept true unit by unit, in memory or in a file that survives.

A file holds one program's tables, the program's fingerprint and the caller's stamp; opened again with the same
program it needs no derivation. Every load and every change is one transaction: a crash, a limit or an error leaves the
state before it. One process writes at a time, many read. The file is a cache: nothing in it is worth saving.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from narraworld.base.settings import SqliteSettings
from narraworld.rules.engines import Limits
from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.goal_sql import HOW_MANY, answers
from narraworld.rules.engines.sql.writer import MATCH, NUMBER, check_rows, quoted
from narraworld.rules.engines.sqlite.copying import RowsElsewhere, copy_rows, within_reach
from narraworld.rules.engines.sqlite.fill import Filler
from narraworld.rules.engines.sqlite.maintain import Maintainer
from narraworld.rules.engines.sqlite.worktables import WorkTables
from narraworld.rules.engines.sqlite.written_program import written
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Change, Facts, Program, Row
from narraworld.rules.language.values.functions import matches, number_in

__all__ = ["MEMORY", "SqliteEngine", "SqliteSettings"]

META = quoted("@meta")
MEMORY = ":memory:"
OLDEST = (3, 37, 0)  # the first with STRICT tables


class SqliteEngine:
    """An `Engine` on one SQLite database that keeps derived rows up to date while base facts come and go."""

    name = "sqlite"

    def __init__(
        self,
        program: Program,
        path: Path | str = MEMORY,
        limits: Limits | None = None,
        settings: SqliteSettings | None = None,
    ) -> None:
        self.program, self.path = program, str(path)
        self.limits, self.settings = limits or Limits(), settings or SqliteSettings()
        shared = written(program)
        self._sql, self._tables = shared.sql, shared.tables
        self._questions, self._plans = shared.questions, shared.plans
        self.program_is = shared.program_is
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._damage: str | None = None
        self._steady = 0  # stretches of reading that go on: in them nothing can turn stale
        self._deadline: Deadline | None = None  # of the statement that runs
        self._open()

    # ---- the state of the file

    @property
    def stale(self) -> str | None:
        """Why the tables cannot be used and facts must be loaded; None when they can."""
        with self._lock:
            found = self._meta("program")
        if self._damage:
            return self._damage
        if found is None:
            return "nothing has been loaded yet"
        return None if found == self.program_is else "the tables were derived by another program"

    @property
    def stamp(self) -> str:
        """What the caller called the state of the base facts, at the last load or change."""
        with self._lock:
            return self._meta("stamp") or ""

    @property
    def remark(self) -> str:
        """What the caller noted of these very tables; a load forgets it."""
        with self._lock:
            return self._meta("remark") or ""

    def keep_remark(self, text: str) -> None:
        """Note something of these tables, for whoever opens them next."""
        with self._lock:
            self._check_usable()
            with self._writing(Deadline(self.limits)):
                self._note(remark=text)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def rest(self) -> None:
        """Nothing more will come in: what filling took (pages, statements, work tables) is given back, a small cache stays."""
        with self._lock:
            if self.path != MEMORY and not self._connected().in_transaction:
                self.close()
                self.settings = replace(self.settings, cache_mib=self.settings.resting_cache_mib)
                self._open()

    # ---- facts in

    def load(self, facts: Facts, stamp: str = "", elsewhere: RowsElsewhere | None = None) -> None:
        """Take these facts, and those that lie ``elsewhere``."""
        with self._lock:
            deadline = Deadline(self.limits)
            self._make_room(deadline)
            with within_reach(self._connected(), elsewhere), self._writing(deadline) as connection:
                self._start_over(connection, deadline)
                if elsewhere:
                    copy_rows(connection, self._sql, elsewhere)
                for name, rows in self.program.with_given(facts).items():
                    self._insert(connection, name, rows if isinstance(rows, list) else list(rows))
                Filler(connection, self._sql, self._plans, self._work).fill(self.program_is, deadline)
                self._note(program=self.program_is, stamp=stamp, derived=str(deadline.rows))

    def apply(self, change: Change, stamp: str | None = None) -> Change:
        """Add and remove base rows and all that follows, and tell all of it; a row in both lists is there afterwards."""
        with self._following(change, stamp):
            return self._maintainer.outcome()

    def follow(self, change: Change, stamp: str | None = None) -> None:
        """The same, for whom it is enough that the tables are right."""
        with self._following(change, stamp):
            pass

    @contextmanager
    def _following(self, change: Change, stamp: str | None) -> Iterator[None]:
        """One transaction; in the stretch itself the tables are new and what came and went can still be told."""
        with self._lock:
            self._check_usable()
            deadline = Deadline(self.limits, int(self._meta("derived") or 0))
            with self._writing(deadline):
                self._maintainer.apply(change, deadline)
                yield
                self._work.clear_all()
                self._note(stamp=self.stamp if stamp is None else stamp, derived=str(deadline.rows))

    def _begin_empty(self) -> None:
        """Tables in memory that nobody has filled are those of an empty world, derived when somebody looks.

        Not before: a rule may end only because of a fact that is still to come.
        """
        unfilled = self.path == MEMORY and self._meta("program") is None
        if unfilled and not self._connected().in_transaction:
            self.load({})

    def begin_as(self, other: SqliteEngine) -> None:
        """Take over all tables of another engine with the same program, derived rows and stamp included."""
        with self._lock, other._lock:
            other._connected().backup(self._connected())
            self._work.forget()

    def rows_for_another(
        self, *, whole: frozenset[str] = frozenset(), nodes: Collection[str] | None = None,
        but: frozenset[str] = frozenset(),
    ) -> RowsElsewhere | None:  # fmt: skip
        """Our base rows, for another engine to copy; None where there is no file to copy from."""
        if self.path == MEMORY:
            return None
        return RowsElsewhere(self.path, self._sql.names, whole, nodes, but)

    # ---- answers out

    def ask(self, goal: Atom) -> list[Row]:
        with self._answering(goal) as found:
            return answers(goal, found)

    def count(self, goal: Atom) -> int:
        with self._answering(goal, HOW_MANY) as found:
            return sum(int(many) for (many,) in found)

    @contextmanager
    def _answering(self, goal: Atom, of: str = "{}") -> Iterator[Iterable[Row]]:
        """What the tables say to the goal's question, or to one asked of its answer."""
        with self._lock:
            asked = self._questions(goal)
            if not self._steady:
                self._check_usable()
            if asked is None:
                yield ()
                return
            deadline = Deadline(self.limits)
            deadline.working_on = goal.relation
            with self._watched(deadline) as connection:
                yield connection.execute(of.format(asked[0]), asked[1])

    @contextmanager
    def reading(self) -> Iterator[str]:
        """Several questions about one state, whatever other processes write meanwhile; gives its stamp."""
        with self._lock:
            self._begin_empty()  # in the stretch itself nothing can be written
        with self._lock, self._savepoint():
            self._check_usable()
            self._steady += 1
            try:
                yield self.stamp
            finally:
                self._steady -= 1

    # ---- the connection

    def _open(self) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise EngineError(f"SQLite {sqlite3.sqlite_version} is too old", fix="Use 3.37 or newer.")
        try:
            connection = sqlite3.connect(
                self.path,
                timeout=self.settings.wait_seconds,
                isolation_level=None,  # we say where transactions begin and end
                check_same_thread=False,  # our lock sees to that
                cached_statements=self.settings.statements,
            )
        except sqlite3.OperationalError as error:
            raise EngineError(f"the file cannot be opened: {error}", where=self.path) from error
        connection.set_progress_handler(self._is_late, self.settings.steps_between_checks)
        connection.create_function(MATCH, 2, matches, deterministic=True)
        connection.create_function(NUMBER, 1, number_in, deterministic=True)
        self._connection, self._damage = connection, None
        self._work = WorkTables(connection, self._sql, self._plans)
        self._maintainer = Maintainer(self._sql, self._plans, self._work)
        try:
            connection.execute(
                f"PRAGMA page_size = {self.settings.page_bytes}"
            )  # a file that is there keeps its own
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA cache_size = {-1024 * self.settings.cache_mib}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {self.settings.wal_pages}")
            connection.execute("PRAGMA synchronous = NORMAL")
            # Some builds wipe whatever is deleted. These tables are derived from a journal that keeps all of it.
            connection.execute("PRAGMA secure_delete = OFF")
        except sqlite3.DatabaseError as error:
            self._damage = f"the file is damaged: {error}"

    def _make_room(self, deadline: Deadline) -> None:
        """A file that is no database, or a broken one, is put aside, never overwritten."""
        if self.stale and self._damage:
            self.close()
            Path(self.path).replace(f"{self.path}.damaged")
            for leftover in ("-wal", "-shm"):
                Path(self.path + leftover).unlink(missing_ok=True)
            self._open()
        if self.path != MEMORY and not self._connected().in_transaction:
            with self._watched(deadline) as connection:
                connection.execute("PRAGMA journal_mode = WAL")

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise EngineError("the engine is closed", fix="Open a new one.")
        return self._connection

    def _check_usable(self) -> None:
        self._begin_empty()
        if reason := self.stale:
            raise EngineError(reason, where=self.path, fix="Load the base facts.")

    @contextmanager
    def _writing(self, deadline: Deadline) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        if self._connected().in_transaction:
            raise EngineError("nothing can be changed for good while something is read")
        with self._watched(deadline) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:  # an interrupted statement has already rolled back
                    connection.execute("ROLLBACK")
                self._work.forget()
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """A stretch that other processes cannot change."""
        connection = self._connected()
        connection.execute("SAVEPOINT stretch")
        try:
            yield
        finally:
            if connection.in_transaction:  # an interrupted statement has ended it by itself
                connection.execute("RELEASE stretch")

    @contextmanager
    def _watched(self, deadline: Deadline) -> Iterator[sqlite3.Connection]:
        """The connection, stopped when time is up; its complaints become ours."""
        connection = self._connected()
        outer, self._deadline = self._deadline, deadline
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if str(error) == "integer overflow":
                raise deadline.too_wide() from error
            raise (deadline.too_late() if deadline.passed() else self._trouble(deadline, error)) from error
        except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            raise self._trouble(deadline, error) from error
        finally:
            self._deadline = outer

    def _is_late(self) -> bool:
        """Asked by SQLite every so often while a statement runs."""
        return self._deadline is not None and self._deadline.passed()

    def _trouble(self, deadline: Deadline, error: Exception) -> EngineError:
        if type(error) is sqlite3.DatabaseError:
            self._damage = f"the file is damaged: {error}"
        full = "disk is full" in str(error)
        fix = "free some space and ask again: this is only a cache, what was read is safe" if full else None
        return EngineError(
            f"SQLite could not derive {deadline.working_on!r}: {error}", where=self.path, fix=fix
        )

    # ---- tables

    def _start_over(self, connection: sqlite3.Connection, deadline: Deadline) -> None:
        """Drop our own tables, never a stranger's, and make those of this program."""
        old = [
            name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
        ]
        if old and "@meta" not in old:
            raise EngineError("this database is not one of ours", where=self.path, fix="Choose another path.")
        for name in old:
            connection.execute(f"DROP TABLE main.{quoted(name)}")
        connection.execute(f"CREATE TABLE {META} (key TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID")
        for name in self._tables:
            deadline.check_planning()
            connection.execute(self._sql.create(name))

    def _insert(self, connection: sqlite3.Connection, name: str, rows: list[Row]) -> None:
        relation = self.program.relations.get(name)
        if relation is None or not relation.base:
            raise EngineError(f"{name!r} is not a base relation of the program")
        check_rows(relation, rows)
        places = ", ".join("?" for _ in self._sql.columns(name))
        padded = sorted(rows) if relation.arity else [(1,) for _ in rows]  # sorted rows fill pages in order
        connection.executemany(f"INSERT OR IGNORE INTO {self._sql.table(name)} VALUES ({places})", padded)

    def _meta(self, key: str) -> str | None:
        """One of the few things the file says about itself; None when it says nothing or cannot be read."""
        connection = self._connected()
        try:
            row = connection.execute(f"SELECT value FROM {META} WHERE key = ?", (key,)).fetchone()
        except sqlite3.OperationalError as error:
            if str(error).startswith("no such table"):  # asked first it would cost as much as a question
                return None
            raise EngineError(f"the file cannot be read: {error}", where=self.path) from error
        except sqlite3.DatabaseError as error:
            self._damage = f"the file is damaged: {error}"
            return None
        return str(row[0]) if row else None

    def _note(self, **values: str) -> None:
        self._connected().executemany(f"INSERT OR REPLACE INTO {META} VALUES (?, ?)", list(values.items()))
