"""Which look-ups give few rows however long the story: by a record, by what is declared, and by what follows from both."""

from __future__ import annotations

import pytest
from rule_programs import program_of, refusal_of

from narraworld.rules.engines.sql.joins import Join
from narraworld.rules.engines.sql.writer import SQLITE, Writer
from narraworld.rules.language.few import FewRows
from narraworld.rules.language.ir import Atom, Const, Var

RULES = """
//@ few per record
.decl at(record:symbol, tick:number)
//@ few per event
.decl role(event:symbol, who:symbol, role:symbol)
.decl near(place:symbol, other:symbol)
.input at
.input role
.input near
.decl opposite(sign:symbol, other:symbol)
.decl does(event:symbol, who:symbol, tick:number)
.decl first(event:symbol, tick:number)
.decl next(event:symbol, tick:number)
.decl reach(place:symbol, other:symbol)
.decl either(event:symbol, who:symbol)
opposite("yes", "no"). opposite("no", "yes").
does(E, C, T) :- role(E, C, _), at(E, T).
first(E, T) :- role(E, _, _), T = min U : { at(E, U) }.
next(E, N) :- at(E, T), N = T + 1.
reach(P, Q) :- near(P, Q).
reach(P, Q) :- reach(P, R), near(R, Q).
either(E, C) :- does(E, C, _).
either(E, C) :- near(E, C).
"""


@pytest.mark.parametrize(
    ("relation", "columns", "few"),
    [
        ("at", {0}, True),
        ("at", {1}, False),
        ("role", {0, 2}, True),
        ("near", {0}, False),
        ("opposite", set(), True),
        ("does", {0}, True),  # by the roles of the event, and their one tick
        ("does", {1}, False),  # somebody does ever more
        ("first", {0}, True),
        ("next", {0}, True),
        ("next", {1}, False),
        ("reach", {0}, False),  # what goes in circles is not looked into
        ("either", {0}, False),  # one of two rules gives many
    ],
)
def test_few_follows_from_rules(relation: str, columns: set[int], few: bool) -> None:
    assert FewRows(program_of(RULES))(relation, frozenset(columns)) is few


@pytest.mark.parametrize(
    ("relation", "bound", "enough"),
    [("does", {0, 1}, {0}), ("near", {0, 1}, {0, 1}), ("opposite", {0, 1}, {0, 1}), ("role", {1, 2}, {1, 2})],
)
def test_no_more_columns_than_it_takes(relation: str, bound: set[int], enough: set[int]) -> None:
    assert FewRows(program_of(RULES)).enough(relation, frozenset(bound)) == enough


def test_few_rows_are_read_before_the_many_of_a_person() -> None:
    join = Join(Writer(program_of(RULES), SQLITE), known={"C": "k.c", "E": "k.e"})
    long = Atom("role", (Var("F"), Var("C"), Const("agent")))  # more is known of it: a person and a role
    join.absorb([long, Atom("at", (Var("E"), Var("T")))], greedy=True)
    assert join.tables == ['"at" b0', '"role" b1']


def test_a_row_is_looked_up_by_what_is_enough() -> None:
    join = Join(Writer(program_of(RULES), SQLITE), known={"C": "k.c", "E": "k.e"})
    join.absorb([Atom("does", (Var("E"), Var("C"), Var("T")))], greedy=True)
    assert join.conditions == ['b0."event" = k.e', '+b0."who" = k.c']
    assert [(probe.relation, probe.bound) for probe in join.probes] == [("does", {0})]


def test_a_binding_says_which_record_carries_the_row() -> None:
    text = "//@ from nw:Event: kind, id\n.decl kind_of(kind:symbol, event:symbol)\n.input kind_of\n"
    assert program_of(text).relations["kind_of"].few == (("event",),)


def test_few_per_names_a_column() -> None:
    said = refusal_of("//@ few per whom\n.decl r(who:symbol)\n.input r\n")
    assert "whom in //@ few per is no column of r" in said
