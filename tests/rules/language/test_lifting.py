"""Lifted over k stories, a program says of each what it says of that story alone: on random programs, and in the awkward cases."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import closing

import pytest
from oracle import derive
from random_programs import programs
from rule_programs import program_of

from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Atom, Facts, Program, Row, Var
from narraworld.rules.language.lifting import (
    STORIES,
    declarations,
    lift,
    lifted_relations,
    pairs_stories,
    with_rules_across,
)
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

ENGINES = {"duckdb": DuckEngine, "sqlite": SqliteEngine}
Told = dict[str, set[Row]]


def together(corpus: Mapping[str, Facts], same: Facts, program: Program) -> Facts:
    """The facts of many stories as the lifted program wants them."""
    rows: dict[str, set[Row]] = {name: set(some) for name, some in same.items()}
    rows[STORIES] = {(story,) for story in corpus}
    for story, facts in corpus.items():
        for name, some in facts.items():
            rows.setdefault(name, set()).update((story, *row) for row in some)
    return rows


def every(engine: SqliteEngine | DuckEngine) -> Told:
    shown = (one for one in engine.program.relations.values() if not one.on_demand)
    return {
        one.name: set(engine.ask(Atom(one.name, tuple(Var(f"V{i}") for i in range(one.arity)))))
        for one in shown
    }


def derived_at_once(program: Program, corpus: Mapping[str, Facts], same: Facts, kind: str) -> Told:
    with closing(ENGINES[kind](lift(program, same))) as engine:
        engine.load(together(corpus, same, program))
        return every(engine)


def of_story(story: str, told: Told, lifted: frozenset[str]) -> Told:
    return {
        name: {row[1:] for row in rows if row[0] == story} if name in lifted else rows
        for name, rows in told.items() if name != STORIES and not name.endswith("__read")
    }  # fmt: skip


@pytest.mark.parametrize("kind", ENGINES)
def test_random_programs_lifted_over_stories_equal_one_run_each(kind: str) -> None:
    """The facts of a case, the same after each of its changes, and nothing at all: as many stories."""
    for case in programs(20261118, 40 if kind == "sqlite" else 6):
        corpus: dict[str, Facts] = {"nothing is told": {}, "as it is": case.facts}
        for number, change in enumerate(case.changes):
            corpus[f"changed {number}"] = {
                name: (set(rows) - set(change.removed.get(name, ()))) | set(change.added.get(name, ()))
                for name, rows in case.facts.items()
            }
        lifted, told = lifted_relations(case.program), derived_at_once(case.program, corpus, {}, kind)
        for story, facts in corpus.items():
            alone = {name: set(rows) for name, rows in derive(case.program, facts).items()}
            assert of_story(story, told, lifted) == alone, f"{story}\n{case}"


AWKWARD = {
    "a rule of constants, a rule of negations, a relation that does not depend on the story": """
        .decl edge(a:symbol, t:number)
        .input edge
        .decl opposite(a:symbol, b:symbol)
        opposite("x", "y"). opposite("y", "x").
        .decl quiet(yes:symbol)
        quiet("yes") :- !edge("x", _).
        .decl marked(a:symbol)
        marked("z"). marked(A) :- edge(A, _), opposite(A, _).
        .decl free(a:symbol)
        free(A) :- opposite(A, _), !edge(A, _).
    """,
    "folds with groups, without, and none where nothing is": """
        .decl edge(a:symbol, t:number)
        .input edge
        .decl of_each(a:symbol, n:number)
        of_each(A, N) :- edge(A, _), N = count : { edge(A, _) }.
        .decl all_in_all(n:number)
        all_in_all(N) :- N = count : { edge(_, _) }.
        .decl most(t:number)
        most(T) :- T = max U : { edge(_, U) }.
        .decl total(a:symbol, s:number)
        total(A, S) :- edge(A, _), S = sum T : { edge(A, T) }.
    """,
    "the next one, recursion, and what has no next": """
        .decl edge(a:symbol, t:number)
        .input edge
        .decl next(a:symbol, t:number, u:number)
        next(A, T, U) :- edge(A, T), U = min V : { edge(A, V), V > T }.
        .decl tick(t:number)
        tick(T) :- edge(_, T).
        .decl after(t:number, u:number)
        after(T, U) :- tick(T), U = min V : { tick(V), V > T }.
        .decl reach(t:number, u:number)
        reach(T, U) :- after(T, U).
        reach(T, V) :- reach(T, U), after(U, V).
        .decl alone(a:symbol, t:number)
        alone(A, T) :- edge(A, T), !next(A, T, _).
    """,
    "the same for all, and a column that is called story": """
        .decl edge(a:symbol, t:number)
        .input edge
        .decl word(w:symbol)
        .input word
        .decl long_word(w:symbol)
        long_word(W) :- word(W), W != "x".
        .decl hit(a:symbol)
        hit(A) :- edge(A, _), long_word(A).
        .decl miss(w:symbol)
        miss(W) :- long_word(W), !hit(W).
        .decl story(story:symbol, t:number)
        story(A, T) :- edge(A, T), T > 5.
    """,
    "rows that the file itself brings along": """
        .decl edge(a:symbol, t:number)
        .input edge
        edge("x", 3). edge("q", 8).
        .decl named(a:symbol)
        named(A) :- edge(A, _).
    """,
}


def random_corpus(seed: int) -> Iterator[tuple[str, Facts]]:
    chance = random.Random(seed)
    for number in range(4):
        many = chance.choice((0, 0, 1, 3, 8))
        yield f"tale {number}", {"edge": {(chance.choice("xyz"), chance.randrange(9)) for _ in range(many)}}


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_cases(text: str, kind: str) -> None:
    program = program_of(text)
    same: Facts = {"word": {("x",), ("y",), ("z",)}} if "word" in program.relations else {}
    lifted = lifted_relations(program, same)
    for seed in range(6 if kind == "sqlite" else 2):
        corpus = dict(random_corpus(seed))
        told = derived_at_once(program, corpus, same, kind)
        for story, facts in corpus.items():
            with closing(SqliteEngine(program)) as alone:
                alone.load({**facts, **same})
                assert of_story(story, told, lifted) == every(alone), story


# -- rules across stories

KINDS = """
    .decl event(id:symbol, kind:symbol)
    .input event
