"""Names for kinds of values: `.type Person <: symbol`, `.type Thing = Person | Place`, and what they come down to.

Pure functions over the statements of rule files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import ColumnType
from narraworld.rules.language.surface.statements import RuleText, TypeName
from narraworld.rules.language.values.classes import classes_named

__all__ = ["SORTS", "type_problems", "type_sorts", "wider"]

SORTS: Mapping[str, ColumnType] = {"symbol": "symbol", "number": "number", "float": "float"}
# Soufflé's types that columns cannot have, and what to do without them
MISSING = {
    "unsigned": "numbers have a sign: write number",
}
FIX = (
    "a column is a symbol, a number or a float, or has a name declared with .type or a class of the ontology"
)


def type_sorts(sources: Iterable[RuleText]) -> dict[str, ColumnType]:
    """What each name of a type comes down to; names that come down to nothing are missing."""
    sources = tuple(sources)
    waiting = [kind for source in sources for kind in source.types]
    found = dict(SORTS) | dict.fromkeys(_classes(sources, waiting), SORTS["symbol"])
    while ready := [kind for kind in waiting if kind.parents[0] in found]:
        found.update((kind.name, found[kind.parents[0]]) for kind in reversed(ready))
        waiting = [kind for kind in waiting if kind not in ready]
    return found


def _classes(sources: Iterable[RuleText], declared: Iterable[TypeName]) -> frozenset[str]:
    """The types that nobody declares and that are classes of the ontology."""
    used: set[str] = {column.type for source in sources for one in source.relations for column in one.columns}
    used |= {parent for kind in declared for parent in kind.parents}
    return classes_named(used - SORTS.keys() - {kind.name for kind in declared})


def wider(sources: Iterable[RuleText]) -> dict[str, set[str]]:
    """By name of a type: the names of all types whose values include its values, itself among them."""
    steps = [step for source in sources for kind in source.types for step in _steps(kind)]
    found = {name: {name} for step in steps for name in step}
    while any(not found[wide] <= found[narrow] for narrow, wide in steps):
        for narrow, wide in steps:
            found[narrow] |= found[wide]
    return found


def _steps(kind: TypeName) -> Iterator[tuple[str, str]]:
    """From each narrower type to the next wider: a union is wider than its parts."""
    for parent in kind.parents:
        yield (parent, kind.name) if kind.union else (kind.name, parent)


def type_problems(sources: Sequence[RuleText]) -> Iterator[RuleError]:
    """Types that are declared twice, mix symbols with numbers, or do not exist."""
    sorts, seen = type_sorts(sources), dict[str, TypeName]()
    for source in sources:
        for kind in source.types:
            yield from _name_problems(kind, seen.setdefault(kind.name, kind))
            yield from _parent_problems(kind, sorts)
        for relation in source.relations:
            for unknown in (column.type for column in relation.columns if column.type not in sorts):
                yield RuleError(f"{unknown} is not a type", relation.place, fix=MISSING.get(unknown, FIX))


def _name_problems(kind: TypeName, first: TypeName) -> Iterator[RuleError]:
    """The same again in another file is no mistake."""
    again = first is not kind and (first.place.file == kind.place.file or first.parents != kind.parents)
    if kind.name in SORTS:
        yield RuleError(f"type {kind.name} is a type already", kind.place)
    elif again:
        yield RuleError(f"type {kind.name} is declared twice, first at {first.place}", kind.place)


def _parent_problems(kind: TypeName, sorts: Mapping[str, ColumnType]) -> Iterator[RuleError]:
    for parent in kind.parents:
        if parent not in sorts:
            yield RuleError(f"{parent} is not a type", kind.place, fix=MISSING.get(parent, FIX))
    found = {sorts[parent] for parent in kind.parents if parent in sorts}
    if len(found) > 1:
        yield RuleError(f"type {kind.name} would be {' and '.join(sorted(found))} at once", kind.place)
