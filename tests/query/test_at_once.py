"""Whole relations at a time: the same answers as the engine's, with one question for each relation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.query import at_once
from narraworld.query.at_once import OFTEN, AtOnce
from narraworld.query.names import rows
from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import engine_for
from narraworld.rules.language.ir import Atom, Const, Row, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

TEXT = """
.decl likes(who:symbol, whom:symbol)
.input likes
.decl loved(who:symbol)
loved(X) :- likes(_, X).
//@ on demand
.decl popular(who:symbol, times:number)
popular(X, N) :- loved(X), N = count : { likes(Y, X) }.
"""
FACTS = {"likes": [("mara", "leo"), ("leo", "leo"), ("ida", "leo"), ("ida", "mara")]}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = engine_for(load_program([parse(TEXT)]), FACTS)
    yield made
    made.close()


def goal(relation: str, *terms: str) -> Atom:
    return Atom(relation, tuple(Var(term) if term.isupper() else Const(term) for term in terms))


GOALS = (
    goal("likes", "X", "Y"), goal("likes", "ida", "Y"), goal("likes", "X", "leo"), goal("likes", "ida", "mara"),
    goal("likes", "mara", "ida"), goal("likes", "X", "X"), goal("loved", "leo"), goal("popular", "leo", "N"),
)  # fmt: skip


@pytest.mark.parametrize("asked", GOALS, ids=str)
def test_answers_as_the_engine_does(engine: Engine, asked: Atom) -> None:
    assert AtOnce(engine).ask(asked) == engine.ask(asked)


def test_rows_are_taken_from_what_is_at_hand(engine: Engine) -> None:
    asked = AtOnce(engine)
    assert (
        rows(asked, "likes", None, "leo")
        == rows(engine, "likes", None, "leo")
        == asked.at_hand("likes", ((1, "leo"),))
    )
    assert rows(asked, "likes", "ida") == rows(engine, "likes", "ida") == asked.by_first("likes", "ida")
    assert rows(asked, "likes", "nobody") == [] == asked.by_first("likes", "nobody")
    assert rows(asked, "popular", "leo") == rows(engine, "popular", "leo")
    assert asked.at_hand("popular", ((0, "leo"),)) is None


def test_several_are_asked_about_in_their_order(engine: Engine) -> None:
    wanted = [("leo", "leo"), ("ida", "leo"), ("ida", "mara")]
    for asked in (AtOnce(engine), AtOnce(engine, lambda _: 10**9)):
        assert asked.each("likes", ("leo", "nobody", "ida")) == wanted


def test_by_several_columns_few_rows_are_looked_through_and_many_indexed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for few in (8, 0):
        monkeypatch.setattr(at_once, "FEW", few)
        asked = AtOnce(engine)
        assert asked.at_hand("likes", ((0, "ida"), (1, "leo"))) == [("ida", "leo")]
        assert asked.at_hand("likes", ((0, "leo"), (1, "mara"))) == []


def test_what_was_read_beforehand_is_not_asked_for_again(engine: Engine) -> None:
    heard: list[Atom] = []

    class Listening:
        program = engine.program

        def ask(self, goal: Atom) -> list[Row]:
            heard.append(goal)
            return engine.ask(goal)

    asked = AtOnce(Listening(), lambda _: 10**9)
    asked.read(("likes", "popular"))
    assert rows(asked, "likes", "ida") == [("ida", "leo"), ("ida", "mara")]
    assert [goal.relation for goal in heard] == ["likes"]  # what is derived on demand is left alone
    assert asked.pays(goal("likes", "X", "Y"), 10**9)
    assert not asked.pays(goal("likes", "X", "Y"), 1)


@pytest.mark.parametrize("asked", GOALS, ids=str)
def test_an_engine_counts_what_it_would_answer(engine: Engine, asked: Atom) -> None:
    assert engine.count(asked) == len(engine.ask(asked))


def test_who_alters_an_answer_alters_no_later_one(engine: Engine) -> None:
    asked = AtOnce(engine)
    for known in (((0, "ida"),), ((0, "ida"), (1, "leo"))):
        (asked.at_hand("likes", known) or []).clear()
        assert ("ida", "leo") in (asked.at_hand("likes", known) or [])


def test_many_look_ups_are_one_question(engine: Engine) -> None:
    class Listening:
        program = engine.program
        heard: list[str] = []

        def ask(self, goal: Atom) -> list[Row]:
            self.heard.append(goal.relation)
            return engine.ask(goal)

    asked = AtOnce(Listening())
    for who in ("mara", "leo", "ida", "nobody"):
        asked.ask(goal("likes", who, "Y"))
    assert Listening.heard == ["likes"]


@pytest.mark.parametrize(
    ("rows", "questions"),
    [
        pytest.param(4, OFTEN, id="a small relation is read whole when it was asked about often"),
        pytest.param(10**9, 2 * OFTEN, id="a large one is not worth it"),
    ],
)
def test_a_relation_is_read_when_single_questions_have_cost_as_much(
    engine: Engine, rows: int, questions: int
) -> None:
    heard: list[Atom] = []

    class Listening:
        program = engine.program

        def ask(self, goal: Atom) -> list[Row]:
            heard.append(goal)
            return engine.ask(goal)

    asked = AtOnce(Listening(), lambda _: rows)
    found = [asked.ask(goal("likes", "ida", "Y")) for _ in range(2 * OFTEN)]

    assert found == [[("ida", "leo"), ("ida", "mara")]] * 2 * OFTEN
    assert len(heard) == questions
