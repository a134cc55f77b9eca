"""Why does this hold? One proof for a row, found by asking any engine; nothing is recorded while deriving.

Two thoughts carry it. A relation that is not recursive needs no search: every true premise has a proof that cannot come
back to us, so the first rule with a binding will do. Inside a recursive stratum a proof must stand on its own feet: a
fact counts as proven only once all premises of one of its steps are, so no proof ever leans on itself, and each fact is
looked at once however many cycles the facts have.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from itertools import islice
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import ExplainSettings
from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.ir import Atom, Compare, Literal, Not, Program, Row, Rule, Stratum, Var
from narraworld.rules.proofs.matching import (
    Answers,
    AskedLiteral,
    Env,
    candidates,
    constants,
    fold_value,
    ground,
    ground_term,
    row_of,
    solutions,
    unify,
    value_of,
)
from narraworld.rules.proofs.proof import (
    Absent,
    Best,
    Compared,
    CountedMember,
    Derived,
    Given,
    Proof,
    row_text,
)

__all__ = ["DEFAULT", "ExplainSettings", "GroundFact", "Prover", "explain", "explain_all", "proofs"]

GroundFact: TypeAlias = tuple[str, Row]


DEFAULT = ExplainSettings()


def explain(engine: Answers, goal: Atom, settings: ExplainSettings = DEFAULT) -> Proof | None:
    """A short proof of the goal's first answer (its only one when it is fully bound); None if it does not hold."""
    return next(iter(explain_all(engine, goal, limit=1, settings=settings)), None)


def explain_all(
    engine: Answers, pattern: Atom, limit: int = 10, settings: ExplainSettings = DEFAULT
) -> list[Proof]:
    """One proof for each of the first `limit` answers; proofs share the nodes they have in common."""
    prover = Prover(engine, settings)
    return [prover.proof((pattern.relation, row)) for row in prover.engine.ask(pattern)[:limit]]


def proofs(
    engine: Answers, goal: Atom, limit: int = 3, settings: ExplainSettings = DEFAULT
) -> Iterator[Proof]:
    """Up to `limit` proofs of the goal's first answer, the short one first; each takes another last step."""
    return islice(_proofs(engine, goal, settings), limit)


