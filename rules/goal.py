"""A question typed by a person: the same language, the same checks, the same errors.

    believes("leo", P)                     one goal
    mistaken(W, P), !told(W, _)            a query: what `answer(W, P)` would be

Never runs anything: an engine does, with the goal or with the program `with_answer` gives.
"""

from __future__ import annotations

from collections import Counter

from narraworld.rules.binding import names
from narraworld.rules.check import clause_problems
from narraworld.rules.errors import RuleError, RuleSyntaxError
from narraworld.rules.ir import Aggregate, Atom, Column, Not, Program, Relation, Rule
from narraworld.rules.normal import normalise
from narraworld.rules.sorts import Relations, columns_for, sorts_of
from narraworld.rules.stratify import stratify
from narraworld.rules.syntax import ANSWER, Clause, parse_conjunction

__all__ = ["parse_goal", "parse_query", "with_answer"]


def parse_goal(text: str, program: Program) -> Atom:
    """One relation with constants where something is known and variables where something is asked."""
    clause = parse_conjunction(text)
    match clause.rule.body:
        case (Atom() as atom,):
            _raise_first(clause, program)
            return atom
    raise RuleSyntaxError(
        "a goal is one relation and nothing else", clause.rule.place, fix="ask a conjunction as a query"
    )


def parse_query(text: str, program: Program) -> Rule:
    """Conditions joined by commas, as the rule `answer(variables in order of appearance) :- conditions`."""
    clause = parse_conjunction(text)
    _raise_first(clause, program)
    return clause.rule


def with_answer(program: Program, query: Rule) -> Program:
    """The program with the query as one more relation, in core form, ready for an engine to be asked."""
    relations = {**program.relations, ANSWER: _answer(query, program.relations)}
    core = normalise(query, relations, Counter())
    relations |= {relation.name: relation for relation in core.relations}
    rules = (*program.rules, *core.rules)
    return Program(relations, rules, stratify(relations, rules))


def _raise_first(clause: Clause, program: Program) -> None:
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
