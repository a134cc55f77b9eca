"""Rules written out again, in Soufflé's syntax: for people, for proofs, and for Soufflé itself.

Pure text; reads and writes no file. `source_text` is the inverse of `syntax.parse`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Facts,
    Literal,
    Not,
    Relation,
    Row,
    Rule,
    SourcePlace,
    Term,
    Value,
    Var,
)
from narraworld.rules.language.surface import origins
from narraworld.rules.language.surface.reader import ESCAPES
from narraworld.rules.language.surface.statements import (
    Directive,
    Extension,
    RuleText,
    SouffleAdvice,
    SurfaceRule,
    SurfaceStatement,
    TypeName,
)
from narraworld.rules.language.values.functions import TESTS

if TYPE_CHECKING:
    from narraworld.rules.language.program import RuleBook

__all__ = ["atom_text", "fact_text", "literal_text", "rule_text", "source_text", "term_text", "to_souffle"]

LINE = 110
NOTE = """\
// Written by NarraWorld for Soufflé. Where the two differ, ours is stricter or says so here:
//  * numbers are 64 bits wide: build Soufflé with -DSOUFFLE_DOMAIN_64BIT=ON
//  * / and % round down here and towards zero in Soufflé: they differ on negative numbers only
//  * "on demand" is a comment to Soufflé, which derives such relations in full
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
    if isinstance(value, float):
        whole, mark, exponent = repr(value).partition("e")
        return f"{whole if '.' in whole else f'{whole}.0'}{mark}{exponent}"
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
        case Call(function, args):
            return f"{function}({', '.join(map(term_text, args))})"


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
        case Compare("=", Call(test) as left, Const(value)) if test in TESTS:
            return f"{'' if value else '!'}{term_text(left)}"
        case Compare(op, left, right):
            return f"{term_text(left)} {op} {term_text(right)}"
        case Aggregate(result, function, target, body):
            what = f"{function} {term_text(target)}" if target else function
            return f"{result.name} = {what} : {{ {', '.join(map(literal_text, body))} }}"


def rule_text(rule: Rule) -> str:
    """One rule, surface or core, in its author's words if there are any; a rule with a fold shows the aggregate it came from."""
    if rule.written:
        return rule.written
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
    return _file_text(source, "//!")


def _file_text(source: RuleText, mark: str) -> str:
    head = [f"{mark} {line}".rstrip() for line in (source.head.split("\n") if source.head else ())]
    return "\n".join([*head, *map(statement_text, _each_once(source.statements))]) + "\n"


def _each_once(statements: Iterable[SurfaceStatement]) -> Iterator[SurfaceStatement]:
    """What was written as one clause and read as several rules is written as one again."""
    seen: set[tuple[SourcePlace, str]] = set()
    for statement in statements:
        if isinstance(statement, SurfaceRule) and statement.rule.written:
            key = (statement.rule.place, statement.rule.written)
            if key in seen:
                continue
            seen.add(key)
        yield statement


def statement_text(statement: SurfaceStatement) -> str:
    match statement:
        case Relation():
            return "\n".join(_declaration(statement))
        case Directive():
            return _directive(statement)
        case TypeName(name, parents, _, union):
            return f".type {name} {'=' if union else '<:'} {' | '.join(parents)}"
        case SouffleAdvice(text):
            return text
        case Extension(relation):
            return f".extend {relation}"
        case SurfaceRule(rule):
            return f"//> {rule.sentence}\n{rule_text(rule)}" if rule.sentence else rule_text(rule)


def _directive(said: Directive) -> str:
    given = ", ".join(f"{name}={value_text(value)}" for name, value in said.parameters)
    return f".{said.keyword} {said.relation}({given})" if given else f".{said.keyword} {said.relation}"


def _declaration(relation: Relation) -> Iterator[str]:
    if relation.doc:
        yield f"/// {relation.doc}"
    yield from (f"//@ {note}" for note in _notes(relation))
    columns = ", ".join(f"{column.name}:{column.type}" for column in relation.columns)
    yield f".decl {relation.name}({columns})"


