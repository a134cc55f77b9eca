"""`contains` and `match` as conditions: tests of text, unless some file declares a relation of that name.

Only where all files are known can the two be told apart. Pure functions over statements.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from narraworld.rules.language.ir import Aggregate, Atom, Call, Compare, Const, Literal, Not, Rule
from narraworld.rules.language.surface.statements import RuleText, SurfaceRule
from narraworld.rules.language.values.functions import FUNCTIONS, TESTS

__all__ = ["with_tests", "with_tests_in"]


def with_tests(sources: Collection[RuleText]) -> tuple[RuleText, ...]:
    """The files with their tests of text told from relations."""
    declared = {relation.name for source in sources for relation in source.relations}
    return tuple(_source(source, declared) for source in sources)


def _source(source: RuleText, declared: Collection[str]) -> RuleText:
    told = tuple(
        replace(one, rule=with_tests_in(one.rule, declared)) if isinstance(one, SurfaceRule) else one
        for one in source.statements
    )
    return source if told == source.statements else replace(source, statements=told)


def with_tests_in(rule: Rule, declared: Collection[str]) -> Rule:
    names = [name for name in TESTS if name not in declared]
    return replace(rule, body=tuple(_literal(literal, names) for literal in rule.body)) if rule.body else rule


def _literal(literal: Literal, names: Collection[str]) -> Literal:
    match literal:
        case Atom(name, args) if name in names and FUNCTIONS[name].fits(len(args)):
            return Compare("=", Call(name, args), Const(1))
        case Not(Atom(name, args)) if name in names and FUNCTIONS[name].fits(len(args)):
            return Compare("=", Call(name, args), Const(0))
        case Aggregate(body=body):
            return replace(literal, body=tuple(_literal(one, names) for one in body))
    return literal
