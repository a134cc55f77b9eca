"""Lifting: a checked program about one story becomes a program about many, and derives a whole corpus at once.

Every relation that depends on the story gets a first column `story`; every rule gets one variable for it, shared by its head and all
its lifted conditions. Names stay as they are, so engines, indexes and recognised patterns work as before.

    p(X) :- q(X, Y), !r(Y).      becomes   p(S, X) :- q(S, X, Y), !r(S, Y).
    p("a").                      becomes   p(S, "a") :- story__(S).            where p depends on the story elsewhere
    p(X) :- words(X), !q(X).     becomes   p(S, X) :- story__(S), words(X), !q(S, X).

Pure: program in, program out. Runs nothing, reads no file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from narraworld.rules.errors import RuleError
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Call,
    Column,
    Compare,
    Const,
    Literal,
    Not,
    Program,
    Relation,
    Row,
    Rule,
    Term,
    Var,
)

__all__ = [
    "STORIES",
    "STORY",
    "declarations",
    "lift",
    "lifted_relations",
    "pairs_stories",
    "with_rules_across",
]

STORIES = "story__"  # all stories there are: binds the story where nothing else does
STORY = "story"
READ = (
    "__read"  # ends the name under which the read rows of a relation are kept that a rule file adds rows to
)


def lifted_relations(program: Program, same_for_all: Collection[str] = ()) -> frozenset[str]:
    """The relations that depend on the story: base ones unless named, and whatever reads one that does."""
    found = {name for name in program.base() if name not in same_for_all}
    while more := {
        rule.head.relation
        for rule in program.rules
        if rule.head.relation not in found and any(atom.relation in found for atom in _atoms(rule))
    }:
        found |= more
    return frozenset(found)


def lift(program: Program, same_for_all: Collection[str] = ()) -> Program:
    """The program over many stories; ``same_for_all`` names base relations that say the same of every one."""
    lifted = lifted_relations(program, same_for_all)
    relations = {
        name: _lift_relation(one) if name in lifted else one for name, one in program.relations.items()
    }
    relations[STORIES] = Relation(
        STORIES, (Column(STORY, "symbol"),), "all stories", base=True, auxiliary=True
    )
    rules = [_lift_rule(rule, lifted) for rule in program.rules]
    home, given = dict(program.home), dict(program.given)
    for name in [name for name in given if program.home.get(name, name) in lifted]:
        _for_every_story(program.home.get(name, name), list(given.pop(name)), relations, rules, home)
    return Program(relations, tuple(rules), stratify(relations, rules), given, home)


def _for_every_story(
    name: str, rows: list[Row], relations: dict[str, Relation], rules: list[Rule], home: dict[str, str]
) -> None:
    """Rows that a rule file brings along hold in every story, beside those that were read of one."""
    own, read = relations[name], f"{name}{READ}"
    relations[read] = replace(own, name=read, auxiliary=True)
    relations[name] = replace(own, base=False)
    home |= {one: read for one, kept in home.items() if kept == name} | {name: read}
    story, rest = Var("Story"), tuple(Var(f"V{place}") for place in range(own.arity - 1))
    rules.append(Rule(Atom(name, (story, *rest)), (Atom(read, (story, *rest)),), place=own.place))
    for row in rows:
        head = Atom(name, (story, *map(Const, row)))
        rules.append(Rule(head, (Atom(STORIES, (story,)),), place=own.place))


def _lift_relation(relation: Relation) -> Relation:
    name = _free(STORY, {column.name for column in relation.columns})
    return replace(relation, columns=(Column(name, "symbol"), *relation.columns))


def _lift_rule(rule: Rule, lifted: frozenset[str]) -> Rule:
    if rule.head.relation not in lifted:
        return rule
    story = Var(_free("Story", set(_variables(rule))))
    body = [_lift_literal(literal, lifted, story) for literal in rule.body]
    if not any(isinstance(one, Atom) and one.relation in lifted for one in rule.body):
        body.insert(0, Atom(STORIES, (story,)))  # nothing positive binds the story: all of them do
    return replace(rule, head=_with(rule.head, story), body=tuple(body))


def _lift_literal(literal: Literal, lifted: frozenset[str], story: Var) -> Literal:
    match literal:
        case Atom(relation, _) if relation in lifted:
            return _with(literal, story)
        case Not(Atom(relation, _) as atom) if relation in lifted:
            return Not(_with(atom, story))
    return literal


def _with(atom: Atom, story: Var) -> Atom:
    return Atom(atom.relation, (story, *atom.args))


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _atoms(rule: Rule) -> Iterator[Atom]:
    for literal in rule.body:
        if isinstance(literal, Not):
            yield literal.atom
        elif isinstance(literal, Atom):
            yield literal


def _variables(rule: Rule) -> Iterator[str]:
    for atom in (rule.head, *_atoms(rule)):
        yield from _names(*atom.args)
    for literal in rule.body:
        if isinstance(literal, Compare):
            yield from _names(literal.left, literal.right)
    if rule.fold:
        yield from _names(*rule.fold.over, *([rule.fold.target] if rule.fold.target else []))


def _names(*terms: Term) -> Iterator[str]:
    for term in terms:
        match term:
            case Var(name):
                yield name
            case Arithmetic(_, left, right):
                yield from _names(left, right)
            case Call(_, args):
                yield from _names(*args)


# -- rules that look across stories


def declarations(lifted: Program) -> str:
    """The lifted relations as given ones, so that rules across stories are parsed and checked against them."""
    told = (
        one for one in lifted.relations.values() if not (one.auxiliary or one.on_demand or "__" in one.name)
    )
    lines = (f".decl {one.name}({_columns(one)})\n.input {one.name}" for one in told)
    return "\n".join([*lines, ""])


def _columns(relation: Relation) -> str:
    return ", ".join(f"{column.name}:{column.type}" for column in relation.columns)


def with_rules_across(lifted: Program, across: Program) -> Program:
    """The lifted program, and above it rules that say `story` themselves; ``across`` was checked with `declarations`."""
    own = {name: one for name, one in across.relations.items() if not one.base}
    for name in sorted(own.keys() & lifted.relations.keys()):
        raise RuleError(
            f"rules across stories may not add to {name!r}", own[name].place,
            fix="declare a relation of its own for them, or make it a rule per story",
        )  # fmt: skip
    relations = {**lifted.relations, **own}
    rules = (*lifted.rules, *across.rules)
    given = {**lifted.given, **{name: rows for name, rows in across.given.items() if name in own}}
    return Program(relations, rules, stratify(relations, rules), given, {**lifted.home, **across.home})


def pairs_stories(across: Program, lifted: frozenset[str]) -> list[Rule]:
    """Rules that put two stories beside each other with nothing that both must share: as many rows as there are pairs."""
    return [rule for rule in across.rules if _is_product(rule, lifted)]


def _is_product(rule: Rule, lifted: frozenset[str]) -> bool:
    atoms = [one for one in rule.body if isinstance(one, Atom) and one.relation in lifted]
    stories = {one.args[0] for one in atoms if isinstance(one.args[0], Var)}
    if len(stories) < 2:
        return False
    groups = [{story, *_shared(atoms, story)} for story in stories]
    return any(not (first & second) for first in groups for second in groups)


def _shared(atoms: list[Atom], story: Term) -> Iterator[Term]:
    """What is bound beside one story; a constant binds nothing together."""
    for atom in atoms:
        if atom.args[0] == story:
            yield from (term for term in atom.args[1:] if isinstance(term, Var) and not term.anonymous)
