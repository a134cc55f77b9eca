"""A program in SQLite's words, written once in a process however many tables are made of it.

A server cuts the story anew for every moment somebody asks about, and writing the statements of all rules takes as long as deriving
a chapter. Pure text; shared by engines of several threads, which at worst write the same statement twice.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from narraworld.base.settings import SqliteSettings
from narraworld.rules.engines.sql.goal_sql import Questions
from narraworld.rules.engines.sql.writer import SQLITE, Writer, stored
from narraworld.rules.engines.sqlite.fingerprint import fingerprint
from narraworld.rules.engines.sqlite.plans import Plans
from narraworld.rules.language.ir import Program

__all__ = ["WrittenProgram", "written"]

MOST = SqliteSettings().programs
_lock = threading.Lock()
_recent: OrderedDict[str, WrittenProgram] = OrderedDict()  # by fingerprint; the one used last stands last


class WrittenProgram:
    """Names, questions and plans of one program."""

    def __init__(self, program: Program, program_is: str) -> None:
        self.program, self.program_is = program, program_is
        self.sql = Writer(program, SQLITE)
        self.tables = stored(program)
        self.questions = Questions(self.sql, self.tables)
        self.plans = Plans(self.sql, self.tables)


def written(program: Program) -> WrittenProgram:
    """The program in SQL; one that says the same, comments and line numbers aside, is the same."""
    with _lock:
        known = next((one for one in _recent.values() if one.program is program), None)
        name = known.program_is if known else fingerprint(program)
        found = _recent[name] = known or _recent.get(name) or WrittenProgram(program, name)
        _recent.move_to_end(name)
        while len(_recent) > MOST:
            _recent.popitem(last=False)
        return found
