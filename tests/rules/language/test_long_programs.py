"""Long rules and many rules: refused with a reason, or within the limits, also before anything is derived."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from narraworld.rules.engines import Limits, deadline
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.errors import LimitReached, RuleError
from narraworld.rules.language.goal import parse_query
from narraworld.rules.language.ir import Atom, Var
from narraworld.rules.language.program import load_builtin, load_program
from narraworld.rules.language.surface.syntax import parse

EDGES = ".decl e(x: symbol, y: symbol)\n.input e\n.decl p(x: symbol)\n"


def chain(length: int) -> str:
    return ", ".join(f"e(X{n}, X{n + 1})" for n in range(length))


@pytest.mark.parametrize("conditions", [41, 3_000])
def test_a_rule_with_too_many_conditions_is_refused(conditions: int) -> None:
    text = f"{EDGES}p(X0) :- {chain(conditions)}.\n"
    with pytest.raises(RuleError) as refused:
        load_program([parse(text, "house.dl")])
    assert str(refused.value) == (
        f"house.dl:4:1: this rule has {conditions:,} conditions; at most 40 are taken\n"
        "  give some of them a relation of their own, with a rule that says what it stands for"
    )


def test_those_of_an_aggregate_count_too() -> None:
    text = f"{EDGES}.decl n(x: number)\nn(N) :- N = count : {{ {chain(41)} }}.\n"
    with pytest.raises(RuleError, match=r"this rule has 42 conditions; at most 40 are taken"):
        load_program([parse(text, "house.dl")])


def test_a_query_is_a_rule() -> None:
    asked = ", ".join(f"at(E, T{n})" for n in range(3_000))
    with pytest.raises(RuleError, match=r"this rule has 3,000 conditions; at most 40 are taken"):
        parse_query(asked, load_builtin())


def test_the_longest_rule_that_is_taken_can_be_derived() -> None:
    engine = SqliteEngine(load_program([parse(f"{EDGES}p(X0) :- {chain(40)}.\n", "house.dl")]))
    engine.load({"e": [("a", "a")]})
    assert engine.ask(Atom("p", (Var("X"),))) == [("a",)]
    engine.close()


def test_planning_many_rules_is_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a second later: planning looks often enough to be stopped in the middle."""
    many = "".join(f'p(X) :- e(X, "a{n}").\n' for n in range(300))
    program = load_program([parse(EDGES + many, "house.dl")])
    seconds = count()
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    with pytest.raises(LimitReached) as stopped:
        SqliteEngine(program, limits=Limits(seconds=100)).load({})
    assert next(seconds) == 102, "it went on after its time"
    assert str(stopped.value) == (
        "planning how to derive took longer than 100 seconds\n"
        "  Use fewer rules or shorter ones, or raise Limits(seconds=…)."
    )
