"""Surface rules in, core rules out: each aggregate becomes a relation of its own.

    next(K, T, E) :- mark(K, T), E = min U : { mark(K, U), U > T }.

becomes, with `fold = min U`,

    next__min1(K, T, E) :- mark(K, T), mark(K, U), U > T.
    next(K, T, E) :- next__min1(K, T, E).

Groups are the variables an aggregate shares with its rule. Conditions of the rule are copied only as far as they
are needed to bind groups that the aggregate's own atoms leave open. `count` and `sum` of nothing are 0, as in
Soufflé: a further relation `…__total` adds that row. Expects a checked rule; knows no text and no engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import (
    EACH,
    Aggregate,
    Atom,
    Compare,
    Const,
    Fold,
    Literal,
    Not,
    Relation,
    Rule,
    Var,
)
from narraworld.rules.language.ranges import without_ranges
from narraworld.rules.language.souffle import literal_text, term_text
from narraworld.rules.language.terms import (
    Ordered,
    in_binding_order,
    is_anonymous,
    local,
    names,
    outer_names,
    shared,
)
from narraworld.rules.language.values.fractions import with_fractions
from narraworld.rules.language.values.sorts import Relations, Sorts, columns_for, sorts_of

__all__ = ["Core", "normalise"]

WORDS = {
    "min": "the least",
    "max": "the greatest",
    "sum": "the sum of",
    "mean": "the mean of",
    "count": "how many",
}


@dataclass(frozen=True, slots=True)
class Core:
    """What one surface rule becomes: relations we made, their rules, and last the rule itself."""

    relations: tuple[Relation, ...]
    rules: tuple[Rule, ...]


def normalise(rule: Rule, relations: Relations, made: Counter[str]) -> Core:
    """`made` counts the auxiliary relations so far, by name without number, across a whole program."""
    rule = with_fractions(rule, relations)
    outer = outer_names(rule)
    order = in_binding_order(rule.body, outer=outer)
    lowering = _Lowering(
        rule, relations[rule.head.relation], outer, order, sorts_of(rule.body, relations), made
    )
    aggregates = dict.fromkeys(one for one in order.literals if isinstance(one, Aggregate))
    atoms = {one: lowering.lower(one) for one in aggregates}
    body = [atoms[one] if isinstance(one, Aggregate) else one for one in rule.body]
    kept = [literal for literal in body if not lowering.implies(literal)]
    core = replace(rule, body=in_binding_order(kept).literals)
    return _counted_out(
        lowering.relations, (*lowering.rules, core), made, relations[rule.head.relation].on_demand
    )


def _counted_out(
    relations: list[Relation], rules: Iterable[Rule], made: Counter[str], on_demand: bool
) -> Core:
    """The rules without ranges, and what counts for them."""
    whole = list[Rule]()
    for rule in rules:
        counting, written = without_ranges(rule, made, on_demand=on_demand)
        relations += counting
        whole += written
    return Core(tuple(relations), tuple(whole))


class _Lowering:
    """The auxiliary relations of one rule, made in an order in which each can use the ones before."""

    def __init__(
        self,
        rule: Rule,
        head: Relation,
        outer: Sequence[str],
        order: Ordered,
        sorts: Sorts,
        made: Counter[str],
    ) -> None:
        self.relations: list[Relation] = []
        self.rules: list[Rule] = []
        self._rule, self._head, self._outer, self._sorts, self._made = rule, head, outer, sorts, made
        self._assigned = order.assigned
        self._atoms = [literal for literal in rule.body if isinstance(literal, Atom)]

    def lower(self, aggregate: Aggregate) -> Atom:
        """Make the relation of one aggregate; returns the atom that stands for it in the rule."""
        group = shared(aggregate, self._outer)
        open_ = [name for name in group if name not in in_binding_order(aggregate.body).bound]
        body = in_binding_order((*self._binders(open_, group), *aggregate.body)).literals
        atom = self._declare(aggregate, group)
        self.rules.append(Rule(atom, body, self._fold(aggregate), place=self._rule.place))
        if aggregate.function in ("count", "sum"):
            atom = self._total(atom, group, 0.0 if self._sorts.get(aggregate.result.name) == "float" else 0)
        self._atoms.append(atom)
        return atom

    def implies(self, literal: Literal) -> bool:
        """Whether a min or max has no row without this condition, so that the rule need not repeat it."""
        return isinstance(literal, Atom) and any(
            rule.fold is not None
            and rule.fold.function in ("min", "max")
            and all(is_anonymous(name) or Var(name) in rule.head.args[:-1] for name in names(literal))
            and any(_covers(other, literal) for other in rule.body if isinstance(other, Atom))
            for rule in self.rules
        )

    def _fold(self, aggregate: Aggregate) -> Fold:
        over = local(aggregate, self._outer) if aggregate.function in EACH else ()
        fractional = self._sorts.get(aggregate.result.name) == "float"
        return Fold(aggregate.function, aggregate.target, tuple(map(Var, over)), fractional)

    def _declare(self, aggregate: Aggregate, group: Sequence[str]) -> Atom:
        stem = f"{self._head.name}__{aggregate.function}"
        self._made[stem] += 1
        head = Atom(f"{stem}{self._made[stem]}", (*map(Var, group), aggregate.result))
        self._add_relation(head, _doc(aggregate, local(aggregate, self._outer)))
        return head

    def _add_relation(self, atom: Atom, doc: str) -> None:
        """What serves a relation on demand is derived on demand, too."""
        columns, demand = columns_for(names(atom), self._sorts), self._head.on_demand
        self.relations.append(
            Relation(atom.relation, columns, doc, on_demand=demand, auxiliary=True, place=self._rule.place)
        )

    def _total(self, counted: Atom, group: Sequence[str], nothing_at_all: float) -> Atom:
        """The same rows, and 0 for every group of the rule that has none."""
        total = replace(counted, relation=f"{counted.relation}__total")
        self._add_relation(total, f"{self.relations[-1].doc}, or 0")
        zero = replace(total, args=(*counted.args[:-1], Const(nothing_at_all)))
        nothing = Not(replace(counted, args=(*counted.args[:-1], Var("_0"))))
        place = self._rule.place
        self.rules.append(Rule(total, (counted,), place=place))
        body = in_binding_order((*self._binders(group, group), nothing)).literals
        self.rules.append(Rule(zero, body, place=place))
        return total

    def _binders(self, wanted: Iterable[str], group: Sequence[str]) -> Iterator[Literal]:
        """As few conditions of the rule as bind these variables, in the order written."""
        chosen, bound = list[Literal](), set[str]()
        missing = list(wanted)
        while missing := [name for name in missing if name not in bound]:
            useful = [atom for atom in self._atoms if set(missing) & set(names(atom))]
            if useful:
                best = max(useful, key=partial(self._usefulness, missing, group))
                chosen.append(best)
                bound.update(names(best))
            else:
                assignment = self._assigned[missing[0]]
                chosen.append(assignment)
                bound.add(missing[0])
                missing += names(assignment)
        yield from (atom for atom in self._atoms if atom in chosen)
        yield from (literal for literal in chosen if isinstance(literal, Compare))

    def _usefulness(self, missing: Iterable[str], group: Iterable[str], atom: Atom) -> tuple[bool, int, int]:
        """Not the rule's own relation (that would be a cycle), then what binds most and joins best."""
        bound = set(names(atom))
        return atom.relation != self._head.name, len(bound & set(missing)), len(bound & set(group))


def _covers(inner: Atom, outer: Atom) -> bool:
    """Whether a row for `inner` is also one for `outer`: the same arguments, or `_`."""
    return inner.relation == outer.relation and all(
        one == two or (isinstance(two, Var) and two.anonymous)
        for one, two in zip(inner.args, outer.args, strict=True)
    )


def _doc(aggregate: Aggregate, ranged: Sequence[str]) -> str:
    what = term_text(aggregate.target) if aggregate.target else ", ".join(ranged)
    conditions = ", ".join(map(literal_text, aggregate.body))
    return f"{WORDS[aggregate.function]} {what} such that {conditions}"
