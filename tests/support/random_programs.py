"""Random valid core programs with facts, goals and changes, for hypothesis (`cases`) and in bulk (`programs`).

Everything the core form can say turns up: joins, repeated variables, constants, linear and mutual recursion, stratified
negation with anonymous variables, comparisons, arithmetic and assignment (never inside recursion, which it could make
endless), all folds, facts in the program, and names that look like other things.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Change,
    Column,
    Compare,
    Const,
    Facts,
    Fold,
    Literal,
    Not,
    Program,
    Relation,
    Row,
    Rule,
    Term,
    Value,
    Var,
)  # fmt: skip

__all__ = ["Case", "cases", "merged", "programs", "random_case", "whole"]

SYMBOLS = (
    "leo", "Leo", "mara", "True", "False", "None", "null", "NULL", "1", "01", "1.0", "-1", "", " ", "leo ", "it's", 'a "quote"',
    "'; DROP TABLE b0; --", "é", "e\u0301", "日本", "🗝", "a\\b", "a\nb", "%", "_", "X", "nan", "1e3", "key|location",
)  # fmt: skip
SMALL = tuple(range(-3, 7))
HUGE = (-(2**63), 2**63 - 1, 2**53 + 1, 2**53, 0, 1, -1, 2**31)


@dataclass(frozen=True)
class Case:
    """A program and everything one needs to try it."""

    program: Program
    facts: Facts
    goals: tuple[Atom, ...]
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        lines = [
            f".decl {r.name}({', '.join(c.type for c in r.columns)}){' base' * r.base}"
            for r in self.program.relations.values()
        ]
        lines += [_told(rule) for rule in self.program.rules]
        lines += [f"{name}{row!r}" for name, rows in self.facts.items() for row in sorted(rows)]
        return "\n".join([*lines, *map(str, self.changes), *map(str, self.goals)])


def programs(seed: int, count: int) -> Iterator[Case]:
    """The same `count` cases for the same seed."""
    for number in range(count):
        yield random_case(Random(f"{seed}/{number}"))


def whole(relation: Relation) -> Atom:
    """The goal that asks for every row."""
    return Atom(relation.name, tuple(Var(f"A{i}") for i in range(relation.arity)))


def merged(many: list[Case]) -> Case:
    """Many cases as one program that keeps them apart by name: databases are slow to open, not to fill."""
    parts = [_renamed(case, f"p{number}_") for number, case in enumerate(many)]
    relations = {name: relation for part in parts for name, relation in part.program.relations.items()}
    rules = tuple(rule for part in parts for rule in part.program.rules)
    strata = tuple(stratum for part in parts for stratum in part.program.strata)
    rounds = range(max(len(part.changes) for part in parts))
    changes = tuple(_joined([p.changes[i] for p in parts if i < len(p.changes)]) for i in rounds)
    facts = {name: rows for part in parts for name, rows in part.facts.items()}
    return Case(Program(relations, rules, strata), facts, tuple(g for p in parts for g in p.goals), changes)


def _joined(changes: list[Change]) -> Change:
    added = {name: rows for change in changes for name, rows in change.added.items()}
    return Change(added, {name: rows for change in changes for name, rows in change.removed.items()})


def _renamed(case: Case, prefix: str) -> Case:
    def facts(rows: Facts) -> Facts:
        return {prefix + name: some for name, some in rows.items()}

    def literal(one: Literal) -> Literal:
        match one:
            case Atom(relation, args):
                return Atom(prefix + relation, args)
            case Not(Atom(relation, args)):
                return Not(Atom(prefix + relation, args))
        return one

    old = case.program
    relations = {prefix + name: replace(one, name=prefix + name) for name, one in old.relations.items()}
    rules = [replace(r, head=literal(r.head), body=tuple(map(literal, r.body))) for r in old.rules]  # type: ignore[arg-type]
    strata = [replace(s, relations=tuple(prefix + name for name in s.relations)) for s in old.strata]
    changes = tuple(Change(facts(change.added), facts(change.removed)) for change in case.changes)
    goals = tuple(Atom(prefix + goal.relation, goal.args) for goal in case.goals)
    return Case(Program(relations, tuple(rules), tuple(strata)), facts(case.facts), goals, changes)


def random_case(random: Random) -> Case:
    return _Author(random).case()


cases = st.randoms(use_true_random=False).map(random_case)


class _Author:
    """Writes one case; every choice is drawn from one source, so that hypothesis can shrink it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.huge = random.random() < 0.1  # huge numbers, and then nothing that could leave 64 bits
        self.values: dict[str, list[Value]] = {
            "symbol": random.sample(SYMBOLS, 3),
            "number": random.sample(HUGE if self.huge else SMALL, 3),
        }
        self.relations: dict[str, Relation] = {}
        self.rules: list[Rule] = []

    def case(self) -> Case:
        for number in range(self.random.randint(1, 3)):
            self.declare(f"b{number}", base=True)
        wanted = self.random.randint(3, 8)
        while len(self.relations) < wanted:
            self.write_group()
        program = Program(self.relations, tuple(self.rules), stratify(self.relations, self.rules))
        facts = {name: self.rows(name, self.random.choice((1, 4, 8, 12))) for name in program.base()}
        goals = tuple(self.goal() for _ in range(3))
        return Case(program, facts, goals, tuple(self.changes(facts)))

    # ---- relations

    def declare(
        self, name: str, *, base: bool = False, number_last: bool = False, like: str = ""
    ) -> Relation:
        if like:
            columns = self.relations[like].columns
        else:
            types = [
                self.random.choice(("symbol", "symbol", "number")) for _ in range(self.random.randint(1, 3))
            ]
            types += ["number"] * number_last
            columns = tuple(Column(f"c{i}", kind) for i, kind in enumerate(types))  # type: ignore[arg-type]
        self.relations[name] = Relation(name, columns, base=base)
        return self.relations[name]

    def write_group(self) -> None:
        """One relation, or two that call each other."""
        earlier, name = list(self.relations), f"d{len(self.relations)}"
        kind = self.random.choice(
            ("plain", "plain", "plain", "fold", "nearest", "recursive", "recursive", "mutual")
        )
        self.declare(name, number_last=kind in ("fold", "nearest"))
        group = [name]
        if kind == "mutual":
            group.append(f"d{len(self.relations)}")
            self.declare(group[1], like=name)
        if kind == "nearest":
            self.rules += filter(None, [self.nearest(name, earlier)])
            return
        for member in group:
            for _ in range(self.random.randint(1, 3)):
                self.rules.append(self.rule(member, earlier, fold=kind == "fold"))
            if kind in ("recursive", "mutual"):
                self.rules.append(self.rule(member, earlier, group=group))

    # ---- rules

    def rule(
        self, name: str, earlier: list[str], *, fold: bool = False, group: list[str] | None = None
    ) -> Rule:
        if not fold and not group and self.random.random() < 0.1:
            return Rule(Atom(name, tuple(self.constant(c.type) for c in self.relations[name].columns)))
        bound: dict[Var, str] = {}
        called = self.random.choices(earlier, k=self.random.randint(0 if group else 1, 2 if group else 3))
        if group:
            called += self.random.choices(group, k=self.random.choice((1, 1, 2)))
        body: list[Literal] = [self.atom(relation, bound) for relation in called]
        if not group:
            body += self.assignments(bound)
        body += [self.comparison(bound, arithmetic=True) for _ in range(self.random.choice((0, 0, 0, 1)))]
        body += [
            Not(self.atom(self.random.choice(earlier), bound, positive=False))
            for _ in range(self.random.choice((0, 0, 0, 1)))
        ]
        self.random.shuffle(body)
        columns = self.relations[name].columns
        if not fold:
            return Rule(Atom(name, tuple(self.known(c.type, bound) for c in columns)), tuple(body))
        groups = tuple(self.known(c.type, bound) for c in columns[:-1])
        return Rule(Atom(name, (*groups, Var("Result"))), tuple(body), self.fold(bound))

    def nearest(self, name: str, earlier: list[str]) -> Rule | None:
        """The next or the last moment of some key, which engines may recognise and answer in their own way."""
        timed = [
            one for one in earlier if any(column.type == "number" for column in self.relations[one].columns)
        ]
        if not timed:
            return None
        bound: dict[Var, str] = {}
        moment, other = self.random.choice(timed), self.random.choice(timed)
        outer = self.with_moment(self.atom(moment, bound), Var("Time"))
        table = self.with_moment(self.atom(self.random.choice((moment, other)), dict(bound)), Var("Target"))
        function, op = self.random.choice((("min", ">"), ("min", ">="), ("max", "<"), ("max", "<=")))
        known = {var: kind for var, kind in bound.items() if var in outer.args} | {Var("Time"): "number"}
        groups = tuple(self.known(column.type, known) for column in self.relations[name].columns[:-1])
        body = [outer, table, Compare(op, Var("Target"), Var("Time"))]  # type: ignore[arg-type]
        fold = Fold(function, Var("Target"), ())  # type: ignore[arg-type]
        return Rule(Atom(name, (*groups, Var("Result"))), tuple(body), fold)

    def with_moment(self, atom: Atom, var: Var) -> Atom:
        """The atom with one of its number columns named."""
        columns = self.relations[atom.relation].columns
        place = self.random.choice([i for i, column in enumerate(columns) if column.type == "number"])
        return Atom(atom.relation, (*atom.args[:place], var, *atom.args[place + 1 :]))

    def atom(self, relation: str, bound: dict[Var, str], *, positive: bool = True) -> Atom:
        args: list[Term] = []
        before = dict(bound)
        for column in self.relations[relation].columns:
            term = self.argument(column.type, bound if positive else before, positive=positive)
            args.append(term)
        return Atom(relation, tuple(args))

    def argument(self, kind: str, bound: dict[Var, str], *, positive: bool) -> Term:
        shared = [var for var, other in bound.items() if other == kind]
        dice = self.random.random()
        if shared and dice < 0.35:
            return self.random.choice(shared)
        if dice < 0.42:
            return self.constant(kind)
        if dice < 0.6 or not positive:
            return Var(f"_{self.random.randrange(10**9)}")
        fresh = Var(f"V{len(bound)}")
        bound[fresh] = kind
        return fresh

    def assignments(self, bound: dict[Var, str]) -> list[Literal]:
        if self.random.random() < 0.75:
            return []
        kind = self.random.choice(("symbol", "number"))
        value = self.known(kind, bound)
        if kind == "number" and not self.huge and self.random.random() < 0.7:
            value = Arithmetic(self.random.choice("+-*/%"), value, self.known(kind, bound))  # type: ignore[arg-type]
        fresh = Var(f"V{len(bound)}")
        bound[fresh] = kind
        return [Compare("=", fresh, value) if self.random.random() < 0.5 else Compare("=", value, fresh)]

    def comparison(self, bound: dict[Var, str], *, arithmetic: bool) -> Literal:
        kind = self.random.choice(("symbol", "number"))
        left, right = self.known(kind, bound), self.known(kind, bound)
        if kind == "symbol":
            return Compare(self.random.choice(("=", "!=", "!=")), left, right)  # type: ignore[arg-type]
        if arithmetic and not self.huge and self.random.random() < 0.4:
            left = Arithmetic(self.random.choice("+-*/%"), left, self.known(kind, bound))  # type: ignore[arg-type]
        return Compare(self.random.choice(("=", "!=", "<", "<=", ">", ">=")), left, right)  # type: ignore[arg-type]

    def fold(self, bound: dict[Var, str]) -> Fold:
        numbers = [var for var, kind in bound.items() if kind == "number"]
        some = self.random.sample(list(bound), self.random.randint(0, len(bound)))
        if not numbers or self.random.random() < 0.3:
            return Fold("count", None, tuple(some or list(bound)[:1]))
        target: Term = self.random.choice(numbers)
        function = self.random.choice(("min", "max") if self.huge else ("min", "max", "sum"))
        if not self.huge and self.random.random() < 0.3:
            target = Arithmetic(self.random.choice("+-*"), target, self.known("number", bound))  # type: ignore[arg-type]
        inside = [var for var in bound if var in _variables(target)]
        return Fold(function, target, tuple(dict.fromkeys([*inside, *some] if function == "sum" else inside)))  # type: ignore[arg-type]

    def known(self, kind: str, bound: dict[Var, str]) -> Term:
        shared = [var for var, other in bound.items() if other == kind]
        return self.random.choice(shared) if shared and self.random.random() < 0.85 else self.constant(kind)

    def constant(self, kind: str) -> Const:
        return Const(self.random.choice(self.values[kind]))

    # ---- facts, goals, changes

    def rows(self, name: str, count: int) -> frozenset[Row]:
        columns = self.relations[name].columns
        return frozenset(
            tuple(self.random.choice(self.values[c.type]) for c in columns) for _ in range(count)
        )

    def goal(self) -> Atom:
        relation = self.random.choice(list(self.relations.values()))
        args: list[Term] = []
        for column in relation.columns:
            twins = [
                t
                for t, c in zip(args, relation.columns, strict=False)
                if isinstance(t, Var) and c.type == column.type
            ]
            dice = self.random.random()
            if twins and dice < 0.15:
                args.append(self.random.choice(twins))
            else:
                args.append(self.constant(column.type) if dice < 0.6 else Var(f"G{len(args)}"))
        return Atom(relation.name, tuple(args))

    def changes(self, facts: Facts) -> Iterator[Change]:
        now = {name: set(rows) for name, rows in facts.items()}
        for _ in range(self.random.randint(1, 3)):
            removed = {
                n: frozenset(self.random.sample(sorted(rows), self.random.randint(0, min(3, len(rows)))))
                for n, rows in now.items()
            }
            added = {n: self.rows(n, self.random.randint(0, 3)) - now[n] for n in now}
            for name in now:
                now[name] = (now[name] - removed[name]) | added[name]
            yield Change(added, removed)


def _variables(term: Term) -> list[Var]:
    if isinstance(term, Arithmetic):
        return _variables(term.left) + _variables(term.right)
    return [term] if isinstance(term, Var) else []


# ---- for people


def _told(rule: Rule) -> str:
    fold = (
        f" [{rule.fold.function} {_text(rule.fold.target)} over {[v.name for v in rule.fold.over]}]"
        if rule.fold
        else ""
    )
    return f"{_text(rule.head)}{fold}{' :- ' * bool(rule.body)}{', '.join(map(_text, rule.body))}."


def _text(thing: Literal | Term | None) -> str:
    match thing:
        case Atom(relation, args):
            return f"{relation}({', '.join(map(_text, args))})"
        case Not(atom):
            return f"!{_text(atom)}"
        case Compare(op, left, right) | Arithmetic(op, left, right):
            return f"({_text(left)} {op} {_text(right)})"
        case Var(name):
            return name
        case Const(value):
            return repr(value)
    return str(thing)
