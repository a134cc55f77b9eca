"""Conditions joined by commas: however they are looked up, the answers are the same."""

from __future__ import annotations

import pytest

from narraworld.base.settings import QuestionLimits
from narraworld.query import goals
from narraworld.query.at_once import AtOnce
from narraworld.query.goals import bindings
from narraworld.query.scope import Scope
from narraworld.rules.engines.choose import ChosenEngine
from narraworld.rules.errors import LimitReached
from narraworld.rules.language.ir import Atom, Const, Row, Var

QUERIES = (
    'role(E, "ada", "agent"), instance(E, "Event")',
    'instance(E, "Event"), role(E, Who, "agent"), entity(Who, "character")',
    'entity(A, "character"), entity(B, "character"), A != B',
    'entity(W, "character"), !knows(W, "ladder.location.wall")',
    'role(E, "ada", R), role(E, "bo", R)',
    'happened(E), role(E, "ada", R)',
    'role(E, "ada", "agent"), role(E, "ada", "addressee")',
    'entity(W, "character"), !role(W, "nobody", "agent")',
)


@pytest.mark.parametrize("latest", [None, 1, 9], ids=["all", "the last", "the last few"])
@pytest.mark.parametrize("query", QUERIES)
def test_read_whole_or_one_by_one_the_answers_are_the_same(
    now: Scope, query: str, latest: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one = bindings(now.engine, query, latest=latest)
    monkeypatch.setattr(goals, "OFTEN", 0)
    another = ChosenEngine(now.engine.tables)  # type: ignore[attr-defined]  # what an engine was asked is remembered
    assert bindings(another, query, latest=latest) == one_by_one


@pytest.mark.parametrize("latest", [None, 1, 9], ids=["all", "the last", "the last few"])
@pytest.mark.parametrize("query", QUERIES)
def test_what_lies_at_hand_answers_as_the_engine_does(now: Scope, query: str, latest: int | None) -> None:
    tables = now.engine.tables  # type: ignore[attr-defined]
    for at_hand in (AtOnce(tables), AtOnce(tables, lambda _: 10**9)):  # all of it, and nothing
        asked = bindings(ChosenEngine(tables), query, latest=latest, at_hand=at_hand)
        assert asked == bindings(ChosenEngine(tables), query, latest=latest)


@pytest.mark.parametrize(
    ("size", "whole"), [(0, True), (10**9, False)], ids=["few rows", "more than the look-ups cost"]
)
def test_a_condition_is_read_whole_where_that_costs_no_more_than_its_look_ups(
    now: Scope, size: int, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Bo has to do with it is looked up for each event in which Ada has a part."""
    heard: list[Atom] = []

    class Listening:
        program = now.engine.program

        def ask(self, goal: Atom) -> list[Row]:
            heard.append(goal)
            return now.engine.ask(goal)

    monkeypatch.setattr(goals, "OFTEN", 0)
    query, sizes = 'role(E, "ada", R), role(E, "bo", S)', iter([10**9])  # Ada's are not worth it
    engine = ChosenEngine(now.engine.tables)  # type: ignore[attr-defined]
    found = bindings(engine, query, at_hand=AtOnce(Listening(), lambda _: next(sizes, size)))
    assert found == bindings(now.engine, query)
    assert (Atom("role", (Var("E"), Const("bo"), Var("S"))) in heard) is whole


def test_a_question_that_makes_every_pair_ends_at_its_limits(
    now: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_pair = "at(E, T), at(F, U), T < U"
    many = len(now.query(every_pair).rows)
    for bounds, why in (
        (QuestionLimits(answers=many - 1), "more than .* answers"),
        (QuestionLimits(read=many), "looks at more than .* rows"),
    ):
        monkeypatch.setattr(goals, "QuestionLimits", lambda bounds=bounds: bounds)
        with pytest.raises(LimitReached, match=why):
            now.query(every_pair)
    monkeypatch.setattr(goals, "QuestionLimits", lambda: QuestionLimits(answers=many))
    assert len(now.query(every_pair).rows) == many > 1


@pytest.mark.parametrize("latest", [None, 1, 2, 9])
def test_a_condition_that_only_repeats_comes_later_and_changes_no_answer(
    now: Scope, latest: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = 'happened(E), role(E, "ada", R)'
    sooner = bindings(now.engine, query, latest=latest)
    monkeypatch.setattr(goals, "_only_repeats", lambda literal, body: False)
    another = ChosenEngine(now.engine.tables)  # type: ignore[attr-defined]
    assert bindings(another, query, latest=latest) == sooner != []


def test_the_search_ends_at_a_condition_that_nothing_meets(
    now: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    rows = goals._Lookups.rows
    monkeypatch.setattr(goals, "OFTEN", 1)
    monkeypatch.setattr(
        goals._Lookups,
        "rows",
        lambda self, atom, env: looked_up.append(atom.relation) or rows(self, atom, env),
    )
    assert bindings(now.engine, 'entity(W, "character"), role(E, W, "nobody")') == []
    assert looked_up == ["entity", "role", "role"]
    refused = bindings(now.engine, 'entity(W, "character"), !role(W, W, "nobody")')
    assert refused == [{"W": "ada"}, {"W": "bo"}]  # what nothing meets is what a denial wants
