"""One rule body against one engine: which bindings make every literal true.

Looks at facts only through `Engine.ask`, keeps nothing but the answers it was given, derives nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Program,
    Row,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.language.terms import calculate, substitute
from narraworld.rules.language.terms import compare as holds
from narraworld.rules.language.values.functions import folded

__all__ = [
    "Answers", "AskedLiteral", "Env", "candidates", "constants", "extensions", "fold_value", "ground", "ground_term", "in_order",
    "named_unbound", "next_literal", "row_of", "solutions", "solutions_in_turn", "unify", "value_of", "variables",
]  # fmt: skip

Env: TypeAlias = dict[str, Value]


class Answers(Protocol):
    """The one thing that matching needs of an engine."""

    @property
    def program(self) -> Program: ...

    def ask(self, goal: Atom) -> list[Row]: ...


class AskedLiteral:
    """An engine that remembers its answers for as long as one explanation, or one query, takes."""

    def __init__(self, engine: Answers) -> None:
        self.program = engine.program
        self._engine = engine
        self._answers: dict[Atom, list[Row]] = {}

    @cached_property
    def _height(self) -> dict[str, int]:
        """The stratum of each derived relation."""
        return {
            name: height
            for height, stratum in enumerate(self.program.strata, 1)
            for name in stratum.relations
        }

    def ask(self, goal: Atom) -> list[Row]:
        found = self._answers.get(goal)
        if found is None:
            found = self._answers[goal] = self._engine.ask(goal)
        return found

    def rows(self, atom: Atom, env: Env) -> list[Row]:
        """The rows that match the atom with what is known."""
        return self.ask(ground(atom, env))

    def looseness(self, atom: Atom, env: Env) -> tuple[bool, bool, int, int]:
        """How far an atom is from being a plain look-up; an on-demand relation waits for its first column.

        A constant of the rule alone finds nothing: `entity(X, "place")` is every place there is. Between equals the lower
        stratum goes first: it narrows the rows we then ask a closure about.
        """
        free = [isinstance(term, Var) and term.name not in env for term in atom.args]
        found = any(
            not open_ and not isinstance(term, Const) for term, open_ in zip(atom.args, free, strict=True)
        )
        relation = self.program.relations[atom.relation]
        height = 0 if relation.base else self._height.get(atom.relation, 1)
        return relation.on_demand and any(free[:1]), any(free) and not found, sum(free), height


# -- terms ---------------------------------------------------------------------------------------


def variables(term: Term) -> Iterator[Var]:
    """The variables of a term, left to right."""
    match term:
        case Var():
            yield term
        case Arithmetic(_, left, right):
            yield from variables(left)
            yield from variables(right)
        case Call(_, args):
            for arg in args:
                yield from variables(arg)


def value_of(term: Term, env: Env) -> Value | None:
    """The term's value; None while a variable is unbound, and for division by zero."""
    unbound = any(var.name not in env for var in variables(term))
    return None if unbound else calculate(term, env)


def row_of(terms: Sequence[Term], env: Env) -> Row:
    """The row that fully bound terms make."""
    values = tuple(value for term in terms if (value := value_of(term, env)) is not None)
    assert len(values) == len(terms), f"{terms} is not fully bound by {env}"
    return values


def ground_term(term: Term, env: Env) -> Term:
    return substitute(term, {name: Const(value) for name, value in env.items()})


def ground(atom: Atom, env: Env) -> Atom:
    """The atom with every bound variable replaced by its value."""
    terms = (Const(env[t.name]) if isinstance(t, Var) and t.name in env else t for t in atom.args)
    return Atom(atom.relation, tuple(terms))


def constants(row: Row) -> tuple[Const, ...]:
    return tuple(Const(value) for value in row)


def unify(args: Sequence[Term], wanted: Sequence[Term]) -> Env | None:
    """What the constants in `wanted` bind among the variables of `args`; None where the two cannot agree."""
    env: Env = {}
    for term, other in zip(args, wanted, strict=True):
        if not isinstance(other, Const):
            continue
        known = term.value if isinstance(term, Const) else env.setdefault(_name(term), other.value)
        if known != other.value:
            return None
    return env


def _name(term: Term) -> str:
    assert isinstance(term, Var), f"only variables and constants stand in atoms, not {term}"
    return term.name


# -- literals ------------------------------------------------------------------------------------


def named_unbound(literal: Literal, env: Env) -> set[str]:
    """Variables that must still be bound before the literal can be decided.

    An atom needs none; a negated one may keep its anonymous variables; `=` may assign one side.
    """
    match literal:
        case Not(atom):
            return {v.name for term in atom.args for v in variables(term) if not v.anonymous} - env.keys()
        case Compare(_, left, right):
            assigned = _assigned(literal, env)
            terms = (left, right) if assigned is None else (assigned[1],)
            return {v.name for term in terms for v in variables(term)} - env.keys()
    return set()


