"""An encoding without a world: a table of facts in place of records, for packs that take one. Reads the file, writes nothing.

narraworld analyse sig encodings/one/facts.tsv encodings/other/facts.tsv --format csv
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from narraworld.base.errors import NarraWorldError
from narraworld.base.given_files import read_given_text
from narraworld.query.scope import Scope
from narraworld.query.theories.analysis import Analysis
from narraworld.rules.engines.choose import EngineName
from narraworld.rules.language.ir import Atom, Facts, Program, Row
from narraworld.rules.language.program import RuleBook
from narraworld.rules.packs.pack import Pack
from narraworld.rules.packs.pack_engine import PackEngine

__all__ = ["analysis_of_table", "fact_rows"]


def fact_rows(path: Path, width: int) -> list[Row]:
    """The rows of a tab-separated table; a line with too many or too few cells is an error with its number."""
    found = list[Row]()
    for number, line in enumerate(read_given_text(path).rstrip("\n").split("\n"), 1):
        cells = tuple(line.split("\t"))
        if len(cells) != width:
            raise NarraWorldError(
                f"has {len(cells)} cells, not {width}", where=f"{path}:{number}", fix="separate them by tabs"
            )
        found.append(cells)
    return found


def analysis_of_table(pack: Pack, path: Path, book: RuleBook, engine: EngineName = "auto") -> Analysis:
    """The theory over a table of facts."""
    if pack.head.table is None:
        raise NarraWorldError(
            f"{pack.name} takes no table of facts", where=str(path), fix="name the folder of a story"
        )
    rows = fact_rows(path, pack.program.relations[pack.head.table].arity)
    nothing = _NoWorld(book)
    goals = [one.name for one in pack.results] + [one.relation for one in pack.head.features]
    derived = PackEngine(pack, nothing, goals, engine, given={pack.head.table: rows})
    name = path.parent.name if path.stem == "facts" else path.stem
    return Analysis(pack, name, 0, Scope(nothing), derived, frozenset())


class _NoWorld:
    """An engine that has the relations of a world and no row in any of them."""

    name = "none"

    def __init__(self, program: RuleBook) -> None:
        self.program: Program = program

    def load(self, facts: Facts) -> None:
        raise NotImplementedError("this world stays empty")

    def ask(self, goal: Atom) -> list[Row]:
        return []

    def count(self, goal: Atom) -> int:
        return 0

    def reading(self) -> AbstractContextManager[object]:
        return nullcontext()

    def close(self) -> None:
        """Nothing is held."""
