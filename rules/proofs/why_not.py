"""Why does this not hold? The rules that could have concluded it, how far each came, and what it lacked.

Asks any engine, as `explain` does, and changes nothing. For each rule we look for the binding that goes furthest: literals
are decided one by one, the best bound first; one that fails is noted as missing and the rest goes on without what it
would have bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import Any, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import WhyNotSettings
from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Relation,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.proofs.explain import Prover
from narraworld.rules.proofs.matching import (
    Answers,
    AskedLiteral,
    Env,
    candidates,
    extensions,
    fold_value,
    ground,
    ground_term,
    next_literal,
    row_of,
    solutions,
    unify,
)
from narraworld.rules.proofs.proof import Bindings, Proof, literal_text, rule_json, to_json

__all__ = [
    "Attempt", "Blocked", "Differs", "Lacking", "Missing", "Untrue", "WhyNot", "WhyNotSettings", "why_not", "why_not_json",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lacking:
    """A premise nothing says; `why` goes on for derived relations as deep as the settings allow."""

    relation: Relation
    atom: Atom
    why: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """A premise that must be absent, but holds: here is why."""

    atom: Atom
    by: Proof


@dataclass(frozen=True, slots=True)
class Untrue:
    """A comparison that came out false, with its values filled in."""

    compare: Compare


@dataclass(frozen=True, slots=True)
class Differs:
    """A fold that gives another value than the one asked for."""

    wanted: Term
    actual: Value
    by: Proof


Missing: TypeAlias = Lacking | Blocked | Untrue | Differs


@dataclass(frozen=True, slots=True)
class Attempt:
    """One rule at its furthest: what it found, what it lacked, what could not be decided without that.

    `grounds` proves the atoms among what it found.
    """

    rule: Rule
    bindings: Bindings
    found: tuple[Literal, ...]
    missing: tuple[Missing, ...]
    undecided: tuple[Literal, ...]
    grounds: tuple[Proof, ...] = field(default=(), repr=False)

    @property
    def distance(self) -> tuple[int, int]:
        """Small is near: first by how much is missing, then by how much was found."""
        return len(self.missing) + len(self.undecided), -len(self.found)


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The rules that could have concluded `goal`, the nearest first; `holds` is its proof, should it hold after all.

    No attempts: a base relation in which no record says so, or one that no rule concludes in this form.
    """

    relation: Relation
    goal: Atom
    attempts: tuple[Attempt, ...] = ()
    holds: Proof | None = None


_USUAL = WhyNotSettings()


def why_not(engine: Answers, goal: Atom, settings: WhyNotSettings = _USUAL) -> WhyNot:
    """Why nothing matches the goal, whose variables mean "anything"."""
    return _Doubter(engine, settings).why_not(goal, settings.depth)


@dataclass(frozen=True, slots=True)
class _State:
    """A body decided so far under one binding."""

    env: Env
    found: tuple[Literal, ...] = ()
    failed: tuple[Literal, ...] = ()
    undecided: tuple[Literal, ...] = ()

    @property
    def short_of(self) -> int:
        return len(self.failed) + len(self.undecided)


