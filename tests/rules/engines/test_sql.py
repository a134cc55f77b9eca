"""The SQL engines say what the rules say: exact small worlds, on both databases, against rows written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import answers, derive
from random_programs import Case, cases
from rule_programs import program_of

from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.sql.aggregates import fold_select
from narraworld.rules.engines.sql.indexes import indexes, serves
from narraworld.rules.engines.sql.joins import Probe
from narraworld.rules.engines.sql.nearest import recognise
from narraworld.rules.engines.sql.writer import DUCKDB, SQLITE, Writer
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Column,
    Compare,
    Const,
    Facts,
    Not,
    Program,
    Relation,
    Row,
    Rule,
    Var,
)

ENGINES = [pytest.param(SqliteEngine, id="sqlite"), pytest.param(DuckEngine, id="duckdb")]
Make = Callable[[Program], Engine]


def every(program: Program, relation: str) -> Atom:
    return Atom(relation, tuple(Var(f"V{i}") for i in range(program.relations[relation].arity)))


@pytest.fixture(params=ENGINES)
def rows(request: pytest.FixtureRequest) -> Iterator[Callable[[str, Facts, str], list[Row]]]:
    """Ask one relation of a rule text for all its rows."""
    opened: list[Engine] = []

    def ask(text: str, facts: Facts, relation: str) -> list[Row]:
        rules = program_of(text)
        engine: Engine = request.param(rules)
        opened.append(engine)
        engine.load(facts)
        return engine.ask(every(rules, relation))

    yield ask
    for engine in opened:
        engine.close()


Rows = Callable[[str, Facts, str], list[Row]]
EDGES: Facts = {"edge": [("a", "b"), ("b", "c"), ("c", "a"), ("x", "y")]}
LOOP = [*((one, other) for one in "abc" for other in "abc"), ("x", "y")]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("path(X, Y) :- path(X, Z), edge(Z, Y).", id="left-linear"),
        pytest.param("path(X, Y) :- edge(X, Z), path(Z, Y).", id="right-linear"),
        pytest.param("path(X, Y) :- path(X, Z), path(Z, Y).", id="non-linear"),
        pytest.param(
            "path(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Z), path(Z, Y).", id="two steps"
        ),
    ],
)
def test_what_leads_to_what_even_in_circles(rows: Rows, step: str) -> None:
    text = f".decl edge(x:symbol, y:symbol)\n.input edge\n.decl path(x:symbol, y:symbol)\npath(X, Y) :- edge(X, Y).\n{step}"
    assert rows(text, EDGES, "path") == LOOP


ODD_AND_EVEN = """
.decl edge(x:symbol, y:symbol)
.input edge
.decl odd(x:symbol, y:symbol)
.decl even(x:symbol, y:symbol)
odd(X, Y) :- edge(X, Y).
odd(X, Y) :- even(X, Z), edge(Z, Y).
even(X, Y) :- odd(X, Z), edge(Z, Y).
"""


def test_relations_that_need_each_other(rows: Rows) -> None:
    chain: Facts = {"edge": [("a", "b"), ("b", "c"), ("c", "d")]}
    assert rows(ODD_AND_EVEN, chain, "odd") == [("a", "b"), ("a", "d"), ("b", "c"), ("c", "d")]
    assert rows(ODD_AND_EVEN, chain, "even") == [("a", "c"), ("b", "d")]


ACCESS = """
.decl person(who:symbol)
.decl access(who:symbol, what:symbol, at:number)
.input person
.input access
.decl ignorant(who:symbol)
.decl unaware(who:symbol, what:symbol)
ignorant(W) :- person(W), !access(W, _, _).
unaware(W, P) :- person(W), access(_, P, _), !access(W, P, _).
"""


def test_absence_of_any_row_and_of_one_row(rows: Rows) -> None:
    facts: Facts = {"person": [("leo",), ("mara",)], "access": [("leo", "key", 1), ("ben", "map", 2)]}
    assert rows(ACCESS, facts, "ignorant") == [("mara",)]
    assert rows(ACCESS, facts, "unaware") == [("leo", "map"), ("mara", "key"), ("mara", "map")]


PAYS = """
.decl pays(who:symbol, whom:symbol, coins:number)
.input pays
.decl least(who:symbol, n:number)
.decl most(n:number)
.decl customers(whom:symbol, n:number)
.decl spent(who:symbol, n:number)
.decl all(n:number)
least(W, N) :- pays(W, _, _), N = min C : { pays(W, _, C) }.
most(N) :- N = max C : { pays(_, _, C) }.
customers(W, N) :- pays(_, W, _), N = count : { pays(P, W, C) }.
spent(W, N) :- pays(W, _, _), N = sum C : { pays(W, P, C) }.
all(N) :- N = count : { pays(A, B, C) }.
"""
PAID: Facts = {"pays": [("leo", "inn", 3), ("leo", "smith", 3), ("leo", "inn", 5), ("mara", "inn", 9)]}


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        pytest.param("least", [("leo", 3), ("mara", 9)], id="min"),
        pytest.param("most", [(9,)], id="max of everything"),
        pytest.param("customers", [("inn", 3), ("smith", 1)], id="count"),
        pytest.param("spent", [("leo", 11), ("mara", 9)], id="sum keeps equal payments apart"),
        pytest.param("all", [(4,)], id="count of everything"),
    ],
)
def test_folds(rows: Rows, relation: str, expected: list[Row]) -> None:
    assert rows(PAYS, PAID, relation) == expected


def test_folds_of_nothing(rows: Rows) -> None:
    assert rows(PAYS, {}, "most") == []
    assert rows(PAYS, {}, "least") == []
    assert rows(PAYS, {}, "all") == [(0,)]  # as in Soufflé; the rules say so, not the engine


NUMBERS = [-7, -6, -1, 0, 1, 3, 7, 2**40]


@pytest.mark.parametrize("make", ENGINES)
def test_division_floors_and_dividing_by_zero_has_no_value(make: Make) -> None:
    quotient = Compare("=", Var("Q"), Arithmetic("/", Var("A"), Var("B")))
    remainder = Compare("=", Arithmetic("%", Var("A"), Var("B")), Var("R"))
    head = Atom("parts", (Var("A"), Var("B"), Var("Q"), Var("R")))
    rule = Rule(head, (Atom("n", (Var("A"),)), Atom("n", (Var("B"),)), quotient, remainder))
    relations = {
        "n": Relation("n", (Column("n", "number"),), base=True),
        "parts": Relation("parts", tuple(Column(name, "number") for name in "abqr")),
    }
    engine = make(Program(relations, (rule,), stratify(relations, [rule])))
    engine.load({"n": [(n,) for n in NUMBERS]})
    expected = sorted((a, b, a // b, a % b) for a in NUMBERS for b in NUMBERS if b)
    assert engine.ask(Atom("parts", tuple(map(Var, "ABQR")))) == expected
    engine.close()


NASTY = [
    "it's", 'say "no"', "a\nb", "back\\slash", "\\'; DROP TABLE said; --", "日本 🗝", "True", "1", "", " ", "NULL", "%", "_", "a\0b",
]  # fmt: skip


def test_any_text_survives(rows: Rows) -> None:
    text = ".decl said(x:symbol)\n.input said\n.decl echo(x:symbol, y:symbol)\necho(X, X) :- said(X)."
    assert rows(text, {"said": [(s,) for s in NASTY]}, "echo") == sorted((s, s) for s in NASTY)


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("constant", [s for s in NASTY if "\0" not in s], ids=ascii)
def test_any_constant_means_itself(make: Make, constant: str) -> None:
    relations = {
        "said": Relation("said", (Column("x", "symbol"),), base=True),
        "was": Relation("was", (Column("x", "symbol"), Column("n", "number"))),
    }
    rule = Rule(Atom("was", (Const(constant), Const(-5))), (Atom("said", (Const(constant),)),))
    engine = make(Program(relations, (rule,), stratify(relations, [rule])))
    engine.load({"said": [(s,) for s in NASTY]})
    assert engine.ask(Atom("was", (Var("X"), Var("N")))) == [(constant, -5)]
    assert engine.ask(Atom("said", (Const(constant),))) == [(constant,)]
    engine.close()


def test_a_constant_with_nul_is_refused() -> None:
    with pytest.raises(EngineError, match="NUL"):
        Writer(program_of(ACCESS), SQLITE).literal("a\0b")


def test_names_that_look_like_sql(rows: Rows) -> None:
    text = (
        ".decl select(in:symbol, order:number)\n.input select\n.decl in(group:symbol)\nin(G) :- select(G, 1)."
    )
    assert rows(text, {"select": [("a", 1), ("b", 2)]}, "in") == [("a",)]


@pytest.mark.parametrize("make", ENGINES)
def test_names_that_databases_confuse(make: Make) -> None:
    two = (Column("A", "symbol"), Column("a", "number"))
    relations = {name: Relation(name, two, base=True) for name in ("Key", "key", "sqlite_master")}
    engine = make(Program(relations, ()))
    engine.load({"Key": [("x", 1)], "key": [("y", 2)], "sqlite_master": [("z", 3)]})
    asked = {name: engine.ask(Atom(name, (Var("X"), Var("Y")))) for name in relations}
    assert asked == {"Key": [("x", 1)], "key": [("y", 2)], "sqlite_master": [("z", 3)]}
    engine.close()


@pytest.mark.parametrize("make", ENGINES)
def test_relations_without_columns(make: Make) -> None:
    relations = {
        "open": Relation("open", (), base=True),
        "quiet": Relation("quiet", ()),
        "shut": Relation("shut", ()),
    }
    rules = (Rule(Atom("quiet", ()), (Atom("open", ()),)), Rule(Atom("shut", ()), (Not(Atom("open", ())),)))
    engine = make(Program(relations, rules, stratify(relations, rules)))
    assert (engine.ask(Atom("quiet", ())), engine.ask(Atom("shut", ()))) == ([], [()])
    engine.load({"open": [()]})
    assert (engine.ask(Atom("quiet", ())), engine.ask(Atom("shut", ()))) == ([()], [])
    engine.close()


# ---- goals


@pytest.fixture(params=ENGINES)
def pairs(request: pytest.FixtureRequest) -> Iterator[Engine]:
    engine: Engine = request.param(
        program_of(".decl pair(x:symbol, y:symbol)\n.input pair\n.decl n(i:number)\n.input n")
    )
    engine.load({"pair": [("a", "a"), ("a", "b"), ("b", "b"), ("a", "a")], "n": [(1,)]})
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        pytest.param(
            Atom("pair", (Var("X"), Var("Y"))), [("a", "a"), ("a", "b"), ("b", "b")], id="all, once"
        ),
        pytest.param(Atom("pair", (Var("X"), Var("X"))), [("a", "a"), ("b", "b")], id="twice the same"),
        pytest.param(Atom("pair", (Const("a"), Var("Y"))), [("a", "a"), ("a", "b")], id="one constant"),
        pytest.param(Atom("pair", (Const("b"), Const("a"))), [], id="not there"),
        pytest.param(Atom("pair", (Const(1), Var("Y"))), [], id="a number where symbols stand"),
        pytest.param(Atom("n", (Const("1"),)), [], id="a symbol where numbers stand"),
    ],
)
def test_goals(pairs: Engine, goal: Atom, expected: list[Row]) -> None:
    assert pairs.ask(goal) == expected


def test_goals_nobody_can_answer(pairs: Engine) -> None:
    with pytest.raises(EngineError, match="Did you mean 'pair'"):
        pairs.ask(Atom("pairs", (Var("X"), Var("Y"))))
    with pytest.raises(EngineError, match="2 columns, the goal 1"):
        pairs.ask(Atom("pair", (Var("X"),)))


@pytest.mark.parametrize(
    ("facts", "complaint"),
    [
        pytest.param({"pair": [("a", 1)]}, "pair.y is a symbol, not 1", id="number for symbol"),
        pytest.param({"n": [("1",)]}, "n.i is a number, not '1'", id="symbol for number"),
        pytest.param({"n": [(True,)]}, "n.i is a number, not True", id="truth for number"),
        pytest.param({"n": [(1, 2)]}, "does not have 1 columns", id="too wide"),
        pytest.param({"m": [(1,)]}, "'m' is not a base relation", id="unknown"),
        pytest.param({"n": [(2**63,)]}, "could not|refused", id="too large"),
    ],
)
def test_facts_of_the_wrong_kind_are_refused_and_change_nothing(
    pairs: Engine, facts: Facts, complaint: str
) -> None:
    with pytest.raises(EngineError, match=complaint):
        pairs.load(facts)
    assert pairs.ask(Atom("n", (Var("X"),))) == [(1,)]


ON_DEMAND = """
.decl edge(x:symbol, y:symbol)
.input edge
//@ on demand
.decl far(x:symbol, y:symbol)
.decl near(x:symbol, y:symbol)
far(X, Z) :- edge(X, _), edge(_, Z).
near(X, Y) :- edge(X, Y).
"""


@pytest.mark.parametrize("make", ENGINES)
def test_relations_on_demand_are_never_stored(make: Make) -> None:
    engine = make(program_of(ON_DEMAND))
    engine.load({"edge": [("a", "b")]})
    assert engine.ask(Atom("near", (Var("X"), Var("Y")))) == [("a", "b")]
    with pytest.raises(EngineError, match="goal-directed"):
        engine.ask(Atom("far", (Var("X"), Var("Y"))))
    engine.close()


# ---- the nearest moment

MARKS = ".decl mark(k:symbol, t:number)\n.input mark\n.decl event(e:symbol, k:symbol, t:number)\n.input event\n.decl near(k:symbol, t:number, n:number)\n"
MARKED: Facts = {
    "mark": [("a", 1), ("a", 4), ("a", 9), ("b", 2)],
    "event": [("e", "a", 4), ("f", "a", 6), ("g", "b", 1)],
}


@pytest.mark.parametrize(
    ("rule", "own", "expected"),
    [
        pytest.param(
            "near(K, T, N) :- mark(K, T), N = min U : { mark(K, U), U > T }.",
            True,
            [("a", 1, 4), ("a", 4, 9)],
            id="next",
        ),
        pytest.param(
            "near(K, T, N) :- mark(K, T), N = max U : { mark(K, U), T > U }.",
            True,
            [("a", 4, 1), ("a", 9, 4)],
            id="previous",
        ),
        pytest.param(
            "near(K, T, N) :- event(_, K, T), N = max U : { mark(K, U), U <= T }.",
            False,
            [("a", 4, 4), ("a", 6, 4)],
            id="last until then",
        ),
        pytest.param(
            "near(K, T, N) :- event(_, K, T), N = min U : { mark(K, U), U >= T }.",
            False,
            [("a", 4, 4), ("a", 6, 9), ("b", 1, 2)],
            id="first since then",
        ),
        pytest.param(
            "near(K, T, N) :- event(_, K, T), N = min U : { mark(_, U), U > T }.",
            False,
            [("a", 4, 9), ("a", 6, 9), ("b", 1, 2)],
            id="of whatever key",
        ),
    ],
)
def test_nearest_moment(rows: Rows, rule: str, own: bool, expected: list[Row]) -> None:
    (fold,) = [one for one in program_of(MARKS + rule).rules if one.fold]
    nearest = recognise(fold)
    assert nearest is not None and nearest.own_timetable is own
    assert rows(MARKS + rule, MARKED, "near") == expected


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(
            "near(K, T, N) :- mark(K, T), N = min U : { mark(K, U), U < T }.", id="first, not nearest"
        ),
        pytest.param("near(K, T, N) :- mark(K, T), N = max U : { mark(K, U), U != T }.", id="any other"),
        pytest.param(
            "near(K, T, N) :- mark(K, T), N = min U : { mark(K, U), U > T, U < 9 }.", id="two bounds"
        ),
        pytest.param("near(K, T, N) :- mark(K, T), N = count : { mark(K, U), U > T }.", id="no min or max"),
    ],
)
def test_what_is_no_nearest_moment(rule: str) -> None:
    assert not any(recognise(one) for one in program_of(MARKS + rule).rules)


def test_next_moment_is_a_window_in_both_dialects() -> None:
    rules = program_of(MARKS + "near(K, T, N) :- mark(K, T), N = min U : { mark(K, U), U > T }.")
    (fold,) = [one for one in rules.rules if one.fold]
    for dialect in (SQLITE, DUCKDB):
        assert "lead(t) OVER (PARTITION BY k0 ORDER BY t)" in fold_select(Writer(rules, dialect), fold).text


# ---- limits, indexes, everything

COUNT_UP = (
    ".decl start(n:number)\n.input start\n.decl up(n:number)\nup(N) :- start(N).\nup(N) :- up(M), N = M + 1."
)


@pytest.mark.parametrize("make", ENGINES)
def test_a_rule_that_never_ends_is_stopped(make: Callable[..., Engine]) -> None:
    engine = make(program_of(COUNT_UP), limits=Limits(facts=500))
    with pytest.raises(LimitReached, match="'up' made more than 500"):
        engine.load({"start": [(1,)]})
        engine.ask(Atom("up", (Var("N"),)))
    engine.close()


PRODUCT = ".decl n(i:number)\n.input n\n.decl far(a:number)\nfar(0) :- n(A), n(B), n(C), n(D), (A * B + C * D) % 7 = 8."


@pytest.mark.parametrize("make", ENGINES)
def test_a_rule_that_takes_too_long_is_stopped(make: Callable[..., Engine]) -> None:
    engine = make(program_of(PRODUCT))
    engine.limits = Limits(seconds=0.3)  # type: ignore[attr-defined]
    with pytest.raises(LimitReached, match=r"('far'|planning how to derive) took longer than 0\.3 seconds"):
        engine.load({"n": [(i,) for i in range(2000)]})
        engine.ask(Atom("far", (Var("N"),)))
    engine.close()


def test_few_indexes_serve_many_look_ups() -> None:
    wanted = [
        Probe("r", frozenset({0})),  # the key itself
        Probe("r", frozenset({1})),
        Probe("r", frozenset({1, 2})),
        Probe("r", frozenset({1}), tail=3),
    ]
    assert indexes(4, wanted) == [(1, 3), (2, 1)]


def test_look_ups_within_each_other_share_an_index() -> None:
    wanted = [Probe("r", frozenset(bound)) for bound in ({3}, {1, 3}, {1, 2}, {1, 2, 4}, {0, 1, 2, 3})]
    assert indexes(5, wanted) == [(2, 1, 4), (3, 1)]


@given(st.lists(st.tuples(st.frozensets(st.integers(0, 4)), st.none() | st.integers(0, 4)), max_size=12))
def test_every_look_up_is_served(wanted: list[tuple[frozenset[int], int | None]]) -> None:
    probes = [
        Probe("r", bound, tail) for bound, tail in wanted if tail not in bound and (bound or tail is not None)
    ]
    orders = indexes(5, probes)
    assert all(any(serves(order, probe) for order in [(0, 1, 2, 3, 4), *orders]) for probe in probes)


@given(cases)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_programs_mean_the_same_to_sqlite_duckdb_and_the_oracle(case: Case) -> None:
    expected = derive(case.program, case.facts)
    for make in (SqliteEngine, DuckEngine):
        engine = make(case.program)
        engine.load(case.facts)
        for name in case.program.relations:
            assert engine.ask(every(case.program, name)) == sorted(expected[name]), (engine.name, name)
        for goal in case.goals:
            assert engine.ask(goal) == answers(expected, goal), (engine.name, goal)
        engine.close()


@given(st.text(), st.integers(-(2**63), 2**63 - 1))
@settings(max_examples=50, deadline=None)
def test_literals_read_back_as_themselves(text: str, number: int) -> None:
    import sqlite3

    writer = Writer(program_of(ACCESS), SQLITE)
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        return
    connection = sqlite3.connect(":memory:")
    row = connection.execute(f"SELECT {writer.literal(text)}, {writer.literal(number)}").fetchone()
    connection.close()
    assert row[0] == text and row[1] == number
