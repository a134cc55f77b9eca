"""The third voice: what a program means, said as plainly as possible.

Bottom up, stratum by stratum, nested loops, no index, no order of joins, no cleverness. Nothing here is shared with any
engine, so that it can be wrong only in its own way. Slow on purpose; give it small worlds.

Where the language leaves a choice, this is what we mean: dividing by zero makes the literal fail; a fold is
made per rule, and the last head argument of a fold rule only names its result.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from functools import partial

from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Facts,
    Literal,
    Not,
    Program,
    Row,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.language.values.functions import applied, folded

__all__ = ["answers", "derive", "reads"]

Binding = dict[str, Value]
Rows = dict[str, set[Row]]

COMPARE = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
CALCULATE = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
FOLD = {name: partial(folded, name) for name in ("min", "max", "sum", "count", "mean")}


def derive(program: Program, facts: Facts, known: Mapping[str, set[Row]] | None = None) -> Rows:
    """Every relation of the program, base and derived, with all its rows; ``known``: relations whose rows were derived before."""
    rows: Rows = {name: set() for name in program.relations} | {
        name: set(some) for name, some in (known or {}).items()
    }
    for name in program.base():
        rows[name] = {tuple(row) for row in facts.get(name, ())}
    for stratum in program.strata:
        rules = [
            rule
            for name in stratum.relations
            if name not in (known or {})
            for rule in program.rules_for(name)
        ]
        again = any(name in stratum.relations for rule in rules for name in reads(rule))
        while sum(_fire(rule, rows) for rule in rules) and again:  # until no rule adds a row
            pass
    return rows


def reads(rule: Rule) -> set[str]:
    """The relations that a rule looks at."""
    atoms = (literal.atom if isinstance(literal, Not) else literal for literal in rule.body)
    return {atom.relation for atom in atoms if isinstance(atom, Atom)}


def answers(rows: Rows, goal: Atom) -> list[Row]:
    """The rows of the goal's relation that match it, sorted: what `Engine.ask` has to return."""
    return sorted(row for row in rows[goal.relation] if _match(goal, row, {}) is not None)


def _fire(rule: Rule, rows: Rows) -> bool:
    """Add what the rule concludes; say whether anything was new."""
    bindings = list(_solve(list(rule.body), {}, rows))
    concluded = (
        _folded(rule, bindings) if rule.fold else {_row(rule.head.args, binding) for binding in bindings}
    )
    new = concluded - rows[rule.head.relation]
    rows[rule.head.relation] |= new
    return bool(new)


def _folded(rule: Rule, bindings: list[Binding]) -> set[Row]:
    assert rule.fold is not None
    groups: dict[Row, dict[Row, Value]] = {}
    for binding in bindings:
        value = 0 if rule.fold.target is None else _value(rule.fold.target, binding)
        if value is not None:
            over = _row(rule.fold.over, binding)
            # min and max look at every binding, count and sum at the distinct ones of `over`
            key = (*over, value) if rule.fold.function in ("min", "max") else over
            groups.setdefault(_row(rule.head.args[:-1], binding), {})[key] = value
    fold = FOLD[rule.fold.function]
    return {(*group, fold(values.values())) for group, values in groups.items()}


def _solve(body: list[Literal], binding: Binding, rows: Rows) -> Iterator[Binding]:
    """All bindings that make every literal true; a literal waits until its variables are bound."""
    if not body:
        yield binding
        return
    literal = next((literal for literal in body if _ready(literal, binding)), None)
    assert literal is not None, f"unsafe: {body}"
    rest = [other for other in body if other is not literal]
    for extended in _holds(literal, binding, rows):
        yield from _solve(rest, extended, rows)


def _ready(literal: Literal, binding: Binding) -> bool:
    match literal:
        case Atom():
            return True
        case Not(atom):
            return all(var in binding for var in _variables(*atom.args) if not var.startswith("_"))
        case Compare("=", Var(name), other) if name not in binding:
            return all(var in binding for var in _variables(other))
        case Compare("=", other, Var(name)) if name not in binding:
            return all(var in binding for var in _variables(other))
        case Compare(_, left, right):
            return all(var in binding for var in _variables(left, right))
    raise AssertionError(f"not core: {literal}")


def _holds(literal: Literal, binding: Binding, rows: Rows) -> Iterator[Binding]:
    match literal:
        case Atom(relation):
            matches = (_match(literal, row, binding) for row in rows[relation])
            yield from (extended for extended in matches if extended is not None)
        case Not(atom):
            if all(_match(atom, row, binding) is None for row in rows[atom.relation]):
                yield binding
        case Compare("=", other, Var(name)) if name not in binding:
            yield from _holds(Compare("=", Var(name), other), binding, rows)
        case Compare("=", Var(name), other) if name not in binding:
            value = _value(other, binding)
            if value is not None:
                yield {**binding, name: value}
        case Compare(op, left, right):
            one, two = _value(left, binding), _value(right, binding)
            if one is not None and two is not None and COMPARE[op](one, two):
                yield binding


def _match(atom: Atom, row: Row, binding: Binding) -> Binding | None:
    new: Binding = {}
    for term, value in zip(atom.args, row, strict=True):
        if isinstance(term, Const):
            wanted = term.value
        else:
            wanted = binding.get(term.name, new.setdefault(term.name, value))  # type: ignore[union-attr]
        if wanted != value:
            return None
    return {**binding, **new}


def _row(terms: tuple[Term, ...], binding: Binding) -> Row:
    return tuple(_value(term, binding) for term in terms)  # type: ignore[misc]


def _value(term: Term, binding: Binding) -> Value | None:
    match term:
        case Const(value):
            return value
        case Var(name):
            return binding[name]
        case Arithmetic(op, left, right):
            one, two = _value(left, binding), _value(right, binding)
            if one is None or two is None or (op in "/%" and two == 0):
                return None
            return one / two if op == "/" and isinstance(one, float) else CALCULATE[op](one, two)
        case Call(function, args):
            return applied(function, [_value(arg, binding) for arg in args])
    raise AssertionError(f"not a term: {term}")


def _variables(*terms: Term) -> list[str]:
    found: list[str] = []
    for term in terms:
        if isinstance(term, Arithmetic):
            found += _variables(term.left, term.right)
        elif isinstance(term, Call):
            found += _variables(*term.args)
        elif isinstance(term, Var):
            found.append(term.name)
    return found
