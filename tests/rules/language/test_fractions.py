"""Fractions: shares, means and ratios, the same on every engine; never mixed with whole numbers by accident."""

from __future__ import annotations

from contextlib import closing

import pytest
from engines_under_test import ENGINES
from rule_programs import program_of, refusal_of

from narraworld.rules.language.ir import Atom, Row, Var
from narraworld.rules.language.souffle import source_text
from narraworld.rules.language.surface.syntax import parse

DECLARED = """
.decl degree(who:symbol, n:number)
.input degree
.decl share(who:symbol, x:float)
.input share
.decl out(x:float)
.decl name(who:symbol)
"""
FACTS: dict[str, list[Row]] = {
    "degree": [("ada", 2), ("ben", 2), ("cora", 3), ("dan", 1), ("eve", 0)],
    "share": [("ada", 0.1), ("ben", 0.2), ("cora", 0.7), ("dan", -1.5), ("eve", 1e308), ("fay", 0.0)],
}


def rows(rule: str, relation: str = "out") -> list[object]:
    program = program_of(DECLARED + rule)
    said = []
    for make in ENGINES.values():
        with closing(make(program, FACTS)) as engine:
            said.append([value for (value,) in engine.ask(Atom(relation, (Var("X"),)))])
    assert said[0] == said[1] == said[2]
    return said[0]


MEANT = [
    ("mean of numbers", "out(m) :- m = mean n : { degree(_, n) }.", [1.6]),
    ("mean counts every row", "out(mean n : { degree(_, n), n > 1 }).", [2.33333333333]),
    ("mean of nothing", "out(mean n : { degree(_, n), n > 9 }).", []),
    ("mean of fractions", "out(mean x : { share(_, x), x > 0.0, x < 1.0 }).", [0.333333333333]),
    ("sum of fractions", "out(sum x : { share(_, x), x >= 0.0, x < 1.0 }).", [1.0]),
    ("sum of no fractions", "out(sum x : { share(_, x), x > 2e400, x < 1.0 }).".replace("2e400", "2.5"), [0.0]),
    ("least and greatest", "out(min x : { share(_, x) }). out(max x : { share(_, x), x < 1.0 }).", [-1.5, 0.7]),
    ("a constant", "out(2.5e-1). out(-0.5).", [-0.5, 0.25]),
    ("whole numbers written for fractions", 'out(1). out(x + 1) :- share(w, x), w = "cora", x < 1, 0 < x, share("fay", 0).', [1.0, 1.7]),
    ("exact division", "out(x / 4.0) :- share(w, x), w = \"ben\".", [0.05]),
    ("no division by zero", "out(1.0 / x) :- share(w, x), w = \"fay\".", []),
    ("too large has no value", "out(x * 10.0) :- share(_, x), x > 1.0.", []),
    ("a ratio of counts", "out(to_float(n) / to_float(m)) :- degree(w, n), w = \"cora\", m = sum k : { degree(_, k) }.", [0.375]),
    ("the next larger one", "out(y) :- share(w, x), w = \"ada\", y = min z : { share(_, z), z > x }.", [0.2]),
    ("the last smaller one", "out(y) :- share(w, x), w = \"ada\", y = max z : { share(_, z), z < x }.", [0.0]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "expected"), [pytest.param(*row[1:], id=row[0]) for row in MEANT])
def test_meaning(rule: str, expected: list[float]) -> None:
    assert rows(rule) == expected


def test_who_is_above_the_mean() -> None:
    rule = "name(w) :- degree(w, n), m = mean k : { degree(_, k) }, to_float(n) > m."
    assert rows(rule, "name") == ["ada", "ben", "cora"]


REFUSED = [
    ("compared with a number", "name(w) :- share(w, x), degree(w, n), x > n.", "a float is compared with a number\n  make the number a fraction"),
    ("added to a number", "out(x + n) :- share(w, x), degree(w, n).", "+ mixes a number with a float"),
    ("a mean for a number", "name(w) :- degree(w, m), m = mean k : { degree(_, k) }.", "m is a number, but mean gives a float"),
    ("a remainder", "out(x % 2.0) :- share(_, x).", "% needs whole numbers"),
    ("a symbol", "out(\"half\").", "'half' is a symbol, but column x of out holds floats"),
    ("a mean of symbols", "out(mean w : { name(w) }).", "mean needs numbers, but it is given symbols"),
    ("too large", "out(1.0e999).", "1.0e999 is too large for a fraction"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "words"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_refused(rule: str, words: str) -> None:
    assert words in refusal_of(DECLARED + rule)


def test_fractions_are_written_and_read_back() -> None:
    text = ".decl out(x:float)\nout(0.1).\nout(1e+300).\nout(X) :- out(Y), X = Y / 3.5.\n".replace(
        "1e+300", "1.0e300"
    )
    assert source_text(parse(source_text(parse(text)))) == source_text(parse(text))


def test_a_whole_number_stays_whole_beside_an_equal_fraction() -> None:
    rule = ".decl two(n:number)\n.decl half(n:number)\ntwo(2).\nout(x * 1.0) :- two(n), x = to_float(n).\nhalf(n / 4) :- two(n), out(x), x = 2.0."
    program = program_of(DECLARED + rule)
    for name, make in ENGINES.items():
        with closing(make(program, FACTS)) as engine:
            assert repr(engine.ask(Atom("half", (Var("X"),)))) == "[(0,)]", name
            assert repr(engine.ask(Atom("out", (Var("X"),)))) == "[(2.0,)]", name
