"""Several questions at once, with results in the order in which they were put.

Whoever is asked may answer in any order; what comes of it does not depend on that. Knows no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from narraworld.extract.model.port import ModelFailed

__all__ = ["in_order"]

Result = TypeVar("Result")


async def in_order(questions: Sequence[Callable[[], Awaitable[Result]]], jobs: int) -> list[Result]:
    """All results in order, with at most ``jobs`` questions under way.

    After a failure no more are begun; those under way are waited for, since they are paid and a cache keeps them. Of
    several failures the first in order is raised.
    """
    waiting = iter(enumerate(questions))
    results, failures = dict[int, Result](), dict[int, ModelFailed]()

    async def work() -> None:
        for place, question in waiting:
            try:
                results[place] = await question()
            except ModelFailed as failure:
                failures[place] = failure
            if failures:
                return

    await asyncio.gather(*(work() for _ in range(max(1, min(jobs, len(questions))))))
    if failures:
        raise failures[min(failures)]
    return [results[place] for place in sorted(results)]
