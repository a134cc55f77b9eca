"""DuckDB as an engine: lazy, in memory, all or nothing, and able to take facts from Parquet files."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.rules.engines import Limits
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.ir import Atom, Const, Program, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

TEXT = """
.decl part(x:symbol, y:symbol)
.input part
.decl within(x:symbol, y:symbol)
.decl top(x:symbol)
.decl pair(x:symbol, y:symbol)
within(X, Y) :- part(X, Y).
within(X, Y) :- within(X, Z), part(Z, Y).
top(X) :- part(_, X), !within(X, _).
pair(X, Y) :- part(X, _), part(Y, _).
"""
PARTS = {"part": [("scene", "chapter"), ("chapter", "book"), ("line", "scene")]}
ANY = (Var("X"), Var("Y"))


@pytest.fixture
def rules() -> Program:
    return load_program([parse(TEXT, "test.dl")])


def test_only_what_is_asked_for_is_derived(rules: Program) -> None:
    engine = DuckEngine(rules)
    engine.load(PARTS)
    assert engine.ask(Atom("top", (Var("X"),))) == [("book",)]
    assert engine.derived() == {"part", "within", "top"}
    engine.derive()
    assert engine.derived() == {"part", "within", "top", "pair"}
    engine.close()


def test_loading_forgets_everything(rules: Program) -> None:
    engine = DuckEngine(rules)
    engine.load(PARTS)
    assert engine.ask(Atom("within", (Const("line"), Var("Y")))) == [
        ("line", "book"), ("line", "chapter"), ("line", "scene"),
    ]  # fmt: skip
    engine.load({"part": {("a", "b")}})
    assert engine.ask(Atom("within", ANY)) == [("a", "b")]
    engine.close()


def test_a_limit_leaves_no_half_derived_table(rules: Program) -> None:
    engine = DuckEngine(rules, limits=Limits(facts=8))
    engine.load(PARTS)
    assert len(engine.ask(Atom("within", ANY))) == 6
    with pytest.raises(LimitReached, match="'pair' made more than 8"):
        engine.ask(Atom("pair", ANY))
    assert engine.derived() == {"part", "within"}
    assert engine.ask(Atom("top", (Var("X"),))) == [("book",)]
    engine.close()


def test_facts_from_parquet(rules: Program, tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "it's").mkdir()
    file = tmp_path / "it's" / "part.parquet"
    with duckdb.connect() as connection:
        connection.sql("SELECT 'leaf' AS a, 'tree' AS b").write_parquet(str(file))
    engine = DuckEngine(rules)
    engine.load_parquet(file.parent)
    assert engine.ask(Atom("top", (Var("X"),))) == [("tree",)]
    engine.close()


def test_closing_twice_is_harmless_and_final(rules: Program) -> None:
    engine = DuckEngine(rules)
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.ask(Atom("within", ANY))


def test_a_long_chain_is_not_a_slow_one(rules: Program) -> None:
    engine = DuckEngine(rules)
    engine.load({"part": [(f"n{i}", f"n{i + 1}") for i in range(300)]})
    assert len(engine.ask(Atom("within", ANY))) == 300 * 301 // 2
    engine.close()
