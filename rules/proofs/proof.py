"""Why a fact holds, as a value: a tree of premises whose leaves are records, checked absences and comparisons.

Pure values; nothing here asks an engine, opens a file or knows a story. A fact that is used twice is one node that
stands in two places, and a proof may be thousands of steps deep, so everything here walks with a stack of its own and
looks at each node once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Relation,
    Row,
    Rule,
    Term,
    Value,
    Var,
)

__all__ = [
    "FORMAT",
    "Absent",
    "Best",
    "Bindings",
    "Compared",
    "CountedMember",
    "Derived",
    "Given",
    "Proof",
    "ProofNames",
    "leaves",
    "literal_text",
    "premises",
    "records",
    "row_text",
    "rule_json",
    "said_as_is",
    "shown",
    "term_text",
    "to_json",
    "walk",
]  # fmt: skip

FORMAT = "narraworld-proof/1"

ProofNames: TypeAlias = Callable[[str], str]
Bindings: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Given:
    """A base row; its first column is the record that carries it."""

    relation: Relation
    row: Row

    @property
    def record(self) -> str:
        return str(self.row[0])


@dataclass(frozen=True, slots=True)
class Absent:
    """A closed question that was asked and found nothing; variables in the atom mean "whatever"."""

    relation: Relation
    atom: Atom


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison that came out true, with its values filled in."""

    compare: Compare

    @property
    def text(self) -> str:
        return literal_text(self.compare)


@dataclass(frozen=True, slots=True)
class Derived:
    """A row that a rule concludes from premises, which stand in the order of the rule's body."""

    relation: Relation
    row: Row
    rule: Rule
    bindings: Bindings
    premises: tuple[Proof, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CountedMember:
    """One candidate of a fold with what it contributes and why it is a candidate."""

    value: float
    bindings: Bindings
    premises: tuple[Proof, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Best:
    """A row whose last column is a fold: `value` made from `candidates` in the group of the other columns.

    `members` holds the witness for min and max; for count and sum as many candidates as the settings show.
    """

    relation: Relation
    row: Row
    rule: Rule
    bindings: Bindings
    function: AggregateName
    candidates: int
    members: tuple[CountedMember, ...] = field(repr=False)

    @property
    def value(self) -> Value:
        return self.row[-1]


Proof: TypeAlias = Derived | Given | Absent | Best | Compared


# -- walking -------------------------------------------------------------------------------------


def premises(proof: Proof) -> tuple[Proof, ...]:
    """What a node rests on directly; leaves rest on nothing."""
    match proof:
        case Derived():
            return proof.premises
        case Best():
            return tuple(premise for member in proof.members for premise in member.premises)
    return ()


def shown(nodes: Sequence[Proof]) -> tuple[Proof, ...]:
    """The same premises for a reader, each once: a relation we made ourselves gives way to what it rests on.

    Its folds stay: "the latest of four" is a step a reader wants to see.
    """
    visible: dict[int, Proof] = {}
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        if isinstance(node, Derived) and node.relation.auxiliary:
            stack.extend(reversed(node.premises))
        else:
            visible.setdefault(id(node), node)
    return tuple(visible.values())


def walk(proof: Proof) -> Iterator[Proof]:
    """Each visible node once, a node before its premises, premises in order."""
    seen: set[int] = set()
    stack: list[Proof] = [proof]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(reversed(shown(premises(node))))


def leaves(proof: Proof) -> list[Proof]:
    """What the proof finally rests on: records, absences, comparisons."""
    return [node for node in walk(proof) if isinstance(node, Given | Absent | Compared)]


def records(proof: Proof) -> list[str]:
    """The records at the leaves, in order, without repetition."""
    return list(dict.fromkeys(leaf.record for leaf in leaves(proof) if isinstance(leaf, Given)))


# -- text of the parts ---------------------------------------------------------------------------


def said_as_is(symbol: str) -> str:
    """The default for `names`: a symbol is its own name."""
    return symbol


def term_text(term: Term, names: ProofNames = said_as_is) -> str:
    match term:
        case Const(value):
            return _value_text(value, names)
        case Var():
            return "_" if term.anonymous else term.name
        case Arithmetic(op, left, right):
            return f"{_operand(left, names)} {op} {_operand(right, names)}"
        case Call(function, args):
            return f"{function}({', '.join(term_text(arg, names) for arg in args)})"


def _operand(term: Term, names: ProofNames) -> str:
    text = term_text(term, names)
    return f"({text})" if isinstance(term, Arithmetic) else text


def _value_text(value: Value, names: ProofNames) -> str:
    return names(value) if isinstance(value, str) else str(value)


def row_text(relation: str, row: Row, names: ProofNames = said_as_is) -> str:
    return f"{relation}({', '.join(_value_text(value, names) for value in row)})"


def literal_text(literal: Literal, names: ProofNames = said_as_is) -> str:
    match literal:
        case Atom(relation, args):
            return f"{relation}({', '.join(term_text(term, names) for term in args)})"
        case Not(atom):
            return f"no {literal_text(atom, names)}"
        case Compare(op, left, right):
            return f"{term_text(left, names)} {op} {term_text(right, names)}"
        case Aggregate(result, function):
            return f"{result.name} = {function} …"


# -- JSON ----------------------------------------------------------------------------------------


def to_json(proof: Proof) -> dict[str, Any]:
    """A flat JSON form: nodes point at their premises by position, so depth and sharing cost nothing.

    `{"format", "root": 0, "nodes": [node…]}`; every node has a `kind`:

    * derived:  relation, row, rule {sentence, place}, bindings {variable: value}, premises [node…]
    * given:    relation, row, record
    * absent:   relation, pattern (null = whatever)
    * best:     as derived, and function, value, candidates (how many there were),
                members [{value, bindings, premises}]; premises are those of all members
    * compared: text
    """
    nodes = list(walk(proof))
    place = {id(node): number for number, node in enumerate(nodes)}
    return {"format": FORMAT, "root": 0, "nodes": [_node_json(node, place) for node in nodes]}


def _node_json(node: Proof, place: Mapping[int, int]) -> dict[str, Any]:
    match node:
        case Given(relation, row):
            return {"kind": "given", "relation": relation.name, "row": list(row), "record": node.record}
        case Absent(relation, atom):
            pattern = [term.value if isinstance(term, Const) else None for term in atom.args]
            return {"kind": "absent", "relation": relation.name, "pattern": pattern}
        case Compared():
            return {"kind": "compared", "text": node.text}
        case Derived():
            return {"kind": "derived", **_conclusion_json(node, place)}
        case Best():
            fold = {"function": node.function, "value": node.value, "candidates": node.candidates}
            members = [
                {"value": m.value, "bindings": dict(m.bindings), "premises": _numbers(m.premises, place)}
                for m in node.members
            ]
            return {"kind": "best", **_conclusion_json(node, place), **fold, "members": members}


def _conclusion_json(node: Derived | Best, place: Mapping[int, int]) -> dict[str, Any]:
    return {
        "relation": node.relation.name,
        "row": list(node.row),
        "rule": rule_json(node.rule),
        "bindings": dict(node.bindings),
        "premises": _numbers(premises(node), place),
    }


def rule_json(rule: Rule) -> dict[str, Any]:
    return {"sentence": rule.sentence, "place": str(rule.place)}


def _numbers(nodes: Sequence[Proof], place: Mapping[int, int]) -> list[int]:
    return [place[id(node)] for node in shown(nodes)]
