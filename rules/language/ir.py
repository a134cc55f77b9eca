"""The shape of a rule program: terms, literals, rules, relations.

Pure values, no parsing, no engine, no files. Two forms share these values: *surface* rules, as a
person wrote them, may hold `Aggregate` literals; *core* rules, which engines run, hold only `Atom`,
`Not` and `Compare` in their bodies and say in `fold` when the last head column is an aggregate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal as OneOf
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "EACH",
    "Aggregate",
    "AggregateName",
    "Arithmetic",
    "Atom",
    "Call",
    "Change",
    "Column",
    "ColumnType",
    "Compare",
    "Const",
    "Facts",
    "Fold",
    "Literal",
    "Not",
    "Program",
    "Relation",
    "Row",
    "Rule",
    "SourcePlace",
    "Stratum",
    "Term",
    "Value",
    "Var",
]  # fmt: skip

Value: TypeAlias = str | int | float
Row: TypeAlias = tuple[Value, ...]
Facts: TypeAlias = Mapping[str, Collection[Row]]
ColumnType: TypeAlias = OneOf["symbol", "number", "float"]
AggregateName: TypeAlias = OneOf["min", "max", "count", "sum", "mean"]


EACH: tuple[AggregateName, ...] = ("count", "sum", "mean")  # every binding counts


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where in a rule file something stands; lines and columns count from 1."""

    file: str = "<memory>"
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Var:
    """A variable. Each `_` of a rule file becomes a variable of its own named `_1`, `_2`, …"""

    name: str

    def __hash__(self) -> int:  # atoms are looked up a thousand times for one answer
        return hash(self.name)

    @property
    def anonymous(self) -> bool:
        return self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class Const:
    """A quoted symbol, a whole number or a fraction."""

    value: Value

    def __hash__(self) -> int:
        return hash(self.value)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left op right` over numbers; stands only inside a comparison. Division and remainder floor.

    `fractional` ones work on fractions, whose division is exact as far as it goes; core rules say which do.
    """

    op: OneOf["+", "-", "*", "/", "%"]
    left: Term
    right: Term
    fractional: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function of values (`rules.functions`); like arithmetic it stands only inside a comparison."""

    function: str
    args: tuple[Term, ...]


Term: TypeAlias = Var | Const | Arithmetic | Call


@dataclass(frozen=True, slots=True)
class Atom:
    """`relation(args…)`; in heads and atoms the arguments are variables and constants only."""

    relation: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`!atom`: no row matches; anonymous variables inside mean "whatever"."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Compare:
    """`left op right`. `=` with a variable nothing else binds on one side assigns it."""

    op: OneOf["=", "!=", "<", "<=", ">", ">="]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Soufflé's `result = min target : { body }`; surface form only."""

    result: Var
    function: AggregateName
    target: Term | None
    body: tuple[Literal, ...]


Literal: TypeAlias = Atom | Not | Compare | Aggregate


@dataclass(frozen=True, slots=True)
class Fold:
    """The last head column is `function` of `target` per group of the other head columns.

    `count` counts, and `sum` adds over, the distinct bindings of `over` in the group.
    A group without bindings gives no row.
    """

    function: AggregateName
    target: Term | None
    over: tuple[Var, ...]
    fractional: bool = False  # its value is a fraction

    @property
    def each(self) -> bool:
        """Whether every distinct binding takes part; the least and the greatest need only look at values."""
        return self.function in EACH


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.` with the sentence that explains it and where it was written.

    `written` are the author's own words where these say it in another way than head and body.
    """

    head: Atom
    body: tuple[Literal, ...] = ()
    fold: Fold | None = None
    sentence: str | None = None
    place: SourcePlace = SourcePlace()
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class Relation:
    """A declared relation.

    `base` relations are given (`.input`), all others derived. `bindings` are the raw `//@ from` lines that
    say which class and properties of the ontology a base relation is read from. `on_demand` relations are
    never materialised, only asked with their first columns bound. `auxiliary` ones were made by us. `quiet` ones
    are bookkeeping that a proof in prose leaves out; `absence` says in words that no row matches, with {column}s.
    `few` are sets of columns by which there are few rows however long the story (`//@ few per …`, or the record that carries them).
    """

    name: str
    columns: tuple[Column, ...]
    doc: str = ""
    base: bool = False
    on_demand: bool = False
    auxiliary: bool = False
    bindings: tuple[str, ...] = ()
    quiet: bool = False
    absence: str = ""
    few: tuple[tuple[str, ...], ...] = ()
    place: SourcePlace = SourcePlace()

    @property
    def arity(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Relations that depend on each other (one, unless recursive) and on earlier strata only."""

    relations: tuple[str, ...]
    recursive: bool


@dataclass(frozen=True, slots=True)
class Program:
    """A checked program: relations by name, rules in file order, strata in evaluation order.

    `given` are base rows that its own files bring along. `home` says under which name the given rows of a relation are
    kept where rules add to it.
    """

    relations: Mapping[str, Relation]
    rules: tuple[Rule, ...]
    strata: tuple[Stratum, ...] = ()
    given: Facts = field(default_factory=dict, repr=False)
    home: Mapping[str, str] = field(default_factory=dict)
    _by_head: dict[str, tuple[Rule, ...]] = field(default_factory=dict, repr=False, compare=False)

    def rules_for(self, relation: str) -> tuple[Rule, ...]:
        if not self._by_head:
            grouped: dict[str, list[Rule]] = {}
            for rule in self.rules:
                grouped.setdefault(rule.head.relation, []).append(rule)
            self._by_head.update({name: tuple(rules) for name, rules in grouped.items()})
        return self._by_head.get(relation, ())

    def with_given(self, facts: Facts) -> Facts:
        """Base facts as engines load them: each under its home, together with what the program brings along."""
        if not self.given and not self.home:
            return facts
        whole = {self.home.get(name, name): rows for name, rows in facts.items()}
        for name, rows in self.given.items():
            kept = self.home.get(name, name)
            whole[kept] = list(dict.fromkeys([*whole.get(kept, ()), *rows]))
        return whole

    def base(self) -> tuple[str, ...]:
        return tuple(name for name, relation in self.relations.items() if relation.base)

    def derived(self) -> tuple[str, ...]:
        return tuple(name for name, relation in self.relations.items() if not relation.base)


@dataclass(frozen=True, slots=True)
class Change:
    """Rows that came and rows that went, by relation."""

    added: Facts = field(default_factory=dict)
    removed: Facts = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.added.values()) or any(self.removed.values())
