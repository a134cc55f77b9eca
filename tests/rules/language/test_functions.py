"""Functions on text and numbers: the same on every engine, refused in words where they make no sense."""

from __future__ import annotations

from contextlib import closing

import pytest
from engines_under_test import ENGINES
from rule_programs import program_of, refusal_of

from narraworld.rules.language.ir import Atom, Row, Var
from narraworld.rules.language.souffle import rule_text
from narraworld.rules.language.values.functions import pattern_problem

DECLARED = """
.decl title(t:symbol)
.input title
.decl size(n:number)
.input size
.decl out(t:symbol)
.decl sum_(n:number)
"""
TITLES = [
    "", "The Fox", "fox", "a%b_c", "it's", "é🗝", "12", "-7", "007", "1.5", "9" * 18, "9" * 19, "a\nb", "[x]", " 3",
    "0xBEEF", "-0b101", "0x", "-",
]  # fmt: skip
SIZES = [-3, -1, 0, 1, 2, 5, 2**40, -(2**63), 2**63 - 1]


def rows(rule: str, relation: str) -> list[Row]:
    """What all engines say, which is one thing."""
    program = program_of(DECLARED + rule)
    facts: dict[str, list[Row]] = {"title": [(one,) for one in TITLES], "size": [(one,) for one in SIZES]}
    said = []
    for make in ENGINES.values():
        with closing(make(program, facts)) as engine:
            said.append(engine.ask(Atom(relation, (Var("X"),))))
    assert said[0] == said[1] == said[2]
    return said[0]


MEANT = [
    ("cat", 'out(cat(t, "!", t)) :- title(t), t = "fox".', ["fox!fox"]),
    ("strlen counts characters", "sum_(strlen(t)) :- title(t), t = \"é🗝\".", [2]),
    ("substr counts from 0", 'out(substr("winter", 2, 3)).', ["nte"]),
    ("substr past the end", 'out(substr("winter", 4, 1000000000000)).', ["er"]),
    ("substr of nothing", 'out(substr("winter", 7, 1)). out(substr("winter", -1, 3)).', [""]),
    ("substr to the end", 'out(substr("winter", 3, -1)).', ["ter"]),
    ("to_number of what is one", "sum_(to_number(t)) :- title(t).", [-7, -5, 7, 12, 48879, 10**18 - 1]),
    ("to_string", "out(to_string(n)) :- size(n), n < 1.", ["-1", "-3", "-9223372036854775808", "0"]),
    ("contains", 'out(t) :- title(t), contains("o", t).', ["The Fox", "fox"]),
    ("contains is no pattern", 'out(t) :- title(t), contains("%", t).', ["a%b_c"]),
    ("everything contains nothing", 'sum_(count : { title(t), contains("", t) }).', [len(TITLES)]),
    ("not contains", 'out(t) :- title(t), !contains("o", t), match("[a-z]+.*", t).', ["a%b_c", "it's"]),
    ("match means the whole", 'out(t) :- title(t), match("[Tf]?.*[Ff]ox", t).', ["The Fox", "fox"]),
    ("a dot is no new line", 'out(t) :- title(t), match("a.*b", t).', []),
    ("letters are plain ones", 'out(t) :- title(t), match("\\\\w+", t), !match("\\\\d+", t).', ["0x", "0xBEEF", "fox"]),
    ("a range ends before its last", "sum_(range(1, 5)).", [1, 2, 3, 4]),
    ("a range counts down", "sum_(range(3, 1)).", [2, 3]),
    ("a range of nothing", "sum_(range(2, 2)).", []),
    ("a range by steps", "sum_(range(1, 8, 3)). sum_(range(0, -5, -2)).", [-4, -2, 0, 1, 4, 7]),
    ("a range the wrong way, or on the spot", "sum_(range(1, 8, -1)). sum_(range(1, 8, 0)).", []),
    ("ends that are reckoned", "sum_(x) :- size(n), n = 2, x = range(n, n * n + 1).", [2, 3, 4]),
    ("ranges go their own ways", "sum_(10 * range(1, 3) + range(1, 3)).", [11, 12, 21, 22]),
    ("one range ends another", "sum_(10 * a + b) :- a = range(1, 4), b = range(0, a).", [10, 20, 21, 30, 31, 32]),
    ("a range inside a count", "sum_(count : { size(n), n = range(-5, 3) }).", [5]),
    ("a range as a test", "sum_(n) :- size(n), n = range(0, 3).", [0, 1, 2]),
    ("greater of two", "sum_(max(n, 1, 2)) :- size(n), n < 5.", [2]),
    ("smaller of two", "sum_(min(n, 1)) :- size(n), n > -2.", [-1, 0, 1]),
    ("symbols have an order", 'out(t) :- title(t), t < "The".', ["", " 3", "-", "-0b101", "-7", "007", "0x", "0xBEEF", "1.5", "12", "9" * 18, "9" * 19]),
    ("in a sum", "sum_(sum strlen(t) : { title(t), contains(\"f\", t) }).", [3]),
    ("as a join", 'out(a) :- title(a), title(b), cat(a, "") = b, strlen(b) = 3.', ["007", "1.5", "[x]", "a\nb", "fox"]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "expected"), [pytest.param(*row[1:], id=row[0]) for row in MEANT])
