"""What the text says about before and after: who has to move, where to, and what goes in circles.

A statement moves its subject, and only if the place it has is wrong: `A before B` puts A just before B, `A
after B` just behind. References settle before their subjects, so chains hold. Statements that contradict
each other in a circle are dropped and reported. If moving subjects is not enough (A after C and before B,
but C comes after B), the later one of a pair gives way, so that every set of statements without a circle is
honoured in the end. Pure; paths are explained in `timeline.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Literal, TypeAlias, TypeVar

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.time.timeline import Path, TimelineBlock, beside

__all__ = ["Precedence", "circles", "components", "give_way", "lead", "settle"]

Node = TypeVar("Node", bound=Hashable)
_Needs: TypeAlias = dict[str | TimelineBlock, list[str | TimelineBlock]]


@dataclass(frozen=True, slots=True)
class Precedence:
    """`mover` is said to come before (side -1) or after (side 1) `fixed`."""

    mover: str
    side: Literal[-1, 1]
    fixed: str

    @property
    def earlier(self) -> str:
        return self.mover if self.side < 0 else self.fixed

    @property
    def later(self) -> str:
        return self.fixed if self.side < 0 else self.mover

    def holds(self, path: Mapping[str, Path]) -> bool:
        return path[self.earlier] < path[self.later]


def circles(statements: Sequence[Precedence]) -> list[frozenset[str]]:
    """Groups of ids that the statements put before themselves."""
    follows: dict[str, list[str]] = {}
    for statement in statements:
        follows.setdefault(statement.earlier, []).append(statement.later)
    return [frozenset(group) for group in components(follows) if len(group) > 1]


def lead(block: TimelineBlock, side: int, fixed: str, path: dict[str, Path], told: Mapping[str, int]) -> None:
    """Put a whole flashback just before or after `fixed`, in its own order."""
    spot = path[fixed]
    for id in block.ids:
        path[id] = beside(spot, side, told[id])


def settle(
    statements: Sequence[Precedence],
    leads: Mapping[TimelineBlock, tuple[int, str]],
    block_of: Mapping[str, TimelineBlock],
    path: dict[str, Path],
    told: Mapping[str, int],
) -> None:
    """Move flashbacks that a statement leads and subjects on the wrong side; references go first."""
    by_mover: dict[str, list[Precedence]] = {}
    for statement in statements:
        by_mover.setdefault(statement.mover, []).append(statement)
    needs: _Needs = {block: [fixed] for block, (_, fixed) in leads.items()}
    needs |= {mover: [statement.fixed for statement in own] for mover, own in by_mover.items()}
    _need_blocks(needs, leads, block_of, [*by_mover, *_references(statements, leads)])
    for node in (node for group in components(needs) for node in group):
        if isinstance(node, TimelineBlock):
            lead(node, *leads[node], path, told)
        elif node in by_mover:
            _move(node, by_mover[node], path, told)


def _references(
    statements: Sequence[Precedence], leads: Mapping[TimelineBlock, tuple[int, str]]
) -> list[str]:
    return [*(fixed for _, fixed in leads.values()), *(each.fixed for each in statements)]


def _need_blocks(
    needs: _Needs,
    leads: Mapping[TimelineBlock, tuple[int, str]],
    block_of: Mapping[str, TimelineBlock],
    ids: Sequence[str],
) -> None:
    """Whatever lies in a flashback that is led waits until that has moved."""
    for id in ids:
        block = block_of.get(id)
        if block is not None and block in leads:
            needs.setdefault(id, []).append(block)


def _move(
    mover: str, statements: Sequence[Precedence], path: dict[str, Path], told: Mapping[str, int]
) -> None:
    bounds_after = [path[each.fixed] for each in statements if each.side < 0]
    bounds_before = [path[each.fixed] for each in statements if each.side > 0]
    if bounds_after and path[mover] >= min(bounds_after):
        path[mover] = beside(min(bounds_after), -1, told[mover])
    elif bounds_before and path[mover] <= max(bounds_before):
        path[mover] = beside(max(bounds_before), 1, told[mover])


def give_way(statements: Iterable[Precedence], path: dict[str, Path], told: Mapping[str, int]) -> None:
    """Whatever still comes too early moves behind what it follows; statements must not go in circles."""
    precedes: dict[str, list[str]] = {}
    for statement in statements:
        precedes.setdefault(statement.earlier, [])
        precedes.setdefault(statement.later, []).append(statement.earlier)
    for id in TopologicalSorter(precedes).static_order():
        bound = max((path[other] for other in precedes[id]), default=None)
        if bound is not None and path[id] <= bound:
            path[id] = beside(bound, 1, told[id])


def components(graph: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Strongly connected components, what is pointed at first (Tarjan, without recursion).

    >>> components({"a": ["b"], "b": ["c"], "c": ["b"]})
    [['b', 'c'], ['a']]
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    found: list[list[Node]] = []
    for root in graph:
        work: list[tuple[Node, Iterator[Node]]] = []
        if root not in index:
            _open(root, index, low, stack, on_stack)
            work.append((root, iter(graph.get(root, ()))))
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_close(node, stack, on_stack))
            elif target not in index:
                _open(target, index, low, stack, on_stack)
                work.append((target, iter(graph.get(target, ()))))
            elif target in on_stack:
                low[node] = min(low[node], index[target])
    return found


def _open(
    node: Node, index: dict[Node, int], low: dict[Node, int], stack: list[Node], on_stack: set[Node]
) -> None:
    index[node] = low[node] = len(index)
    stack.append(node)
    on_stack.add(node)


def _close(node: Node, stack: list[Node], on_stack: set[Node]) -> list[Node]:
    group = [stack.pop()]
    while group[-1] != node:
        group.append(stack.pop())
    on_stack.difference_update(group)
    return group[::-1]
