"""Which indexes a program needs is worked out once; another program, or one that takes too long, is not helped by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from narraworld.rules.engines.sql.indexes import indexes
from narraworld.rules.engines.sql.writer import SQLITE, Writer, stored
from narraworld.rules.engines.sqlite import orders
from narraworld.rules.engines.sqlite.fingerprint import fingerprint
from narraworld.rules.engines.sqlite.orders import orders_of
from narraworld.rules.engines.sqlite.plans import Plans
from narraworld.rules.language.ir import Program
from narraworld.rules.language.program import load_builtin, load_program
from narraworld.rules.language.surface.syntax import parse

TEXT = """
.decl parent(a:symbol, b:symbol)
.input parent
.decl above(a:symbol, b:symbol)
above(A, B) :- parent(A, B).
above(A, C) :- above(A, B), parent(B, C).
"""


def plans_of(program: Program) -> Plans:
    return Plans(Writer(program, SQLITE), stored(program))


def never() -> None:
    raise AssertionError("planned again")


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "_known", {})


def worked_out(program: Program) -> dict[str, tuple[tuple[int, ...], ...]]:
    plans = plans_of(program)
    names = (*program.base(), *plans.derived)
    return {
        name: tuple(
            indexes(len(plans.sql.columns(name)), [one for one in plans.probes() if one.relation == name])
        )
        for name in names
    }


def asked(program: Program, check: Callable[[], None] = never) -> dict[str, tuple[tuple[int, ...], ...]]:
    return dict(orders_of(fingerprint(program), plans_of(program), check))


def test_the_same_rules_are_planned_once() -> None:
    program = load_program([parse(TEXT)])
    first = asked(program, lambda: None)

    assert asked(load_program([parse(TEXT)])) == first == worked_out(program)
    with pytest.raises(AssertionError, match="planned again"):
        asked(load_program([parse(TEXT + "above(A, B) :- above(B, A).")]))


def test_planning_that_took_too_long_is_not_remembered() -> None:
    program = load_program([parse(TEXT)])
    for _ in range(2):
        with pytest.raises(AssertionError, match="planned again"):
            asked(program)


def test_the_shipped_rules_are_planned_once_for_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_builtin()
    assert len(program.rules) >= orders.LARGE
    first = asked(program, lambda: None)
    monkeypatch.setattr(orders, "_known", {})

    assert asked(program) == first == worked_out(program)


def test_only_the_programs_used_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "MOST", 2)
    plans = plans_of(load_program([parse(TEXT)]))
    for name in ("one", "two", "three"):
        orders_of(name, plans, lambda: None)

    assert list(orders._known) == ["two", "three"]
