"""Whether a program makes sense before anything runs: every problem found, each with its place.

Looks at surface rules only and changes nothing. Syntax is behind us, cycles (`stratify`) are ahead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.errors import RuleError, UnknownRelation, UnsafeRule, WrongArity
from narraworld.rules.language.ir import (
    EACH,
    Aggregate,
    Atom,
    Compare,
    Literal,
    Not,
    Relation,
    Rule,
    SourcePlace,
)
from narraworld.rules.language.surface.extending import extended, extension_problems
from narraworld.rules.language.surface.statements import RuleText, SurfaceRule
from narraworld.rules.language.terms import (
    in_binding_order,
    is_anonymous,
    local,
    names,
    outer_names,
    shared,
    unbound,
)
from narraworld.rules.language.values.sorts import Relations, sort_problems, sorts_of, target_problems
from narraworld.rules.language.values.types import type_problems, type_sorts

__all__ = ["clause_problems", "declared", "source_problems"]

MOST_CONDITIONS = 40  # SQLite joins 64 tables, and finding their best order takes the cube of their number
CLOSE_ENOUGH = 60  # how alike, out of 100, a name must be to be suggested


@dataclass(frozen=True, slots=True)
class RuleScope:
    """Literals that share their variables: those of the rule itself, or those inside one aggregate."""

    literals: tuple[tuple[Literal, SourcePlace], ...]
    place: SourcePlace
    aggregate: Aggregate | None = None

    @property
    def bare(self) -> tuple[Literal, ...]:
        return tuple(literal for literal, _ in self.literals)


def scopes(clause: SurfaceRule) -> tuple[RuleScope, ...]:
    """The rule's own scope first, then one per aggregate."""
    places = iter(clause.places)
    head, own, inner = next(places), list[tuple[Literal, SourcePlace]](), list[RuleScope]()
    for literal in clause.rule.body:
        place = next(places)
        own.append((literal, place))
        if isinstance(literal, Aggregate):
            inside = tuple((one, next(places)) for one in literal.body)
            inner.append(RuleScope(inside, place, literal))
    return RuleScope(tuple(own), head), *inner


def declared(sources: Iterable[RuleText]) -> dict[str, Relation]:
    """The relations of all files by name; `.input` and `//@ given` make them base relations."""
    sources = tuple(sources)
    inputs = {one.relation for source in sources for one in source.directives if one.keyword == "input"}
    kinds, found = type_sorts(sources), dict[str, Relation]()
    for source in sources:
        for relation in source.relations:
            columns = tuple(replace(one, type=kinds.get(one.type, "symbol")) for one in relation.columns)
            base = relation.base or relation.name in inputs
            found.setdefault(relation.name, replace(relation, columns=columns, base=base))
    return found


def source_problems(sources: Sequence[RuleText]) -> Iterator[RuleError]:
    """Everything wrong with a program, file by file."""
    relations, seen = declared(sources), dict[str, Relation]()
    yield from type_problems(sources)
    for source in sources:
        yield from _declaration_problems(source, relations, seen)
        yield from extension_problems(source, relations)
        open_ = extended(source, relations)
        for clause in source.clauses:
            yield from clause_problems(clause, relations, open_)


def clause_problems(
    clause: SurfaceRule, relations: Relations, open_: Collection[str] = ()
) -> Iterator[RuleError]:
    """Everything wrong with one rule; one that names relations wrongly is not looked at any further.

    To the relations in `open_` the rule may add though they are given.
    """
    parts = scopes(clause)
    if too_long := list(_length_problems(clause, parts)):
        yield from too_long
        return
    if misnamed := list(_name_problems(clause, parts, relations)):
        yield from misnamed
        return
    yield from _head_problems(clause.rule, relations, open_)
    yield from _sort_problems(clause.rule, parts, relations)
    yield from _safety_problems(clause.rule, parts)
    yield from _aggregate_problems(clause.rule, parts[1:])
    yield from _sentence_problems(clause.rule)
    yield from _demand_problems(clause.rule, parts, relations)


