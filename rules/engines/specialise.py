"""A goal's constants pushed into the rules: a smaller program that answers one goal, for any engine.

Kifer and Lozinskii's static filtering. `believes("leo", …)` gets a copy of its rules with "leo" in place of the variable,
and so do the relations these rules read, through recursion that keeps the column, through `!` and into the
groups of folds. A copy is exact for its constants, so its absence means the same as in the whole relation; the result
of a fold is never fixed, since a value known from outside must not change what is folded. Pure, source to source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from narraworld.rules.engines.terms import (
    atom_of,
    calculate,
    compare,
    substitute,
    substituted,
    variables,
)
from narraworld.rules.ir import Atom, Compare, Const, Literal, Not, Program, Relation, Rule, Value, Var
from narraworld.rules.stratify import stratify

__all__ = ["specialise"]


def specialise(program: Program, goal: Atom) -> tuple[Program, str]:
    """The smaller program, and the name of the relation in it that answers the goal.

    That relation keeps its columns. Rows that differ from the goal where nothing could be pushed (the result of a
    fold, a variable that stands twice) may still be among its rows.
    """
    copies = _Copies(program)
    name = copies.name_of(goal)
    copies.complete()
    return Program(copies.relations, tuple(copies.rules), stratify(copies.relations, copies.rules)), name


@dataclass(frozen=True, slots=True)
class _Copy:
    """A relation with some of its columns fixed."""

    relation: str
    fixed: tuple[tuple[int, Value], ...]


class _Copies:
    """Copies are named when first needed and written until none is left."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names: dict[_Copy, str] = {}
        self._todo: list[_Copy] = []
        self.relations: dict[str, Relation] = {name: program.relations[name] for name in program.base()}
        self.rules: list[Rule] = []

    def name_of(self, atom: Atom) -> str:
        """The relation that serves the atom: itself if it is given, else a copy for the atom's constants."""
        relation = self._program.relations[atom.relation]
        if relation.base:
            return atom.relation
        columns = relation.arity - any(rule.fold for rule in self._program.rules_for(atom.relation))
        pairs = enumerate(atom.args[:columns])
        copy = _Copy(atom.relation, tuple((i, t.value) for i, t in pairs if isinstance(t, Const)))
        if copy not in self._names:
            name = self._names[copy] = self._fresh(copy)
            self.relations[name] = replace(relation, name=name, auxiliary=True) if copy.fixed else relation
            self._todo.append(copy)
        return self._names[copy]

    def _fresh(self, copy: _Copy) -> str:
        if not copy.fixed:
            return copy.relation
        number = len(self._names) + 1
        while f"{copy.relation}__{number}" in {*self._program.relations, *self.relations}:
            number += 1
        return f"{copy.relation}__{number}"

    def complete(self) -> None:
        while self._todo:
            copy = self._todo.pop()
            for rule in self._program.rules_for(copy.relation):
                settled = _settled(rule, copy.fixed)
                if settled:
                    body = tuple(map(self._redirected, settled.body))
                    head = Atom(self._names[copy], settled.head.args)
                    self.rules.append(replace(settled, head=head, body=body))

    def _redirected(self, literal: Literal) -> Literal:
        atom = atom_of(literal)
        if atom is None:
            return literal
        copy = Atom(self.name_of(atom), atom.args)
        return Not(copy) if isinstance(literal, Not) else copy


# ---- constants inside one rule


def _settled(rule: Rule, fixed: Iterable[tuple[int, Value]]) -> Rule | None:
    """The rule with these head columns fixed and all that follows from it; None where it can never hold."""
    known: dict[str, Const] = {}
    for column, value in fixed:
        term = rule.head.args[column]
        if (known.setdefault(term.name, Const(value)) if isinstance(term, Var) else term) != Const(value):
            return None
    return _simplified(_replaced(rule, known))


def _simplified(rule: Rule) -> Rule | None:
    """Comparisons of constants decided, variables equal to a constant replaced by it."""
    for literal in rule.body:
        if not isinstance(literal, Compare):
            continue
        if not any(variables(literal)):
            if not compare(literal, {}):
                return None
            return _simplified(_without(rule, literal))
        for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
            if literal.op == "=" and isinstance(one, Var) and not any(variables(other)):
                value = calculate(other, {})
                if value is None:
                    return None
                return _simplified(_replaced(_without(rule, literal), {one.name: Const(value)}))
    return rule


def _without(rule: Rule, literal: Literal) -> Rule:
    return replace(rule, body=tuple(other for other in rule.body if other is not literal))


def _replaced(rule: Rule, known: Mapping[str, Const]) -> Rule:
    if not known:
        return rule
    fold = rule.fold and replace(
        rule.fold,
        target=rule.fold.target and substitute(rule.fold.target, known),
        over=tuple(var for var in rule.fold.over if var.name not in known),
    )
    head = Atom(rule.head.relation, tuple(substitute(term, known) for term in rule.head.args))
    return replace(rule, head=head, body=tuple(substituted(one, known) for one in rule.body), fold=fold)
