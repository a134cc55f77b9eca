"""`X = range(1, 10)`: a value for each number from the first up to the last, which is not among them, as in Soufflé.

    day(D) :- trip(F, T), D = range(F, T).

becomes a relation that counts, begun by what binds the ends, and an atom that reads it:

    day__range1(F, T, 1, F) :- trip(F, T), F < T.
    day__range1(F, T, 1, M) :- day__range1(F, T, 1, N), M = N + 1, M < T.
    day(D) :- trip(F, T), day__range1(F, T, _, D).

Without a step it counts towards the last, up or down. Works on core rules; knows no text and no engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal as OneOf
from typing import TypeGuard

from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Call,
    Column,
    Compare,
    Const,
    Literal,
    Relation,
    Rule,
    Term,
    Var,
)
from narraworld.rules.language.terms import in_binding_order, names

__all__ = ["RANGE", "without_ranges"]

RANGE = "range"
COLUMNS = ("from", "to", "step", "value")
WAYS: tuple[tuple[Const, OneOf["<", ">"]], ...] = ((Const(1), "<"), (Const(-1), ">"))  # up and down
FIRST, LAST, STEP, VALUE, NEXT = map(Var, ("From'", "To'", "Step'", "Value'", "Next'"))


def without_ranges(rule: Rule, made: Counter[str], *, on_demand: bool) -> tuple[list[Relation], list[Rule]]:
    """The rule in which atoms stand for ranges, behind the relations and rules that count for them."""
    relations, rules = list[Relation](), list[Rule]()
    while (ranged := _next_range(rule)) is not None:
        stem = f"{rule.head.relation}__{RANGE}"
        made[stem] += 1
        columns = tuple(Column(name, "number") for name in COLUMNS)
        doc = "the numbers from the first up to the last"
        relation = Relation(
            f"{stem}{made[stem]}", columns, doc, on_demand=on_demand, auxiliary=True, place=rule.place
        )
        relations.append(relation)
        rules += _counting(relation.name, rule, ranged)
        rule = _reading(relation.name, rule, ranged)
    return relations, [*rules, rule]


def _next_range(rule: Rule) -> Compare | None:
    """The first whose ends need no other range."""
    waiting = [one for one in rule.body if _is_range(one)]
    bound = in_binding_order([one for one in rule.body if one not in waiting]).bound
    ready = [one for one in waiting if set(names(*_ends(one))) <= bound]
    return next(iter(ready or waiting), None)


def _is_range(literal: Literal) -> TypeGuard[Compare]:
    """As the reader writes it: a name of its own on the left."""
    return (
        isinstance(literal, Compare) and isinstance(literal.right, Call) and literal.right.function == RANGE
    )


def _ends(ranged: Compare) -> tuple[Term, ...]:
    assert isinstance(ranged.right, Call)
    return ranged.right.args


def _reading(relation: str, rule: Rule, ranged: Compare) -> Rule:
    """The rule with an atom in place of the range; ends that are reckoned get a name."""
    ends, said = list[Term](), list[Literal]()
    for place, end in enumerate(_ends(ranged)):
        plain = isinstance(end, Var | Const)
        ends.append(end if plain else Var(f"{relation}.{COLUMNS[place]}"))
        said += [] if plain else [Compare("=", ends[-1], end)]
    ends += [Var("_step")] * (3 - len(ends))
    body = [one for one in rule.body if one is not ranged]
    atom = Atom(relation, (*ends, ranged.left))
    return replace(rule, body=in_binding_order((*body, *said, atom)).literals)


def _counting(relation: str, rule: Rule, ranged: Compare) -> Iterator[Rule]:
    """Begins at the first number of every pair of ends, and goes on to before the last."""
    ends = _ends(ranged)
    given = [*_binders(rule, ranged), Compare("=", FIRST, ends[0]), Compare("=", LAST, ends[1])]
    for step, onwards in WAYS:
        sort = [Compare("=", STEP, ends[2] if len(ends) > 2 else step), Compare(onwards, Const(0), STEP)]
        begun = Atom(relation, (FIRST, LAST, STEP, FIRST))
        within = Compare(onwards, FIRST, LAST)
        yield Rule(begun, in_binding_order((*given, *sort, within)).literals, place=rule.place)
        before, after = (Atom(relation, (FIRST, LAST, STEP, one)) for one in (VALUE, NEXT))
        going = [Compare(onwards, Const(0), STEP), Compare("=", NEXT, Arithmetic("+", VALUE, STEP))]
        yield Rule(after, (before, *going, Compare(onwards, NEXT, LAST)), place=rule.place)


def _binders(rule: Rule, ranged: Compare) -> Sequence[Literal]:
    """The conditions of the rule that are tied to the ends, so that nothing is counted that nobody asks for."""
    others = [one for one in rule.body if isinstance(one, Atom | Compare) and not _is_range(one)]
    reach = set(names(*_ends(ranged)))
    while more := {name for one in others if reach & set(names(one)) for name in names(one)} - reach:
        reach |= more
    return in_binding_order([one for one in others if reach & set(names(one))]).literals