def _length_problems(clause: SurfaceRule, parts: Sequence[RuleScope]) -> Iterator[RuleError]:
    conditions = sum(len(scope.literals) for scope in parts)
    if conditions > MOST_CONDITIONS:
        fix = "give some of them a relation of their own, with a rule that says what it stands for"
        yield RuleError(
            f"this rule has {conditions:,} conditions; at most {MOST_CONDITIONS} are taken",
            parts[0].place,
            fix=fix,
        )


# ---- declarations and names


def _declaration_problems(
    source: RuleText, relations: Relations, seen: dict[str, Relation]
) -> Iterator[RuleError]:
    for relation in source.relations:
        first, base = seen.setdefault(relation.name, relation), relations[relation.name].base
        if first is not relation:
            yield RuleError(f"{relation.name} is declared twice, first at {first.place}", relation.place)
        elif relation.bindings and not base:
            fix = f"add .input {relation.name}, or remove //@ from"
            yield RuleError(
                f"{relation.name} is derived and so not read from the ontology", relation.place, fix=fix
            )
        elif relation.on_demand and base:
            yield RuleError(f"{relation.name} is given and so never derived on demand", relation.place)
        yield from _absence_problems(relation)
        yield from _few_problems(relation)
    for directive in source.directives:
        if directive.relation not in relations:
            yield _unknown(directive.relation, directive.place, relations)


def _name_problems(
    clause: SurfaceRule, parts: Sequence[RuleScope], relations: Relations
) -> Iterator[RuleError]:
    for atom, place in _atoms(clause.rule.head, parts):
        if atom.relation not in relations:
            yield _unknown(atom.relation, place, relations)
        elif (given := len(atom.args)) != (wanted := relations[atom.relation].arity):
            columns = ", ".join(column.name for column in relations[atom.relation].columns)
            number = f"{given} argument{'' if given == 1 else 's'}"
            fix = f"declared as {atom.relation}({columns})"
            yield WrongArity(f"{atom.relation} has {number} here but takes {wanted}", place, fix=fix)


def _atoms(head: Atom, parts: Sequence[RuleScope]) -> Iterator[tuple[Atom, SourcePlace]]:
    yield head, parts[0].place
    for scope in parts:
        for literal, place in scope.literals:
            if isinstance(literal, Not):
                yield literal.atom, place
            elif isinstance(literal, Atom):
                yield literal, place


def _unknown(name: str, place: SourcePlace, relations: Relations) -> UnknownRelation:
    from rapidfuzz import fuzz, process

    close = process.extractOne(name, list(relations), scorer=fuzz.ratio, score_cutoff=CLOSE_ENOUGH)
    fix = f"did you mean {close[0]}?" if close else f"declare it: .decl {name}(…)"
    return UnknownRelation(f"no relation is called {name}", place, fix=fix)


def _head_problems(rule: Rule, relations: Relations, open_: Collection[str]) -> Iterator[RuleError]:
    name = rule.head.relation
    if relations[name].base and name not in open_:
        fix = (
            f"derive a relation of your own from it, or say .extend {name} if this file is meant to add to it"
        )
        yield RuleError(f"{rule.head.relation} is given, no rule may add to it", rule.place, fix=fix)


# ---- symbols and numbers


def _sort_problems(rule: Rule, parts: Sequence[RuleScope], relations: Relations) -> Iterator[RuleError]:
    own = sorts_of((*parts[0].bare, rule.head), relations)
    yield from sort_problems(rule.head, rule.place, relations, own)
    for scope in parts:
        sorts = sorts_of(scope.bare, relations, own)
        for literal, place in scope.literals:
            yield from sort_problems(literal, place, relations, sorts)
        if scope.aggregate:
            yield from target_problems(scope.aggregate, scope.place, sorts)


# ---- safety: every variable is bound by something


