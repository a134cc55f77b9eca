"""Changes kept up with are changes computed anew: every outcome exact, whatever comes and goes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from oracle import derive
from random_programs import Case, cases
from rule_programs import program_of

from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sqlite.engine import SqliteEngine, SqliteSettings
from narraworld.rules.errors import EngineError
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import Atom, Change, Column, Facts, Fold, Program, Relation, Row, Rule, Var

STORY = """
.decl state(s:symbol, subject:symbol, value:symbol, t:number)
.decl access(who:symbol, s:symbol, t:number)
.decl member(x:symbol, y:symbol)
.input state
.input access
.input member
.decl mark(subject:symbol, t:number)
.decl next(subject:symbol, t:number, e:number)
.decl lasts(s:symbol, subject:symbol, value:symbol, t:number, e:number)
.decl now(subject:symbol, value:symbol)
.decl seen(who:symbol, subject:symbol, value:symbol, t:number)
.decl believes(who:symbol, subject:symbol, value:symbol)
.decl mistaken(who:symbol, subject:symbol, value:symbol)
.decl within(x:symbol, y:symbol)
.decl clash(subject:symbol, t:number)
.decl busy(subject:symbol, n:number)
.decl end(t:number)
.decl before(s:symbol, u:symbol)
mark(U, T) :- state(_, U, _, T).
next(U, T, E) :- mark(U, T), E = min F : { mark(U, F), F > T }.
lasts(S, U, V, T, E) :- state(S, U, V, T), next(U, T, E).
lasts(S, U, V, T, 1000) :- state(S, U, V, T), !next(U, T, _).
now(U, V) :- lasts(_, U, V, _, 1000).
seen(W, U, V, T) :- access(W, S, T), state(S, U, V, _).
believes(W, U, V) :- seen(W, U, V, T), T = max F : { seen(W, U, _, F) }.
mistaken(W, U, V) :- believes(W, U, V), !now(U, V).
within(X, Y) :- member(X, Y).
within(X, Y) :- within(X, Z), within(Z, Y).
clash(U, T) :- state(_, U, V, T), state(_, U, V2, T), V != V2.
busy(U, N) :- mark(U, _), N = count : { state(S, U, V, T) }.
end(N) :- N = max T : { state(_, _, _, T) }.
before(S, U) :- state(S, _, _, T), N = max F : { access(_, _, F), F < T }, state(U, _, _, N).
"""
TURNS = """
.decl edge(x:symbol, y:symbol)
.decl shut(x:symbol)
.input edge
.input shut
.decl odd(x:symbol, y:symbol)
.decl even(x:symbol, y:symbol)
.decl stuck(x:symbol)
.decl both(x:symbol, y:symbol)
.decl meet(x:symbol, y:symbol)
odd(X, Y) :- edge(X, Y), !shut(X).
odd(X, Y) :- even(X, Z), edge(Z, Y), !shut(Z).
even(X, Y) :- odd(X, Z), edge(Z, Y), !shut(Z).
stuck(X) :- edge(X, _), !odd(X, _).
both(X, Y) :- odd(X, Y), even(X, Y).
meet(X, W) :- odd(X, Y), even(Y, W).
"""
SUMS = """
.decl pays(who:symbol, whom:symbol, coins:number)
.decl gift(who:symbol, coins:number)
.input pays
.input gift
.decl total(who:symbol, n:number)
.decl rich(who:symbol)
.decl same(n:number)
total(W, N) :- pays(W, _, _), N = sum C : { pays(W, X, C) }.
total(W, N) :- gift(W, N).
total("all", N) :- N = sum C : { pays(W, X, C) }.
rich(W) :- total(W, N), N / 2 > 3.
same(N) :- total(A, N), total(B, N), A != B.
"""


PROGRAMS = {"story": program_of(STORY), "turns": program_of(TURNS), "sums": program_of(SUMS)}


def values(column_type: str) -> st.SearchStrategy[str | int]:
    return st.integers(-2, 4) if column_type == "number" else st.sampled_from("abcd")


@st.composite
def facts(draw: st.DrawFn, rules: Program, most: int) -> dict[str, list[Row]]:
    """A few rows over a tiny domain, so that changes meet what is there."""
    found = {}
    for name in rules.base():
        columns = [values(column.type) for column in rules.relations[name].columns]
        found[name] = draw(st.lists(st.tuples(*columns), max_size=most))
    return found


class Twin:
    """A living engine and, beside it, what the oracle makes of the same base facts."""

    def __init__(self, rules: Program, start: Facts) -> None:
        self.rules = rules
        self.engine = SqliteEngine(rules)
        self.engine.load(start)
        self.base = {name: set(start.get(name, ())) for name in rules.base()}
        self.rows = derive(rules, self.base)

    def apply(self, change: Change) -> None:
        outcome = self.engine.apply(change)
        before = self.rows
        for name, rows in self.base.items():
            rows -= set(change.removed.get(name, ()))
            rows |= set(change.added.get(name, ()))
        self.rows = derive(self.rules, self.base)
        for name, rows in self.rows.items():
            assert set(self.stored(name)) == rows, name
            assert set(outcome.added.get(name, ())) == rows - before[name], f"added {name}"
            assert set(outcome.removed.get(name, ())) == before[name] - rows, f"removed {name}"

    def stored(self, name: str) -> list[Row]:
        return self.engine.ask(
            Atom(name, tuple(Var(f"V{i}") for i in range(self.rules.relations[name].arity)))
        )


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in PROGRAMS.items()])
@given(data=st.data())
@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_sequence_of_changes_equals_a_fresh_start(rules: Program, data: st.DataObject) -> None:
    twin = Twin(rules, data.draw(facts(rules, most=8)))
    for _ in range(data.draw(st.integers(1, 4))):
        added, removed = data.draw(facts(rules, most=3)), data.draw(facts(rules, most=3))
        going = (
            data.draw(st.sets(st.sampled_from(sorted(_flat(twin.base))), max_size=4))
            if _flat(twin.base)
            else ()
        )
        for name, row in going:
            removed[name] = [*removed[name], row]
        twin.apply(Change(added, removed))
    twin.engine.close()


def _flat(base: dict[str, set[Row]]) -> list[tuple[str, Row]]:
    return [(name, row) for name, rows in base.items() for row in rows]


@given(cases)
@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_programs_are_kept_up_with(case: Case) -> None:
    twin = Twin(case.program, case.facts)
    for change in case.changes:
        twin.apply(change)
    twin.engine.close()


# ---- told one by one


@pytest.fixture
def story() -> Iterator[SqliteEngine]:
    """The key lies in the drawer; Leo saw it there."""
    engine = SqliteEngine(PROGRAMS["story"])
    engine.load(
        {"state": [("s1", "key", "drawer", 1)], "access": [("leo", "s1", 1)], "member": [("s1", "ch1")]}
    )
    yield engine
    engine.close()


def test_moving_the_key_makes_leo_mistaken(story: SqliteEngine) -> None:
    outcome = story.apply(Change(added={"state": [("s2", "key", "pocket", 5)]}))
    assert outcome.added["now"] == {("key", "pocket")} and outcome.removed["now"] == {("key", "drawer")}
    assert outcome.added["mistaken"] == {("leo", "key", "drawer")}
    assert "believes" not in outcome.added and "believes" not in outcome.removed


def test_taking_the_move_back_leaves_nothing_behind(story: SqliteEngine) -> None:
    move = {"state": [("s2", "key", "pocket", 5)], "access": [("leo", "s2", 6)]}
    there = story.apply(Change(added=move))
    back = story.apply(Change(removed=move))
    assert (back.added, back.removed) == (there.removed, there.added)


def test_a_flashback_lands_between(story: SqliteEngine) -> None:
    story.apply(Change(added={"state": [("s3", "key", "pocket", 9)]}))
    outcome = story.apply(Change(added={"state": [("s2", "key", "hat", 5)]}))
    assert outcome.added["next"] == {("key", 1, 5), ("key", 5, 9)}
    assert outcome.removed["next"] == {("key", 1, 9)}
    assert "now" not in outcome.added


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(Change(), id="nothing"),
        pytest.param(Change(added={"member": [("s1", "ch1")]}), id="already there"),
        pytest.param(Change(removed={"member": [("s9", "ch9")]}), id="never there"),
        pytest.param(Change({"member": [("s1", "ch1")]}, {"member": [("s1", "ch1")]}), id="gone and come"),
    ],
)
def test_changes_that_change_nothing(story: SqliteEngine, change: Change) -> None:
    assert not story.apply(change)


def test_a_circle_cut_open_falls_apart(story: SqliteEngine) -> None:
    story.apply(Change(added={"member": [("a", "b"), ("b", "c"), ("c", "a")]}))
    outcome = story.apply(Change(removed={"member": [("c", "a")]}))
    kept = {("a", "b"), ("b", "c"), ("a", "c")}
    every = {(one, other) for one in "abc" for other in "abc"}
    assert outcome.removed["within"] == every - kept and "within" not in outcome.added


def test_a_row_that_follows_twice_stays_until_both_reasons_are_gone() -> None:
    """One head with a fold and a plain rule; rule files cannot say this, the core form can."""
    two = (Column("k", "symbol"), Column("n", "number"))
    relations = {name: Relation(name, two, base=name != "best") for name in ("tries", "given", "best")}
    head = Atom("best", (Var("K"), Var("N")))
    rules = (
        Rule(head, (Atom("tries", (Var("K"), Var("M"))),), Fold("max", Var("M"), ())),
        Rule(head, (Atom("given", (Var("K"), Var("N"))),)),
    )
    engine = SqliteEngine(Program(relations, rules, stratify(relations, rules)))
    engine.load({"tries": [("leo", 3), ("leo", 5)], "given": [("leo", 5)]})
    assert not engine.apply(Change(removed={"given": [("leo", 5)]})).removed.get("best")
    outcome = engine.apply(Change(removed={"tries": [("leo", 5)]}))
    assert (outcome.added["best"], outcome.removed["best"]) == ({("leo", 3)}, {("leo", 5)})
    engine.close()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        pytest.param(Change(added={"now": [("key", "hat")]}), "'now' is not a base relation", id="derived"),
        pytest.param(Change(removed={"nobody": [("x",)]}), "'nobody' is not a base relation", id="unknown"),
        pytest.param(Change(added={"member": [("x", 1)]}), "member.y is a symbol", id="wrong type"),
    ],
)
def test_changes_that_are_refused(story: SqliteEngine, change: Change, complaint: str) -> None:
    with pytest.raises(EngineError, match=complaint):
        story.apply(change)
    assert not story.apply(Change())


def test_the_cost_of_a_unit_does_not_follow_the_length_of_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in steps of SQLite's machine, so that a busy computer does not matter."""
    looks = count()
    monkeypatch.setattr(Deadline, "passed", lambda self: next(looks) < 0)

    def steps(length: int) -> int:
        engine = _one_hero_one_key(length)
        unit = {
            "state": [("x", "key", "w", length)],
            "access": [("leo", "x", length)],
            "member": [("x", "ch")],
        }
        before = next(looks)
        engine.apply(Change(added=unit))
        engine.apply(Change(removed=unit))
        engine.close()
        return next(looks) - before

    short, long = steps(200), steps(4000)
    assert 10 < long < 2 * short, (short, long)


def _one_hero_one_key(length: int) -> SqliteEngine:
    """Everything that happens, happens to the same two."""
    text = "\n".join(
        line for line in STORY.splitlines() if "busy" not in line
    )  # a count reads its whole group
    engine = SqliteEngine(program_of(text), settings=SqliteSettings(steps_between_checks=50))
    engine.load(
        {
            "state": [(f"s{i}", "key", f"v{i}", i) for i in range(length)],
            "access": [("leo", f"s{i}", i) for i in range(length)],
            "member": [(f"s{i}", f"ch{i // 9}") for i in range(length)],
        }
    )
    return engine
