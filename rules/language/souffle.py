"""Rules written out again, in Soufflé's syntax: for people, for proofs, and for Soufflé itself.

Pure text; reads and writes no file. `source_text` is the inverse of `syntax.parse`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Compare,
    Const,
    Facts,
    Literal,
    Not,
    Relation,
    Row,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.language.syntax import ESCAPES, Directive, RuleText, SurfaceRule, SurfaceStatement

if TYPE_CHECKING:
    from narraworld.rules.language.program import RuleBook

__all__ = ["atom_text", "fact_text", "literal_text", "rule_text", "source_text", "term_text", "to_souffle"]

LINE = 110
NOTE = """\
// Written by NarraWorld for Soufflé. Where the two differ, ours is stricter or says so here:
//  * numbers are 64 bits wide: build Soufflé with -DSOUFFLE_DOMAIN_64BIT=ON
//  * / and % round down here and towards zero in Soufflé: they differ on negative numbers only
//  * "on demand" is a comment to Soufflé, which derives such relations in full
//  * count and sum range over the named variables inside their braces; `_` is refused there
//  * an aggregate never binds a variable of the rule around it (Soufflé may look for witnesses)
"""
# Soufflé's own words, which our rule files may use as names (src/parser/scanner.ll); they get a `_` at the end.
RESERVED = {
    "as", "autoinc", "band", "bnot", "bor", "brie", "bshl", "bshr", "bshru", "btree", "btree_delete",
    "bxor", "cat", "contains", "count", "eqrel", "false", "fold", "inline", "input", "land", "lnot",
    "lor", "lxor", "magic", "match", "max", "mean", "min", "nil", "no_inline", "no_magic", "ord",
    "output", "overridable", "printsize", "range", "stateful", "strlen", "substr", "sum", "to_float",
    "to_number", "to_string", "to_unsigned", "true",
}  # fmt: skip
WRITTEN = {character: f"\\{letter}" for letter, character in ESCAPES.items() if letter != "'"}
STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}


def value_text(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    return '"' + "".join(WRITTEN.get(character, character) for character in value) + '"'


def term_text(term: Term) -> str:
    match term:
        case Var():
            return "_" if term.anonymous else term.name
        case Const(value):
            return value_text(value)
        case Arithmetic(op, left, right):
            # operators of equal strength group to the left, so only a right operand needs the parentheses
            return f"{_operand(left, STRENGTH[op])} {op} {_operand(right, STRENGTH[op] + 1)}"


def _operand(term: Term, strength: int) -> str:
    weak = isinstance(term, Arithmetic) and STRENGTH[term.op] < strength
    return f"({term_text(term)})" if weak else term_text(term)


def atom_text(atom: Atom) -> str:
    return f"{atom.relation}({', '.join(map(term_text, atom.args))})"


def fact_text(relation: str, row: Row) -> str:
    return f"{relation}({', '.join(map(value_text, row))})."


def literal_text(literal: Literal) -> str:
    match literal:
        case Atom():
            return atom_text(literal)
        case Not(atom):
            return f"!{atom_text(atom)}"
        case Compare(op, left, right):
            return f"{term_text(left)} {op} {term_text(right)}"
        case Aggregate(result, function, target, body):
            what = f"{function} {term_text(target)}" if target else function
            return f"{result.name} = {what} : {{ {', '.join(map(literal_text, body))} }}"


def rule_text(rule: Rule) -> str:
    """One rule, surface or core; a rule with a fold shows it as the aggregate it came from."""
    body = rule.body
    if rule.fold:
        result = rule.head.args[-1]
        assert isinstance(result, Var)
        body = (Aggregate(result, rule.fold.function, rule.fold.target, body),)
    if not body:
        return f"{atom_text(rule.head)}."
    conditions = list(map(literal_text, body))
    line = f"{atom_text(rule.head)} :- {', '.join(conditions)}."
    return (
        line if len(line) <= LINE else f"{atom_text(rule.head)} :-\n    " + ",\n    ".join(conditions) + "."
    )


def source_text(source: RuleText) -> str:
    """A rule file again, with the comments that mean something; plain comments are gone."""
    head = [f"//! {line}".rstrip() for line in (source.head.split("\n") if source.head else ())]
    return "\n".join([*head, *map(statement_text, source.statements)]) + "\n"


def statement_text(statement: SurfaceStatement) -> str:
    match statement:
        case Relation():
            return "\n".join(_declaration(statement))
        case Directive(keyword, relation):
            return f".{keyword} {relation}"
        case SurfaceRule(rule):
            return f"//> {rule.sentence}\n{rule_text(rule)}" if rule.sentence else rule_text(rule)


def _declaration(relation: Relation) -> Iterator[str]:
    if relation.doc:
        yield f"/// {relation.doc}"
    yield from (f"//@ from {binding}" for binding in relation.bindings)
    if relation.on_demand:
        yield "//@ on demand"
    if relation.quiet:
        yield "//@ quiet"
    if relation.absence:
        yield f"//@ absent: {relation.absence}"
    columns = ", ".join(f"{column.name}:{column.type}" for column in relation.columns)
    yield f".decl {relation.name}({columns})"


def to_souffle(program: RuleBook, facts: Facts | None = None) -> str:
    """The program as one file that Soufflé accepts, every derived relation an output.

    With `facts` the base relations are written out as facts; without, Soufflé reads `<relation>.facts`.
    """
    parts = [NOTE]
    for source in program.sources:
        written = [part for part in source.statements if not isinstance(part, Directive)]
        parts.append(source_text(replace(source, statements=tuple(map(_renamed, written)))))
    parts.append("".join(f".output {_safe(name)}\n" for name in program.derived() if _shown(program, name)))
    if facts is None:
        parts.append("".join(f".input {_safe(name)}\n" for name in program.base()))
    else:
        rows = ((name, row) for name in program.base() for row in sorted(facts.get(name, ())))
        parts.append("".join(f"{fact_text(_safe(name), row)}\n" for name, row in rows))
    return "\n".join(parts)


def _shown(program: RuleBook, name: str) -> bool:
    return not program.relations[name].auxiliary


def _safe(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def _renamed(statement: SurfaceStatement) -> SurfaceStatement:
    """The statement with Soufflé's reserved words out of its names."""
    match statement:
        case Relation(name, columns):
            safe = tuple(replace(column, name=_safe(column.name)) for column in columns)
            return replace(statement, name=_safe(name), columns=safe)
        case Directive():
            return replace(statement, relation=_safe(statement.relation))
        case SurfaceRule(rule):
            body = tuple(_with_atoms(literal, _safe_atom) for literal in rule.body)
            return replace(statement, rule=replace(rule, head=_safe_atom(rule.head), body=body))


def _safe_atom(atom: Atom) -> Atom:
    return replace(atom, relation=_safe(atom.relation))


def _with_atoms(literal: Literal, change: Callable[[Atom], Atom]) -> Literal:
    match literal:
        case Atom():
            return change(literal)
        case Not(atom):
            return Not(change(atom))
        case Compare():
            return literal
        case Aggregate():
            return replace(literal, body=tuple(_with_atoms(inner, change) for inner in literal.body))