def _safety_problems(rule: Rule, parts: Sequence[RuleScope]) -> Iterator[RuleError]:
    outer = outer_names(rule)
    own = in_binding_order(rule.body, outer=outer)
    for name in names(rule.head):
        if is_anonymous(name):
            yield UnsafeRule("_ stands in the head: which value should it be?", rule.place)
        elif name not in own.bound and name not in names(*own.stuck):  # a stuck literal tells its own story
            yield UnsafeRule(f"{name} in the head is bound by nothing", rule.place, fix=_bind(name))
    for scope in parts:
        if scope.aggregate not in own.stuck:
            yield from _unbound_problems(scope, own.bound if scope.aggregate else frozenset(), outer)


def _unbound_problems(scope: RuleScope, given: frozenset[str], outer: Sequence[str]) -> Iterator[RuleError]:
    order = in_binding_order(scope.bare, given, outer)
    for literal, place in scope.literals:
        if literal in order.stuck:
            for name in unbound(literal, order.bound, outer):
                yield UnsafeRule(f"{name} {_unbound_use(literal)}", place, fix=_bind(name))
    if scope.aggregate and scope.aggregate.target:
        for name in names(scope.aggregate.target):
            if name not in order.bound:
                yield UnsafeRule(f"{name} is aggregated but bound by nothing", scope.place, fix=_bind(name))


def _unbound_use(literal: Literal) -> str:
    match literal:
        case Not():
            return "is used in a negated condition but bound by nothing"
        case Compare():
            return "is compared but bound by nothing"
        case _:
            return "is used outside the aggregate but bound only inside it"


def _bind(name: str) -> str:
    bound = f"use {name} in a condition without '!', outside any aggregate"
    return (
        f'{bound}; if it is a symbol, it stands in quotes: "{name}"'
        if name.isalpha() and name.islower()
        else bound
    )


# ---- aggregates


def _aggregate_problems(rule: Rule, parts: Sequence[RuleScope]) -> Iterator[RuleError]:
    """Counting needs something that is counted; the names inside have been told apart when the rule was read."""
    outer = outer_names(rule)
    for scope in parts:
        aggregate = scope.aggregate
        assert aggregate is not None
        if aggregate.function in EACH and not local(aggregate, outer):
            tied = ", ".join(shared(aggregate, outer)) or "no variable"
            fix = "use a plain condition, or another variable inside the braces"
            what = f"{aggregate.function} has nothing of its own to range over, only {tied}"
            yield RuleError(what, scope.place, fix=fix)


# ---- sentences and on demand


def _sentence_problems(rule: Rule) -> Iterator[RuleError]:
    known = [name for name in outer_names(rule) if re.fullmatch(r"[A-Za-z?][\w?]*", name)]
    for name in _placeholders(rule.sentence or ""):
        if name not in known:
            fix = f"its variables are {', '.join(known)}" if known else "this rule has no variables"
            yield RuleError(f"{{{name}}} in the sentence is no variable of the rule", rule.place, fix=fix)


def _absence_problems(relation: Relation) -> Iterator[RuleError]:
    columns = [column.name for column in relation.columns]
    for name in _placeholders(relation.absence):
        if name not in columns:
            fix = f"its columns are {', '.join(columns)}"
            yield RuleError(
                f"{{{name}}} in //@ absent is no column of {relation.name}", relation.place, fix=fix
            )


def _few_problems(relation: Relation) -> Iterator[RuleError]:
    columns = [column.name for column in relation.columns]
    for name in (name for few in relation.few for name in few if name not in columns):
        fix = f"its columns are {', '.join(columns)}"
        yield RuleError(f"{name} in //@ few per is no column of {relation.name}", relation.place, fix=fix)


def _placeholders(sentence: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", sentence)


def _demand_problems(rule: Rule, parts: Sequence[RuleScope], relations: Relations) -> Iterator[RuleError]:
    if relations[rule.head.relation].on_demand:
        return
    for atom, place in _atoms(rule.head, parts):
        if relations[atom.relation].on_demand:
            fix = f"make {rule.head.relation} on demand too"
            yield RuleError(
                f"{rule.head.relation} would need all of {atom.relation}, which is on demand", place, fix=fix
            )
