"""What every evaluation and every explanation asks of terms and literals: variables, substitution, values, a workable order.

Pure functions over `rules.ir`; knows no engine and no facts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.errors import EngineError, NumberTooLarge
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
    Value,
    Var,
)
from narraworld.rules.language.values.functions import applied

__all__ = [
    "LARGEST",
    "SMALLEST",
    "Ordered",
    "atom_of",
    "calculate",
    "compare",
    "in_64_bits",
    "in_binding_order",
    "is_anonymous",
    "local",
    "names",
    "ordered",
    "outer_names",
    "shared",
    "substitute",
    "unbound",
    "variables",
]

SMALLEST, LARGEST = -(2**63), 2**63 - 1

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

_CALCULATE: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip


def atom_of(literal: Literal) -> Atom | None:
    """The atom a literal asks about, negated or not; a comparison asks about none."""
    match literal:
        case Atom():
            return literal
        case Not(atom):
            return atom
    return None


def variables(*things: Literal | Term) -> Iterator[str]:
    """The names of the variables, in order, with repetition."""
    for thing in things:
        match thing:
            case Var(name):
                yield name
            case Arithmetic(_, left, right) | Compare(_, left, right):
                yield from variables(left, right)
            case Atom(_, args) | Not(Atom(_, args)) | Call(_, args):
                yield from variables(*args)


def substitute(term: Term, known: Mapping[str, Const]) -> Term:
    match term:
        case Var(name):
            return known.get(name, term)
        case Arithmetic(op, left, right):
            return Arithmetic(op, substitute(left, known), substitute(right, known))
        case Call(function, args):
            return Call(function, tuple(substitute(arg, known) for arg in args))
    return term


def calculate(term: Term, known: Mapping[str, Value]) -> Value | None:
    """The value of a term whose variables are known; dividing by zero has none."""
    match term:
        case Const(value):
            return value
        case Var(name):
            return known[name]
        case Arithmetic(op, left, right):
            return _reckoned(op, calculate(left, known), calculate(right, known))
        case Call(function, args):
            return applied(function, [calculate(arg, known) for arg in args])


def _reckoned(op: str, one: Value | None, two: Value | None) -> Value | None:
    if not isinstance(one, int | float) or not isinstance(two, int | float) or (two == 0 and op in "/%"):
        return None
    if isinstance(one, float) or isinstance(two, float):
        return _fraction(one / two if op == "/" else _CALCULATE[op](one, two))
    return in_64_bits(int(_CALCULATE[op](one, two)))


def _fraction(number: float) -> float | None:
    """A fraction that is too large has no value."""
    return number if isfinite(number) else None


def in_64_bits(number: int) -> int:
    """The number, which no database could hold if it were larger."""
    if not SMALLEST <= number <= LARGEST:
        raise NumberTooLarge(f"{number} does not fit in 64 bits")
    return number


def compare(literal: Compare, known: Mapping[str, Value]) -> bool:
    """Whether a comparison holds; what has no value compares with nothing."""
    left, right = calculate(literal.left, known), calculate(literal.right, known)
    return left is not None and right is not None and _COMPARE[literal.op](left, right)


def ordered(body: Iterable[Literal], bound: Iterable[str] = (), last: Collection[str] = ()) -> list[Literal]:
    """The literals in an order that can be followed from left to right.

    Tests come as soon as their variables are bound, atoms by how much is known of them; the relations in `last`
    wait for everything else.
    """
    waiting, known, order = list(body), set(bound), list[Literal]()
    while waiting:
        ready = [literal for literal in waiting if _ready(literal, known)]
        if not ready:
            names = ", ".join(sorted({name for literal in waiting for name in variables(literal)} - known))
            raise EngineError(f"nothing binds {names}", fix="ask with more columns bound")
        best = min(ready, key=lambda literal: _effort(literal, known, last))
        waiting.remove(best)
        order.append(best)
        if not isinstance(best, Not):
            known.update(variables(best))
    return order


def _ready(literal: Literal, known: Collection[str]) -> bool:
    match literal:
        case Atom():
            return True
        case Not(Atom(_, args)):
            return all(name in known for name in variables(*args) if not Var(name).anonymous)
        case Compare("=", Var(name), other) if name not in known:
            return all(name in known for name in variables(other))
        case Compare("=", other, Var(name)) if name not in known:
            return all(name in known for name in variables(other))
    return all(name in known for name in variables(literal))


def _effort(literal: Literal, known: Collection[str], last: Collection[str]) -> tuple[bool, bool, int]:
    """Small is good. A variable bound on the way says more than a constant the author of the rule wrote."""
    if not isinstance(literal, Atom):
        return (False, False, -1_000)
    told = [2 if isinstance(t, Var) and t.name in known else isinstance(t, Const) for t in literal.args]
    return (literal.relation in last, not all(told), -sum(told))


# -- Which literal binds which variable, and the order of a body that follows from it

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
        case Atom(_, args) | Call(_, args):
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
