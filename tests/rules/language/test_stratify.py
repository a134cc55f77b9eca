"""In which order relations are derived, and which programs have none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.rules.errors import NotStratified
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import Atom, Column, Not, Relation, Rule, Stratum, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

DECLARED = """\
.decl given(a:symbol, n:number)
.input given
.decl p(a:symbol)
.decl q(a:symbol)
.decl r(a:symbol)
.decl m(a:symbol, n:number)
"""


def strata(text: str) -> list[tuple[tuple[str, ...], bool]]:
    program = load_program([parse(DECLARED + text, "s.dl")])
    return [(stratum.relations, stratum.recursive) for stratum in program.strata]


ORDERS = [
    ("nothing depends", "", [(("p",), False), (("q",), False), (("r",), False), (("m",), False)]),
    ("what is needed comes first", "p(X) :- q(X). q(X) :- r(X).",
     [(("r",), False), (("q",), False), (("p",), False), (("m",), False)]),
    ("negation below", "p(X) :- given(X, _), !q(X). q(X) :- given(X, 1).",
     [(("q",), False), (("p",), False), (("r",), False), (("m",), False)]),
    ("recursion", "q(X) :- given(X, _). q(X) :- q(X), given(X, 2).",
     [(("p",), False), (("q",), True), (("r",), False), (("m",), False)]),
    ("mutual recursion", "p(X) :- r(X). r(X) :- q(X). q(X) :- p(X).",
     [(("p", "q", "r"), True), (("m",), False)]),
    ("aggregate below", "m(X, N) :- given(X, _), N = max T : { given(X, T) }.",
     [(("p",), False), (("q",), False), (("r",), False), (("m__max1",), False), (("m",), False)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*row[1:], id=row[0]) for row in ORDERS])
def test_order(text: str, expected: list[tuple[tuple[str, ...], bool]]) -> None:
    assert strata(text) == expected


CYCLES = [
    ("own absence", "p(X) :- given(X, _), !p(X).", 7, "p → !p"),
    ("by way of another", "p(X) :- given(X, _), !q(X).\nq(X) :- p(X).", 7, "p → !q → p"),
    ("the long way", "r(X) :- p(X).\nq(X) :- r(X).\np(X) :- given(X, _), !q(X).", 9, "p → !q → r → p"),
    ("own maximum", "m(X, N) :- given(X, _), N = max T : { m(X, T) }.", 7, "m → max of m"),
    ("own count", "m(X, N) :- given(X, _), N = count : { m(X, T) }.", 7, "m → count of m"),
    ("count of what needs it", "m(X, N) :- given(X, _), N = count : { m(Y, T), p(Y), Y != X }.\np(X) :- m(X, _).",
     7, "m → count of m"),
    ("negation inside an aggregate", "m(X, N) :- given(X, _), N = sum T : { given(X, T), !p(X) }.\np(X) :- m(X, _).",
     7, "m → sum of !p → m"),
    ("by way of what binds the group", "m(X, N) :- m(X, M), N = min T : { given(X, T), T > M }.", 7, "m → min of m"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "cycle"), [pytest.param(*row[1:], id=row[0]) for row in CYCLES])
def test_cycle_is_spelled_out(text: str, line: int, cycle: str) -> None:
    with pytest.raises(NotStratified) as caught:
        strata(text)

    assert caught.value.what.endswith(f": {cycle}")
    assert (caught.value.place.line, caught.value.place.column) == (line, 1)


def test_another_condition_that_binds_the_group_avoids_the_cycle() -> None:
    text = "m(X, N) :- m(X, M), given(X, M), N = min T : { given(X, T), T > M }."
    assert strata(text)[-1] == (("m",), True)


def test_a_chain_longer_than_pythons_stack() -> None:
    names = [f"r{number}" for number in range(3000)]
    relations = {name: Relation(name, (Column("a", "symbol"),)) for name in names}
    rules = [Rule(Atom(up, (Var("X"),)), (Atom(down, (Var("X"),)),)) for up, down in pairwise(names)]

    assert stratify(relations, rules) == tuple(Stratum((name,), False) for name in reversed(names))


relation_names = st.sampled_from("abcdefg")
edges = st.lists(st.tuples(relation_names, relation_names, st.booleans()), max_size=14)


@settings(deadline=None)  # the machine may be busy
@given(edges)
def test_every_relation_comes_after_what_it_needs(edges: list[tuple[str, str, bool]]) -> None:
    relations = {name: Relation(name, (Column("a", "symbol"),)) for name in "abcdefg"}
    atom = {name: Atom(name, (Var("X"),)) for name in relations}
    rules = [Rule(atom[head], (Not(atom[on]) if negated else atom[on],)) for head, on, negated in edges]
    try:
        order = stratify(relations, rules)
    except NotStratified:
        assert any(_reaches(edges, on, head) for head, on, negated in edges if negated)
        return
    level = {name: index for index, stratum in enumerate(order) for name in stratum.relations}
    assert sorted(level) == sorted(relations)
    for head, on, negated in edges:
        assert level[on] < level[head] if negated else level[on] <= level[head]
    for stratum in order:
        assert stratum.recursive == any(
            _reaches(edges, on, head) for head, on, _ in edges if head in stratum.relations
        )


def _reaches(edges: list[tuple[str, str, bool]], start: str, goal: str) -> bool:
    seen, more = set[str](), {start}
    while more:
        seen |= more
        more = {on for head, on, _ in edges if head in seen} - seen
    return goal in seen
