"""Rules written out: back to the same values, and in a form Soufflé takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    Compare,
    Const,
    Literal,
    Not,
    Relation,
    Rule,
    SourcePlace,
    Term,
    Var,
)
from narraworld.rules.language.program import load_program
from narraworld.rules.language.souffle import NOTE, rule_text, source_text, term_text, to_souffle
from narraworld.rules.language.surface.syntax import Directive, RuleText, SurfaceRule, SurfaceStatement, parse
from narraworld.rules.language.terms import names as bound_names
from narraworld.rules.language.terms import outer_names

# ---- text is the inverse of reading

NOWHERE = SourcePlace()
WORDS = {"min", "max", "count", "sum", "answer"}
names = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True).filter(
    lambda one: one not in WORDS and "__" not in one
)
variables = st.builds(Var, st.from_regex(r"[A-Z][A-Za-z0-9_]{0,3}", fullmatch=True))
constants = st.builds(Const, st.text() | st.integers(-(2**63), 2**63 - 1))
arguments = variables | constants | st.just(Var("_"))
terms = st.recursive(
    variables | constants,
    lambda inner: st.builds(Arithmetic, st.sampled_from("+-*/%"), inner, inner),  # type: ignore[arg-type]
    max_leaves=6,
)
atoms = st.builds(Atom, names, st.lists(arguments, min_size=1, max_size=4).map(tuple))
comparisons = st.builds(Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), terms, terms)  # type: ignore[arg-type]
plain = atoms | st.builds(Not, atoms) | comparisons
bodies = st.lists(plain, min_size=1, max_size=3).map(tuple)
aggregates = st.builds(Aggregate, variables, st.just("count"), st.none(), bodies) | st.builds(
    Aggregate,
    variables,
    st.sampled_from(["min", "max", "sum"]),
    terms,
    bodies,  # type: ignore[arg-type]
)
words = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20).map(str.strip)


def numbered(rule: Rule) -> Rule:
    """The same rule with its `_` counted as the reader counts them."""
    numbers = count(1)

    def term(one: Term) -> Term:
        return Var(f"_{next(numbers)}") if one == Var("_") else one

    def literal(one: Any) -> Any:
        match one:
            case Atom(relation, args):
                return Atom(relation, tuple(map(term, args)))
            case Not(atom):
                return Not(literal(atom))
            case Aggregate():
                return replace(one, body=tuple(map(literal, one.body)))
        return one

    return replace(rule, head=literal(rule.head), body=tuple(map(literal, rule.body)))


def plainly_said(rule: Rule) -> bool:
    """Whether the names inside its aggregates need no telling apart when the rule is read."""
    outer = outer_names(rule)
    return all(_plain_aggregate(one, outer) for one in rule.body if isinstance(one, Aggregate))


def _plain_aggregate(one: Aggregate, outer: tuple[str, ...]) -> bool:
    target = bound_names(one.target) if one.target else ()
    counted = (
        [atom for atom in one.body if isinstance(atom, Atom)] if one.function in ("count", "sum") else []
    )
    return (
        one.result.name not in (*target, *bound_names(*one.body))
        and not set(target) & set(outer)
        and not any(name.startswith("_") for name in bound_names(*counted))
    )


rules = (
    st.builds(
        Rule,
        atoms,
        st.lists(plain | aggregates, max_size=4).map(tuple),
        sentence=words.filter(bool) | st.none(),
    )
    .map(numbered)
    .filter(plainly_said)
)
clauses = rules.map(lambda rule: SurfaceRule(rule, ()))
columns = st.builds(Column, names, st.sampled_from(["symbol", "number"]))  # type: ignore[arg-type]
declarations = st.builds(
    Relation,
    names,
    st.lists(columns, min_size=1, max_size=4, unique_by=lambda column: column.name).map(tuple),
    doc=words,
    on_demand=st.booleans(),
    bindings=st.lists(words.filter(bool), max_size=2).map(tuple),
    quiet=st.booleans(),
    absence=words,
)
directives = st.builds(Directive, st.sampled_from(["input", "output"]), names, st.just(NOWHERE))  # type: ignore[arg-type]
sources = st.builds(
    RuleText,
    st.just("<memory>"),
    words,
    st.lists(clauses | declarations | directives, max_size=6).map(tuple),
)


def placeless(source: RuleText) -> RuleText:
    def bare(part: SurfaceStatement) -> SurfaceStatement:
        if isinstance(part, SurfaceRule):
            return SurfaceRule(replace(part.rule, place=NOWHERE), ())
        return replace(part, place=NOWHERE)

    return replace(source, statements=tuple(map(bare, source.statements)))


@settings(deadline=None)  # the machine may be busy
@given(sources)
def test_what_is_written_is_read_back(source: RuleText) -> None:
    assert placeless(parse(source_text(source))) == source


# ---- how it looks

X, Y = Var("X"), Var("Y")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Arithmetic("-", Arithmetic("-", X, Y), Const(1)), "X - Y - 1"),
        (Arithmetic("-", X, Arithmetic("-", Y, Const(1))), "X - (Y - 1)"),
        (Arithmetic("*", Arithmetic("+", X, Y), Const(-1)), "(X + Y) * -1"),
        (Arithmetic("+", X, Arithmetic("*", Y, Const(2))), "X + Y * 2"),
        (Arithmetic("/", X, Arithmetic("%", Y, Const(2))), "X / (Y % 2)"),
        (Const('say "no"\n'), r'"say \"no\"\n"'),
        (Const("it's"), '"it\'s"'),
        (Var("_7"), "_"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_terms(term: Term, text: str) -> None:
    assert term_text(term) == text


def test_a_long_rule_has_one_condition_per_line() -> None:
    body = tuple(Atom(f"a_condition_with_a_long_name_{number}", (X,)) for number in range(4))
    assert rule_text(Rule(Atom("r", (X,)), body)) == (
        "r(X) :-\n"
        "    a_condition_with_a_long_name_0(X),\n"
        "    a_condition_with_a_long_name_1(X),\n"
        "    a_condition_with_a_long_name_2(X),\n"
        "    a_condition_with_a_long_name_3(X)."
    )


# ---- for Soufflé

STORY = """\
//! story.dl
/// contains(Whole, Part): Part is in Whole.
//@ from nw:Part: id, part
.decl contains(whole:symbol, part:symbol)
.input contains
.decl size(whole:symbol, count_:number)
.output size
//> {W} has {N} parts
size(W, N) :- contains(W, _), N = count : { contains(W, P), !contains(P, _) }.
"""

EXPECTED = """\
// story.dl
/// contains(Whole, Part): Part is in Whole.
//@ from nw:Part: id, part
.decl contains_(whole:symbol, part:symbol)
.decl size(whole:symbol, count_:number)
//> {W} has {N} parts
size(W, N) :- contains_(W, _), N = count : { contains_(W, P), !contains_(P, _) }.

.output size
"""


def test_one_file_that_reads_its_facts() -> None:
    program = load_program([parse(STORY, "story.dl")])
    assert to_souffle(program) == f"{NOTE}\n{EXPECTED}\n.input contains_\n"


def test_one_file_with_its_facts() -> None:
    program = load_program([parse(STORY, "story.dl")])
    facts = {"contains": {("house", "attic"), ("attic", 'the "box"')}}
    given = EXPECTED.replace("id, part\n", "id, part\n//@ given\n")
    assert to_souffle(program, facts) == (
        f'{NOTE}\n{given}\ncontains_("attic", "the \\"box\\"").\ncontains_("house", "attic").\n'
    )


def _literals(rule: Rule) -> Iterator[Literal]:
    for literal in rule.body:
        yield literal
        if isinstance(literal, Aggregate):
            yield from literal.body


def test_the_export_is_one_of_our_own_programs_too() -> None:
    program = load_program([parse(STORY, "story.dl")])
    text = to_souffle(program)

    (rule,) = load_program([parse(text)]).sources[0].rules
    assert {one.relation for one in _literals(rule) if isinstance(one, Atom)} == {"contains_"}