def test_meaning(rule: str, expected: list[object]) -> None:
    relation = "sum_" if rule.startswith("sum_") else "out"
    assert [value for (value,) in rows(rule, relation)] == sorted(expected)  # type: ignore[type-var]


@pytest.mark.parametrize("start", [-2, 0, 1, 3, 9])
@pytest.mark.parametrize("size", [-1, 0, 2, 9])
def test_every_part_of_every_title_is_the_same_everywhere(start: int, size: int) -> None:
    rows(f"out(substr(t, {start}, {size})) :- title(t).", "out")


REFUSED = [
    ("a number for a symbol", "sum_(strlen(n)) :- size(n).", "strlen takes a symbol here, not a number"),
    ("its value in the wrong column", "out(strlen(t)) :- title(t).", "a symbol is compared with a number"),
    ("too few", 'out(substr("a", 1)).', "substr has 2 values here but takes 3"),
    ("unbound", "out(cat(t, u)) :- title(t).", "u is compared but bound by nothing"),
    ("a test as a value", 'sum_(contains("a", "b")).', "this is a condition, not a value"),
    ("a pattern that is not written out", "out(t) :- title(t), title(p), match(p, t).", "the pattern of match is not written out"),
    ("a broken pattern", 'out(t) :- title(t), match("(", t).', "this is no pattern of ours"),
    ("order", "out(t) :- title(t), ord(t) < 3.", "symbols have an order of their own"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "words"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_refused(rule: str, words: str) -> None:
    assert words in refusal_of(DECLARED + rule)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a|b)*", "a(?=b)", r"(a)\1", "a*?", "a++", r"\bfox", "(", "[[a]", "fo{x}b", "a{2"],
)
def test_patterns_that_may_never_end_or_mean_other_things_elsewhere(pattern: str) -> None:
    assert pattern_problem(pattern) is not None


@pytest.mark.parametrize(
    "pattern", [".*fox.*", "[A-Z][a-z]+( [A-Z][a-z]+)?", "(abc)*", "a{2,3}", r"\d+\.\d*", "(a|b)c", "[*+?]+"]
)
def test_patterns_that_are_taken(pattern: str) -> None:
    assert pattern_problem(pattern) is None


def test_a_relation_of_the_name_is_the_relation() -> None:
    text = '.decl contains(a:symbol, b:symbol)\ncontains("x", "y").\n.decl out(a:symbol)\nout(a) :- contains(a, "y").'
    program = program_of(text)
    assert rule_text(program.rules[-1]) == 'out(a) :- contains(a, "y").'
    assert isinstance(program.rules[-1].body[0], Atom)
