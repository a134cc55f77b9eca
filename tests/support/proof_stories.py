"""What the tests of proofs share: a stand-in engine, a reader of little programs, and an independent proof checker."""

from __future__ import annotations

from oracle import answers, derive

from narraworld.rules.language.ir import (
    Atom,
    Compare,
    Const,
    Facts,
    Not,
    Program,
    Row,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse
from narraworld.rules.proofs.proof import Absent, Best, Compared, Derived, Given, Proof, premises

__all__ = ["StoryEngine", "atom", "check_proof", "fact", "key_story", "told"]


class StoryEngine:
    """The oracle behind the one method explanations may use."""

    def __init__(self, program: Program, facts: Facts) -> None:
        self.program = program
        self.rows = derive(program, facts)
        self.asked = 0

    def ask(self, goal: Atom) -> list[Row]:
        self.asked += 1
        return answers(self.rows, goal)


def fact(relation: str, *row: Value) -> Atom:
    return Atom(relation, tuple(Const(value) for value in row))


def atom(relation: str, *args: Value | None) -> Atom:
    """A pattern; None stands for a variable of its own."""
    terms = (Var(f"X{i}") if value is None else Const(value) for i, value in enumerate(args))
    return Atom(relation, tuple(terms))


# -- a checker that shares nothing with the prover ------------------------------------------------


def check_proof(proof: Proof, engine: StoryEngine) -> None:
    """Each node follows from its premises by its rule, leaves are what they say, nothing leans on itself."""
    done: set[int] = set()
    path: set[int] = set()
    stack = [(proof, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            path.discard(id(node))
            done.add(id(node))
        elif id(node) not in done:
            assert id(node) not in path, f"{node} leans on itself"
            check_node(node, engine)
            path.add(id(node))
            stack.append((node, True))
            stack.extend((premise, False) for premise in premises(node))


def check_node(node: Proof, engine: StoryEngine) -> None:
    match node:
        case Given(relation, row):
            assert relation.base
            assert row in engine.rows[relation.name]
        case Absent(_, pattern):
            assert answers(engine.rows, pattern) == []
        case Compared(compare):
            assert holds(compare)
        case Derived(relation, row, rule):
            assert rule in engine.program.rules_for(relation.name)
            assert rule.fold is None
            env = bound_by(rule, node.premises)
            assert tuple(value(term, env) for term in rule.head.args) == row
        case Best():
            check_fold(node, engine)


def check_fold(node: Best, engine: StoryEngine) -> None:
    fold = node.rule.fold
    assert fold is not None and fold.function == node.function
    assert node.row in engine.rows[node.relation.name]
    for member in node.members:
        env = bound_by(node.rule, member.premises)
        assert tuple(value(term, env) for term in node.rule.head.args[:-1]) == node.row[:-1]
        assert member.value == (1 if fold.target is None else value(fold.target, env))
    if fold.function in ("min", "max"):
        assert [member.value for member in node.members] == [node.value]
    elif len(node.members) == node.candidates:
        assert sum(member.value for member in node.members) == node.value


def bound_by(rule: Rule, given: tuple[Proof, ...]) -> dict[str, Value]:
    """The binding the premises make; every literal has its own premise, and all agree."""
    env: dict[str, Value] = {}
    for literal, premise in zip(rule.body, given, strict=True):
        match literal, premise:
            case Atom(name, args), Given() | Derived() | Best():
                assert premise.relation.name == name
                agree(args, tuple(Const(v) for v in premise.row), env)
            case Compare(op, left, right), Compared(Compare(said, one, two)):
                assert op == said
                agree((left, right), (one, two), env)
            case Not(negated), Absent(_, pattern):
                assert negated.relation == pattern.relation
                agree(negated.args, pattern.args, env)
            case _:
                raise AssertionError(f"{premise} is no premise for {literal}")
    return env


def agree(terms: tuple[Term, ...], said: tuple[Term, ...], env: dict[str, Value]) -> None:
    for term, other in zip(terms, said, strict=True):
        match term, other:
            case Var(name), Const(value):
                assert env.setdefault(name, value) == value
            case Const(), Const():
                assert term == other
            case Var(), Var():
                assert term == other and term.anonymous


def value(term: Term, env: dict[str, Value]) -> Value:
    match term:
        case Const(constant):
            return constant
        case Var(name):
            return env[name]
    left, right = value(term.left, env), value(term.right, env)
    assert isinstance(left, int) and isinstance(right, int)
    calculated = {"+": left + right, "-": left - right, "*": left * right}
    return (
        calculated[term.op] if term.op in calculated else (left // right if term.op == "/" else left % right)
    )


def holds(compare: Compare) -> bool:
    left, right = value(compare.left, {}), value(compare.right, {})
    if compare.op in ("=", "!="):
        return (left == right) == (compare.op == "=")
    assert isinstance(left, int) and isinstance(right, int)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[compare.op]


# -- the key in the drawer ------------------------------------------------------------------------

KEY_RULES = """
/// access(Record, Who, Proposition): Who sees that Proposition.
.decl access(record:symbol, who:symbol, proposition:symbol)
.input access
/// state(Record, Proposition): Proposition becomes so.
.decl state(record:symbol, proposition:symbol)
.input state
.decl at(record:symbol, tick:number)
.input at
.decl slot(proposition:symbol, slot:symbol)
.input slot

/// learns(Who, Proposition, When): Who learns Proposition at tick When.
.decl learns(who:symbol, proposition:symbol, when:number)
learns(C, P, T) :- access(R, C, P), at(R, T).

.decl outdated(who:symbol, proposition:symbol)
//> {C} has learned better than {P}
outdated(C, P) :- learns(C, P, T), slot(P, K), slot(Q, K), learns(C, Q, U), U > T.

.decl believes(who:symbol, proposition:symbol)
//> {C} still believes that {P}
believes(C, P) :- learns(C, P, _), !outdated(C, P).

.decl holds(proposition:symbol)
//> since tick {T} it is so that {P}
holds(P) :- slot(P, K), T = max U : { state(R, Q), slot(Q, K), at(R, U) }, state(S, P), at(S, T).

.decl mistaken(who:symbol, proposition:symbol, truth:symbol)
//> {C} is wrong to believe that {P}
mistaken(C, P, Q) :- believes(C, P), slot(P, K), slot(Q, K), holds(Q), P != Q.

.decl sightings(who:symbol, number:number)
sightings(C, N) :- access(_, C, _), N = count : { access(R, C, P) }.
.decl blind(who:symbol, number:number)
blind(C, N) :- access(_, C, Q), N = count : { access(R, C, P), state(R, P), Q = P }.
"""

KEY_FACTS: Facts = {
    "access": {("ch01/see", "leo", "in-drawer"), ("ch01/see", "mara", "in-drawer"), ("ch02/see", "mara", "in-book")},
    "state": {("ch01/put", "in-drawer"), ("ch02/move", "in-book")},
    "at": {("ch01/see", 1), ("ch01/put", 1), ("ch02/see", 2), ("ch02/move", 2)},
    "slot": {("in-drawer", "key|location"), ("in-book", "key|location")},
}  # fmt: skip


def told(rules: str) -> Program:
    return load_program([parse(rules, "key.dl")])


def key_story() -> StoryEngine:
    """Leo and Mara see the key put into the drawer; only Mara sees it move to the book."""
    return StoryEngine(told(KEY_RULES), KEY_FACTS)
