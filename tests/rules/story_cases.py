"""Rule stories: one rule file, what it is given, what follows.

    tests/rules/cases/<rule file>/<story>/given.dl     the prose it stands for, then facts for relations of other files
    tests/rules/cases/<rule file>/<story>/expect.dl    every row of each relation named; `// none: r, s` means empty

A file is tested alone: relations of other files are simply given, so a story is small and dies for one reason.
Only propositions explain themselves: whatever a story writes as `key.location.drawer` or `not.lamp.condition:works` is
one, with its slot, matter and sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from oracle import derive

from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.ontology.vocabulary import vocabulary
from narraworld.rules.errors import RuleError
from narraworld.rules.language.cards import check_files
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Aggregate, Atom, Const, Literal, Not, Program, Relation, Row, Rule
from narraworld.rules.language.program import BUILT_IN, RuleBook, load_builtin, load_program
from narraworld.rules.language.surface.syntax import Directive, RuleText, parse
from narraworld.rules.language.surface.syntax import SurfaceStatement as Part
from narraworld.rules.proofs.proof import literal_text

__all__ = ["CASES", "Story", "alone", "rule_files", "rules_of", "stories", "weakened", "without"]

CASES = Path(__file__).parent / "cases"
READING = ("content", "slot_of", "about", "opposite")  # how world.dl reads propositions: no story need say it
_NONE = re.compile(r"^// none: (.+)$", re.MULTILINE)

Rows = dict[str, frozenset[Row]]


# ---- rule files


def rule_files() -> list[str]:
    """Shipped files that have rules (the base files and `checks/told_words` only declare), the checks as `checks/world`."""
    ruled = (name for name, text in _checks().items() if text.rules)
    return [name for name in BUILT_IN if not name.startswith("base")] + sorted(ruled)


@cache
def _checks() -> dict[str, RuleText]:
    book = load_builtin(check_files())
    return {
        f"checks/{Path(one.file).stem}": one for one in book.sources if one.file in map(str, check_files())
    }


@cache
def _known() -> dict[str, Relation]:
    return dict(load_builtin(check_files()).relations)


@cache
def alone(file: str) -> RuleBook:
    """The program of one file: what it reads of others is given, and all it defines has rows, on demand or not."""
    return _program(file, _source(file).statements)


def without(file: str, rule: Rule) -> Program:
    """The file's program with one rule deleted."""
    program = alone(file)
    kept = tuple(core for core in program.rules if program.written(core) != rule)
    return Program(program.relations, kept, program.strata)


def rules_of(file: str) -> tuple[Rule, ...]:
    """The rules as they are written, facts such as `aware_role("agent").` among them; the tables of words that checks
    look things up in, and their cards, are vocabulary and not rules."""
    if file not in _checks():
        return _source(file).rules
    return tuple(rule for rule in _source(file).rules if rule.body)


def weakened(file: str) -> Iterator[tuple[str, Program]]:
    """The file's program with one condition deleted, for each that can be; most bind a variable and cannot."""
    source = _source(file)
    for clause in source.clauses:
        for gone, body in _shorter(clause.rule.body):
            weaker = replace(clause, rule=replace(clause.rule, body=body, sentence=None))
            with suppress(RuleError):
                program = _program(file, [weaker if part is clause else part for part in source.statements])
                yield f"{clause.rule.place}: {clause.rule.head.relation} without {gone}", program


def _program(file: str, statements: Iterable[Part]) -> RuleBook:
    own, known = {relation.name for relation in _source(file).relations}, _known()
    heads = {rule.head.relation for rule in _source(file).rules} - own
    others = {name for rule in rules_of(file) for name in _read(rule.body)} - own - heads
    told = [replace(known[name], on_demand=False, bindings=()) for name in sorted(others | heads)]
    inputs = [
        Directive("input", relation.name, relation.place) for relation in told if relation.name in others
    ]
    parts = (replace(part, on_demand=False) if isinstance(part, Relation) else part for part in statements)
    return load_program([RuleText("given", "", (*told, *inputs)), RuleText(f"{file}.dl", "", tuple(parts))])


