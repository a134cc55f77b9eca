"""Conditions joined by commas: however they are looked up, the answers are the same."""

from __future__ import annotations

import pytest

from narraworld.query import goals
from narraworld.query.goals import bindings
from narraworld.query.scope import Scope
from narraworld.rules.engines.choose import ChosenEngine

QUERIES = (
    'role(E, "ada", "agent"), instance(E, "Event")',
    'instance(E, "Event"), role(E, Who, "agent"), entity(Who, "character")',
    'entity(A, "character"), entity(B, "character"), A != B',
    'entity(W, "character"), !knows(W, "ladder.location.wall")',
    'role(E, "ada", R), role(E, "bo", R)',
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
