"""Types that are classes of the ontology, and whether rules put into them what the records can hold.

`Character`, `Place` and the like are types without being declared; `.type Person <: Character` narrows one. What a
base relation holds is read off its `//@ from` lines, what a derived one holds is carried along its rules. A column
of which nothing is known may hold anything. Looked at only where a rule file uses such a type. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from narraworld.kb.rows.bindings import Binding, parse_binding
from narraworld.ontology.vocabulary import vocabulary
from narraworld.rules.errors import WrongType
from narraworld.rules.language.ir import Atom, Const, Relation, Rule, Var
from narraworld.rules.language.surface.statements import RuleText

__all__ = ["class_problems", "classes_named"]

# The classes a value may be of; None: nothing is known, so anything.
ClassesHeld: TypeAlias = frozenset[str] | None


def classes_named(names: Iterable[str]) -> frozenset[str]:
    """Those of the names that are classes of the ontology."""
    unknown = {name for name in names if name[:1].isupper()}
    return frozenset(unknown & vocabulary().classes.keys()) if unknown else frozenset()


def class_problems(sources: Sequence[RuleText]) -> Iterator[WrongType]:
    """Rules by which a column of such a type would hold what is never of its class."""
    typed = _types(sources)
    if not typed:
        return
    kinds = _Kinds(sources, typed)
    for source in sources:
        for clause in source.clauses:
            yield from kinds.problems(clause.rule)


def _types(sources: Sequence[RuleText]) -> dict[str, frozenset[str]]:
    """The classes behind each name of a type that comes down to a class."""
    declared = [kind for source in sources for kind in source.types]
    found = {name: _below(name) for name in classes_named(_type_names(sources))}
    for kind in [*declared, *declared]:  # a parent may be declared after its child
        parents = [found.get(parent) for parent in kind.parents]
        if kind.name not in found and all(parents):
            found[kind.name] = frozenset[str]().union(*filter(None, parents))
    return found


def _type_names(sources: Iterable[RuleText]) -> Iterator[str]:
    for source in sources:
        yield from (column.type for one in source.relations for column in one.columns)
        yield from (name for kind in source.types for name in (kind.name, *kind.parents))


@cache
def _below(name: str) -> frozenset[str]:
    """A class and all that are kinds of it."""
    return frozenset(term.name for term in vocabulary().classes.values() if term.is_a(name))


class _Kinds:
    """What every column of a program may hold."""

    def __init__(self, sources: Sequence[RuleText], typed: Mapping[str, frozenset[str]]) -> None:
        self.typed = typed
        self.relations = {one.name: one for source in sources for one in source.relations}
        self.bindings = {name: _bindings(one) for name, one in self.relations.items() if one.bindings}
        self.derived: dict[tuple[str, int], ClassesHeld] = {}
        rules = [rule for source in sources for rule in source.rules]
        self.ruled = {rule.head.relation for rule in rules} - _given(
            sources
        )  # all they hold comes from rules
        self._carry(rules)

    def problems(self, rule: Rule) -> Iterator[WrongType]:
        for place, (arg, kind) in enumerate(zip(rule.head.args, self._types_of(rule.head), strict=False)):
            held = self._of_variable(rule, arg) if kind in self.typed else None
            if isinstance(arg, Var) and held is not None and not held & self.typed[kind]:
                column = self.relations[rule.head.relation].columns[place].name
                what = f"{arg.name} is {_said(held)}, but {column} of {rule.head.relation} holds a {kind}"
                yield WrongType(
                    what, rule.place, fix="take it from another column, or declare the column wider"
                )

    def _carry(self, rules: Sequence[Rule]) -> None:
        """What heads hold follows from bodies, until nothing more follows."""
        growing = True
        while growing:
            growing = False
            for rule in rules:
                for place, arg in enumerate(rule.head.args):
                    growing |= self._add((rule.head.relation, place), self._of_variable(rule, arg))

    def _add(self, column: tuple[str, int], held: ClassesHeld) -> bool:
        before = self.derived.get(column, frozenset())
        after = None if before is None or held is None else before | held
        self.derived[column] = after
        return after != before

    def _of_variable(self, rule: Rule, arg: object) -> ClassesHeld:
        """What a variable of a body may be: all its places agree, so what they have in common."""
        held: ClassesHeld = None
        for atom in (literal for literal in rule.body if isinstance(literal, Atom)):
            for place, other in enumerate(atom.args):
                one = self._of_column(atom, place) if other == arg and isinstance(other, Var) else None
                held = one if held is None else held if one is None else held & one
        return held

    def _of_column(self, atom: Atom, place: int) -> ClassesHeld:
        kinds = self._types_of(atom)
        if place < len(kinds) and kinds[place] in self.typed:
            return self.typed[kinds[place]]
        if atom.relation in self.bindings:
            return _bound(self.bindings[atom.relation], atom, place)
        return self.derived.get((atom.relation, place), frozenset()) if atom.relation in self.ruled else None

    def _types_of(self, atom: Atom) -> tuple[str, ...]:
        relation = self.relations.get(atom.relation)
        return tuple(column.type for column in relation.columns) if relation else ()


def _given(sources: Iterable[RuleText]) -> set[str]:
    return {one.relation for source in sources for one in source.directives if one.keyword == "input"}


def _bindings(relation: Relation) -> list[Binding]:
    return [parse_binding(relation.name, line) for line in relation.bindings]


def _bound(bindings: Sequence[Binding], atom: Atom, place: int) -> ClassesHeld:
    """What records put into a column, in the rows whose constants are those the atom asks for."""
    held: frozenset[str] = frozenset()
    for binding in bindings:
        one = _from_records(binding, place)
        if one is None:
            return None
        held |= one if _fits(binding, atom) else frozenset()
    return held


def _from_records(binding: Binding, place: int) -> ClassesHeld:
    if binding.special or place >= len(binding.sources):
        return None
    name = binding.sources[place].name
    if name is None:
        return None
    classes = binding.classes if name == "id" else vocabulary().property(name).ranges
    known = [_below(one) for one in classes if one in vocabulary().classes]
    return frozenset[str]().union(*known) if known and len(known) == len(classes) else None


def _fits(binding: Binding, atom: Atom) -> bool:
    """Whether the binding can give a row with the constants of the atom."""
    pairs = zip(binding.sources, atom.args, strict=False)
    return all(
        source.name is not None or not isinstance(arg, Const) or source.constant == arg.value
        for source, arg in pairs
    )


def _said(held: frozenset[str]) -> str:
    """`a Place`, `a Character or a Group`: the widest classes in it."""
    widest = [name for name in held if not (vocabulary().cls(name).ancestors & held)]
    return (
        " or ".join(f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in sorted(widest))
        or "nothing at all"
    )
