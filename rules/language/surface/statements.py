"""What a rule file consists of once it has been read: declarations, directives and rules, each with its place.

Pure values; no parsing, no files.
"""

from __future__ import annotations

from typing import Literal as OneOf
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import Relation, Rule, SourcePlace

__all__ = [
    "Directive",
    "Extension",
    "RuleText",
    "SouffleAdvice",
    "SurfaceRule",
    "SurfaceStatement",
    "TypeName",
]


@dataclass(frozen=True, slots=True)
class SurfaceRule:
    """A rule, and the places of its head and its literals.

    Places stand in reading order; the literals inside an aggregate follow the aggregate. What a person wrote as one
    clause (`a(X), b(X) :- c(X) ; d(X).`) may be several; each of them knows the text of the whole.
    """

    rule: Rule
    places: tuple[SourcePlace, ...]


@dataclass(frozen=True, slots=True)
class Directive:
    """`.input r` makes r a base relation, with rows from a file where its parameters name one; the others are
    Soufflé's business and only checked."""

    keyword: OneOf["input", "output", "printsize"]
    relation: str
    place: SourcePlace
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TypeName:
    """`.type name <: symbol` or `.type name = one | other`: a name for symbols or numbers of one kind."""

    name: str
    parents: tuple[str, ...]
    place: SourcePlace
    union: bool = False


@dataclass(frozen=True, slots=True)
class SouffleAdvice:
    """`.pragma` and `.plan`: advice to Soufflé on how to work, which we read and do not follow."""

    text: str
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Extension:
    """`.extend r`: this file adds rows of its own to a relation that is given."""

    relation: str
    place: SourcePlace


SurfaceStatement: TypeAlias = Relation | Directive | TypeName | SouffleAdvice | Extension | SurfaceRule


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule file: its head comment and its statements in order."""

    file: str
    head: str
    statements: tuple[SurfaceStatement, ...]

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(part for part in self.statements if isinstance(part, Relation))

    @property
    def directives(self) -> tuple[Directive, ...]:
        return tuple(part for part in self.statements if isinstance(part, Directive))

    @property
    def types(self) -> tuple[TypeName, ...]:
        return tuple(part for part in self.statements if isinstance(part, TypeName))

    @property
    def extensions(self) -> tuple[Extension, ...]:
        return tuple(part for part in self.statements if isinstance(part, Extension))

    @property
    def clauses(self) -> tuple[SurfaceRule, ...]:
        return tuple(part for part in self.statements if isinstance(part, SurfaceRule))

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(clause.rule for clause in self.clauses)
