"""Questions people type: goals, queries, and what we answer to nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import derive

from narraworld.rules.errors import (
    RuleError,
    RuleSyntaxError,
    UnknownRelation,
    UnsafeRule,
    WrongArity,
    WrongType,
)
from narraworld.rules.language.goal import parse_goal, parse_query, with_answer
from narraworld.rules.language.ir import Atom, Column, Const, Row, SourcePlace, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.souffle import atom_text, rule_text
from narraworld.rules.language.surface.syntax import parse

PROGRAM = load_program([parse("""\
.decl access(who:symbol, what:symbol, when:number)
.input access
.decl believes(who:symbol, what:symbol)
believes(W, P) :- access(W, P, _).
//@ on demand
.decl thinks(who:symbol, other:symbol, what:symbol)
thinks(W, V, P) :- believes(W, P), believes(V, P).
""")])  # fmt: skip
FACTS = {"access": {("leo", "key", 1), ("leo", "door", 4), ("mara", "key", 2)}}


def asked(text: str) -> set[Row]:
    return derive(with_answer(PROGRAM, parse_query(text, PROGRAM)), FACTS)["answer"]


def test_a_goal_is_an_atom() -> None:
    assert parse_goal('believes(Leo, "key in drawer").', PROGRAM) == Atom(
        "believes", (Var("Leo"), Const("key in drawer"))
    )
    assert parse_goal("access(_, X, 3)", PROGRAM) == Atom("access", (Var("_1"), Var("X"), Const(3)))


QUERIES = [
    ("a conjunction", "believes(W, P), access(W, P, T), T > 1", "answer(W, P, T)", {("leo", "door", 4), ("mara", "key", 2)}),
    ("variables in order of appearance", "T = 4, access(W, _, T)", "answer(T, W)", {(4, "leo")}),
    ("negation", 'access(W, "key", _), !access(W, "door", _)', "answer(W)", {("mara",)}),
    ("an aggregate", "believes(W, _), N = count : { access(W, P, T) }", "answer(W, N)", {("leo", 2), ("mara", 1)}),
    ("a count of nothing", "N = count : { access(W, P, T), T > 9 }", "answer(N)", {(0,)}),
    ("yes", 'believes("leo", "key")', 'answer("yes")', {("yes",)}),
    ("no", 'believes("leo", _), believes("mara", "door")', 'answer("yes")', set()),
    ("on demand", 'thinks("leo", V, P), V != "leo"', "answer(V, P)", {("mara", "key")}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "head", "rows"), [pytest.param(*row[1:], id=row[0]) for row in QUERIES])
def test_a_query_is_a_rule(text: str, head: str, rows: set[Row]) -> None:
    rule = parse_query(text, PROGRAM)

    assert rule_text(rule) == f"{head} :- {text}."
    assert asked(text) == rows


def test_the_answer_is_a_relation_like_any_other() -> None:
    program = with_answer(PROGRAM, parse_query("access(Who, WHO, T), T > 1", PROGRAM))

    assert program.relations["answer"].columns == (
        Column("who", "symbol"), Column("who__2", "symbol"), Column("t", "number"),
    )  # fmt: skip
    assert not program.relations["answer"].on_demand
    assert program.strata[-1].relations == ("answer",)
    assert "answer" not in PROGRAM.relations


def test_what_asks_on_demand_is_on_demand() -> None:
    for text in ("thinks(W, V, P)", "believes(W, _), N = count : { thinks(W, V, P) }"):
        assert with_answer(PROGRAM, parse_query(text, PROGRAM)).relations["answer"].on_demand


NONSENSE = [
    ("unknown", "access(W, P, _), beleives(W, P)", UnknownRelation, 1, 18, "no relation is called beleives"),
    ("arity", "believes(W)", WrongArity, 1, 1, "believes has 1 argument here but takes 2"),
    ("type", "believes(W, P), P > 3", WrongType, 1, 17, "a symbol is compared with a number"),
    ("unsafe", "believes(W, P),\n !believes(V, P)", UnsafeRule, 2, 2, "V is used in a negated condition"),
    ("without quotes", "believes(leo, P)", RuleSyntaxError, 1, 10, "leo is neither a variable nor a symbol"),
    ("a rule", "p(X) :- believes(X, _)", RuleSyntaxError, 1, 6, "expected the end of the query"),
    ("two queries", "believes(X, _). believes(_, X)", RuleSyntaxError, 1, 17, "unexpected 'believes'"),
    ("nothing", "", RuleSyntaxError, 1, 1, "expected a condition"),
    ("alternatives", "believes(X, _) ; believes(_, X)", RuleSyntaxError, 1, 1, "a question has no alternatives"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "what"), [pytest.param(*row[1:], id=row[0]) for row in NONSENSE]
)
def test_nonsense(text: str, kind: type, line: int, column: int, what: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_query(text, PROGRAM)

    assert type(caught.value) is kind
    assert caught.value.place == SourcePlace("<query>", line, column)
    assert what in caught.value.what


@pytest.mark.parametrize("text", ["believes(W, P), access(W, P, _)", "!believes(_, _)", "X = 3"])
def test_a_goal_is_one_relation(text: str) -> None:
    with pytest.raises(RuleSyntaxError, match="a goal is one relation"):
        parse_goal(text, PROGRAM)


def test_a_goal_is_checked_like_a_rule() -> None:
    with pytest.raises(UnknownRelation, match="did you mean believes"):
        parse_goal("believe(W, P)", PROGRAM)


@settings(deadline=None)  # the machine may be busy
@given(st.text(max_size=30))
def test_any_text_is_a_question_or_a_rule_error(text: str) -> None:
    try:
        goal = parse_goal(text, PROGRAM)
    except RuleError as error:
        assert error.place.file == "<query>" and error.place.line >= 1 and error.place.column >= 1
    else:
        assert parse_goal(atom_text(goal), PROGRAM) == goal


@settings(deadline=None)  # the machine may be busy
@given(st.text(alphabet='believs(WP,_"key)!=<3.:-{}/*@ \n', max_size=40))
def test_almost_questions_too(text: str) -> None:
    test_any_text_is_a_question_or_a_rule_error.hypothesis.inner_test(text)  # type: ignore[attr-defined]
