"""What a rule needs to know of the relations it reads, so that asking for one thing does not derive the world.

A rule is followed from left to right. Where it reads a derived relation, some columns are already known: a constant, the key
that was asked for, a value found on the way. The rule then *calls* the relation for these keys only (the idea of magic
sets), also behind a `!` and under a fold: a call is answered exactly for its keys, so an absence means the same as in the
whole relation, and groups are whole because the result of a fold is never part of a key.

Calls are planned, not compiled into a program: a call is finished before the literal behind it is read, as a
procedure would be, and so a stratified program stays stratified whatever calls what.

Recursion that moves in the known columns and only carries the others along is planned as a walk: first all places that
can be reached from a key, then, once, what the rules that end the recursion say there. So `in("e1", Y)` is linear
whichever way round its rule is written. Pure: knows no engine and no facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narraworld.rules.language.ir import Atom, Literal, Not, Program, Rule, Term, Var
from narraworld.rules.language.terms import atom_of, ordered, variables

__all__ = ["DemandPlan", "DemandPlanner", "DemandedCall"]


@dataclass(frozen=True, slots=True)
class DemandedCall:
    """A relation as some rule needs it: the rows that carry a wanted key in these columns; all rows without."""

    relation: str
    columns: tuple[int, ...] = ()

    def key(self, args: Sequence[Term]) -> tuple[Term, ...]:
        return tuple(args[column] for column in self.columns)


@dataclass(
    frozen=True, slots=True, eq=False
)  # one object per rule and call; compared by identity, which is quick
class DemandPlan:
    """A rule of a called relation: its key, and its body in order with the call that each literal makes."""

    rule: Rule
    key: tuple[Term, ...]
    body: tuple[Literal, ...]
    calls: tuple[DemandedCall | None, ...]


class DemandPlanner:
    """Plans for one program, each made when first needed and then kept."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._last = {name for name, relation in program.relations.items() if relation.on_demand}
        self._groups = {name: s.relations[0] for s in program.strata for name in s.relations}
        self._walks: dict[str, tuple[int, tuple[Rule, ...]]] = {}
        self._plans: dict[DemandedCall, tuple[DemandPlan, ...]] = {}

    def group(self, call: DemandedCall) -> str:
        """Calls of one group may wait for each other; all others can be finished first."""
        return self._groups[call.relation]

    def call(self, atom: Atom, bound: Iterable[str]) -> DemandedCall:
        """What the atom needs when these variables are bound."""
        known = {*bound}
        keys = (
            column for column in range(self._keyed(atom)) if known.issuperset(variables(atom.args[column]))
        )
        return DemandedCall(atom.relation, tuple(keys))

    def plans(self, call: DemandedCall) -> tuple[DemandPlan, ...]:
        if call not in self._plans:
            rules = self._walking(call) if self._can_walk(call) else self._rules(call.relation)
            self._plans[call] = tuple(self._plan(call, rule) for rule in rules)
        return self._plans[call]

    def _rules(self, relation: str) -> tuple[Rule, ...]:
        return self._walks[relation][1] if relation in self._walks else self._program.rules_for(relation)

    def _keyed(self, atom: Atom) -> int:
        """How many columns can be part of a key: of a walk where it starts, of a fold all but its result."""
        if atom.relation in self._walks:
            return self._walks[atom.relation][0]
        return len(atom.args) - any(rule.fold for rule in self._rules(atom.relation))

    def _plan(self, call: DemandedCall, rule: Rule) -> DemandPlan:
        key = call.key(rule.head.args)
        body = ordered(rule.body, variables(*key), self._last)
        calls, bound = list[DemandedCall | None](), {*variables(*key)}
        for literal in body:
            atom = atom_of(literal)
            calls.append(self.call(atom, bound) if atom and self._is_derived(atom.relation) else None)
            if not isinstance(literal, Not):
                bound.update(variables(literal))
        return DemandPlan(rule, key, tuple(body), tuple(calls))

    def _is_derived(self, relation: str) -> bool:
        return relation in self._walks or not self._program.relations[relation].base

    # ---- walks

    def _can_walk(self, call: DemandedCall) -> bool:
        """Whether recursion moves in the key only, one step at a time, and ends in rules without folds."""
        rules = self._rules(call.relation)
        steps = [(rule, step) for rule in rules if (step := _step(call, rule))]
        moving = any(call.key(rule.head.args) != call.key(step.args) for rule, step in steps)
        return (
            moving
            and call.relation not in self._walks
            and not any(rule.fold for rule in rules)
            and list(self._groups.values()).count(self.group(call)) == 1
            and all(_carries(call, rule, step) for rule, step in steps)
        )

    def _walking(self, call: DemandedCall) -> tuple[Rule, ...]:
        """p(Start, Y) :- walk(Start, X), …  for each rule p(X, Y) :- …  that does not call p again."""
        start = tuple(Var(f"start {column}") for column in call.columns)
        walk = f"{call.relation} from {call.columns}"
        begin, ends = [Rule(Atom(walk, start + start))], list[Rule]()
        for rule in self._rules(call.relation):
            here = Atom(walk, start + call.key(rule.head.args))
            if step := _step(call, rule):
                rest = (literal for literal in rule.body if literal is not step)
                begin.append(Rule(Atom(walk, start + call.key(step.args)), (here, *rest)))
            else:
                args = list(rule.head.args)
                for column, var in zip(call.columns, start, strict=True):
                    args[column] = var
                ends.append(Rule(Atom(call.relation, tuple(args)), (here, *rule.body)))
        self._walks[walk] = (len(start), tuple(begin))
        self._groups[walk] = walk
        return tuple(ends)


def _step(call: DemandedCall, rule: Rule) -> Atom | None:
    """The atom by which the rule calls its own relation."""
    return next((one for one in rule.body if isinstance(one, Atom) and one.relation == call.relation), None)


def _carries(call: DemandedCall, rule: Rule, step: Atom) -> bool:
    """One recursive atom; what is not in the key passes through it untouched and unseen by the rest."""
    rest = [literal for literal in rule.body if literal is not step]
    moving = (*call.key(rule.head.args), *call.key(step.args))
    carried = _carried(call, rule.head, step)
    return (
        carried is not None
        and all(atom is None or atom.relation != call.relation for atom in map(atom_of, rest))
        and carried.isdisjoint(variables(*rest, *moving))
        and _binds(call.key(rule.head.args), rest, moving)
    )


def _carried(call: DemandedCall, head: Atom, step: Atom) -> set[str] | None:
    """The variables of the columns beside the key, one each and the same in head and step; else nothing."""
    columns = [column for column in range(len(step.args)) if column not in call.columns]
    names = {name for column in columns for name in variables(head.args[column])}
    same = all(head.args[column] == step.args[column] for column in columns)
    return names if same and len(names) == len(columns) else None


def _binds(key: Iterable[Term], rest: list[Literal], moving: Iterable[Term]) -> bool:
    """Whether the key and the other atoms bind whatever the rest and the step need."""
    bound = {*variables(*key, *(one for one in rest if isinstance(one, Atom)))}
    needed = {name for name in variables(*rest) if not Var(name).anonymous}
    return bound >= needed.union(variables(*moving))
