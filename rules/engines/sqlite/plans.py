"""What to do when rows of a relation come or go: the statements of incremental maintenance, each written when first needed.

Pure text, for SQLite. Each body literal of each rule gets two steps. *Doubt*: rows that went (or, under a negation,
came) may have carried a head row; put it in doubt. *Gain*: rows that came (or, under a negation, went) may carry a new
head row. Both start from the few changed rows and join outwards, the most bound atom next, so their cost follows
the change and not the story. A fold is not patched but its touched groups are folded anew.

Companions of a relation's table, by mark: `+` fresh, `-` gone, `?` in doubt, `>` last round, `<` this round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TypeVar

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.engines.sql.aggregates import fold_select, group_columns
from narraworld.rules.engines.sql.joins import Join, Probe, Query, plain_select
from narraworld.rules.engines.sql.nearest import between, recognise
from narraworld.rules.engines.sql.writer import Writer, quoted, reads, variables
from narraworld.rules.language.ir import Atom, Compare, Literal, Not, Rule, Stratum

__all__ = ["MARKS", "FoldPlan", "HeadPlan", "PlanStep", "Plans"]

MARKS = ("+", "-", "?", ">", "<")
K = TypeVar("K")
T = TypeVar("T")


class PlanStep:
    """When `cause` holds rows, `query` says which rows belong into `target`; it is written when that first happens."""

    def __init__(self, cause: str, target: str, write: Callable[[], Query]) -> None:
        self.cause, self.target, self._write = cause, target, write

    @cached_property
    def query(self) -> Query:
        return self._write()


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """The touched groups of one fold rule, and the rows these groups have now."""

    rule: Rule
    groups: str
    rows: str
    fold: Query


@dataclass(frozen=True, slots=True)
class HeadPlan:
    """How one derived relation follows the relations below it."""

    name: str
    gains: tuple[PlanStep, ...]
    folds: tuple[FoldPlan, ...]
    derivable: Query  # condition on a row `k`: some rule without a fold concludes it
    alone: bool  # one rule only, so a fold need not look at rows of others


@dataclass(frozen=True, slots=True)
class RecursionPlan:
    """Steps inside a recursive stratum, from the last round to this one."""

    doubts: tuple[PlanStep, ...]
    gains: tuple[PlanStep, ...]


class Written(dict[K, T]):
    """Values by key, each made when it is first asked for: a small change reads few of a large program's rules."""

    def __init__(self, write: Callable[[K], T]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, key: K) -> T:
        self[key] = found = self._write(key)
        return found


def _each(things: Iterable[T], check: Callable[[], None]) -> Iterator[T]:
    for thing in things:
        check()
        yield thing


