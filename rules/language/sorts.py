"""Which variables are symbols and which are numbers, and where a rule mixes them.

Pure functions over one scope of a rule: its own literals, or those inside one aggregate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from narraworld.rules.errors import WrongType
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    ColumnType,
    Compare,
    Const,
    Literal,
    Not,
    Relation,
    SourcePlace,
    Term,
    Var,
)  # fmt: skip
from narraworld.rules.language.terms import names

__all__ = ["Relations", "Sorts", "columns_for", "sort_problems", "sorts_of", "target_problems"]

Sorts: TypeAlias = Mapping[str, ColumnType]
Relations: TypeAlias = Mapping[str, Relation]


def sorts_of(
    literals: Iterable[Literal], relations: Relations, known: Sorts | None = None
) -> dict[str, ColumnType]:
    """The sort of each variable, by its first use in an atom; `=` hands sorts on."""
    literals, found = tuple(literals), dict(known or {})
    for literal in literals:
        match literal:
            case (Atom() as atom) | Not(atom):
                for name, sort in _columns_of(atom, relations):
                    found.setdefault(name, sort)
            case Aggregate(result):
                found.setdefault(result.name, "number")
    equalities = [one for one in literals if isinstance(one, Compare) and one.op == "="]
    while any(_hand_on(equality, found) for equality in equalities):
        pass
    return found


def _columns_of(atom: Atom, relations: Relations) -> Iterator[tuple[str, ColumnType]]:
    columns = relations[atom.relation].columns if atom.relation in relations else ()
    for arg, column in zip(atom.args, columns, strict=False):  # a wrong arity is someone else's complaint
        if isinstance(arg, Var):
            yield arg.name, column.type


def columns_for(variables: Iterable[str], sorts: Sorts) -> tuple[Column, ...]:
    """Columns named like variables in small letters; two that would collide get a number."""
    taken: Counter[str] = Counter()
    columns = []
    for name in variables:
        small = name.lower()
        taken[small] += 1
        label = small if taken[small] == 1 else f"{small}__{taken[small]}"
        columns.append(Column(label, sorts.get(name, "symbol")))
    return tuple(columns)


def _hand_on(equality: Compare, found: dict[str, ColumnType]) -> bool:
    """Give a variable the sort of the other side; says whether that was news."""
    for one, other in ((equality.left, equality.right), (equality.right, equality.left)):
        sort = _sort(other, found)
        if isinstance(one, Var) and sort and one.name not in found:
            found[one.name] = sort
            return True
    return False


def _sort(term: Term, sorts: Sorts) -> ColumnType | None:
    match term:
        case Var(name):
            return sorts.get(name)
        case Const(value):
            return "number" if isinstance(value, int) else "symbol"
        case Arithmetic():
            return "number"


def sort_problems(
    literal: Literal, place: SourcePlace, relations: Relations, sorts: Sorts
) -> Iterator[WrongType]:
    match literal:
        case (Atom() as atom) | Not(atom):
            yield from _atom_problems(atom, place, relations, sorts)
        case Compare():
            yield from _comparison_problems(literal, place, sorts)
        case Aggregate(result, function):
            if sorts[result.name] == "symbol":
                yield WrongType(f"{result.name} is a symbol, but {function} gives a number", place)


def target_problems(aggregate: Aggregate, place: SourcePlace, inner: Sorts) -> Iterator[WrongType]:
    """min, max and sum need numbers: symbols have no order and no sum."""
    if aggregate.target is None:
        return
    if _sort(aggregate.target, inner) == "symbol":
        yield WrongType(f"{aggregate.function} needs numbers, but it is given symbols", place)
    yield from _arithmetic_problems(aggregate.target, place, inner)


def _atom_problems(atom: Atom, place: SourcePlace, relations: Relations, sorts: Sorts) -> Iterator[WrongType]:
    for arg, column in zip(atom.args, relations[atom.relation].columns, strict=True):
        sort = _sort(arg, sorts)
        if sort != column.type:
            shown = repr(arg.value) if isinstance(arg, Const) else ", ".join(names(arg))
            yield WrongType(
                f"{shown} is a {sort}, but column {column.name} of {atom.relation} holds {column.type}s",
                place,
            )


def _comparison_problems(literal: Compare, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    left, right = _sort(literal.left, sorts), _sort(literal.right, sorts)
    if left and right and left != right:
        yield WrongType(f"a {left} is compared with a {right}", place)
    elif "symbol" in (left, right) and literal.op not in ("=", "!="):
        yield WrongType("symbols have no order", place, fix="compare symbols with = and != only")
    for side in (literal.left, literal.right):
        yield from _arithmetic_problems(side, place, sorts)


def _arithmetic_problems(term: Term, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    if not isinstance(term, Arithmetic):
        return
    for operand in (term.left, term.right):
        if _sort(operand, sorts) == "symbol":
            yield WrongType(f"{term.op} needs numbers on both sides", place)
        yield from _arithmetic_problems(operand, place, sorts)
