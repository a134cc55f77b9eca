"""Parts of a program: what a goal needs, and what is left when the rest is given."""

from __future__ import annotations

import pytest

from narraworld.rules.language.dependencies import needed, on_demand_part, reads
from narraworld.rules.language.ir import Program
from narraworld.rules.language.program import load_builtin, load_program
from narraworld.rules.language.surface.syntax import parse

TEXT = """
.decl edge(a:symbol, b:symbol)
.input edge
.decl noise(a:symbol)
.input noise
.decl path(a:symbol, b:symbol)
path(A, B) :- edge(A, B).
path(A, C) :- path(A, B), edge(B, C).
.decl lonely(a:symbol)
lonely(A) :- edge(A, _), !path(_, A).
.decl loud(a:symbol)
loud(A) :- noise(A).
//@ on demand
.decl reach(a:symbol, n:number)
reach(A, N) :- edge(A, _), N = count : { path(A, B), loud(B) }.
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return load_program([parse(TEXT)])


def test_what_a_rule_looks_at(program: Program) -> None:
    [rule] = program.rules_for("lonely")

    assert reads(rule) - {"edge", "path"} <= {
        name for name in program.relations if program.relations[name].auxiliary
    }
    assert "edge" in reads(rule)


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        (["path"], {"edge", "path"}),
        (["loud"], {"noise", "loud"}),
        (["edge"], {"edge"}),
        (["lonely", "loud"], {"edge", "path", "lonely", "noise", "loud"}),
    ],
    ids=lambda value: "+".join(sorted(value)),
)
def test_what_is_needed(program: Program, goals: list[str], expected: set[str]) -> None:
    part = needed(program, goals)

    assert {name for name, relation in part.relations.items() if not relation.auxiliary} == expected
    assert {rule.head.relation for rule in part.rules} <= set(part.relations)
    assert {name for stratum in part.strata for name in stratum.relations} == set(part.derived())


def test_what_is_on_demand_takes_its_helpers_along(program: Program) -> None:
    """A count is made of helpers of helpers; none of them may be taken for given."""
    part = on_demand_part(program)

    derived = set(part.derived())
    assert "reach" in derived
    assert {"path", "loud", "lonely"} <= set(part.base())
    assert {name for name in program.relations if name.startswith("reach__")} <= derived


def test_every_relation_of_ours_is_needed_by_itself() -> None:
    program = load_builtin()
    for name in program.relations:
        assert name in needed(program, [name]).relations
    assert set(on_demand_part(program).relations) == set(program.relations)
