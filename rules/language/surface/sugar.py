"""What people write and the core form does not have: `;`, groups, `!( … )`, several heads, values inside arguments.

Conditions are kept as alternatives of conjunctions from the start, so that each alternative becomes a rule of its own.
A value that stands where the core form wants a variable gets a name, its own text, and a condition that says so:

    next(T + 1) :- at(T).            becomes    next(«T + 1») :- at(T), «T + 1» = T + 1.

Pure functions over `ir` values; knows no text and no tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Compare,
    Literal,
    Not,
    Rule,
    SourcePlace,
    Term,
    Var,
)
from narraworld.rules.language.surface.statements import SurfaceRule
from narraworld.rules.language.terms import is_anonymous, names, outer_names

__all__ = [
    "FALSE",
    "MOST",
    "TRUE",
    "Alternatives",
    "SpelledCondition",
    "both",
    "clause",
    "denied",
    "flat",
    "named_anonymous",
]

MOST = 256  # alternatives of one rule: more of them is a mistake, or somebody trying


@dataclass(frozen=True, slots=True)
class SpelledCondition:
    """One condition, the places of what stands inside it, and the conditions that name its values."""

    literal: Literal
    place: SourcePlace
    inside: tuple[SourcePlace, ...] = ()
    first: tuple[SpelledCondition, ...] = ()


Alternatives: TypeAlias = tuple[tuple[SpelledCondition, ...], ...]
TRUE: Alternatives = ((),)
FALSE: Alternatives = ()


def both(one: Alternatives, other: Alternatives) -> Alternatives:
    return tuple(left + right for left in one for right in other)


def denied(alternatives: Alternatives) -> Alternatives:
    """None of the alternatives holds: of each, some condition does not. None at all is too many of them."""
    size = 1
    for one in alternatives:
        size *= len(one)
    if size > MOST:
        return tuple(() for _ in range(MOST + 1))
    return tuple(tuple(map(_denied, choice)) for choice in product(*alternatives))


_OPPOSITE: Mapping[str, str] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _denied(said: SpelledCondition) -> SpelledCondition:
    match said.literal:
        case Atom() as atom:
            return replace(said, literal=Not(atom))
        case Not(atom):
            return replace(said, literal=atom)
        case Compare(op, left, right):
            return replace(said, literal=Compare(_OPPOSITE[op], left, right))  # type: ignore[arg-type]
        case Aggregate(result) as aggregate:
            value = Var(f"{result.name}'")
            counted = SpelledCondition(replace(aggregate, result=value), said.place, said.inside)
            return SpelledCondition(Compare("!=", result, value), said.place, first=(*said.first, counted))


def flat(conditions: Iterable[SpelledCondition]) -> list[SpelledCondition]:
    """Every condition after those that name its values; what names the same value twice stands once."""
    found: list[SpelledCondition] = []
    for said in conditions:
        known = {one.literal for one in found}
        found += [one for one in flat(said.first) if one.literal not in known]
        found.append(replace(said, first=()))
    return found


def clause(head: SpelledCondition, conditions: Iterable[SpelledCondition], rule: Rule) -> SurfaceRule:
    """One head and one alternative as a rule; `rule` lends it sentence, place and text."""
    body = flat((*conditions, *head.first))
    assert isinstance(head.literal, Atom)
    whole = replace(rule, head=head.literal, body=tuple(said.literal for said in body))
    places = [place for said in body for place in (said.place, *said.inside)]
    return SurfaceRule(_with_own_names(whole), (head.place, *places))


# ---- names inside aggregates


def _with_own_names(rule: Rule) -> Rule:
    """What an aggregate takes the least, greatest or sum of is its own, whatever else bears the same name."""
    outer = set(outer_names(rule))
    body = tuple(_apart(one, outer) if isinstance(one, Aggregate) else one for one in rule.body)
    return replace(rule, body=body)


def _apart(aggregate: Aggregate, outer: set[str]) -> Aggregate:
    target = names(aggregate.target) if aggregate.target else ()
    new = {name: Var(f"{name}'") for name in target if name in outer}
    if not new or not aggregate.target:
        return aggregate
    body = tuple(_renamed(literal, new) for literal in aggregate.body)
    return replace(aggregate, target=_term(aggregate.target, new), body=body)


def named_anonymous(literals: Sequence[Literal]) -> tuple[Literal, ...]:
    """Inside count and sum each value of `_` counts, as in Soufflé: so it has a name, and cannot be left out."""
    return tuple(_named(literal) if isinstance(literal, Atom) else literal for literal in literals)


def _named(atom: Atom) -> Atom:
    return _renamed(atom, {name: Var(f"any{name}") for name in names(atom) if is_anonymous(name)})  # type: ignore[return-value]


def _renamed(literal: Literal, new: Mapping[str, Var]) -> Literal:
    match literal:
        case Atom(relation, args):
            return Atom(relation, tuple(_term(arg, new) for arg in args))
        case Not(atom):
            return Not(_renamed(atom, new))  # type: ignore[arg-type]
        case Compare(op, left, right):
            return Compare(op, _term(left, new), _term(right, new))
    return literal


def _term(term: Term, new: Mapping[str, Var]) -> Term:
    match term:
        case Var(name):
            return new.get(name, term)
        case Arithmetic(op, left, right):
            return Arithmetic(op, _term(left, new), _term(right, new))
        case Call(function, args):
            return Call(function, tuple(_term(arg, new) for arg in args))
    return term
