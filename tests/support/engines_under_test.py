"""Every engine there is, with the same facts; the list that all comparisons between engines run over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from narraworld.rules.engines import Engine
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Facts, Program

__all__ = ["ENGINES", "every_engine"]


def _pydatalog(program: Program, facts: Facts) -> Engine:
    return PyDatalogEngine(program, facts=facts)


def _sqlite(program: Program, facts: Facts) -> Engine:
    engine = SqliteEngine(program)
    engine.load(facts)
    return engine


def _duckdb(program: Program, facts: Facts) -> Engine:
    engine = DuckEngine(program)
    engine.load(facts)
    return engine


ENGINES: dict[str, Callable[[Program, Facts], Engine]] = {
    "pydatalog": _pydatalog,
    "sqlite": _sqlite,
    "duckdb": _duckdb,
}


def every_engine(program: Program, facts: Facts) -> Iterator[tuple[str, Engine]]:
    """Each engine by name, loaded with the facts, and closed when the next one is taken."""
    for name, made in ENGINES.items():
        with closing(made(program, facts)) as engine:
            yield name, engine
