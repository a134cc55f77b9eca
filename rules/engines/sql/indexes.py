"""Which indexes serve a set of look-ups with the fewest tables to keep in order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from narraworld.rules.engines.sql.joins import Probe

__all__ = ["Order", "indexes", "serves"]

Order = tuple[int, ...]


def indexes(width: int, probes: Iterable[Probe]) -> list[Order]:
    """Column orders to index in a table whose key is all its columns in order; few and long rather than many."""
    wanted = {probe for probe in probes if probe.bound or probe.tail is not None}
    common = Counter(column for probe in wanted for column in probe.bound)
    made: list[Order] = []
    for probe in sorted(wanted, key=_longest_first):
        if not any(_serves(_whole(order, width), probe) for order in [(), *made]):
            bound = sorted(probe.bound, key=lambda column: (-common[column], column))
            made.append((*bound, *([] if probe.tail is None else [probe.tail])))
    return made


def serves(order: Order, probe: Probe) -> bool:
    """Whether an index in this order answers the look-up; one that names fewer columns does not."""
    return len(order) >= len(probe.bound) + (probe.tail is not None) and _serves(order, probe)


def _serves(order: Order, probe: Probe) -> bool:
    size = len(probe.bound)
    return set(order[:size]) == probe.bound and (probe.tail is None or order[size] == probe.tail)


def _whole(order: Order, width: int) -> Order:
    """An index of a table without row numbers ends with the rest of the key."""
    return (*order, *(column for column in range(width) if column not in order))


def _longest_first(probe: Probe) -> tuple[int, bool, list[int]]:
    return -len(probe.bound), probe.tail is None, sorted(probe.bound)
