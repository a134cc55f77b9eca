"""Several questions at once: the results, and the failure that is told, are those of one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.extract.model.port import ModelFailed, in_order


class Desk:
    """Answers each question after its own number of turns of the loop, and counts who waits."""

    def __init__(self, delays: list[int], failing: frozenset[int] = frozenset()) -> None:
        self.delays, self.failing = delays, failing
        self.begun, self.busy, self.busiest = list[int](), 0, 0

    def questions(self) -> list[Callable[[], Coroutine[Any, Any, int]]]:
        return [partial(self.answer, place) for place in range(len(self.delays))]

    async def answer(self, place: int) -> int:
        self.begun.append(place)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        for _ in range(self.delays[place]):
            await asyncio.sleep(0)
        self.busy -= 1
        if place in self.failing:
            raise ModelFailed(f"question {place}")
        return place * 10


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=9), st.integers(1, 5))
def test_results_come_in_order_whoever_is_first(delays: list[int], jobs: int) -> None:
    desk = Desk(delays)
    assert asyncio.run(in_order(desk.questions(), jobs)) == [place * 10 for place in range(len(delays))]
    assert desk.busiest <= jobs


def test_one_job_is_one_after_the_other() -> None:
    desk = Desk([3, 2, 1])
    asyncio.run(in_order(desk.questions(), 1))
    assert (desk.begun, desk.busiest) == ([0, 1, 2], 1)


def test_after_a_failure_no_more_are_begun_and_the_first_in_order_is_told() -> None:
    """The second fails at once, the first a little later; the third was under way and is waited for."""
    desk = Desk([4, 1, 6, 0, 0], frozenset({0, 1}))
    with pytest.raises(ModelFailed, match="question 0"):
        asyncio.run(in_order(desk.questions(), 3))
    assert (sorted(desk.begun), desk.busy) == ([0, 1, 2], 0)
