"""Every engine says what the oracle says, on thousands of random programs.

One run compares 2,000 programs, the same ones every time, on the oracle, pyDatalog and SQLite, and every fourth block of
250 on DuckDB: every relation in full and three random goals each, on SQLite also every relation after each of
one to three changes. `NARRAWORLD_DIFFERENTIAL=20000` runs that many instead. Hypothesis then looks for a small program on
which any engine, pyDatalog on SQLite tables among them, disagrees. A failure prints program and facts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import lru_cache

import pytest
from engines_under_test import every_engine
from hypothesis import HealthCheck, given, settings
from oracle import Rows, answers, derive
from random_programs import Case, cases, merged, programs, whole

from narraworld.rules.engines import Engine
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Atom, Change, Facts

PROGRAMS = int(os.environ.get("NARRAWORLD_DIFFERENTIAL", "2000"))
BLOCK = 250
TOGETHER = 10  # programs in one database
SEED = 20261116

BLOCKS = range((PROGRAMS + BLOCK - 1) // BLOCK)
blocks = pytest.mark.parametrize("block", BLOCKS)


@lru_cache(maxsize=2)
def told(block: int) -> list[tuple[Case, Rows]]:
    """The cases of a block, with what the oracle says of each."""
    found = list(programs(SEED + block, min(BLOCK, PROGRAMS - block * BLOCK)))
    return [(case, derive(case.program, case.facts)) for case in found]


def together(block: int) -> Iterator[tuple[Case, Rows]]:
    """The same cases, many in one program."""
    singles = [case for case, _ in told(block)]
    for start in range(0, len(singles), TOGETHER):
        case = merged(singles[start : start + TOGETHER])
        yield case, derive(case.program, case.facts)


def disagreements(engine: Engine, goals: Iterable[Atom], truth: Rows) -> list[str]:
    asked = ((goal, engine.ask(goal), answers(truth, goal)) for goal in goals)
    return [f"{goal}\n  {engine.name}: {got}\n  oracle: {true}" for goal, got, true in asked if got != true]


def everything(case: Case) -> list[Atom]:
    return [whole(relation) for relation in case.program.relations.values()]


def changed(facts: Facts, change: Change) -> Facts:
    return {
        name: (set(rows) - set(change.removed.get(name, ()))) | set(change.added.get(name, ()))
        for name, rows in facts.items()
    }


@pytest.mark.slow
@blocks
def test_pydatalog_says_what_the_oracle_says(block: int) -> None:
    for case, truth in told(block):
        with closing(PyDatalogEngine(case.program, facts=case.facts)) as engine:
            assert not disagreements(engine, [*case.goals, *everything(case)], truth), str(case)


@pytest.mark.slow
@blocks
def test_sqlite_says_what_the_oracle_says_before_and_after_changes(block: int) -> None:
    for case, truth in together(block):
        with closing(SqliteEngine(case.program)) as engine:
            engine.load(case.facts)
            assert not disagreements(engine, [*case.goals, *everything(case)], truth), str(case)
            facts = case.facts
            for change in case.changes:
                engine.apply(change)
                facts = changed(facts, change)
                truth = derive(case.program, facts)
                assert not disagreements(engine, everything(case), truth), f"{change}\n{case}"


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS[::4])
def test_duckdb_says_what_the_oracle_says(block: int) -> None:
    for case, truth in together(block):
        with closing(DuckEngine(case.program)) as engine:
            engine.load(case.facts)
            engine.derive()
            assert not disagreements(engine, [*case.goals, *everything(case)], truth), str(case)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases)
def test_no_small_program_tells_engines_apart(case: Case) -> None:
    truth = derive(case.program, case.facts)
    for name, engine in every_engine(case.program, case.facts):
        goals = [*case.goals, *everything(case)]
        assert not disagreements(engine, goals, truth), f"{name}\n{case}"


def test_the_random_programs_are_worth_running() -> None:
    """Most programs derive something, and every feature of the core form is among them."""
    found = [(case, derive(case.program, case.facts)) for case in programs(SEED, 250)]
    rules = [rule for case, _ in found for rule in case.program.rules]
    text = "\n".join(str(case) for case, _ in found)

    assert sum(any(truth[name] for name in case.program.derived()) for case, truth in found) > 0.8 * len(
        found
    )
    assert {rule.fold.function for rule in rules if rule.fold} == {"min", "max", "count", "sum"}
    assert any(len(s.relations) > 1 for case, _ in found for s in case.program.strata), "mutual recursion"
    assert all(
        sign in text
        for sign in ("!b", "!d", " + ", " - ", " * ", " / ", " % ", " <= ", " != ", "'True'", "DROP TABLE")
    )
