"""Which engine: small worlds to SQLite, large ones to DuckDB, what is on demand to pyDatalog; or as one says."""

from __future__ import annotations

from typing import Any

import pytest

from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import Choice, ChosenEngine, engine_for, engine_over
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Const, Program, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

TEXT = """
.decl edge(a:symbol, b:symbol)
.input edge
.decl path(a:symbol, b:symbol)
path(A, B) :- edge(A, B).
path(A, C) :- path(A, B), edge(B, C).
//@ on demand
.decl round(a:symbol, n:number)
round(A, N) :- path(A, A), N = count : { path(A, B) }.
"""
FACTS = {"edge": [("a", "b"), ("b", "a"), ("b", "c")]}
PATHS = [("a", "a"), ("a", "b"), ("a", "c"), ("b", "a"), ("b", "b"), ("b", "c")]


@pytest.fixture(scope="module")
def program() -> Program:
    return load_program([parse(TEXT)])


def asked(engine: Engine, relation: str, *terms: str) -> list[Any]:
    return engine.ask(Atom(relation, tuple(Var(term) if term.isupper() else Const(term) for term in terms)))


@pytest.mark.parametrize(
    ("size", "name", "expected"),
    [(100, "auto", "sqlite"), (3, "auto", "duckdb"), (3, "sqlite", "sqlite"), (100, "duckdb", "duckdb")],
    ids=["little", "much", "little, as one says", "much, as one says"],
)
def test_the_choice(program: Program, size: int, name: Any, expected: str) -> None:
    engine = engine_for(program, FACTS, name, choice=Choice(bulk_from=size))

    assert isinstance(engine, ChosenEngine)
    assert engine.tables.name == expected
    engine.close()


@pytest.mark.parametrize("name", ["sqlite", "duckdb", "pydatalog"])
def test_whichever_is_chosen_answers_the_same(program: Program, name: Any) -> None:
    engine = engine_for(program, FACTS, name)

    assert asked(engine, "path", "X", "Y") == PATHS
    assert asked(engine, "path", "X", "X") == [("a", "a"), ("b", "b")]
    assert asked(engine, "round", "a", "N") == [("a", 3)]
    assert asked(engine, "edge", "b", "Y") == [("b", "a"), ("b", "c")]
    engine.close()


def test_no_such_engine(program: Program) -> None:
    with pytest.raises(EngineError, match="there is no engine 'fast'"):
        engine_for(program, FACTS, "fast")  # type: ignore[arg-type]


def test_tables_are_read_and_only_the_rest_is_derived(program: Program) -> None:
    """The rows of `path` are the table's own, right or wrong; `round` is worked out from them."""
    tables = engine_for(program, FACTS, "sqlite")
    over = engine_over(program, tables, "round")

    assert asked(over, "path", "a", "Y") == PATHS[:3]
    assert asked(over, "round", "X", "N") == [("a", 3), ("b", 3)]
    tables.load({"edge": [("a", "b")]})
    assert asked(over, "path", "X", "Y") == [("a", "b")]
    tables.close()


def test_loading_starts_over(program: Program) -> None:
    engine = engine_for(program, FACTS)
    assert asked(engine, "round", "a", "N") == [("a", 3)]

    engine.load({"edge": [("a", "a")]})

    assert asked(engine, "path", "X", "Y") == [("a", "a")]
    assert asked(engine, "round", "a", "N") == [("a", 1)]
    engine.close()
