"""Look-ups that give few rows however long the story gets: by a record, by whatever a rule file says has few, and all that follows.

A hint for the order in which tables are joined, never a promise: what it says of a derived relation follows from the rules
as if few times few were still few, and `//@ few per …` is believed. Asked for one look-up at a time. Pure.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from narraworld.rules.language.ir import Atom, Compare, Literal, Program, Rule, Var
from narraworld.rules.language.terms import names

__all__ = ["FewRows"]

HIGHEST = 100  # relations resting on one another in so long a chain are not looked into


class FewRows:
    """Of one program: whether a relation has few rows with given values in some columns."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[str, frozenset[int]], bool] = {}

    def __call__(self, relation: str, bound: frozenset[int]) -> bool:
        key = relation, bound
        if key not in self._known:
            self._known[key] = self._is_few(relation, bound)
        return self._known[key]

    def enough(self, relation: str, bound: frozenset[int]) -> frozenset[int]:
        """As many of these columns as it takes to have few rows, the first ones by preference; all of them if they are not enough."""
        if self(relation, frozenset()) or not self(relation, bound):
            return bound
        subsets = (frozenset(some) for size in (1, 2) for some in combinations(sorted(bound), size))
        return next((some for some in subsets if self(relation, some)), bound)

    def _is_few(self, relation: str, bound: frozenset[int]) -> bool:
        declared = self._program.relations[relation]
        told = {column.name for place, column in enumerate(declared.columns) if place in bound}
        if any(told.issuperset(columns) for columns in declared.few):
            return True
        if declared.base or self._height[relation] > HIGHEST:
            return False
        return all(self._settles(rule, bound) for rule in self._program.rules_for(relation))

    def _settles(self, rule: Rule, bound: frozenset[int]) -> bool:
        """Whether the body, told these columns of the head, has few ways to fill the others."""
        known = set(names(*(term for place, term in enumerate(rule.head.args) if place in bound)))
        wanted = set(names(*(rule.head.args[:-1] if rule.fold else rule.head.args)))
        waiting: list[Literal] = [one for one in rule.body if isinstance(one, Atom | Compare)]
        while not wanted <= known:
            told = [one for one in waiting if self._tells(one, known, rule.head.relation)]
            if not told:
                return False
            known = known.union(*map(names, told))
            waiting = [one for one in waiting if one not in told]
        return True

    def _tells(self, literal: Literal, known: set[str], head: str) -> bool:
        match literal:
            case Atom(relation, args) if self._height[relation] < self._height[head]:
                return self(
                    relation, frozenset(i for i, term in enumerate(args) if known.issuperset(names(term)))
                )
            case Compare("=", Var(name), term) | Compare("=", term, Var(name)):
                return name not in known and known.issuperset(names(term))
        return False

    @cached_property
    def _height(self) -> dict[str, int]:
        """How many strata lie below each relation; those of one circle lie alike high."""
        height = dict.fromkeys(self._program.relations, 0)
        for stratum in self._program.strata:
            rules = [rule for name in stratum.relations for rule in self._program.rules_for(name)]
            below = {one.relation for rule in rules for one in rule.body if isinstance(one, Atom)}
            top = 1 + max((height[name] for name in below.difference(stratum.relations)), default=0)
            height.update(dict.fromkeys(stratum.relations, top))
        return height