class _Doubter:
    def __init__(self, engine: Answers, settings: WhyNotSettings) -> None:
        self.engine = AskedLiteral(engine)
        self.settings = settings
        self.prover = Prover(self.engine, settings.explain)

    def why_not(self, goal: Atom, depth: int) -> WhyNot:
        rows = self.engine.ask(goal)
        relation = self.engine.program.relations[goal.relation]
        if rows:
            return WhyNot(relation, goal, holds=self.prover.proof((goal.relation, rows[0])))
        rules = self.engine.program.rules_for(goal.relation)
        attempts = [attempt for rule in rules if (attempt := self._attempt(rule, goal, depth)) is not None]
        return WhyNot(relation, goal, tuple(sorted(attempts, key=lambda attempt: attempt.distance)))

    def _attempt(self, rule: Rule, goal: Atom, depth: int) -> Attempt | None:
        """How far this rule came; None when its head can never be the goal."""
        columns = len(goal.args) - (1 if rule.fold else 0)
        head, wanted = rule.head.args[:columns], goal.args[:columns]
        env = unify(head, wanted)
        if env is None:
            return None
        body = (*rule.body, *_equalities(head, wanted), *_target(rule))
        whole = next(solutions(self.engine, body, env), None) if rule.fold else None
        if whole is not None:
            return self._other_value(rule, goal, whole)
        return self._report(rule, body, self._furthest(body, env), depth)

    def _furthest(self, body: tuple[Literal, ...], env: Env) -> _State:
        nearest: _State | None = None
        for state in islice(self._states(body, _State(env)), self.settings.bindings):
            if nearest is None or state.short_of < nearest.short_of:
                nearest = state
            if nearest.short_of <= 1:  # nearer than one literal short would be a proof
                break
        assert nearest is not None, "every body has at least one way to fail"
        return nearest

    def _states(self, body: tuple[Literal, ...], state: _State) -> Iterator[_State]:
        """Every way to decide the body, true literals extending the binding, failed ones leaving it."""
        literal = self._next(body, state)
        if literal is None:
            yield _State(state.env, state.found, state.failed, body)
            return
        rest = tuple(other for other in body if other is not literal)
        failed = True
        for env in extensions(self.engine, literal, state.env):
            failed = False
            yield from self._states(rest, _State(env, (*state.found, literal), state.failed))
        if failed:
            yield from self._states(rest, _State(state.env, state.found, (*state.failed, literal)))

    def _next(self, body: tuple[Literal, ...], state: _State) -> Literal | None:
        """The next literal to decide. Once something is missing, an atom that asks about what was lost with it, or that
        touches nothing bound, would match some row or other and tell nobody anything; so it stays undecided."""
        lost = {name for failed in state.failed for name in _names(failed)} - state.env.keys()
        if state.failed:
            body = tuple(one for one in body if not isinstance(one, Atom) or _telling(one, state.env, lost))
        return next_literal(self.engine, body, state.env)

    def _report(self, rule: Rule, body: tuple[Literal, ...], state: _State, depth: int) -> Attempt:
        """The state in the order and the words of the rule."""
        env = state.env
        found = [literal for literal in body if _is_in(literal, state.found)]
        return Attempt(
            rule=rule,
            bindings={name: value for name, value in env.items() if not Var(name).anonymous},
            found=tuple(_filled(literal, env) for literal in found),
            missing=tuple(self._missing(lit, env, depth) for lit in body if _is_in(lit, state.failed)),
            undecided=tuple(_filled(literal, env) for literal in body if _is_in(literal, state.undecided)),
            grounds=self._grounds(found, env),
        )

    def _grounds(self, found: list[Literal], env: Env) -> tuple[Proof, ...]:
        atoms = [one for one in found if isinstance(one, Atom)]
        return tuple(self.prover.proof((one.relation, row_of(one.args, env))) for one in atoms)

    def _missing(self, literal: Literal, env: Env, depth: int) -> Missing:
        match literal:
            case Atom():
                return self._lacking(ground(literal, env), depth)
            case Not(atom):
                blocked = ground(atom, env)
                return Blocked(blocked, self.prover.proof((atom.relation, self.engine.ask(blocked)[0])))
            case Compare(op, left, right):
                return Untrue(Compare(op, ground_term(left, env), ground_term(right, env)))
        raise AssertionError(f"not core: {literal}")

    def _lacking(self, atom: Atom, depth: int) -> Lacking:
        """A relation we made ourselves costs no depth: readers never see it, only what it lacks."""
        relation = self.engine.program.relations[atom.relation]
        deeper = depth if relation.auxiliary else depth - 1
        if relation.base or deeper < 0:
            return Lacking(relation, atom)
        return Lacking(relation, atom, self.why_not(atom, deeper))

    def _other_value(self, rule: Rule, goal: Atom, whole: Env) -> Attempt:
        """The group has candidates, so the fold has a value, only not the one asked for."""
        head = rule.head.args[:-1]
        group = {term.name: whole[term.name] for term in head if isinstance(term, Var)}
        value = fold_value(rule, candidates(self.engine, rule, group))
        assert value is not None, "a group with candidates has a value"
        by = self.prover.proof((goal.relation, (*row_of(head, group), value)))
        return Attempt(rule, group, (), (Differs(goal.args[-1], value, by),), ())