class Plans:
    """All steps of a program, grouped by what sets them off."""

    def __init__(self, sql: Writer, tables: frozenset[str]) -> None:
        self.sql = sql
        self.strata = tuple(s for s in sql.program.strata if tables.issuperset(s.relations))
        self._home = {name: stratum for stratum in self.strata for name in stratum.relations}
        self._number = {id(rule): number for number, rule in enumerate(sql.program.rules)}
        self.heads = Written(self._head)  # by derived relation: how it follows those below
        self.doubts = Written(
            self._doubts
        )  # by relation that changes: steps that cast doubt on rows above it
        self.recursions = Written(self._recursion)  # by recursive stratum
        self.conclusions = Written(self._conclusions)  # by derived relation: each rule, and all it concludes

    @property
    def derived(self) -> Iterable[str]:
        """The derived relations that have a table."""
        return self._home.keys()

    @cached_property
    def below(self) -> dict[Stratum, set[str]]:
        """By stratum: the relations its rules read, its own among them where it is recursive."""
        return {
            stratum: {name for rule in self._rules(stratum) for name in reads(rule)}
            for stratum in self.strata
        }

    @cached_property
    def scratch(self) -> dict[str, str]:
        """Every table that steps use on their way, and the statement that makes it."""
        names = (*self.sql.program.base(), *self.derived)
        made = {self.sql.table(name, mark): self.sql.create(name, mark) for name in names for mark in MARKS}
        for rule in (rule for stratum in self.strata for rule in self._rules(stratum) if rule.fold):
            columns, types = self.sql.columns(rule.head.relation), self.sql.types(rule.head.relation)
            keys = types[:-1] or [self.sql.dialect.number]
            groups, rows = self._groups(rule), self._folded(rule)
            made[groups] = self.sql.create_table(groups, group_columns(rule), keys, temporary=True)
            made[rows] = self.sql.create_table(rows, columns, types, temporary=True)
        return made

    def probes(self, check: Callable[[], None] = lambda: None) -> set[Probe]:
        """Every look-up that any step makes; ``check`` is called between steps, and may raise when it takes too long."""
        heads = [self.heads[name] for name in _each(self.derived, check)]
        queries = [step.query for step in _each(self._steps(heads), check)]
        queries += [plan.derivable for plan in heads]
        queries += [fold.fold for plan in heads for fold in plan.folds]
        return {probe for query in queries for probe in query.probes}

    def _steps(self, heads: Sequence[HeadPlan]) -> list[PlanStep]:
        """Every step of every plan, doubts, what rules gain, and both inside recursion, that indexes are kept for."""
        recursions = [self.recursions[stratum] for stratum in self.strata if stratum.recursive]
        steps = [step for name in self._readers for step in self.doubts[name]]
        steps += [step for plan in heads for step in plan.gains]
        steps += [step for plan in recursions for step in (*plan.doubts, *plan.gains)]
        return [step for step in steps if step.cause not in self._steady]

    @cached_property
    def _steady(self) -> set[str]:
        """Marked tables of relations that have few rows for good: should they ever change, their readers may take their time."""
        names = [name for name in self.sql.program.relations if self.sql.few(name, frozenset())]
        return {self.sql.table(name, mark) for name in names for mark in "+-"}

    # ---- one rule

    def _rules(self, stratum: Stratum) -> Iterator[Rule]:
        return (rule for name in stratum.relations for rule in self.sql.program.rules_for(name))

    @cached_property
    def _readers(self) -> dict[str, list[tuple[Rule, int]]]:
        """By relation: the rules above its stratum that read it, and at which place of their bodies."""
        found: dict[str, list[tuple[Rule, int]]] = {}
        for stratum in self.strata:
            for rule in self._rules(stratum):
                for place, atom in _atoms(rule):
                    if self._home.get(atom.relation) is not stratum:
                        found.setdefault(atom.relation, []).append((rule, place))
        return found

    def _doubts(self, name: str) -> list[PlanStep]:
        return [
            self._doubt(rule, place, self.sql.table(name, "+" if _negated(rule, place) else "-"))
            for rule, place in self._readers.get(name, ())
        ]

    def _head(self, name: str) -> HeadPlan:
        rules, stratum = self.sql.program.rules_for(name), self._home[name]
        inside = stratum.relations if stratum.recursive else ()
        target = ">" if stratum.recursive else "+"
        gains = tuple(
            self._gain(rule, place, self._arrivals(rule, place, atom), target)
            for rule in rules
            for place, atom in _atoms(rule)
            if atom.relation not in inside
        )
        folds = tuple(self._fold(rule) for rule in rules if rule.fold)
        plain = [rule for rule in rules if not rule.fold]
        return HeadPlan(name, gains, folds, self._derivable(plain), alone=len(rules) == 1)

    def _conclusions(self, name: str) -> list[tuple[Rule, str]]:
        def written(rule: Rule) -> str:
            return (fold_select(self.sql, rule) if rule.fold else plain_select(self.sql, rule)).text

        return [(rule, written(rule)) for rule in self.sql.program.rules_for(name)]

    def _arrivals(self, rule: Rule, place: int, atom: Atom) -> str:
        """The table of rows that make a condition true anew: those that came, or behind `!` those that went."""
        return self.sql.table(atom.relation, "-" if _negated(rule, place) else "+")

    def _fold(self, rule: Rule) -> FoldPlan:
        groups = self._groups(rule)
        return FoldPlan(rule, groups, self._folded(rule), fold_select(self.sql, rule, keys=groups))

    def _groups(self, rule: Rule) -> str:
        return quoted(f"#{self._number[id(rule)]}")

    def _folded(self, rule: Rule) -> str:
        return quoted(f"={self._number[id(rule)]}")

    def _recursion(self, stratum: Stratum) -> RecursionPlan:
        inside = [
            (rule, place, self.sql.table(atom.relation, ">"))
            for name in stratum.relations
            for rule in self.sql.program.rules_for(name)
            for place, atom in _atoms(rule)
            if atom.relation in stratum.relations
        ]
        return RecursionPlan(
            doubts=tuple(self._spread_doubt(rule, place, cause) for rule, place, cause in inside),
            gains=tuple(self._gain(rule, place, cause, "<") for rule, place, cause in inside),
        )

    # ---- steps

    def _gain(self, rule: Rule, place: int, cause: str, mark: str) -> PlanStep:
        if rule.fold:
            return self._touch(rule, place, cause)
        target = self.sql.table(rule.head.relation, mark)
        return PlanStep(cause, target, partial(self._gained, rule, place, cause))

    def _gained(self, rule: Rule, place: int, cause: str) -> Query:
        join = Join(self.sql)
        join.read(_atom(rule.body[place]), cause)
        join.follow(_without(rule, place), rule.head.args, greedy=True)
        join.conditions.append(f"NOT {self._present(join, rule)}")
        return self._head_rows(join, rule)

    def _doubt(self, rule: Rule, place: int, cause: str) -> PlanStep:
        if rule.fold:
            return self._touch(rule, place, cause)
        target = self.sql.table(rule.head.relation, "?")
        return PlanStep(cause, target, lambda: self._head_rows(self._carried(rule, place, cause), rule))

    def _spread_doubt(self, rule: Rule, place: int, cause: str) -> PlanStep:
        target = self.sql.table(rule.head.relation, "<")
        return PlanStep(cause, target, partial(self._newly_doubted, rule, place, cause))

    def _newly_doubted(self, rule: Rule, place: int, cause: str) -> Query:
        join = self._carried(rule, place, cause)
        join.conditions.append(f"NOT {self._present(join, rule, '?')}")
        return self._head_rows(join, rule)

    def _carried(self, rule: Rule, place: int, cause: str) -> Join:
        """Stored head rows that the changed row may have carried; absences are left to the second look.

        Where the head itself is the best look-up, it stands for whatever of the body is still to come. Where other rules may
        carry the row too, a second look is dear, and whatever of the body is cheap to ask is asked first.
        """
        join, several = Join(self.sql), len(self.sql.program.rules_for(rule.head.relation)) > 1
        join.read(_atom(rule.body[place]), cause)
        others = [*_positive(_without(rule, place)), rule.head]
        left = join.absorb(others, greedy=True, until=variables(*rule.head.args), cheap=several)
        if rule.head in left:
            join.conditions.append(self._present(join, rule))
        return join

    def _touch(self, rule: Rule, place: int, cause: str) -> PlanStep:
        """The groups of a fold whose bindings include a changed row."""
        return PlanStep(cause, self._groups(rule), partial(self._touched, rule, place, cause))

    def _touched(self, rule: Rule, place: int, cause: str) -> Query:
        groups, join = rule.head.args[:-1], Join(self.sql)
        join.read(_atom(rule.body[place]), cause)
        nearest = recognise(rule)
        if nearest and rule.body[place] == nearest.timetable:
            join.ranged = nearest.time
            join.absorb(_positive(nearest.outer), greedy=True)
            join.conditions += between(self.sql, nearest, join)
        else:
            others = nearest.outer if nearest else rule.body
            join.absorb(
                _positive(other for other in others if other is not rule.body[place]),
                greedy=True,
                until=variables(*groups),
            )
        values = [join.value(term) for term in groups] or ["1"]
        return Query(join.select(values, greedy=True), frozenset(join.probes))

    def _derivable(self, rules: Iterable[Rule]) -> Query:
        conditions, probes = [], set[Probe]()
        for rule in rules:
            join = Join(self.sql, prefix="e")
            join.bind("k", self.sql.columns(rule.head.relation), rule.head.args)
            join.follow(rule.body, rule.head.args, greedy=True)
            conditions.append(f"EXISTS ({join.select(['1'], greedy=True)})")
            probes |= join.probes
        return Query(" OR ".join(conditions) or "0", frozenset(probes))

    def _head_rows(self, join: Join, rule: Rule) -> Query:
        columns = join.named(rule.head.relation, rule.head.args)
        return Query(join.select(columns, greedy=True), frozenset(join.probes))

    def _present(self, join: Join, rule: Rule, mark: str = "") -> str:
        """The condition that the head row stands in its table, or in one of its companions."""
        columns = self.sql.columns(rule.head.relation)
        pairs = zip(columns, rule.head.args, strict=False)
        same = " AND ".join(f"h.{column} = {join.value(term)}" for column, term in pairs)
        return f"EXISTS (SELECT 1 FROM {self.sql.table(rule.head.relation, mark)} h WHERE {same or '1'})"


def _atoms(rule: Rule) -> Iterator[tuple[int, Atom]]:
    for place, literal in enumerate(rule.body):
        if not isinstance(literal, Compare):
            yield place, _atom(literal)


def _atom(literal: Literal) -> Atom:
    atom = literal.atom if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)
    return atom


def _negated(rule: Rule, place: int) -> bool:
    return isinstance(rule.body[place], Not)


def _without(rule: Rule, place: int) -> list[Literal]:
    """The other literals; an absence stays, because another row may still be there."""
    return [other for at, other in enumerate(rule.body) if at != place or isinstance(other, Not)]


def _positive(literals: Iterable[Literal]) -> list[Literal]:
    return [literal for literal in literals if not isinstance(literal, Not)]
