"""Which literal binds which variable, and the order of a body that follows from it.

Pure functions over `ir` values; knows no file, no relation's columns and no engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Compare,
    Const,
    Literal,
    Not,
    Rule,
    Term,
    Var,
)

__all__ = [
    "Ordered",
    "in_binding_order",
    "is_anonymous",
    "local",
    "names",
    "outer_names",
    "shared",
    "unbound",
]

TermPart: TypeAlias = Term | Literal


@dataclass(frozen=True, slots=True)
class Ordered:
    """A body in an order that can be evaluated from left to right.

    `stuck` literals need a variable that nothing binds. `assigned` says which `=` bound a variable.
    """

    literals: tuple[Literal, ...]
    stuck: tuple[Literal, ...]
    bound: frozenset[str]
    assigned: Mapping[str, Compare]


def is_anonymous(name: str) -> bool:
    return name.startswith("_")


def names(*parts: TermPart) -> tuple[str, ...]:
    """The variables of terms and literals in order of appearance, each once."""
    return tuple(dict.fromkeys(name for part in parts for name in _names(part)))


def _names(part: TermPart) -> Iterator[str]:
    match part:
        case Var(name):
            yield name
        case Const():
            return
        case Arithmetic(_, left, right) | Compare(_, left, right):
            yield from names(left, right)
        case Atom(_, args):
            yield from names(*args)
        case Not(atom):
            yield from names(atom)
        case Aggregate(result, _, target, body):
            yield from names(result, *([target] if target else []), *body)


def outer_names(rule: Rule) -> tuple[str, ...]:
    """The variables of the rule itself; what stands only inside an aggregate is local to it."""
    body = [literal.result if isinstance(literal, Aggregate) else literal for literal in rule.body]
    return names(*body, rule.head)


def shared(aggregate: Aggregate, outer: Collection[str]) -> tuple[str, ...]:
    """The variables that tie an aggregate's body to the rule around it: its groups."""
    own = aggregate.result.name
    return tuple(name for name in names(*aggregate.body) if name in outer and name != own)


def local(aggregate: Aggregate, outer: Collection[str]) -> tuple[str, ...]:
    """The named variables that belong to the aggregate alone: what it ranges over."""
    return tuple(name for name in names(*aggregate.body) if name not in outer and not is_anonymous(name))


def unbound(literal: Literal, bound: Collection[str], outer: Collection[str] = ()) -> tuple[str, ...]:
    """The variables a literal still waits for; `outer` are the names of the rule around an aggregate."""
    match literal:
        case Atom():
            needed: Iterable[str] = ()
        case Not(atom):
            needed = (name for name in names(atom) if not is_anonymous(name))
        # two cases, not one with `|`: a guard is tried on the first alternative that fits and on no other
        case Compare("=", Var(name), other) if name not in bound and name not in names(other):
            needed = names(other)
        case Compare("=", other, Var(name)) if name not in bound and name not in names(other):
            needed = names(other)
        case Compare(_, left, right):
            needed = names(left, right)
        case Aggregate():
            needed = shared(literal, outer)
    return tuple(name for name in needed if name not in bound)


def in_binding_order(
    body: Iterable[Literal], bound: Collection[str] = (), outer: Collection[str] = ()
) -> Ordered:
    """Atoms in the order written; every other literal right after the atom that makes it ready."""
    known, assigned, done = set(bound), dict[str, Compare](), list[Literal]()
    atoms = [literal for literal in body if isinstance(literal, Atom)]
    waiting = [literal for literal in body if not isinstance(literal, Atom)]

    def settle() -> None:
        while ready := next((one for one in waiting if not unbound(one, known, outer)), None):
            waiting.remove(ready)
            done.append(ready)
            if isinstance(ready, Compare):
                assigned.update({name: ready for name in names(ready) if name not in known})
                known.update(names(ready))
            elif isinstance(ready, Aggregate):
                known.add(ready.result.name)

    if not atoms:
        settle()
    for atom in atoms:
        done.append(atom)
        known.update(names(atom))
        settle()
    return Ordered(tuple(done), tuple(waiting), frozenset(known), assigned)
