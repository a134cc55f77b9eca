"""Which arithmetic works on fractions: told once, where the types of all variables are known, for engines that are not.

A whole number that is written where a fraction stands is that fraction. Pure functions over checked surface rules.
"""

from __future__ import annotations

from dataclasses import replace

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Rule,
    Term,
)
from narraworld.rules.language.values.sorts import Relations, Sorts, sort_of, sorts_of

__all__ = ["with_fractions"]


def with_fractions(rule: Rule, relations: Relations) -> Rule:
    """The rule with its fractions marked; most rules have none."""
    sorts = sorts_of((*rule.body, rule.head), relations)
    body = tuple(_literal(literal, sorts, relations) for literal in rule.body)
    head = _atom(rule.head, relations)
    return replace(rule, head=head, body=body)


def _literal(literal: Literal, sorts: Sorts, relations: Relations) -> Literal:
    match literal:
        case Atom():
            return _atom(literal, relations)
        case Not(atom):
            return Not(_atom(atom, relations))
        case Compare(op, left, right):
            fractional = "float" in (sort_of(left, sorts), sort_of(right, sorts))
            return Compare(op, _term(left, sorts, fractional), _term(right, sorts, fractional))
        case Aggregate(_, _, target, body):
            inner = sorts_of(body, relations, sorts)
            told = tuple(_literal(one, inner, relations) for one in body)
            return replace(literal, target=_term(target, inner, False) if target else None, body=told)


def _atom(atom: Atom, relations: Relations) -> Atom:
    columns = relations[atom.relation].columns
    if all(column.type != "float" for column in columns):
        return atom
    return Atom(
        atom.relation,
        tuple(_constant(arg, column.type == "float") for arg, column in zip(atom.args, columns, strict=True)),
    )


def _constant(term: Term, fractional: bool) -> Term:
    whole = isinstance(term, Const) and isinstance(term.value, int)
    return Const(float(term.value)) if fractional and whole else term  # type: ignore[union-attr]


def _term(term: Term, sorts: Sorts, fractional: bool) -> Term:
    match term:
        case Arithmetic(op, left, right):
            here = fractional or sort_of(term, sorts) == "float"
            return Arithmetic(op, _term(left, sorts, here), _term(right, sorts, here), here)
        case Call(function, args):
            return Call(function, tuple(_term(arg, sorts, False) for arg in args))
    return _constant(term, fractional)
