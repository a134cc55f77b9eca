"""A question typed by a person: the same language, the same checks, the same errors.

    believes("leo", P)                     one goal
    mistaken(W, P), !told(W, _)            a query: what `answer(W, P)` would be

Never runs anything: an engine does, with the goal or with the program `with_answer` gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from narraworld.rules.errors import RuleError, RuleSyntaxError
from narraworld.rules.language.conditions import with_tests_in
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Aggregate,
    Atom,
    Column,
    Compare,
    Const,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Var,
)
from narraworld.rules.language.lowering import normalise
from narraworld.rules.language.surface.syntax import ANSWER, SurfaceRule, parse_conjunction
from narraworld.rules.language.terms import names, substitute, variables
from narraworld.rules.language.values.sorts import Relations, columns_for, sorts_of
from narraworld.rules.language.wellformed import clause_problems

__all__ = ["Naming", "parse_goal", "parse_query", "with_answer"]

Naming: TypeAlias = Callable[[str], str | None]


def parse_goal(text: str, program: Program) -> Atom:
    """One relation with constants where something is known and variables where something is asked."""
    clause = _parsed(text, program)
    match clause.rule.body:
        case (Atom() as atom,):
            _raise_first(clause, program)
            return atom
    raise RuleSyntaxError(
        "a goal is one relation and nothing else", clause.rule.place, fix="ask a conjunction as a query"
    )


def parse_query(text: str, program: Program, named: Naming = lambda word: None) -> Rule:
    """Conditions joined by commas, as the rule `answer(variables in order of appearance) :- conditions`.

    A word that is compared and stands in no relation, as in `W != Leo`, may be a name: `named` says of what.
    """
    clause = _with_names(_parsed(text, program), named)
    _raise_first(clause, program)
    return clause.rule


def _parsed(text: str, program: Program) -> SurfaceRule:
    clause = parse_conjunction(text)
    return replace(clause, rule=with_tests_in(clause.rule, program.relations))


def _with_names(clause: SurfaceRule, named: Naming) -> SurfaceRule:
    rule = clause.rule
    words = dict.fromkeys(_compared(rule.body)).keys() - set(_in_relations(rule.body))
    known = {word: Const(symbol) for word in sorted(words) if (symbol := named(word)) is not None}
    if not known:
        return clause
    asked = tuple(term for term in rule.head.args if isinstance(term, Var) and term.name not in known)
    body = tuple(_read(literal, known) for literal in rule.body)
    return replace(clause, rule=replace(rule, head=Atom(ANSWER, asked or (Const("yes"),)), body=body))


def _compared(body: Iterable[Literal]) -> Iterator[str]:
    for literal in body:
        match literal:
            case Compare():
                yield from variables(literal)
            case Aggregate():
                yield from _compared(literal.body)


def _in_relations(body: Iterable[Literal]) -> Iterator[str]:
    """The variables that a relation, or an aggregate, can give a value."""
    for literal in body:
        match literal:
            case Atom() | Not():
                yield from variables(literal)
            case Aggregate():
                yield literal.result.name
                yield from _in_relations(literal.body)


def _read(literal: Literal, known: Mapping[str, Const]) -> Literal:
    """The literal with what the words in its comparisons name."""
    match literal:
        case Compare(op, left, right):
            return Compare(op, substitute(left, known), substitute(right, known))
        case Aggregate():
            return replace(literal, body=tuple(_read(one, known) for one in literal.body))
    return literal


def with_answer(program: Program, query: Rule) -> Program:
    """The program with the query as one more relation, in core form, ready for an engine to be asked."""
    relations = {**program.relations, ANSWER: _answer(query, program.relations)}
    core = normalise(query, relations, Counter())
    relations |= {relation.name: relation for relation in core.relations}
    rules = (*program.rules, *core.rules)
    return Program(relations, rules, stratify(relations, rules))


def _raise_first(clause: SurfaceRule, program: Program) -> None:
    relations = {**program.relations, ANSWER: _answer(clause.rule, program.relations)}
    problem: RuleError | None = next(clause_problems(clause, relations), None)
    if problem:
        raise problem


def _answer(query: Rule, relations: Relations) -> Relation:
    sorts = sorts_of(query.body, relations)
    columns = columns_for(names(query.head), sorts) or (Column("yes", "symbol"),)
    return Relation(
        ANSWER, columns, "what the query asks", on_demand=_on_demand(query, relations), place=query.place
    )


def _on_demand(query: Rule, relations: Relations) -> bool:
    """A query may ask for what is derived on demand, and is then on demand itself."""
    inner = [one for literal in query.body if isinstance(literal, Aggregate) for one in literal.body]
    atoms = [one.atom if isinstance(one, Not) else one for one in (*query.body, *inner)]
    return any(
        isinstance(one, Atom) and one.relation in relations and relations[one.relation].on_demand
        for one in atoms
    )
