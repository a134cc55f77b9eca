"""What the rules answer to a need, as items: every record, and every proposition through the eyes of those who hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from narraworld.query.goals import GoalBinding, bindings
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.needs import MemoryItem, Need
    from narraworld.query.scope import Scope

__all__ = ["answers"]

LOOKED_AT = 4  # times as many answers as are kept


def answers(
    scope: Scope, need: Need, most: int, relevance: Mapping[str, float]
) -> tuple[list[MemoryItem], int]:
    """Items for the answers to the goals of a need, and how many answers there were; of too many, those that search
    also likes, and among equals the latest."""
    found = [one for goal in need.goals for one in bindings(scope.engine, goal, latest=most * LOOKED_AT)]
    kept = found if len(found) <= most else _liked(found, relevance)[:most]
    items = {item.key: item for one in kept for item in _items(scope, one, need)}
    return list(items.values()), len(found)


def _liked(found: list[GoalBinding], relevance: Mapping[str, float]) -> list[GoalBinding]:
    def liking(one: GoalBinding) -> float:
        return max((relevance.get(str(value), 0.0) for value in one.values()), default=0.0)

    latest_first = range(len(found) - 1, -1, -1)
    return [found[nth] for nth in sorted(latest_first, key=lambda nth: -liking(found[nth]))]


def _items(scope: Scope, binding: GoalBinding, need: Need) -> Iterator[MemoryItem]:
    values = [value for value in binding.values() if isinstance(value, str)]
    kinds = {value: scope.teller.kinds(value) for value in values}
    holders = [value for value in values if kinds[value] & {"Character", "Group"}] or list(need.holders)
    for value in values:
        if "Proposition" in kinds[value]:
            yield from _held(scope, value, holders)
        else:
            yield from scope.teller.items(value)


def _held(scope: Scope, proposition: str, holders: list[str]) -> Iterator[MemoryItem]:
    """The proposition as its holders see it, and as the world has it."""
    yield from filter(None, (scope.teller.held(holder, proposition) for holder in holders))
    for record, _ in rows(scope.engine, "refers", None, proposition):
        if "State" in scope.teller.kinds(str(record)):
            yield from scope.teller.items(str(record))
