"""Which variables are symbols and which are numbers, and where a rule mixes them or gives a function the wrong one.

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
    Call,
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
from narraworld.rules.language.values.functions import FUNCTIONS, pattern_problem

__all__ = ["Relations", "Sorts", "columns_for", "sort_of", "sort_problems", "sorts_of", "target_problems"]

MIXED = "make the number a fraction: to_float(N)"

Sorts: TypeAlias = Mapping[str, ColumnType]
Relations: TypeAlias = Mapping[str, Relation]


def sorts_of(
    literals: Iterable[Literal], relations: Relations, known: Sorts | None = None
) -> dict[str, ColumnType]:
    """The sort of each variable, by its first use in an atom; `=` hands sorts on."""
    literals, found = tuple(literals), dict(known or {})
    for literal in literals:
        for name, sort in _first_sorts(literal, relations, found):
            found.setdefault(name, sort)
    equalities = [one for one in literals if isinstance(one, Compare) and one.op == "="]
    while any(_hand_on(equality, found) for equality in equalities):
        pass
    return found


def _first_sorts(literal: Literal, relations: Relations, known: Sorts) -> Iterator[tuple[str, ColumnType]]:
    match literal:
        case (Atom() as atom) | Not(atom):
            yield from _columns_of(atom, relations)
        case Aggregate(result):
            yield result.name, _folded(literal, relations, known)


def _folded(aggregate: Aggregate, relations: Relations, known: Sorts) -> ColumnType:
    """What an aggregate gives: a mean is a fraction, and so is what is taken from fractions."""
    if aggregate.function == "mean":
        return "float"
    if aggregate.target is None:
        return "number"
    inner = sorts_of(aggregate.body, relations, known)
    return "float" if sort_of(aggregate.target, inner) == "float" else "number"


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
        sort = sort_of(other, found)
        if isinstance(one, Var) and sort and one.name not in found:
            found[one.name] = sort
            return True
    return False


def sort_of(term: Term, sorts: Sorts) -> ColumnType | None:
    match term:
        case Var(name):
            return sorts.get(name)
        case Const(value):
            return "symbol" if isinstance(value, str) else "float" if isinstance(value, float) else "number"
        case Arithmetic(_, left, right):
            kinds = {sort_of(left, sorts), sort_of(right, sorts)}
            return "float" if "float" in kinds else None if None in kinds else "number"
        case Call(function):
            return FUNCTIONS[function].gives


def sort_problems(
    literal: Literal, place: SourcePlace, relations: Relations, sorts: Sorts
) -> Iterator[WrongType]:
    match literal:
        case (Atom() as atom) | Not(atom):
            yield from _atom_problems(atom, place, relations, sorts)
        case Compare():
            yield from _comparison_problems(literal, place, sorts)
        case Aggregate(result, function):
            given = _folded(literal, relations, sorts)
            if sorts[result.name] != given:
                yield WrongType(
                    f"{result.name} is a {sorts[result.name]}, but {function} gives a {given}", place
                )


def target_problems(aggregate: Aggregate, place: SourcePlace, inner: Sorts) -> Iterator[WrongType]:
    """min, max and sum need numbers."""
    if aggregate.target is None:
        return
    if sort_of(aggregate.target, inner) == "symbol":
        yield WrongType(f"{aggregate.function} needs numbers, but it is given symbols", place)
    yield from _arithmetic_problems(aggregate.target, place, inner)


def _atom_problems(atom: Atom, place: SourcePlace, relations: Relations, sorts: Sorts) -> Iterator[WrongType]:
    for arg, column in zip(atom.args, relations[atom.relation].columns, strict=True):
        sort = sort_of(arg, sorts)
        if sort != column.type and not _written_whole(arg, column.type):
            shown = repr(arg.value) if isinstance(arg, Const) else ", ".join(names(arg))
            yield WrongType(
                f"{shown} is a {sort}, but column {column.name} of {atom.relation} holds {column.type}s",
                place,
            )


def _comparison_problems(literal: Compare, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    left, right = sort_of(literal.left, sorts), sort_of(literal.right, sorts)
    mixed = left and right and left != right
    if mixed and not _written_whole(literal.left, right) and not _written_whole(literal.right, left):
        fix = MIXED if {left, right} == {"number", "float"} else None
        yield WrongType(f"a {left} is compared with a {right}", place, fix=fix)
    for side in (literal.left, literal.right):
        yield from _arithmetic_problems(side, place, sorts)


def _written_whole(term: Term, wanted: ColumnType | None) -> bool:
    """A whole number that is written where a fraction stands is one."""
    return wanted == "float" and isinstance(term, Const) and isinstance(term.value, int)


def _call_problems(call: Call, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    function = FUNCTIONS[call.function]
    for number, arg in enumerate(call.args):
        wanted, sort = function.sort(number), sort_of(arg, sorts)
        if sort and sort != wanted:
            yield WrongType(f"{call.function} takes a {wanted} here, not a {sort}", place)
        yield from _arithmetic_problems(arg, place, sorts)
    if call.function == "match":
        yield from _pattern_problems(call.args[0], place)


def _pattern_problems(pattern: Term, place: SourcePlace) -> Iterator[WrongType]:
    if not isinstance(pattern, Const):
        yield WrongType(
            "the pattern of match is not written out", place, fix='write match("…", X), or use contains'
        )
    elif isinstance(pattern.value, str) and (problem := pattern_problem(pattern.value)):
        yield WrongType(f"this is no pattern of ours: {problem}", place)


def _arithmetic_problems(term: Term, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    if isinstance(term, Call):
        yield from _call_problems(term, place, sorts)
    if not isinstance(term, Arithmetic):
        return
    kinds = {sort_of(operand, sorts) for operand in (term.left, term.right)}
    written = any(_written_whole(operand, "float") for operand in (term.left, term.right))
    if kinds >= {"number", "float"} and not written:
        yield WrongType(f"{term.op} mixes a number with a float", place, fix=MIXED)
    elif term.op == "%" and "float" in kinds:
        yield WrongType("% needs whole numbers", place)
    yield from _operand_problems(term, place, sorts)


def _operand_problems(term: Arithmetic, place: SourcePlace, sorts: Sorts) -> Iterator[WrongType]:
    for operand in (term.left, term.right):
        if sort_of(operand, sorts) == "symbol":
            yield WrongType(f"{term.op} needs numbers on both sides", place)
        yield from _arithmetic_problems(operand, place, sorts)