def _assigned(compare: Compare, env: Env) -> tuple[str, Term] | None:
    """The variable that `=` would give a value, and the term that has it."""
    sides = ((compare.left, compare.right), (compare.right, compare.left))
    found = ((side.name, other) for side, other in sides if isinstance(side, Var) and side.name not in env)
    return next(found, None) if compare.op == "=" else None


def next_literal(engine: AskedLiteral, literals: Sequence[Literal], env: Env) -> Literal | None:
    """The literal to decide next: a test that is ready, else the atom that is bound most, else none."""
    for literal in literals:
        if not isinstance(literal, Atom) and not named_unbound(literal, env):
            return literal
    atoms = [literal for literal in literals if isinstance(literal, Atom)]
    if len(atoms) == 1:  # whatever is known of it
        return atoms[0]
    return min(atoms, key=lambda atom: engine.looseness(atom, env), default=None)


def extensions(engine: AskedLiteral, literal: Literal, env: Env) -> Iterator[Env]:
    """Each way in which the literal is true under `env`, as a larger binding."""
    match literal:
        case Atom(_, args):
            for row in engine.rows(literal, env):
                yield env | {_name(t): v for t, v in zip(args, row, strict=True) if isinstance(t, Var)}
        case Not(atom):
            if not engine.rows(atom, env):
                yield env
        case Compare():
            yield from _compared(literal, env)
        case Aggregate():
            raise EngineError("an aggregate in a rule body is surface form", fix="explain core programs only")


def _compared(compare: Compare, env: Env) -> Iterator[Env]:
    assigned = _assigned(compare, env)
    if assigned is not None:
        value = value_of(assigned[1], env)
        if value is not None:
            yield {**env, assigned[0]: value}
        return
    if holds(compare, env):
        yield env


def solutions(engine: AskedLiteral, body: Sequence[Literal], env: Env) -> Iterator[Env]:
    """All bindings that make the whole body true, in the order of the engine's sorted answers, lazily."""
    return solutions_in_turn(engine, in_order(engine, body, env), env)


def solutions_in_turn(engine: AskedLiteral, body: Sequence[Literal], env: Env) -> Iterator[Env]:
    """The same for literals that stand in their order already."""
    yield from _in_turn(engine, body, 0, env)


def in_order(engine: AskedLiteral, body: Sequence[Literal], env: Env) -> list[Literal]:
    """The literals as they are decided: which one is next depends on what is bound, never on its value."""
    rest, bound, found = list(body), dict(env), list[Literal]()
    while rest and (literal := next_literal(engine, rest, bound)) is not None:
        rest = [other for other in rest if other is not literal]
        found.append(literal)
        bound |= dict.fromkeys(_bound_by(literal, bound), 0)
    return [*found, *rest]  # what nothing binds comes last, and is refused when it is reached


def _bound_by(literal: Literal, env: Env) -> list[str]:
    match literal:
        case Atom(_, args):
            return [term.name for term in args if isinstance(term, Var) and term.name not in env]
        case Compare():
            assigned = _assigned(literal, env)
            return [] if assigned is None else [assigned[0]]
    return []


def _in_turn(engine: AskedLiteral, body: Sequence[Literal], at: int, env: Env) -> Iterator[Env]:
    if at == len(body):
        yield env
        return
    literal = body[at]
    if not isinstance(literal, Atom) and named_unbound(literal, env):
        raise EngineError(f"nothing binds the variables of {body[at:]}", fix="explain checked programs only")
    for extended in extensions(engine, literal, env):
        yield from _in_turn(engine, body, at + 1, extended)


# -- folds ---------------------------------------------------------------------------------------


def candidates(engine: AskedLiteral, rule: Rule, group: Env) -> list[tuple[Env, float]]:
    """What a fold looks at in one group, each with the number it contributes.

    `min` and `max` look at every value, `count` and `sum` at the distinct bindings of `over`.
    """
    fold = rule.fold
    assert fold is not None, "only a rule with a fold has candidates"
    found: dict[tuple[Value | None, ...], tuple[Env, float]] = {}
    for env in solutions(engine, rule.body, group):
        value = 0 if fold.target is None else value_of(fold.target, env)
        if isinstance(value, int | float):
            over = tuple(env.get(var.name) for var in fold.over)
            key = (*over, value) if fold.function in ("min", "max") else over
            found.setdefault(key, (env, value))
    return list(found.values())


def fold_value(rule: Rule, found: Sequence[tuple[Env, float]]) -> float | None:
    """The number the fold makes of its candidates; a group without candidates has none."""
    assert rule.fold is not None, "only a rule with a fold has a value"
    return folded(rule.fold.function, [value for _, value in found]) if found else None