def _equalities(head: tuple[Term, ...], goal: tuple[Term, ...]) -> list[Compare]:
    """A variable that stands twice in the goal makes two columns of the head equal."""
    first: dict[str, Term] = {}
    return [
        Compare("=", first[other.name], term)
        for term, other in zip(head, goal, strict=True)
        if isinstance(other, Var) and first.setdefault(other.name, term) is not term
    ]


def _target(rule: Rule) -> list[Compare]:
    """What a fold adds up must have a value: a division by zero takes part in no fold."""
    target = rule.fold.target if rule.fold else None
    return [Compare("=", Var("_target"), target)] if isinstance(target, Arithmetic | Call) else []


def _telling(atom: Atom, env: Env, lost: set[str]) -> bool:
    names = _names(atom)
    return not names or (not names & lost and bool(names & env.keys()))


def _names(literal: Literal) -> set[str]:
    return (
        {term.name for term in literal.args if isinstance(term, Var)} if isinstance(literal, Atom) else set()
    )


def _is_in(literal: Literal, some: tuple[Literal, ...]) -> bool:
    return any(literal is other for other in some)


def _filled(literal: Literal, env: Env) -> Literal:
    match literal:
        case Atom():
            return ground(literal, env)
        case Not(atom):
            return Not(ground(atom, env))
        case Compare(op, left, right):
            return Compare(op, ground_term(left, env), ground_term(right, env))
    return literal


# -- JSON ----------------------------------------------------------------------------------------


def why_not_json(why: WhyNot) -> dict[str, Any]:
    """`{"relation", "pattern" (null = anything), "base", "holds": proof or null, "attempts": [attempt…]}`, nearest first.

    An attempt has `rule`, `bindings`, `found` and `undecided` (literals as text) and `missing`, where each has a `kind`:

    * lacking: relation, pattern, why (as this object, or null where we stopped asking)
    * blocked: text, by (proof of what blocks)
    * untrue:  text of the comparison with its values
    * differs: wanted (null = anything), actual, by (proof of the actual value)
    """
    return {
        "relation": why.relation.name,
        "pattern": _pattern(why.goal.args),
        "base": why.relation.base,
        "holds": None if why.holds is None else to_json(why.holds),
        "attempts": [_attempt_json(attempt) for attempt in why.attempts],
    }


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    return {
        "rule": rule_json(attempt.rule),
        "bindings": dict(attempt.bindings),
        "found": [literal_text(literal) for literal in attempt.found],
        "missing": [_missing_json(missing) for missing in attempt.missing],
        "undecided": [literal_text(literal) for literal in attempt.undecided],
    }


def _missing_json(missing: Missing) -> dict[str, Any]:
    match missing:
        case Lacking(relation, atom, why):
            deeper = None if why is None else why_not_json(why)
            return {
                "kind": "lacking",
                "relation": relation.name,
                "pattern": _pattern(atom.args),
                "why": deeper,
            }
        case Blocked(atom, by):
            return {"kind": "blocked", "text": literal_text(atom), "by": to_json(by)}
        case Untrue(compare):
            return {"kind": "untrue", "text": literal_text(compare)}
        case Differs(wanted, actual, by):
            return {"kind": "differs", "wanted": _pattern((wanted,))[0], "actual": actual, "by": to_json(by)}


def _pattern(args: tuple[Term, ...]) -> list[Value | None]:
    return [term.value if isinstance(term, Const) else None for term in args]
