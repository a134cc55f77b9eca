"""A question may name two: then both answers are looked for, and which is which is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.memory.drafting import Request
from narraworld.query.memory.plan import plan_by_rules
from narraworld.query.memory.preview import preview_of
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.world import World

TEXT = "A woman stood in the hall. Another woman waited in the barn. A key lay there. A second key was lost."


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = Delta(Unit("ch01", 1, TEXT))
    for number, quote in enumerate(("A woman", "Another woman"), 1):
        made.add("Character", f"woman-{number}", name="the woman", quote=quote)
    for number, quote in enumerate(("A key", "A second key"), 1):
        made.add("Object", f"key-{number}", name="the key", quote=quote)
    for name in ("hall", "barn"):
        made.add("Place", name, name=name, quote=f"the {name}")
    for who, place, quote in (("woman-1", "hall", "A woman stood in the hall"), ("woman-2", "barn", "Another woman waited in the barn")):  # fmt: skip
        made.add("Event", f"{who}-e", kind="stay", agent=who, place=place, quote=quote)
        made.add("State", proposition=f"{who}.location.{place}", at=f"{who}-e", quote=quote)
    with World.open(tmp_path_factory.mktemp("two"), create=True) as world:
        assert world.commit(made).refusals == ()
        yield world


def answers(scope: Scope, question: str) -> list[tuple[str, str, bool]]:
    plan = plan_by_rules(Request(question, "question"), scope, scope.once(preview_of))
    return [
        (need.name, need.why, bool(need.goals)) for need in plan.needs if need.name.startswith("the answer")
    ]


def test_the_plan_has_a_need_for_each(two: World) -> None:
    found = answers(two.scope(Situation(purpose="question")), "Where is the woman?")
    asks = found[0][1].partition(", if ")[0]
    assert asks.startswith("the question asks ")
    assert found == [
        ("the answer, if “the woman” is the woman (woman-1)", f"{asks}, if “the woman” is the woman (woman-1)", True),
        ("the answer, if “the woman” is the woman (woman-2)", f"{asks}, if “the woman” is the woman (woman-2)", True),
    ]  # fmt: skip


def test_the_context_holds_both_answers(two: World) -> None:
    told = two.context("Where is the woman?", Situation(purpose="question"), 600).text
    assert "A woman stood in the hall" in told and "Another woman waited in the barn" in told


def test_two_names_that_mean_two_each_are_searched_for(two: World) -> None:
    found = answers(two.scope(Situation(purpose="question")), "Where does the woman think the key is?")
    assert [goals for _, _, goals in found] == [False, False]
    assert {why for _, why, _ in found} in (
        {f"the question may be about the woman (woman-{n})" for n in (1, 2)},
        {f"the question may be about the key (key-{n})" for n in (1, 2)},
    )
