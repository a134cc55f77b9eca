"""The goal-directed engine: what it answers, how little it looks at, what it keeps apart."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_programs import program_of

from narraworld.rules.engines import Limits
from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine
from narraworld.rules.engines.sql.lookup import Bound, LookupTable, MemorySource
from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.goal import parse_goal
from narraworld.rules.language.ir import Atom, Const, Facts, Program, Row, Var

STORY = """
.decl state(s:symbol, thing:symbol, place:symbol, t:number)
.input state
.decl access(who:symbol, s:symbol, t:number)
.input access
.decl part(x:symbol, y:symbol)
.input part

.decl next(thing:symbol, t:number, u:number)
next(X, T, U) :- state(_, X, _, T), U = min V : { state(_, X, _, V), V > T }.
.decl now(thing:symbol, place:symbol)
now(X, P) :- state(_, X, P, T), !next(X, T, _).
.decl learned(who:symbol, thing:symbol, place:symbol, t:number)
learned(W, X, P, T) :- access(W, S, T), state(S, X, P, _).
.decl believes(who:symbol, thing:symbol, place:symbol)
believes(W, X, P) :- learned(W, X, P, T), T = max U : { learned(W, X, _, U) }.
.decl mistaken(who:symbol, thing:symbol, place:symbol)
mistaken(W, X, P) :- believes(W, X, P), !now(X, P).
.decl within(x:symbol, y:symbol)
within(X, Y) :- part(X, Y).
within(X, Z) :- part(X, Y), within(Y, Z).
.decl seen(who:symbol, n:number)
seen(W, N) :- access(W, _, _), N = count : { access(W, S, T) }.
"""
LEO = {
    "state": [("s1", "key", "drawer", 1), ("s2", "key", "safe", 5), ("s3", "map", "desk", 2)],
    "access": [("leo", "s1", 2), ("leo", "s3", 3), ("mara", "s1", 2), ("mara", "s2", 6)],
    "part": [("e1", "scene1"), ("scene1", "plot"), ("e2", "scene1")],
}


def ask(engine: PyDatalogEngine, goal: str) -> list[Row]:
    return engine.ask(parse_goal(goal, engine.program))


class Counted:
    """A source that counts the rows it hands out."""

    def __init__(self, facts: Facts, story: Program) -> None:
        self._source, self.rows = MemorySource(facts, story.relations), 0

    def find(self, relation: str, bound: Bound) -> Iterable[Row]:
        found = list(self._source.find(relation, bound))
        self.rows += len(found)
        return found


# ---- answers


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ('believes("leo", X, P)', [("leo", "key", "drawer"), ("leo", "map", "desk")]),
        ('believes(W, "key", P)', [("leo", "key", "drawer"), ("mara", "key", "safe")]),
        ("mistaken(W, X, P)", [("leo", "key", "drawer")]),
        ('mistaken("mara", X, P)', []),
        ('now("key", P)', [("key", "safe")]),
        ('next("key", T, U)', [("key", 1, 5)]),
        ('next("key", 1, 4)', []),
        ('within("e1", Y)', [("e1", "plot"), ("e1", "scene1")]),
        ('within(X, "plot")', [("e1", "plot"), ("e2", "plot"), ("scene1", "plot")]),
        ('within("e1", "plot")', [("e1", "plot")]),
        ("within(X, X)", []),
        ("seen(W, N)", [("leo", 2), ("mara", 2)]),
        ('access("leo", S, 2)', [("leo", "s1", 2)]),
        ('believes("nobody", X, P)', []),
    ],
)
def test_goals(goal: str, expected: list[Row]) -> None:
    assert ask(PyDatalogEngine(program_of(STORY), facts=LEO), goal) == expected


def test_values_stay_what_they_are() -> None:
    text = ".decl given(a:symbol, n:number)\n.input given\n.decl kept(a:symbol, n:number)\nkept(A, N) :- given(A, N), N = N.\n"
    names = [
        "True",
        "None",
        "1",
        "1.0",
        "",
        "it's",
        'a "b"',
        "日本",
        "🗝",
        "a\nb",
        "__import__('os').abort()",
        "X",
        "~p",
    ]
    rows: list[Row] = [(name, number) for name in names for number in (1, 0, -(2**63), 2**63 - 1, 2**53 + 1)]
    engine = PyDatalogEngine(program_of(text), facts={"given": rows})

    assert engine.ask(Atom("kept", (Var("A"), Var("N")))) == sorted(rows)
    assert {type(value) for row in engine.ask(Atom("kept", (Var("A"), Var("N")))) for value in row} == {
        str,
        int,
    }
    for row in rows:
        assert engine.ask(Atom("kept", tuple(map(Const, row)))) == [row]
    assert engine.ask(Atom("kept", (Const(1), Var("N")))) == []


@pytest.mark.parametrize(
    "row", [("s", "x", "p", "1"), ("s", "x", "p", True), ("s", "x", 1, 1), ("s", "x", "p")]
)
def test_rows_of_the_wrong_shape_are_refused(row: Row) -> None:
    with pytest.raises(EngineError):
        PyDatalogEngine(program_of(STORY), facts={"state": [row]})


@pytest.mark.parametrize("goal", [Atom("nothing", ()), Atom("now", (Var("X"),))])
def test_a_goal_that_does_not_fit_is_refused(goal: Atom) -> None:
    with pytest.raises(EngineError):
        PyDatalogEngine(program_of(STORY), facts=LEO).ask(goal)


def test_what_is_on_demand_is_answered_here() -> None:
    text = (
        STORY
        + "//@ on demand\n.decl both(a:symbol, b:symbol, s:symbol)\nboth(A, B, S) :- access(A, S, _), access(B, S, _), A != B.\n"
    )
    engine = PyDatalogEngine(program_of(text), facts=LEO)

    assert ask(engine, 'both("leo", B, S)') == [("leo", "mara", "s1")]


# ---- how little it looks at


def crowd(size: int) -> dict[str, list[Row]]:
    """Ever more characters and things; what leo sees stays the same."""
    states: list[Row] = [(f"s{i}", f"thing{i % (size // 5)}", f"place{i % 7}", i) for i in range(size)]
    others: list[Row] = [(f"c{i % (size // 10)}", f"s{i}", i + 1) for i in range(size)]
    return {"state": states, "access": others + [("leo", f"s{i}", i + 1) for i in range(0, 20, 2)]}


@pytest.mark.parametrize(
    "goal", ['believes("leo", X, P)', 'mistaken("leo", X, P)', 'now("thing3", P)', 'seen("leo", N)']
)
def test_a_question_about_one_looks_at_no_more_rows_in_a_larger_world(goal: str) -> None:
    looked_at = []
    for size in (200, 2_000):
        source = Counted(crowd(size), program_of(STORY))
        ask(PyDatalogEngine(program_of(STORY), source), goal)
        looked_at.append(source.rows)

    assert looked_at[0] == looked_at[1] < 200


@pytest.mark.parametrize("goal", ['within("n0", Y)', 'within(X, "n600")', 'within("n0", "n600")'])
def test_recursion_from_one_end_is_linear_whichever_way_it_is_written(goal: str) -> None:
    chain = {"part": [(f"n{i}", f"n{i + 1}") for i in range(600)]}
    backwards = STORY.replace("part(X, Y), within(Y, Z)", "within(X, Y), part(Y, Z)")
    for text in (STORY, backwards):
        source = Counted(chain, program_of(text))
        answers = ask(PyDatalogEngine(program_of(text), source, limits=Limits(facts=5_000)), goal)

        assert len(answers) == (1 if goal.endswith('"n0", "n600")') else 600)
        assert source.rows <= 3_000


def test_a_hero_with_many_states_is_no_trap() -> None:
    source = Counted({"state": [(f"s{i}", "hero", f"p{i}", i) for i in range(400)]}, program_of(STORY))

    assert ask(PyDatalogEngine(program_of(STORY), source), 'now("hero", P)') == [("hero", "p399")]
    assert source.rows < 10 * 400


# ---- limits


def test_too_many_rows_are_refused() -> None:
    chain = {"part": [(f"n{i}", f"n{i + 1}") for i in range(60)]}
    engine = PyDatalogEngine(program_of(STORY), facts=chain, limits=Limits(facts=1_000))

    with pytest.raises(LimitReached):
        ask(engine, "within(X, Y)")
    assert len(ask(engine, 'within("n0", Y)')) == 60, "the engine is as good as new"


def test_too_much_time_is_refused() -> None:
    with pytest.raises(LimitReached):
        ask(PyDatalogEngine(program_of(STORY), facts=LEO, limits=Limits(seconds=-1)), "mistaken(W, X, P)")


def test_a_number_that_leaves_64_bits_is_refused_not_rounded() -> None:
    text = ".decl n(a:number)\n.input n\n.decl m(a:number)\nm(B) :- n(A), B = A * A.\n"

    with pytest.raises(EngineError, match="64 bits"):
        ask(PyDatalogEngine(program_of(text), facts={"n": [(2**40,)]}), "m(B)")


# ---- kept apart


def test_six_worlds_in_four_threads_never_meet() -> None:
    worlds = [
        PyDatalogEngine(program_of(STORY), facts={"part": [(f"w{w}e{i}", f"w{w}e{i + 1}") for i in range(8)]})
        for w in range(6)
    ]

    def story(number: int) -> bool:
        world = number % 6
        answers = ask(worlds[world], f'within("w{world}e0", Y)')
        return answers == [(f"w{world}e0", f"w{world}e{i}") for i in range(1, 9)]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(story, range(72)))


def test_nothing_is_left_behind_in_pydatalog() -> None:
    engine = PyDatalogEngine(program_of(STORY), facts=LEO)
    from pyDatalog import Logic, pyEngine

    mine = Logic()
    ask(engine, "mistaken(W, X, P)")
    with pytest.raises(LimitReached):
        ask(PyDatalogEngine(program_of(STORY), facts=LEO, limits=Limits(facts=0)), "mistaken(W, X, P)")

    assert pyEngine.Python_resolvers == {}
    assert Logic.tl.logic is mine


def test_it_can_be_imported_where_warnings_are_errors() -> None:
    code = (
        "from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine\n"
        "from narraworld.rules.language.ir import Program\n"
        "print(PyDatalogEngine(Program({}, ())).compiled)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-B", "-c", code], capture_output=True, text=True)

    assert done.stdout.strip() in ("True", "False"), done.stderr


def test_closing_twice_is_harmless() -> None:
    engine = PyDatalogEngine(program_of(STORY), facts=LEO)
    engine.close()
    engine.close()

    assert ask(engine, "now(X, P)") == []


# ---- where rows come from


rows = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)))


@given(rows, rows, st.dictionaries(st.integers(0, 2), st.integers(0, 3)))
def test_a_table_finds_what_a_scan_finds(first: set[Row], later: set[Row], wanted: dict[int, int]) -> None:
    table, bound = LookupTable(first), tuple(sorted(wanted.items()))
    table.find(bound)
    table.add(later)

    assert sorted(table.find(bound)) == sorted(r for r in first | later if all(r[i] == v for i, v in bound))
