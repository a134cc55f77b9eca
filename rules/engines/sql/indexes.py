"""Which indexes serve a set of look-ups with the fewest tables to keep in order. Pure.

One index serves a look-up, and with it every look-up by more columns that begins with the same ones. So look-ups form chains, each
within the next, and one index does for a chain; the fewest chains come from a matching, as Dilworth's theorem has it. (Soufflé
chooses its indexes in the same way.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.rules.engines.sql.joins import Probe

__all__ = ["Order", "indexes", "serves"]

Order = tuple[int, ...]


def indexes(width: int, probes: Iterable[Probe]) -> list[Order]:
    """Column orders to index in a table whose key is all its columns in order: as few as serve all look-ups."""
    key = tuple(range(width))
    wanted = {probe for probe in probes if probe.bound or probe.tail is not None}
    unserved = sorted((probe for probe in wanted if not _serves(key, probe)), key=_shortest_first)
    return sorted(map(_order_of, _chains(unserved)), key=_longest_first)


def serves(order: Order, probe: Probe) -> bool:
    """Whether an index in this order answers the look-up; one that names fewer columns does not."""
    return len(order) >= len(_named(probe)) and _serves(order, probe)


def _serves(order: Order, probe: Probe) -> bool:
    size = len(probe.bound)
    return set(order[:size]) == probe.bound and (probe.tail is None or order[size] == probe.tail)


def _named(probe: Probe) -> frozenset[int]:
    """All columns of a look-up: an index for it names these before any other."""
    return probe.bound if probe.tail is None else probe.bound | {probe.tail}


def _chains(probes: Sequence[Probe]) -> list[list[Probe]]:
    """The look-ups in as few rows as can be, each of which holds all columns of the one before it."""
    before = _followed(probes)  # by the place of a look-up: the place of the one before it
    after = {earlier: later for later, earlier in before.items()}
    chains = []
    for place in range(len(probes)):
        if place not in before:
            chains.append(chain := [place])
            while chain[-1] in after:
                chain.append(after[chain[-1]])
    return [[probes[place] for place in chain] for chain in chains]


def _followed(probes: Sequence[Probe]) -> dict[int, int]:
    """A largest set of pairs, later to earlier, in which no look-up is the later or the earlier one twice."""
    before: dict[int, int] = {}

    def finds_a_follower(earlier: int, tried: set[int]) -> bool:
        for later in range(earlier + 1, len(probes)):
            if later not in tried and _named(probes[earlier]) <= probes[later].bound:
                tried.add(later)
                if later not in before or finds_a_follower(before[later], tried):
                    before[later] = earlier
                    return True
        return False

    for earlier in reversed(range(len(probes))):
        finds_a_follower(earlier, set())
    return before


def _order_of(chain: Iterable[Probe]) -> Order:
    """The columns of the first look-up, then what each later one adds, the last ones first.

    The last columns tell the record and the moment as a rule: what comes with a new unit then lies together in the index.
    """
    order: list[int] = []
    for probe in chain:
        order += sorted(probe.bound.difference(order), reverse=True)
        order += [] if probe.tail is None else [probe.tail]
    return tuple(order)


def _shortest_first(probe: Probe) -> tuple[int, int, list[int], int]:
    return len(probe.bound), len(_named(probe)), sorted(probe.bound), -1 if probe.tail is None else probe.tail


def _longest_first(order: Order) -> tuple[int, Order]:
    return -len(order), order
