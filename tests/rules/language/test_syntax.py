"""Rule text: what it says, where it says it, and what we tell people who misspell it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from narraworld.rules.errors import RuleSyntaxError
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    Compare,
    Const,
    Not,
    Relation,
    Rule,
    SourcePlace,
    Var,
)
from narraworld.rules.language.surface.syntax import Directive, parse, parse_whole

STORY = """\
//! minds.dl: who believes what.
//! Invariant: no access, no belief.

/* told by
   the narrator */
/// access(Who, What): Who came to know What.
/// Modes are not kept.
//@ from nw:Access: id, holder
//@ from nw:Attitude: id, holder
.decl access(who:symbol, what:symbol, when:number)
.input access

//// a plain divider, not a description
//@ on demand
.decl late(who:symbol, n:number)
.output late
late("leo \\"the key\\"", -3).
//> {W} came late,
//> at {N}
late(W, N) :- access(W, _, T), !access(_, "x//y", T), // an aside
    T > 2 * (N + 1) % 4,
    N = count : { access(W, P, U), U <= T }.
"""


def test_a_file_is_its_head_and_its_statements_with_their_places() -> None:
    source = parse(STORY, "minds.dl")

    assert source.head == "minds.dl: who believes what.\nInvariant: no access, no belief."
    access, _, late, _, _, clause = source.statements
    assert access == Relation(
        "access",
        (Column("who", "symbol"), Column("what", "symbol"), Column("when", "number")),
        doc="access(Who, What): Who came to know What. Modes are not kept.",
        bindings=("nw:Access: id, holder", "nw:Attitude: id, holder"),
        few=(("who",),),  # the record that the bindings are read from
        place=SourcePlace("minds.dl", 10, 7),
    )
    assert isinstance(late, Relation) and late.on_demand and late.doc == ""
    assert source.directives == (
        Directive("input", "access", SourcePlace("minds.dl", 11, 1)),
        Directive("output", "late", SourcePlace("minds.dl", 16, 1)),
    )
    fact, rule = source.rules
    assert fact == Rule(
        Atom("late", (Const('leo "the key"'), Const(-3))), place=SourcePlace("minds.dl", 17, 1)
    )
    assert rule == Rule(
        Atom("late", (Var("W"), Var("N"))),
        (
            Atom("access", (Var("W"), Var("_1"), Var("T"))),
            Not(Atom("access", (Var("_2"), Const("x//y"), Var("T")))),
            Compare(
                ">",
                Var("T"),
                Arithmetic("%", Arithmetic("*", Const(2), Arithmetic("+", Var("N"), Const(1))), Const(4)),
            ),
            Aggregate(
                Var("N"),
                "count",
                None,
                (Atom("access", (Var("W"), Var("P"), Var("U"))), Compare("<=", Var("U"), Var("T"))),
            ),
        ),
        sentence="{W} came late, at {N}",
        place=SourcePlace("minds.dl", 20, 1),
    )
    assert [(place.line, place.column) for place in clause.places] == [
        (20, 1), (20, 15), (20, 32), (21, 5), (22, 5), (22, 19), (22, 36),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "term"),
    [
        pytest.param("T-1", Arithmetic("-", Var("T"), Const(1)), id="minus without blanks"),
        pytest.param("T - -1", Arithmetic("-", Var("T"), Const(-1)), id="minus a negative number"),
        pytest.param(
            "1 - 2 - 3", Arithmetic("-", Arithmetic("-", Const(1), Const(2)), Const(3)), id="from the left"
        ),
        pytest.param(
            "1 + 2 * 3", Arithmetic("+", Const(1), Arithmetic("*", Const(2), Const(3))), id="times binds"
        ),
        pytest.param(
            "1 / (2 % 3)", Arithmetic("/", Const(1), Arithmetic("%", Const(2), Const(3))), id="parentheses"
        ),
        pytest.param("9223372036854775807", Const(2**63 - 1), id="the largest number"),
        pytest.param("-9223372036854775808", Const(-(2**63)), id="the smallest number"),
        pytest.param(r'"a\\b\t\"\n\'"', Const("a\\b\t\"\n'"), id="escapes"),
    ],
)
def test_terms(text: str, term: object) -> None:
    (rule,) = parse(f"a(X) :- X = {text}.").rules
    assert rule.body == (Compare("=", Var("X"), term),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("notes", "quiet", "absence"),
    [
        pytest.param("", False, "", id="neither"),
        pytest.param("//@ quiet\n", True, "", id="quiet"),
        pytest.param("//@ absent: {who} was awake\n", False, "{who} was awake", id="absent"),
        pytest.param(
            "//@ absent: nothing\n//@ quiet\n//@ absent: woke {who}\n",
            True,
            "nothing woke {who}",
            id="two lines",
        ),
    ],
)
def test_how_a_relation_is_told(notes: str, quiet: bool, absence: str) -> None:
    (relation,) = parse(f"{notes}.decl sleeps(who:symbol)").relations
    assert (relation.quiet, relation.absence) == (quiet, absence)


MISSPELT = [
    # id, text, line, column, what, advice
    ("no full stop", "a(X) :- b(X)\nc(X) :- d(X).", 1, 13, "expected a full stop after the rule, or a comma", None),
    ("no full stop after a fact", "a(1)\nb(2).", 1, 5, "expected a full stop after the fact, or ':-'", None),
    ("no full stop at the end", "a(X) :- b(X)", 1, 13, "found the end of the text", None),
    ("found in which line", "a(X) :- b(X)\n\n\nc(X).", 1, 13, "found 'c' in line 4", None),
    ("open argument list", "a(X) :- b(X.", 1, 12, "expected ')' after the arguments", None),
    ("prolog's not", "a(X) :- b(X), not c(X).", 1, 19, "expected a full stop after the rule", "negation is written '!'"),
    ("two equal signs", "a(X) :- X == 3.", 1, 12, "expected a value", "with one ="),
    ("longer directive", ".declare r(a:symbol)", 1, 1, "found '.'", ".decl, .type, .input"),
    ("column without type", ".decl r(a)", 1, 10, "expected ':'", None),
    ("type missing", ".decl r(a:)", 1, 11, "expected the column's type", None),
    ("column twice", ".decl r(a:symbol, a:number)", 1, 19, "column a stands twice", None),
    ("comma forgotten", ".decl r(a:symbol b:symbol)", 1, 18, "expected ')' after the columns", None),
    ("nothing declared", ".decl", 1, 6, "expected a name", None),
    ("our underscores", ".decl r__min1(a:symbol)", 1, 7, "two underscores in a row", None),
    ("our answer", ".decl answer(a:symbol)", 1, 7, "answer is the name of what a query asks for", "another name"),
    ("too large", "a(9223372036854775808).", 1, 3, "does not fit in 64 bits", None),
    ("digit first", "a(3x).", 1, 3, "unexpected '3'", "a name starts with a letter"),
    ("open string", 'a("x).\nb("y").', 1, 3, "unexpected '\"'", "no closing quote on its line"),
    ("single quotes", "a('x').", 1, 3, "unexpected \"'\"", "double quotes"),
    ("unknown escape", r'a("\q").', 1, 3, r"\q is no escape", "written twice"),
    ("open comment", "a(1).\n/* b(2).", 2, 1, "found '/'", "never closed"),
    ("nested aggregate", "a(X) :- X = min T : { b(T), Y = max U : { c(U) } }.", 1, 23,
     "an aggregate cannot stand inside another", "a rule of its own"),
    ("aggregate as relation", "a(X) :- count(X).", 1, 17, "expected ':' and the conditions", "words of the language"),
    ("aggregate left open", "a(X) :- X = min T : { b(T).", 1, 27, "expected '}' at the end of the aggregate", None),
    ("aggregate without colon", "a(X) :- X = min T { b(T) }.", 1, 19, "expected ':' and the conditions", None),
    ("min of nothing", "a(X) :- X = min : { b(T) }.", 1, 13, "min of what?", "X = min T"),
    ("count of something", "a(X) :- X = count T : { b(T) }.", 1, 19, "count counts the conditions", "N = count"),
    ("compared _", "a(X) :- X = _.", 1, 13, "_ has no value", "name the variable"),
    ("compared _ with order", "a(X) :- X < _.", 1, 13, "_ has no value", "name the variable"),
    ("open parenthesis", "a(X) :- (X + 1 < 3.", 1, 19, "expected ')' after the conditions", None),
    ("no conditions", "a(X) :- .", 1, 9, "expected a condition", None),
    ("lonely variable", "a(X) :- X.", 1, 9, "X is a value, not a condition", "compare it"),
    ("half a comparison", "a(X) :- X < .", 1, 13, "expected a value: a variable", None),
    ("sentence above .decl", "//> so it is\n.decl r(a:symbol)", 1, 13, "expected a rule below this sentence", None),
    ("description above a rule", "/// so it is\na(1).", 1, 13, "expected a .decl below this comment", None),
    ("description inside a rule", "a(X) :-\n/// why\nb(X).", 1, 8, "expected a condition", "/// describes a relation"),
    ("origin at the end", "//@ from x", 1, 11, "expected a .decl below this comment", None),
    ("unknown origin", "//@ form x\n.decl r(a:symbol)", 1, 1, "'//@ form x' says nothing we know", "//@ from"),
    ("absence without words", "//@ absent:\n.decl r(a:symbol)", 1, 1, "'//@ absent:' says nothing we know", "//@ absent: …"),
    ("loud", "//@ quietly\n.decl r(a:symbol)", 1, 1, "'//@ quietly' says nothing we know", "//@ quiet"),
    ("late head", "a(1).\n//! head", 2, 1, "found '//! head'", "before everything else"),
    ("comment at the end of a line", "a(1). //> why\nb(1).", 1, 7, "//> stands on a line of its own", "a blank"),
    ("strange character", "a(X) :- @.", 1, 9, "unexpected '@'", "no functions of your own"),
    ("too deep", "a(X) :- X = " + "1 + " * 102 + "1.", 1, 13, "nested too deeply", "name the parts"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column", "what", "advice"), [pytest.param(*row[1:], id=row[0]) for row in MISSPELT]
)
def test_misspelt(text: str, line: int, column: int, what: str, advice: str | None) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text, "bad.dl")

    assert caught.value.place == SourcePlace("bad.dl", line, column)
    assert what in caught.value.what
    if advice is None:
        assert caught.value.fix is None
    else:
        assert advice in (caught.value.fix or "")


def test_an_error_reads_like_a_sentence() -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse("knows('leo', P).", "mine.dl")

    assert str(caught.value) == 'mine.dl:1:7: unexpected "\'"\n  symbols stand in double quotes'


def test_everything_that_cannot_be_read_is_told_and_the_rest_is_read() -> None:
    text = (
        '.decl r(a:symbol\n.decl s(a:symbol)\ns(\'x\').\ns("y").\ns(X) :- s(X), X = .\n.comp C { }\ns("z").\n'
    )
    source, errors = parse_whole(text, "mine.dl")

    assert [(error.place.line, error.what.partition(",")[0]) for error in errors] == [
        (1, "expected ')' after the columns"),
        (3, 'unexpected "\'"'),
        (5, "expected a value: a variable"),
        (6, "expected a declaration"),
    ]
    assert [relation.name for relation in source.relations] == ["s"]
    assert [rule.head.args for rule in source.rules] == [(Const("y"),), (Const("z"),)]


# What Soufflé has and we do not: the nearest way to say it is part of the message.
OUTSIDE = [
    (".type P = [a:symbol, b:symbol]", "no records: declare a relation with a column for each part"),
    ("a(X) :- b([X, Y]).", "no records: give each part a column of its own"),
    (".type T = A { a:symbol } | B { }", "no algebraic types"),
    ("a($A(1)).", "no algebraic types"),
    (".comp C { .decl r(a:symbol) }", "no components"),
    ("c.r(1).", "no components"),
    ("a(X) <= a(Y) :- X < Y.", "no subsumption"),
    (".decl r(a:symbol, b:symbol) choice-domain a", "rules make no choices"),
    (".decl r(a:symbol, b:symbol) eqrel\n.output r", "rules have no eqrel"),
    (".functor f(a:symbol):symbol", "no functions of your own"),
    ("a(@f(X)) :- b(X).", "no functions of your own"),
    (".lattice L<> { }", "no lattices"),
    ('#include "other.dl"', "no preprocessor"),
    ('.include "other.dl"', "name both files"),
    ("a(X) :- b(Y), X = Y ^ 2.", "no powers"),
    ("a(X) :- b(Y), X = Y band 2.", "no operations on bits"),
    ("a(X) :- b(X), X = 3u.", "numbers have a sign"),
    ("a(autoinc()).", "no counters"),
    ("a(X) :- b(Y), X = as(Y, number).", "no casts"),
    ("a(X) :- b(Y), X = round(Y).", "rules have no function called round"),
]


@pytest.mark.parametrize(("text", "words"), OUTSIDE)
def test_what_stays_out_is_named(text: str, words: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text)
    assert words in str(caught.value)


def test_nothing_is_an_empty_program() -> None:
    source = parse("\ufeff \r\n // nothing yet\n")
    assert (source.head, source.statements) == ("", ())


def test_lark_is_loaded_only_when_something_is_read() -> None:
    check = "import sys, narraworld.rules.language.program, narraworld.rules.language.goal; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
