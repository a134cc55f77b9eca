"""Programs of a kind that nobody here would write: each was once answered slowly, in other words, or not at all."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from engines_under_test import ENGINES, every_engine

from narraworld.rules.engines import Limits
from narraworld.rules.engines.choose import engine_for
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.sql.joins import plain_select
from narraworld.rules.engines.sql.writer import DUCKDB, SQLITE, Writer
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.engines.sqlite.worktables import WorkTables
from narraworld.rules.errors import EngineError, LimitReached, NotStratified, NumberTooLarge
from narraworld.rules.language.ir import Atom, Change, Facts, Program, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

N = Var("N")
LARGEST = 2**63 - 1
engines = pytest.mark.parametrize("name", list(ENGINES))


def program(text: str) -> Program:
    return load_program([parse(text, "odd.dl")])


# ---- a rule that ends only because of a fact

DAYS = """
.decl last(n:number)
.input last
.decl day(n:number)
day(0).
day(M) :- day(N), !last(N), M = N + 1.
"""
LAST: Facts = {"last": [(3,)]}
DAY = Atom("day", (N,))


@engines
def test_days_end_with_the_last_one(name: str) -> None:
    with closing(engine_for(program(DAYS), LAST, name, limits=Limits(facts=100))) as engine:  # type: ignore[arg-type]
        assert engine.ask(DAY) == [(0,), (1,), (2,), (3,)]


def test_tables_in_memory_that_nobody_filled_are_an_empty_world() -> None:
    counted = program(".decl seen(n:number)\n.input seen\n.decl none(n:number)\nnone(1) :- !seen(_).")
    engine = SqliteEngine(counted)
    with engine.reading():
        assert engine.ask(Atom("none", (N,))) == [(1,)]
    engine.close()
    engine = SqliteEngine(counted)
    assert engine.apply(Change(added={"seen": [(7,)]})).removed == {"none": frozenset({(1,)})}
    engine.close()


# ---- conditions that have nothing to do with each other

APART = """
.decl p(n:number)
.input p
.decl q(n:number)
.decl r(n:number)
q(1) :- p(_), p(_), p(_), p(X), X > 5.
r(N) :- p(N), p(X), p(Y), X < Y, !p(0).
"""


@pytest.mark.parametrize("dialect", [SQLITE, DUCKDB], ids=["sqlite", "duckdb"])
def test_each_is_looked_at_once_and_not_multiplied(dialect: object) -> None:
    odd = program(APART)
    first, second = (plain_select(Writer(odd, dialect), rule).text for rule in odd.rules)  # type: ignore[arg-type]
    assert first.count("EXISTS (SELECT 1") == 4
    assert second.count("FROM") == 3, "p(N); p(X), p(Y), X < Y as one question of its own; the absence"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([], ([], []), id="nothing"),
        pytest.param([(1,), (2,)], ([], [(1,), (2,)]), id="small"),
        pytest.param([(0,), (9,)], ([(1,)], []), id="one over five, but zero is there"),
    ],
)
def test_they_still_mean_the_same(rows: list[tuple[int]], expected: tuple[list[tuple[int]], ...]) -> None:
    for name, engine in every_engine(program(APART), {"p": rows}):
        assert (engine.ask(Atom("q", (N,))), engine.ask(Atom("r", (N,)))) == expected, name


# ---- numbers that outgrow 64 bits

GROWING = [
    ("assigned", "b(Y) :- a(X), Y = X * 2."),
    ("compared, where floating point would say yes", "b(X) :- a(X), X * 2 > 5."),
    ("compared, where floating point would say no", "b(X) :- a(X), X * X < 0."),
    ("inside a remainder", "b(Y) :- a(X), Y = (X * 2) % 7."),
    ("inside a division", "b(Y) :- a(X), Y = (X + 5) / 2."),
    ("folded", "b(N) :- N = max X + 1 : { a(X) }."),
    ("added up", "b(N) :- N = sum X : { a(X) }."),
]


@engines
@pytest.mark.parametrize("rule", [pytest.param(rule, id=name) for name, rule in GROWING])
def test_a_number_that_is_too_large_is_refused_in_the_same_words(name: str, rule: str) -> None:
    grown = program(f".decl a(n:number)\n.input a\n.decl b(n:number)\n{rule}")
    with (
        pytest.raises(NumberTooLarge) as caught,
        closing(ENGINES[name](grown, {"a": [(LARGEST,), (1,)]})) as engine,
    ):
        engine.ask(Atom("b", (N,)))
    assert "gave a number that does not fit in 64 bits" in caught.value.what


def test_remainders_near_the_edge_are_exact() -> None:
    edge = program(
        ".decl a(n:number)\n.input a\n.decl b(n:number)\nb(Y) :- a(X), Y = X % 9223372036854775807."
    )
    for name, engine in every_engine(edge, {"a": [(LARGEST - 1,), (-1,), (LARGEST,)]}):
        assert engine.ask(Atom("b", (N,))) == [(0,), (LARGEST - 1,)], name


# ---- counting, and what to do when there is too much


def test_counting_on_duckdb_does_not_read_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = DuckEngine(program(DAYS))
    engine.load(LAST)
    monkeypatch.setattr(DuckEngine, "ask", lambda *_: pytest.fail("rows were read"))
    assert engine.count(DAY) == 4
    assert engine.count(Atom("day", (Var("X"),))) == 4
    engine.close()


@engines
def test_a_limit_says_where_to_ask_instead(name: str) -> None:
    endless = program(".decl n(n:number)\nn(0).\nn(M) :- n(N), M = N + 1.")
    with pytest.raises(LimitReached) as caught:
        engine: EngineError | object = engine_for(endless, {}, name, limits=Limits(facts=50))  # type: ignore[arg-type]
        engine.ask(Atom("n", (N,)))  # type: ignore[union-attr]
    assert ("--engine pydatalog" in (caught.value.fix or "")) == (name != "pydatalog")


# ---- recursion that looks things up the other way round

REACHED = """
.decl holds(o:symbol, p:symbol)
.input holds
.decl near(v:symbol, o:symbol)
.decl held(o:symbol, p:symbol)
near(V, O) :- holds(V, O).
near(V, P) :- held(O, P), near(V, O).
held(O, P) :- holds(O, P), near(P, O).
"""


def test_what_the_rounds_look_things_up_by_is_indexed_before_they_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[str] = []
    rounds = WorkTables.rounds

    def watched(self: WorkTables, *args: Any) -> None:
        rows = self.connection.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        )
        found.extend(sql for (sql,) in rows)
        rounds(self, *args)

    monkeypatch.setattr(WorkTables, "rounds", watched)
    engine = SqliteEngine(program(REACHED))
    engine.load({"holds": [("a", "b"), ("b", "a"), ("b", "c")]})
    engine.close()
    assert any('ON "near" ("o")' in sql for sql in found)


def test_deriving_everything_keeps_no_second_copy_of_what_the_rounds_found() -> None:
    with closing(SqliteEngine(program(REACHED))) as engine:
        written: list[str] = []
        engine._connected().set_trace_callback(written.append)
        engine.load({"holds": [("a", "b"), ("b", "a"), ("b", "c")]})
        filled = {line.split('"')[1] for line in written if line.startswith("INSERT OR IGNORE INTO")}
    assert filled & {"near", ">near", "<near", "+near"} == {"near", ">near", "<near"}


# ---- aggregates and what they are tied to

TIED = """
.decl part(w:number, p:number)
.input part
.decl perfect(n:number)
.decl top(n:number)
perfect(X) :- part(X, _), X = sum P : { part(X, P) }.
top(N) :- N = max N : { part(_, N) }.
"""


def test_an_aggregate_may_be_compared_with_what_it_uses_and_bear_the_name_of_its_result() -> None:
    parts = [(6, 1), (6, 2), (6, 3), (8, 1), (8, 2), (8, 4)]
    for name, engine in every_engine(program(TIED), {"part": parts}):
        assert (engine.ask(Atom("perfect", (N,))), engine.ask(Atom("top", (N,)))) == ([(6,)], [(4,)]), name


def test_an_aggregate_that_its_own_relation_binds_says_which_condition_does() -> None:
    text = ".decl seen(n:number)\n.input seen\n.decl step(n:number, c:number)\n"
    with pytest.raises(NotStratified) as caught:
        program(text + "step(M, C) :- step(N, _), N < 5, M = N + 1, C = count : { seen(X), X <= N }.")
    assert "break the cycle at step(N, _)" in (caught.value.fix or "")