"""
ACROSS = """
    .decl tales_with(kind:symbol, n:number)
    tales_with(K, N) :- event(_, _, K), N = count : { event(_, _, K) }.
    .decl alike(one:symbol, other:symbol)
    alike(S, T) :- event(S, _, K), event(T, _, K), S != T.
    .decl family(one:symbol, other:symbol)
    family(S, T) :- alike(S, T).
    family(S, U) :- family(S, T), alike(T, U).
"""


def test_rules_across_stories_say_the_story_themselves() -> None:
    lifted = lift(program_of(KINDS))
    across = load_program([parse(declarations(lifted)), parse(ACROSS, "across.dl")])
    corpus: dict[str, Facts] = {
        "a": {"event": {("e1", "go"), ("e2", "sit")}}, "b": {"event": {("e1", "go")}}, "c": {"event": {("e1", "run")}},
    }  # fmt: skip
    with closing(DuckEngine(with_rules_across(lifted, across))) as engine:
        engine.load(together(corpus, {}, lifted))
        told = every(engine)

    assert told["tales_with"] == {("go", 2), ("sit", 1), ("run", 1)}
    assert told["family"] == {("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")}


def test_rules_across_stories_are_checked_against_the_lifted_columns() -> None:
    with pytest.raises(RuleError, match=r"event\(story, id, kind\)"):
        load_program(
            [parse(declarations(lift(program_of(KINDS)))), parse(".decl p(x:symbol)\np(X) :- event(X, _).")]
        )


def test_rules_across_stories_may_not_add_to_what_is_told_of_one() -> None:
    lifted = lift(program_of(f"{KINDS} .decl seen(id:symbol)\nseen(X) :- event(X, _)."))
    across = program_of(
        ".decl other(s:symbol)\n.input other\n.decl seen(story:symbol, id:symbol)\nseen(S, S) :- other(S)."
    )

    with pytest.raises(RuleError, match="may not add to 'seen'"):
        with_rules_across(lifted, across)


@pytest.mark.parametrize(
    ("rule", "is_told"),
    [
        pytest.param("p(S, T) :- event(S, _, K), event(T, _, K).", False, id="both share a kind"),
        pytest.param("p(S, T) :- event(S, _, _), event(T, _, _), S != T.", True, id="nothing is shared"),
        pytest.param("p(S, S) :- event(S, X, _), event(S, _, X).", False, id="one story"),
    ],
)
def test_a_product_of_stories_is_found(rule: str, is_told: bool) -> None:
    lifted = lift(program_of(KINDS))
    across = load_program([parse(declarations(lifted)), parse(f".decl p(s:symbol, t:symbol)\n{rule}")])

    assert bool(pairs_stories(across, frozenset({"event"}))) is is_told
