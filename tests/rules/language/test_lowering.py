"""From surface to core: exactly which relations and rules an aggregate becomes, and that they mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import derive

from narraworld.rules.language.ir import Arithmetic, Column, Const, Fold, Relation, Row, Var
from narraworld.rules.language.program import RuleBook, load_program
from narraworld.rules.language.souffle import literal_text, rule_text
from narraworld.rules.language.surface.syntax import parse

DECLARED = """\
.decl acc(who:symbol, key:symbol, mode:symbol, when:number)
.input acc
.decl mark(key:symbol, when:number)
.input mark
.decl person(who:symbol)
.input person
.decl out(key:symbol, when:number, n:number)
.decl last(who:symbol, key:symbol, when:number)
.decl tally(who:symbol, n:number)
.decl all(n:number)
"""


def book(text: str) -> RuleBook:
    return load_program([parse(DECLARED + text, "n.dl")])


def core(text: str) -> list[str]:
    """The core rules; those with a fold as `head <- body [function target over variables]`."""
    shown = []
    for rule in book(text).rules:
        if rule.fold is None:
            shown.append(rule_text(rule))
            continue
        head, _ = rule_text(rule).split(" :- ", 1)
        over = ", ".join(var.name for var in rule.fold.over)
        shown.append(f"{head} <- {', '.join(map(literal_text, rule.body))} [{rule.fold.function}: {over}]")
    return shown


EXAMPLES = [
    ("the last access, of itself alone", "last(C, K, L) :- acc(C, K, _, _), L = max T : { acc(C, K, _, T) }.",
     ["last__max1(C, K, L) <- acc(C, K, _, T) [max: ]",
      "last(C, K, L) :- last__max1(C, K, L)."]),
    ("the successor", "out(K, T, E) :- mark(K, T), E = min U : { mark(K, U), U > T }.",
     ["out__min1(K, T, E) <- mark(K, T), mark(K, U), U > T [min: ]",
      "out(K, T, E) :- out__min1(K, T, E)."]),
    ("an outer condition that says more stays",
     "last(C, K, L) :- acc(C, K, _, _), person(C), L = max T : { acc(C, K, _, T) }.",
     ["last__max1(C, K, L) <- acc(C, K, _, T) [max: ]",
      "last(C, K, L) :- person(C), last__max1(C, K, L)."]),
    ("an outer variable used elsewhere keeps its condition",
     "last(C, M, L) :- acc(C, K, M, _), L = max T : { acc(C, K, _, T) }.",
     ["last__max1(C, K, L) <- acc(C, K, _, T) [max: ]",
      "last(C, M, L) :- acc(C, K, M, _), last__max1(C, K, L)."]),
    ("a copied condition that binds more stays as well",
     "last(K, W, E) :- acc(K, W, _, T), E = min U : { mark(K, U), U > T }.",
     ["last__min1(K, T, E) <- acc(K, W, _, T), mark(K, U), U > T [min: ]",
      "last(K, W, E) :- acc(K, W, _, T), last__min1(K, T, E)."]),
    ("only the condition that binds is copied, and the one that joins best",
     "out(K, T, E) :- person(K), all(T), mark(K, T), E = min U : { mark(K, U), U > T }.",
     ["out__min1(K, T, E) <- mark(K, T), mark(K, U), U > T [min: ]",
      "out(K, T, E) :- person(K), all(T), out__min1(K, T, E)."]),
    ("assignments are copied with what they need",
     "out(K, T, E) :- mark(K, S), T = S + 1, V = T * 2, E = min U : { mark(K, U), U > V }.",
     ["out__min1(K, V, E) <- mark(K, S), T = S + 1, V = T * 2, mark(K, U), U > V [min: ]",
      "out(K, T, E) :- mark(K, S), T = S + 1, V = T * 2, out__min1(K, V, E)."]),
    ("nothing shared", "all(N) :- N = max T : { mark(_, T) }.",
     ["all__max1(N) <- mark(_, T) [max: ]", "all(N) :- all__max1(N)."]),
    ("a count is 0 where there is nothing",
     "tally(C, N) :- person(C), N = count : { acc(C, K, M, T), T > 3 }.",
     ["tally__count1(C, N) <- acc(C, K, M, T), T > 3 [count: K, M, T]",
      "tally__count1__total(C, N) :- tally__count1(C, N).",
      "tally__count1__total(C, 0) :- person(C), !tally__count1(C, _).",
      "tally(C, N) :- person(C), tally__count1__total(C, N)."]),
    ("a sum of everything", "all(N) :- N = sum T * 2 : { mark(K, T) }.",
     ["all__sum1(N) <- mark(K, T) [sum: K, T]",
      "all__sum1__total(N) :- all__sum1(N).",
      "all__sum1__total(0) :- !all__sum1(_).",
      "all(N) :- all__sum1__total(N)."]),
    ("one aggregate needs another's result",
     "out(K, M, N) :- mark(K, _), N = count : { acc(C, K, W, U), U < M }, M = max T : { mark(K, T) }.",
     ["out__max1(K, M) <- mark(K, T) [max: ]",
      "out__count1(K, M, N) <- out__max1(K, M), acc(C, K, W, U), U < M [count: C, W, U]",
      "out__count1__total(K, M, N) :- out__count1(K, M, N).",
      "out__count1__total(K, M, 0) :- out__max1(K, M), !out__count1(K, M, _).",
      "out(K, M, N) :- out__count1__total(K, M, N), out__max1(K, M)."]),
    ("numbers go on through a program",
     "all(N) :- N = max T : { mark(_, T) }.\nall(N) :- N = max T : { acc(_, _, _, T) }.",
     ["all__max1(N) <- mark(_, T) [max: ]", "all(N) :- all__max1(N).",
      "all__max2(N) <- acc(_, _, _, T) [max: ]", "all(N) :- all__max2(N)."]),
    ("the same aggregate twice is made once",
     "all(N) :- N = max T : { mark(K, T) }, N = max T : { mark(K, T) }.",
     ["all__max1(N) <- mark(K, T) [max: ]", "all(N) :- all__max1(N), all__max1(N)."]),
    ("conditions move up to where they are ready",
     'tally(C, N) :- N = T - 1, !mark(K, T), C != "leo", acc(C, K, _, _), T > 3, mark(_, T).',
     ['tally(C, N) :- acc(C, K, _, _), C != "leo", mark(_, T), N = T - 1, !mark(K, T), T > 3.']),
    ("conditions without an atom", 'tally("leo", N) :- N = M + 1, M = 2, !mark("key", N).',
     ['tally("leo", N) :- M = 2, N = M + 1, !mark("key", N).']),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*row[1:], id=row[0]) for row in EXAMPLES])
def test_core(text: str, expected: list[str]) -> None:
    assert core(text) == expected


def test_auxiliary_relations_are_typed_and_described() -> None:
    program = book("tally(C, N) :- person(C), N = sum T * 2 : { acc(C, K, M, T), T > 3 }.")

    columns = (Column("c", "symbol"), Column("n", "number"))
    doc = "the sum of T * 2 such that acc(C, K, M, T), T > 3"
    place = program.rules[-1].place
    assert program.relations["tally__sum1"] == Relation(
        "tally__sum1", columns, doc, auxiliary=True, place=place
    )
    assert program.relations["tally__sum1__total"].doc == f"{doc}, or 0"
    fold = Fold("sum", Arithmetic("*", Var("T"), Const(2)), (Var("K"), Var("M"), Var("T")))
    assert [rule.fold for rule in program.rules] == [fold, None, None, None]


def test_what_serves_a_relation_on_demand_is_on_demand() -> None:
    program = book("//@ on demand\n.decl asked(n:number)\nasked(N) :- N = count : { mark(K, T) }.")
    assert program.relations["asked__count1"].on_demand
    assert program.relations["asked__count1__total"].on_demand


def test_columns_that_differ_in_case_only_get_a_number() -> None:
    program = book("out(Ka, KA, N) :- mark(Ka, KA), N = min T : { mark(Ka, T), T > KA }.")
    assert [column.name for column in program.relations["out__min1"].columns] == ["ka", "ka__2", "n"]


def test_core_rules_lead_back_to_what_was_written() -> None:
    text = "out(K, T, E) :- mark(K, T), E = min U : { mark(K, U), U > T }."
    program = book(text)
    assert [rule_text(program.written(rule)) for rule in program.rules] == [text, text]


# ---- the core means what the surface says

keys, ticks = st.sampled_from("abc"), st.integers(0, 4)
marks = st.sets(st.tuples(keys, ticks), max_size=8)
accesses = st.sets(st.tuples(keys, keys, st.sampled_from(["saw", "heard"]), ticks), max_size=8)

MEANING = """\
out(K, T, E) :- mark(K, T), E = min U : { mark(K, U), U > T }.
last(C, K, L) :- acc(C, K, _, _), L = max T : { acc(C, K, _, T) }.
tally(C, N) :- person(C), N = count : { acc(C, K, M, T), T > 1 }.
all(N) :- N = sum T : { mark(K, T), !person(K) }.
"""


@settings(deadline=None)  # the machine may be busy
@given(marks, accesses, st.sets(st.tuples(keys)))
def test_folds_mean_what_the_aggregates_say(marks: set[Row], accesses: set[Row], people: set[Row]) -> None:
    rows = derive(book(MEANING), {"mark": marks, "acc": accesses, "person": people})

    later = {(k, t): [u for key, u in marks if key == k and u > t] for k, t in marks}  # type: ignore[operator]
    assert rows["out"] == {(*mark, min(us)) for mark, us in later.items() if us}
    seen = {(c, k): max(t for *pair, _, t in accesses if pair == [c, k]) for c, k, _, _ in accesses}
    assert rows["last"] == {(c, k, t) for (c, k), t in seen.items()}
    assert rows["tally"] == {(p, sum(1 for c, _, _, t in accesses if c == p and t > 1)) for (p,) in people}  # type: ignore[operator]
    assert rows["all"] == {(sum(t for k, t in marks if (k,) not in people),)}  # type: ignore[misc]