def _notes(relation: Relation) -> Iterator[str]:
    """What stands behind `//@`; what a binding says is few by itself is not said twice."""
    bound = [f"from {binding}" for binding in relation.bindings]
    yield from bound
    marks = {"given": relation.base, "on demand": relation.on_demand, "quiet": relation.quiet}
    yield from (mark for mark, said in marks.items() if said)
    if relation.absence:
        yield f"absent: {relation.absence}"
    carried = origins.few(bound, [column.name for column in relation.columns])
    yield from (f"few per {', '.join(few)}" for few in relation.few if few not in carried)


def to_souffle(program: RuleBook, facts: Facts | None = None) -> str:
    """The program as one file that Soufflé accepts, every derived relation an output.

    With `facts` the base relations are written out as facts; without, Soufflé reads `<relation>.facts`.
    """
    parts, given = [NOTE], set[str]() if facts is None else {*program.base(), *program.home}
    for source in program.sources:
        written = tuple(_renamed(part, given) for part in source.statements if _told(part, given))
        # a plain comment: Soufflé without its preprocessor takes `//!` for a token of its own
        parts.append(_file_text(replace(source, statements=written), "//"))
    parts.append("".join(f".output {_safe(name)}\n" for name in program.derived() if _shown(program, name)))
    given_lines = _input_lines(program) if facts is None else _fact_lines(program, facts)
    return "\n".join([*parts, "".join(given_lines)])


def _input_lines(program: RuleBook) -> Iterator[str]:
    return (f".input {_safe(name)}\n" for name in program.base())


def _fact_lines(program: RuleBook, facts: Facts) -> Iterator[str]:
    names = {kept: name for name, kept in program.home.items()}
    for name in program.base():
        relation = _safe(names.get(name, name))
        yield from (f"{fact_text(relation, row)}\n" for row in sorted(facts.get(name, ())))


def _shown(program: RuleBook, name: str) -> bool:
    return not program.relations[name].auxiliary


def _safe(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def _told(statement: SurfaceStatement, given: Collection[str]) -> bool:
    """Whether a statement belongs into the export, which writes facts, inputs and outputs its own way."""
    if isinstance(statement, SurfaceRule):
        return bool(statement.rule.body) or statement.rule.head.relation not in given
    return not isinstance(statement, Directive | Extension)


def _renamed(statement: SurfaceStatement, given: Collection[str]) -> SurfaceStatement:
    """The statement with Soufflé's reserved words out of its names; what is given is called so."""
    match statement:
        case Relation(name, columns):
            safe = tuple(replace(column, name=_safe(column.name)) for column in columns)
            return replace(statement, name=_safe(name), columns=safe, base=name in given)
        case SurfaceRule(rule):
            body = tuple(_with_atoms(literal, _safe_atom) for literal in rule.body)
            safe_rule = replace(rule, head=_safe_atom(rule.head), body=body, written=_safe_text(rule))
            return replace(statement, rule=safe_rule)
    return statement


def _safe_text(rule: Rule) -> str | None:
    """The author's words with other names for relations whose names Soufflé keeps."""
    kept = {atom.relation for atom in _atoms(rule)} & RESERVED
    if not rule.written or not kept:
        return rule.written
    names = "|".join(map(re.escape, sorted(kept)))
    called = re.compile(rf'"(?:\\.|[^"\\])*"|\b(?:{names})(?=\s*\()')
    return called.sub(lambda found: found[0] if found[0].startswith('"') else f"{found[0]}_", rule.written)


def _atoms(rule: Rule) -> Iterator[Atom]:
    found: list[Atom] = []
    for literal in (rule.head, *rule.body):
        _with_atoms(literal, lambda atom: found.append(atom) or atom)  # type: ignore[func-returns-value]
    yield from found


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
