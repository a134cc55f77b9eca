"""A goal pushed into the rules answers as before, from less."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from oracle import answers, derive
from random_programs import Case, cases

from narraworld.rules.engines.specialise import specialise
from narraworld.rules.goal import parse_goal
from narraworld.rules.ir import Atom, Program
from narraworld.rules.program import load_program
from narraworld.rules.souffle import literal_text
from narraworld.rules.syntax import parse

DECLARED = """
.decl saw(who:symbol, what:symbol, t:number)
.input saw
.decl edge(x:symbol, y:symbol)
.input edge
.decl p(a:symbol, b:symbol)
.decl q(a:symbol, b:symbol)
.decl n(a:symbol, k:number)
"""

PUSHED = {
    "into the body": (
        "p(X, Y) :- edge(X, Y).",
        'p("leo", Y)',
        ['p__1("leo", Y) :- edge("leo", Y)'],
    ),
    "through another relation": (
        "p(X, Y) :- q(Y, X). q(X, Y) :- edge(X, Y).",
        'p("leo", Y)',
        ['p__1("leo", Y) :- q__2(Y, "leo")', 'q__2(X, "leo") :- edge(X, "leo")'],
    ),
    "through an absence": (
        "p(X, Y) :- edge(X, Y), !q(X, _). q(X, Y) :- edge(Y, X).",
        'p("leo", Y)',
        ['p__1("leo", Y) :- edge("leo", Y), !q__2("leo", _)', 'q__2("leo", Y) :- edge(Y, "leo")'],
    ),
    "through recursion that keeps the column": (
        "p(X, Y) :- edge(X, Y). p(X, Z) :- p(X, Y), edge(Y, Z).",
        'p("leo", Y)',
        ['p__1("leo", Y) :- edge("leo", Y)', 'p__1("leo", Z) :- p__1("leo", Y), edge(Y, Z)'],
    ),
    "not through recursion that changes it": (
        "p(X, Y) :- edge(X, Y). p(X, Z) :- edge(X, Y), p(Y, Z).",
        'p("leo", Y)',
        [
            'p__1("leo", Y) :- edge("leo", Y)', 'p__1("leo", Z) :- edge("leo", Y), p(Y, Z)',
            "p(X, Y) :- edge(X, Y)", "p(X, Z) :- edge(X, Y), p(Y, Z)",
        ],
    ),
    "a rule for another constant is dropped": (
        'p("mara", "x"). p(X, Y) :- edge(X, Y).',
        'p("leo", Y)',
        ['p__1("leo", Y) :- edge("leo", Y)'],
    ),
    "a variable that stands twice": (
        "p(X, X) :- edge(X, _). p(X, Y) :- edge(X, Y).",
        'p("leo", "mara")',
        ['p__1("leo", "mara") :- edge("leo", "mara")'],
    ),
    "a comparison is decided": (
        'p(X, Y) :- edge(X, Y), X != "leo". p(X, Y) :- edge(Y, X), X != "mara".',
        'p("leo", Y)',
        ['p__1("leo", Y) :- edge(Y, "leo")'],
    ),
    "a variable equal to a constant is that constant": (
        'p(X, Y) :- q(X, Y), Y = "key". q(X, Y) :- edge(X, Y).',
        "p(X, Y)",
        ['p(X, "key") :- q__2(X, "key")', 'q__2(X, "key") :- edge(X, "key")'],
    ),
}  # fmt: skip


def program(rules: str) -> Program:
    return load_program([parse(DECLARED + rules, "test.dl")])


def told(smaller: Program) -> list[str]:
    heads = ((rule, literal_text(rule.head)) for rule in smaller.rules)
    return [f"{head} :- {', '.join(map(literal_text, rule.body))}" for rule, head in heads]


@pytest.mark.parametrize(("rules", "goal", "expected"), PUSHED.values(), ids=PUSHED)
def test_constants_are_pushed(rules: str, goal: str, expected: list[str]) -> None:
    whole = program(rules)
    smaller, _ = specialise(whole, parse_goal(goal, whole))

    assert sorted(told(smaller)) == sorted(expected)


def test_the_group_of_a_fold_is_pushed_and_its_result_is_not() -> None:
    whole = program("n(W, N) :- saw(W, _, _), N = max T : { saw(W, _, T) }.")
    goal = parse_goal('n("leo", 3)', whole)
    smaller, name = specialise(whole, goal)
    fold = next(rule for rule in smaller.rules if rule.fold)
    rows = derive(smaller, {"saw": {("leo", "key", 3), ("leo", "key", 5), ("mara", "key", 3)}})

    assert literal_text(fold.head).startswith('n__max1__2("leo", ')
    assert rows[fold.head.relation] == {("leo", 5)}
    assert answers(rows, Atom(name, goal.args)) == []


def test_a_base_relation_needs_no_copy() -> None:
    whole = program("p(X, Y) :- edge(X, Y).")

    assert specialise(whole, parse_goal('edge("leo", Y)', whole))[1] == "edge"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases)
def test_the_smaller_program_answers_the_goal_as_the_whole_one_does(case: Case) -> None:
    rows = derive(case.program, case.facts)
    for goal in case.goals:
        smaller, name = specialise(case.program, goal)
        got = answers(derive(smaller, case.facts), Atom(name, goal.args))
        assert got == answers(rows, goal), f"{goal}\n{case}"
