"""The order in which relations can be derived, or the cycle that forbids one.

Tarjan's strongly connected components over core rules; knows no text and no engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.errors import NotStratified
from narraworld.rules.language.ir import Atom, Not, Program, Relation, Rule, SourcePlace, Stratum
from narraworld.rules.language.souffle import literal_text

__all__ = ["needed", "on_demand_part", "reads", "stratify"]


@dataclass(frozen=True, slots=True)
class Edge:
    """`head` depends on `on`; a `label` says that all of `on` must be known first."""

    head: str
    on: str
    label: str
    place: SourcePlace
    condition: str = ""


def stratify(relations: Mapping[str, Relation], rules: Iterable[Rule]) -> tuple[Stratum, ...]:
    """Every derived relation in exactly one stratum, strata in evaluation order."""
    graph = _graph(relations, rules)
    position = {name: index for index, name in enumerate(graph)}
    strata = []
    for component in _components({name: [edge.on for edge in edges] for name, edges in graph.items()}):
        inside = [edge for name in component for edge in graph[name] if edge.on in component]
        _refuse_strict_cycles(component, inside, relations)
        strata.append(Stratum(tuple(sorted(component, key=position.__getitem__)), bool(inside)))
    return tuple(strata)


def _graph(relations: Mapping[str, Relation], rules: Iterable[Rule]) -> dict[str, list[Edge]]:
    """By derived relation: the derived relations it is made from."""
    graph: dict[str, list[Edge]] = {name: [] for name, one in relations.items() if not one.base}
    for edge in _edges(rules):
        if edge.on in graph:
            graph[edge.head].append(edge)
    return graph


def _edges(rules: Iterable[Rule]) -> Iterator[Edge]:
    for rule in rules:
        folded = f"{rule.fold.function} of " if rule.fold else ""
        for literal in rule.body:
            match literal:
                case Atom(relation):
                    yield Edge(rule.head.relation, relation, folded, rule.place, literal_text(literal))
                case Not(atom):
                    yield Edge(
                        rule.head.relation, atom.relation, f"{folded}!", rule.place, literal_text(literal)
                    )


def _components(graph: Mapping[str, list[str]]) -> Iterator[set[str]]:
    """Tarjan's algorithm with a stack of its own, so that long chains of relations are no problem."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    for root in graph:
        path = [(root, iter(graph[root]))] if root not in index else []
        while path:
            name, rest = path[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                open_.append(name)
            for other in rest:
                if other not in index:
                    path.append((other, iter(graph[other])))
                    break
                if other in open_:
                    low[name] = min(low[name], low[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == index[name]:
                    start = open_.index(name)
                    yield set(open_[start:])
                    del open_[start:]


def _refuse_strict_cycles(component: set[str], inside: list[Edge], relations: Mapping[str, Relation]) -> None:
    """A negation or an aggregate within a component is a cycle; tell the one a person wrote."""
    strict = [edge for edge in inside if edge.label]
    if not strict:
        return
    worst = next((edge for edge in strict if not relations[edge.on].auxiliary), strict[0])
    cycle = [worst, *_way(worst.on, worst.head, inside)]
    told = [edge for edge in cycle if not relations[edge.on].auxiliary]
    last = told[-1].on
    steps = " → ".join([last, *(f"{edge.label}{edge.on}" for edge in told)])
    raise NotStratified(
        f"a relation depends on its own absence or on an aggregate of itself: {steps}",
        worst.place,
        fix=f"break the cycle at {worst.condition}: derive what is negated or aggregated without the relation that uses it"
        " (an aggregate also needs the conditions that bind its outer variables)",
    )


def _way(start: str, goal: str, edges: list[Edge]) -> list[Edge]:
    """The shortest way from one relation to another; there is one, as both are in the same component."""
    ways: deque[tuple[str, list[Edge]]] = deque([(start, [])])
    seen = {start}
    while ways[0][0] != goal:
        here, way = ways.popleft()
        for edge in edges:
            if edge.head == here and edge.on not in seen:
                seen.add(edge.on)
                ways.append((edge.on, [*way, edge]))
    return ways[0][1]


# -- Parts of a program: what a question needs, and what is left when some relations are simply given


def reads(rule: Rule) -> set[str]:
    """The relations a core rule looks at."""
    found = set()
    for literal in rule.body:
        match literal:
            case Atom(relation, _) | Not(Atom(relation, _)):
                found.add(relation)
    return found


def needed(program: Program, goals: Iterable[str]) -> Program:
    """The part of a program from which these relations are derived."""
    reached, waiting = set[str](), list(goals)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(other for rule in program.rules_for(name) for other in reads(rule))
    return _only(program, reached, given=set())


def on_demand_part(program: Program, also: Iterable[str] = ()) -> Program:
    """The on-demand relations (and ``also``) alone; everything else, base or derived, counts as given."""
    asked = {name for name, relation in program.relations.items() if relation.on_demand} | set(also)
    auxiliary = {name for name, relation in program.relations.items() if relation.auxiliary}
    while serving := {name for name in auxiliary - asked if _serves(program, name, asked)}:
        asked |= serving
    return _only(program, set(program.relations), given=set(program.relations) - asked)


def _serves(program: Program, auxiliary: str, asked: set[str]) -> bool:
    """Whether an auxiliary relation was made for one of the relations that are asked."""
    return any(auxiliary in reads(rule) for name in asked for rule in program.rules_for(name))


def _only(program: Program, kept: set[str], given: set[str]) -> Program:
    relations = {
        name: replace(relation, base=True) if name in given else relation
        for name, relation in program.relations.items() if name in kept
    }  # fmt: skip
    derived = kept - given
    rules = tuple(rule for rule in program.rules if rule.head.relation in derived)
    strata = tuple(stratum for stratum in program.strata if set(stratum.relations) <= derived)
    return Program(relations, rules, strata)