def _shorter(body: tuple[Literal, ...]) -> Iterator[tuple[str, tuple[Literal, ...]]]:
    """The conditions without one of them, those inside an aggregate among them, and which it is."""
    for i, literal in enumerate(body):
        before, after = body[:i], body[i + 1 :]
        yield literal_text(literal), (*before, *after)
        if isinstance(literal, Aggregate):
            for gone, inner in _shorter(literal.body):
                yield gone, (*before, replace(literal, body=inner), *after)


def _read(body: Iterable[Literal]) -> Iterator[str]:
    """The relations that the conditions of a written rule look at."""
    for literal in body:
        match literal:
            case Atom(relation) | Not(Atom(relation)):
                yield relation
            case Aggregate(body=inner):
                yield from _read(inner)


def _source(file: str) -> RuleText:
    if file in _checks():
        return _checks()[file]
    return next(source for source in load_builtin().sources if source.file == f"{file}.dl")


# ---- stories


@dataclass(frozen=True)
class Story:
    """One case folder, read."""

    file: str
    name: str
    prose: str
    given: Rows
    expected: Rows

    def __str__(self) -> str:
        return f"{self.file}/{self.name}"


@cache
def stories(file: str) -> tuple[Story, ...]:
    return tuple(_story(file, folder) for folder in sorted((CASES / file).glob("*/")))


def _story(file: str, folder: Path) -> Story:
    told, expect = ((folder / name).read_text("utf-8") for name in ("given.dl", "expect.dl"))
    given, expected = _facts(told), _facts(expect)
    for line in _NONE.findall(expect):
        expected |= {name.strip(): frozenset() for name in line.split(",")}
    base = set(alone(file).base())
    assert given.keys() <= base, f"{folder}: {given.keys() - base} are not given to {file}.dl"
    assert expected.keys() <= alone(file).relations.keys() - base, f"{folder}: not derived by {file}.dl"
    return Story(
        file,
        folder.name,
        told.partition("\n")[0],
        _joined(given, _spelled_out(given, expected), base),
        expected,
    )


def _facts(text: str) -> Rows:
    found: dict[str, set[Row]] = {}
    for rule in parse(text).rules:
        assert not rule.body, "a story gives facts, not rules"
        values = tuple(term.value for term in rule.head.args if isinstance(term, Const))
        assert len(values) == len(rule.head.args), f"not a fact: {rule.head}"
        found.setdefault(rule.head.relation, set()).add(values)
    return {name: frozenset(rows) for name, rows in found.items()}


def _joined(one: Rows, other: Rows, wanted: set[str]) -> Rows:
    names = (one.keys() | other.keys()) & wanted
    return {name: one.get(name, frozenset()) | other.get(name, frozenset()) for name in names}


# ---- propositions


def _spelled_out(*told: Rows) -> Rows:
    """The facts about every proposition that a story mentions."""
    symbols = {value for rows in told for known in rows.values() for row in known for value in row}
    said = set(_statements(symbol for symbol in symbols if isinstance(symbol, str)))
    base = {
        "proposition": frozenset(map(_proposition, said)),
        "kept_in": frozenset((one.id, one.slot(_functional(one)), one.matter) for one in said),
    }
    read = derive(needed(load_builtin(), READING), base)
    return base | {name: frozenset(read[name]) for name in READING}


def _statements(symbols: Iterable[str]) -> Iterator[Statement]:
    """Symbols in proposition notation, and the propositions these are about."""
    for symbol in symbols:
        try:
            said = parse_statement(symbol)
        except BadProposition:
            continue
        yield said
        yield from _statements([said.object] if said.object else [])


def _proposition(said: Statement) -> Row:
    target = said.value if said.value is not None else said.object or ""
    return said.id, said.subject, said.predicate, target, "negative" if said.negative else "positive"


def _functional(said: Statement) -> bool:
    dimension = vocabulary().dimensions.get(said.predicate)
    return dimension is not None and dimension.functional
