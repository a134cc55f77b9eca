"""Rows of one's own for a relation that is given: allowed where a file says so, `.extend happened`, never by accident.

A file may also add to an `.input` relation that it declares itself and that is not read from the ontology: there nobody
else's facts are at stake. Facts join what is given. Where there are rules, what is given gets a relation of its own,
`happened__given`, and the name everybody asks for becomes a derived relation that takes its rows in. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Atom, Const, Relation, Row, Rule, Var
from narraworld.rules.language.surface.statements import RuleText

__all__ = ["extended", "extension_problems", "given_apart", "given_facts", "is_given"]


def extended(source: RuleText, relations: Mapping[str, Relation]) -> set[str]:
    """The given relations that a file may add to."""
    own = {one.name for one in source.relations if one.base or not one.bindings}
    said = {one.relation for one in source.extensions}
    return {name for name in own | said if name in relations and relations[name].base}


def extension_problems(source: RuleText, relations: Mapping[str, Relation]) -> Iterator[RuleError]:
    for extension in source.extensions:
        name, place = extension.relation, extension.place
        if name not in relations:
            yield RuleError(f".extend {name}: no relation is called {name}", place)
        elif not relations[name].base and relations[name].place.file == source.file:
            fix = "leave .extend out: a file adds what it likes to what it declares"
            yield RuleError(f"{name} is derived, not given", place, fix=fix)


def given_facts(rules: Iterable[Rule], relations: Mapping[str, Relation]) -> dict[str, tuple[Row, ...]]:
    """The facts among the rules that are rows of given relations."""
    found: dict[str, list[Row]] = {}
    for rule in rules:
        if is_given(rule, relations):
            found.setdefault(rule.head.relation, []).append(_row(rule.head))
    return {name: tuple(rows) for name, rows in found.items()}


def is_given(rule: Rule, relations: Mapping[str, Relation]) -> bool:
    return not rule.body and relations[rule.head.relation].base


def _row(head: Atom) -> Row:
    return tuple(term.value for term in head.args if isinstance(term, Const))


def given_apart(
    rules: Iterable[Rule], relations: Mapping[str, Relation]
) -> tuple[dict[str, Relation], list[Rule], dict[str, str]]:
    """Relations, rules and new names for what is given of relations that rules add to."""
    heads = dict.fromkeys(rule.head.relation for rule in rules)
    found, copies, apart = dict[str, Relation](), list[Rule](), dict[str, str]()
    for name in (name for name in heads if relations[name].base):
        relation = relations[name]
        apart[name] = f"{name}__given"
        found[apart[name]] = replace(relation, name=apart[name], auxiliary=True)
        found[name] = replace(relation, base=False, bindings=())
        args = tuple(Var(f"V{place}") for place in range(relation.arity))
        copies.append(Rule(Atom(name, args), (Atom(apart[name], args),), place=relation.place))
    return found, copies, apart