def _proofs(engine: Answers, goal: Atom, settings: ExplainSettings) -> Iterator[Proof]:
    prover = Prover(engine, settings)
    for row in prover.engine.ask(goal)[:1]:
        fact = (goal.relation, row)
        yield prover.proof(fact)
        for step in prover.steps(fact):
            if step != prover.chosen[fact]:
                # premises are proven afresh without this fact, or they might lean on it
                other = Prover(prover.engine, settings, refused=fact)
                if all(other.settle(need) for need in step.needs):
                    other.chosen[fact] = step
                    yield other.proof(fact)


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One way a fact follows: a rule and the binding of its body; a fold has a binding per listed candidate."""

    rule: Rule
    ways: tuple[Env, ...]
    candidates: int = 1

    @property
    def needs(self) -> tuple[GroundFact, ...]:
        """The positive premises, in the order of the body."""
        atoms = [literal for literal in self.rule.body if isinstance(literal, Atom)]
        return tuple(_fact(atom, way) for way in self.ways for atom in atoms)


@dataclass(frozen=True, slots=True)
class Pending:
    """A step of `fact` that will do as soon as nothing is open any more."""

    fact: GroundFact
    step: ProofStep
    open: set[GroundFact]


class Frontier:
    """Facts whose steps are being looked at: a queue for the nearest first, a stack to dive."""

    def __init__(self, *, nearest_first: bool) -> None:
        self._open: deque[tuple[GroundFact, Iterator[ProofStep]]] = deque()
        self._end = 0 if nearest_first else -1

    def add(self, fact: GroundFact, steps: Iterator[ProofStep]) -> None:
        self._open.append((fact, steps))

    def next_step(self, chosen: Container[GroundFact]) -> tuple[GroundFact, ProofStep] | None:
        """The next untried step of a fact that still needs one."""
        while self._open:
            fact, steps = self._open[self._end]
            step = None if fact in chosen else next(steps, None)
            if step is not None:
                return fact, step
            del self._open[self._end]
        return None


class Prover:
    """Chooses one step per fact, then builds the tree; keeps both, so that many proofs share their work."""

    def __init__(
        self, engine: Answers, settings: ExplainSettings = DEFAULT, refused: GroundFact | None = None
    ) -> None:
        self.engine = AskedLiteral(engine)
        self.program = engine.program
        self.settings = settings
        self.chosen: dict[GroundFact, ProofStep] = {}
        self._refused = refused
        self._circles = _circles(self.program)
        self._ordered: dict[str, list[Rule]] = {}
        self._nodes: dict[GroundFact, Proof] = {}

    def proof(self, root: GroundFact) -> Proof:
        """The proof of a row that holds; premises are built before what rests on them."""
        stack = [root]
        while stack:
            fact = stack[-1]
            unbuilt = [need for need in self._needs(fact) if need not in self._nodes]
            if unbuilt:
                stack.extend(reversed(unbuilt))
            else:
                self._nodes.setdefault(stack.pop(), self._node(fact))
        return self._nodes[root]

    def settle(self, fact: GroundFact) -> bool:
        """Choose a step for this fact and for those it needs in its circle; False if none stands."""
        relation = fact[0]
        if fact in self.chosen or self.program.relations[relation].base:
            return True
        if fact == self._refused:
            return False
        if self._circles.get(relation):
            return self._search(fact, nearest_first=True) or self._search(fact, nearest_first=False)
        step = next(self.steps(fact), None)
        if step is not None:
            self.chosen[fact] = step
        return step is not None

    def steps(self, fact: GroundFact) -> Iterator[ProofStep]:
        """Every way the fact follows, rules that rest on less first, lazily."""
        relation, row = fact
        for rule in self._lightest_first(relation):
            if rule.fold is None:
                env = unify(rule.head.args, constants(row))
                if env is not None:
                    yield from (ProofStep(rule, (way,)) for way in solutions(self.engine, rule.body, env))
            else:
                yield from self._fold_steps(rule, row)

    def _fold_steps(self, rule: Rule, row: Row) -> Iterator[ProofStep]:
        group = unify(rule.head.args[:-1], constants(row[:-1]))
        found = [] if group is None else candidates(self.engine, rule, group)
        if rule.fold is None or not found or fold_value(rule, found) != row[-1]:
            return
        if rule.fold.function in ("min", "max"):
            ways = [way for way, value in found if value == row[-1]][:1]
        else:
            ways = [way for way, _ in found[: self.settings.members]]
        yield ProofStep(rule, tuple(ways), len(found))

    def _lightest_first(self, relation: str) -> list[Rule]:
        if relation not in self._ordered:
            self._ordered[relation] = sorted(self.program.rules_for(relation), key=self._weight)
        return self._ordered[relation]

    def _weight(self, rule: Rule) -> int:
        """0 when a rule rests on records alone, 1 on derived facts too, 2 when it leads back to its own relation."""
        atoms = [literal for literal in rule.body if isinstance(literal, Atom)]
        circle = self._circles.get(rule.head.relation, frozenset())
        if any(atom.relation in circle for atom in atoms):
            return 2
        return int(not all(self.program.relations[atom.relation].base for atom in atoms))

    # -- inside a recursive stratum

    def _search(self, root: GroundFact, *, nearest_first: bool) -> bool:
        """Prove `root` by opening what its steps need, until some steps need nothing open.

        Nearest first finds short proofs but may have to look at very many facts; so it may give up, and the search
        then starts again with what it has learnt and dives.
        """
        frontier = Frontier(nearest_first=nearest_first)
        frontier.add(root, self.steps(root))
        waiting: dict[GroundFact, list[Pending]] = {root: []}
        for _ in range(self.settings.near if nearest_first else self.settings.steps):
            taken = frontier.next_step(self.chosen)
            if taken is None or root in self.chosen:
                return root in self.chosen
            self._consider(*taken, waiting, frontier)
        if root not in self.chosen and not nearest_first:
            what = f"no proof of {row_text(*root)} within {self.settings.steps} steps"
            raise LimitReached(what, fix="raise ExplainSettings.steps")
        return root in self.chosen

    def _consider(
        self, fact: GroundFact, step: ProofStep, waiting: dict[GroundFact, list[Pending]], frontier: Frontier
    ) -> None:
        """Use the step at once if all it needs is proven; else open what it needs and let it wait."""
        circle = self._circles[fact[0]]
        needs = [need for need in dict.fromkeys(step.needs) if need[0] in circle and need not in self.chosen]
        if fact in needs or self._refused in needs:
            return
        pending = Pending(fact, step, set(needs))
        for need in reversed(needs):
            if need not in waiting:
                frontier.add(need, self.steps(need))
            waiting.setdefault(need, []).append(pending)
        if not needs:
            self._choose(pending, waiting)

    def _choose(self, pending: Pending, waiting: dict[GroundFact, list[Pending]]) -> None:
        """Take a step that has all it needs, then every step that waited only for this."""
        ready = deque([pending])
        while ready:
            done = ready.popleft()
            if done.fact in self.chosen:
                continue
            self.chosen[done.fact] = done.step
            for waiter in waiting.pop(done.fact, ()):
                waiter.open.discard(done.fact)
                if not waiter.open:
                    ready.append(waiter)

    # -- from chosen steps to nodes

    def _needs(self, fact: GroundFact) -> tuple[GroundFact, ...]:
        if self.program.relations[fact[0]].base:
            return ()
        if not self.settle(fact):
            raise EngineError(
                f"the engine says {row_text(*fact)} but no rule derives it from what it answers",
                fix="compare the engine with the reference engine on this program",
            )
        return self.chosen[fact].needs

    def _node(self, fact: GroundFact) -> Proof:
        relation, row = self.program.relations[fact[0]], fact[1]
        if relation.base:
            return Given(relation, row)
        step = self.chosen[fact]
        if step.rule.fold is None:
            (way,) = step.ways
            return Derived(relation, row, step.rule, _named(way), self._premises(step.rule, way))
        members = [self._member(step.rule, way, row) for way in step.ways]
        bindings = _named(unify(step.rule.head.args, constants(row)) or {})
        function = step.rule.fold.function
        return Best(relation, row, step.rule, bindings, function, step.candidates, tuple(members))

    def _member(self, rule: Rule, way: Env, row: Row) -> CountedMember:
        target = rule.fold.target if rule.fold else None
        value = 1 if target is None else value_of(target, way)
        assert isinstance(value, int | float), f"a fold takes numbers, not {value!r}"
        return CountedMember(value, _named(way), self._premises(rule, way))

    def _premises(self, rule: Rule, way: Env) -> tuple[Proof, ...]:
        return tuple(self._premise(literal, way) for literal in rule.body)

    def _premise(self, literal: Literal, way: Env) -> Proof:
        match literal:
            case Atom():
                return self._nodes[_fact(literal, way)]
            case Not(atom):
                return Absent(self.program.relations[atom.relation], ground(atom, way))
            case Compare(op, left, right):
                return Compared(Compare(op, ground_term(left, way), ground_term(right, way)))
        raise AssertionError(f"not core: {literal}")


def _fact(atom: Atom, way: Env) -> GroundFact:
    return atom.relation, row_of(atom.args, way)


def _named(way: Env) -> Env:
    """A binding as readers see it, without the variables nobody named."""
    return {name: value for name, value in way.items() if not Var(name).anonymous}


def _circles(program: Program) -> dict[str, frozenset[str]]:
    """For each recursive relation, those it depends on that depend on it; everything, if nobody said."""
    strata = program.strata or (Stratum(program.derived(), recursive=True),)
    circles = [frozenset(stratum.relations) for stratum in strata if stratum.recursive]
    return {relation: circle for circle in circles for relation in circle}
