"""Whether a head gets what its columns are declared to hold: a place where a person is meant.

Only names declared with `.type` count; a plain symbol may go anywhere, since most relations say no more. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from narraworld.rules.errors import WrongType
from narraworld.rules.language.ir import Atom, Column, Literal, Var
from narraworld.rules.language.surface.statements import RuleText, SurfaceRule
from narraworld.rules.language.values.types import SORTS, wider

__all__ = ["kind_problems"]


def kind_problems(sources: Sequence[RuleText]) -> Iterator[WrongType]:
    """Heads that would hold values of a kind their columns do not include."""
    include = wider(sources)
    columns = {one.name: one.columns for source in sources for one in source.relations}
    for source in sources if include else ():
        for clause in source.clauses:
            yield from _problems(clause, columns, include)


def _problems(
    clause: SurfaceRule, columns: Mapping[str, tuple[Column, ...]], include: Mapping[str, set[str]]
) -> Iterator[WrongType]:
    found: dict[str, set[str]] = {}
    for name, kind in (pair for literal in clause.rule.body for pair in _kinds(literal, columns)):
        found.setdefault(name, set()).add(kind)
    for name, kind in _kinds(clause.rule.head, columns):
        given = found.get(name, set())
        if given and not any(one in SORTS or kind in include[one] for one in given) and kind not in SORTS:
            what = f"{name} is a {' and a '.join(sorted(given))}, but {clause.rule.head.relation} holds a {kind} there"
            yield WrongType(
                what, clause.rule.place, fix=f"declare the column wider, or .type {kind} to include it"
            )


def _kinds(atom: Literal, columns: Mapping[str, tuple[Column, ...]]) -> Iterator[tuple[str, str]]:
    if not isinstance(atom, Atom):
        return
    for arg, column in zip(atom.args, columns.get(atom.relation, ()), strict=False):
        if isinstance(arg, Var):
            yield arg.name, column.type
