"""Programs that can be read but make no sense: each refusal with its class, place and words."""

from __future__ import annotations

import pytest

from narraworld.rules.errors import RuleError, UnknownRelation, UnsafeRule, WrongArity, WrongType
from narraworld.rules.language.surface.syntax import parse
from narraworld.rules.language.wellformed import source_problems

DECLARED = """\
.decl access(who:symbol, what:symbol, when:number)
.input access
.decl mark(slot:symbol, when:number)
.decl believes(who:symbol, what:symbol)
.decl count_of(who:symbol, n:number)
//@ on demand
.decl nested(who:symbol, what:symbol)
"""
FIRST = DECLARED.count("\n") + 1  # the line after the declarations


def found(text: str) -> list[RuleError]:
    return list(source_problems([parse(DECLARED + text, "story.dl")]))


GOOD = [
    ("facts", 'mark("key", 3).'),
    ("unused _ in negation", "believes(W, P) :- access(W, P, _), !mark(P, _)."),
    ("assignment", "mark(P, T) :- access(_, P, U), T = U + 1."),
    ("assignment backwards", "mark(P, T) :- access(_, P, U), U + 1 = T."),
    ("assignment to the right", "mark(P, T) :- access(_, P, U), U = T."),
    ("chain to the right", "mark(P, A) :- access(_, P, C), B = A, C = B."),
    ("chain of assignments", "mark(P, A) :- A = B, B = C, access(_, P, C)."),
    ("assignment of a constant", 'believes(W, P) :- access(W, Q, _), P = "key", Q != P.'),
    ("comparison before its atom", "believes(W, P) :- T > 3, access(W, P, T)."),
    ("repeated variable", "believes(W, W) :- access(W, W, _)."),
    ("groups", "count_of(W, N) :- access(W, _, _), N = count : { access(W, P, T) }."),
    ("result as a test", "believes(W, P) :- access(W, P, T), T = max U : { access(W, P, U) }."),
    ("two aggregates, one local name", "count_of(W, N) :- access(W, _, _), N = count : { believes(W, X) },"
     " N = count : { mark(W, X) }."),
    ("aggregate of an aggregate's result", "mark(P, N) :- access(_, P, _), M = max T : { mark(P, T) },"
     " N = count : { access(W, P, U), U < M }."),
    ("_ in min", "mark(P, T) :- access(_, P, _), T = min U : { access(_, P, U) }."),
    ("_ negated in count", "count_of(W, N) :- access(W, _, _), N = count : { believes(W, X), !mark(X, _) }."),
    ("_ in count", "count_of(W, N) :- access(W, _, _), N = count : { access(W, _, _) }."),
    ("result inside", "mark(P, T) :- access(_, P, _), T = max T : { mark(P, T) }."),
    ("target outside", "mark(P, L) :- access(_, P, T), L = max T : { mark(P, T) }."),
    ("own input", 'access("leo", "key", 0).\naccess(W, P, 1) :- believes(W, P).'),
    ("explicit extension", "//@ from nw:X: id\n.decl x(a:symbol)\n.input x\n.extend x\nx(W) :- believes(W, _)."),
    ("types", ".type id <: symbol\n.type thing = id | symbol\n.decl x(a:thing, b:id)\nx(W, W) :- believes(W, _)."),
    ("absence", "//@ absent: {who} has no {what}, {who} has not\n.decl lacks(who:symbol, what:symbol)"),
    ("sentence", "//> {W} holds {P}, {W} does\nbelieves(W, P) :- access(W, P, _)."),
    ("on demand may use all", "nested(W, P) :- believes(W, P).\nnested(W, P) :- nested(P, W)."),
]  # fmt: skip


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in GOOD])
def test_sound(text: str) -> None:
    assert found(text) == []


# id, text, [(class, line after the declarations, column, what)], advice of the first
BAD = [
    ("unknown relation", "mark(P, T) :- acess(_, P, T).",
     [(UnknownRelation, 0, 15, "no relation is called acess")], "did you mean access?"),
    ("unknown and unlike anything", "mark(P, T) :- zzz(P, T).",
     [(UnknownRelation, 0, 15, "no relation is called zzz")], "declare it: .decl zzz(…)"),
    ("unknown head", "belives(W, P) :- access(W, P, _).", [(UnknownRelation, 0, 1, "belives")], "believes?"),
    ("unknown inside an aggregate", "mark(P, T) :- access(_, P, _),\n  T = min U : { marc(P, U) }.",
     [(UnknownRelation, 1, 17, "marc")], "did you mean mark?"),
    ("unknown input", ".input acces", [(UnknownRelation, 0, 1, "acces")], "did you mean access?"),
    ("unknown output", ".output beliefs", [(UnknownRelation, 0, 1, "beliefs")], "did you mean believes?"),
    ("too few arguments", "mark(P, T) :- access(P, T).",
     [(WrongArity, 0, 15, "access has 2 arguments here but takes 3")], "declared as access(who, what, when)"),
    ("one argument", "mark(P, 1) :- mark(P, 2), !mark(P).",
     [(WrongArity, 0, 27, "mark has 1 argument here but takes 2")], "mark(slot, when)"),
    ("too many in the head", "mark(P, 1, 2) :- mark(P, 2).", [(WrongArity, 0, 1, "mark has 3 arguments")], "mark("),
    ("both wrong, both told", "mark(P) :- acess(P).",
     [(WrongArity, 0, 1, "mark has 1"), (UnknownRelation, 0, 12, "acess")], "mark("),
    ("declared twice", ".decl mark(slot:symbol)", [(RuleError, 0, 7, "mark is declared twice, first at story.dl:3:7")],
     None),
    ("rule for what the ontology gives", "//@ from nw:X: id\n.decl x(a:symbol)\n.input x\nx(W) :- believes(W, _).",
     [(RuleError, 3, 1, "x is given, no rule may add to it")], "say .extend x if this file is meant to add to it"),
    ("extends what is derived", ".extend believes", [(RuleError, 0, 1, "believes is derived, not given")], "leave .extend"),
    ("extends nothing", ".extend belief", [(RuleError, 0, 1, "no relation is called belief")], None),
    ("no such type", ".decl x(a:person)", [(RuleError, 0, 7, "person is not a type")], "declared with .type"),
    ("type of no type", ".type a <: b", [(RuleError, 0, 7, "b is not a type")], "declared with .type"),
    ("type twice", ".type a <: symbol\n.type a <: symbol", [(RuleError, 1, 7, "type a is declared twice")], None),
    ("mixed type", ".type a <: symbol\n.type b = a | number", [(RuleError, 1, 7, "number and symbol at once")], None),
    ("a type through a name", ".type a <: number\n.decl x(y:a)\nx(W) :- believes(W, _).",
     [(WrongType, 2, 1, "W is a symbol, but column y of x holds numbers")], None),
    ("a symbol without quotes", "believes(leo, W) :- believes(W, _).",
     [(UnsafeRule, 0, 1, "leo in the head is bound by nothing")], 'it stands in quotes: "leo"'),
    ("derived, yet read", "//@ from nw:X: id\n.decl x(a:symbol)", [(RuleError, 1, 7, "x is derived")], "add .input x"),
    ("given, yet on demand", "//@ on demand\n.decl x(a:symbol)\n.input x", [(RuleError, 1, 7, "x is given")], None),
    # symbols and numbers
    ("number for a symbol", "mark(3, 4).", [(WrongType, 0, 1, "3 is a number, but column slot of mark holds symbols")],
     None),
    ("symbol for a number", 'believes(W, P) :- access(W, P, "noon").',
     [(WrongType, 0, 19, "'noon' is a symbol, but column when of access holds numbers")], None),
    ("variable as both", "mark(P, T) :- access(P, T, _).", [(WrongType, 0, 1, "T is a symbol, but column when")], None),
    ("both through =", "mark(P, T) :- access(_, P, _), T = P.", [(WrongType, 0, 32, "a number is compared with a symbol")],
     None),
    ("both in a negation", "mark(P, T) :- access(_, P, T), !believes(P, T).",
     [(WrongType, 0, 32, "T is a number, but column what of believes holds symbols")], None),
    ("mixed comparison", "mark(P, T) :- access(_, P, T), T != P.",
     [(WrongType, 0, 32, "a number is compared with a symbol")], None),
    ("mixed with a constant", 'mark(P, T) :- access(_, P, T), T != "noon".', [(WrongType, 0, 32, "is compared")], None),
    ("sorts go through =, either way", "believes(W, P) :- access(W, P, _), X > 3, U = X, V = U, Z = V, P = Z.",
     [(WrongType, 0, 36, "a symbol is compared with a number")], None),
    ("arithmetic on symbols", "mark(P, T) :- access(_, P, U), T = U + P.",
     [(WrongType, 0, 32, "+ needs numbers on both sides")], None),
    ("arithmetic inside arithmetic", "mark(P, T) :- access(_, P, U), T = 2 * (U - P).",
     [(WrongType, 0, 32, "- needs numbers on both sides")], None),
    ("min of symbols", "believes(W, W) :- access(W, _, _), N = min P : { access(W, P, _) }, N > 3.",
     [(WrongType, 0, 36, "min needs numbers, but it is given symbols")], None),
    ("sum of symbols", "count_of(W, N) :- access(W, _, _), N = sum P * 2 : { believes(W, P) }.",
     [(WrongType, 0, 36, "* needs numbers on both sides")], None),
    ("count is no symbol", "believes(W, N) :- access(W, _, _), N = count : { believes(W, P) }.",
     [(WrongType, 0, 1, "N is a number, but column what of believes holds symbols")], None),
    ("result bound to a symbol", "believes(W, N) :- believes(W, N), N = count : { access(W, P, T) }.",
     [(WrongType, 0, 35, "N is a symbol, but count gives a number")], None),
    ("mixed inside an aggregate", "mark(P, T) :- access(_, P, _), T = min U : { mark(P, U), U = P }.",
     [(WrongType, 0, 58, "a number is compared with a symbol")], None),
    # safety
    ("unbound in the head", "believes(W, P) :- access(W, _, _).",
     [(UnsafeRule, 0, 1, "P in the head is bound by nothing")], "use P in a condition without '!'"),
    ("variable in a fact", "mark(P, 3).", [(UnsafeRule, 0, 1, "P in the head is bound by nothing")], "use P"),
    ("_ in the head", "believes(W, _) :- access(W, _, _).", [(UnsafeRule, 0, 1, "_ stands in the head")], None),
    ("only negated", "believes(W, P) :- access(W, _, _), !believes(W, P).",
     [(UnsafeRule, 0, 36, "P is used in a negated condition but bound by nothing")], "use P"),
    ("only compared", "believes(W, P) :- access(W, P, _), T > 3.",
     [(UnsafeRule, 0, 36, "T is compared but bound by nothing")], "use T"),
    ("assigned from nothing", "mark(P, T) :- access(_, P, _), T = U.", [(UnsafeRule, 0, 32, "U is compared")], "use U"),
    ("assigned from itself", "mark(P, T) :- access(_, P, _), T = T + 1.", [(UnsafeRule, 0, 32, "T is compared")], "use"),
    ("equation to solve", "mark(P, T) :- access(_, P, U), T + 1 = U.", [(UnsafeRule, 0, 32, "T is compared")], "use T"),
    ("group bound only inside", "count_of(W, N) :- N = count : { believes(W, P) }.",
     [(UnsafeRule, 0, 19, "W is used outside the aggregate but bound only inside it")], "outside any aggregate"),
    ("aggregates waiting for each other", "mark(P, A) :- access(_, P, _), A = min T : { mark(P, T), T > B },"
     " B = min U : { mark(P, U), U > A }.",
     [(UnsafeRule, 0, 32, "B is used outside the aggregate"), (UnsafeRule, 0, 67, "A is used outside")], "use B"),
    ("unbound inside", "count_of(W, N) :- access(W, _, _), N = count : { believes(W, P), P != Q }.",
     [(UnsafeRule, 0, 66, "Q is compared but bound by nothing")], "use Q"),
    ("unbound target", "mark(W, N) :- access(W, _, _), N = min T : { believes(W, P) }.",
     [(UnsafeRule, 0, 32, "T is aggregated but bound by nothing")], "use T"),
    # aggregates
    ("nothing to count", "count_of(W, N) :- access(W, P, _), N = count : { believes(W, P) }.",
     [(RuleError, 0, 36, "count has nothing of its own to range over, only W, P")], "a plain condition"),
    # sentences and on demand
    ("unknown placeholder", "//> {W} holds {Q}\nbelieves(W, P) :- access(W, P, _).",
     [(RuleError, 1, 1, "{Q} in the sentence is no variable of the rule")], "its variables are W, P"),
    ("placeholder from inside", "//> {W} has {U}\ncount_of(W, N) :- access(W, _, _), N = max U : { access(W, _, U) }.",
     [(RuleError, 1, 1, "{U} in the sentence")], "its variables are W, N"),
    ("placeholder of a fact", '//> {W} it is\nmark("key", 1).', [(RuleError, 1, 1, "{W}")], "no variables"),
    ("unknown column in an absence", "//@ absent: {who} has no {thing}\n.decl lacks(who:symbol, what:symbol)",
     [(RuleError, 1, 7, "{thing} in //@ absent is no column of lacks")], "its columns are who, what"),
    ("variable in an absence", "//@ quiet\n//@ absent: {W} has none\n.decl lacks(who:symbol)",
     [(RuleError, 2, 7, "{W} in //@ absent")], "its columns are who"),
    ("depends on demand", "believes(W, P) :- access(W, P, _), !nested(W, P).",
     [(RuleError, 0, 36, "believes would need all of nested, which is on demand")], "make believes on demand too"),
    ("several at once", "believes(W, Q) :- access(W, P, _), W < 3.\nmark(P, T) :- access(_, P, _), T > U.",
     [(WrongType, 0, 36, "is compared with"), (UnsafeRule, 0, 1, "Q in the head"),
      (UnsafeRule, 1, 32, "T is compared"), (UnsafeRule, 1, 32, "U is compared")], None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "advice"), [pytest.param(*row[1:], id=row[0]) for row in BAD])
def test_refused(text: str, expected: list[tuple[type, int, int, str]], advice: str | None) -> None:
    problems = found(text)

    assert [(type(one), one.place.line - FIRST, one.place.column) for one in problems] == [
        (kind, line, column) for kind, line, column, _ in expected
    ]
    assert all(one.place.file == "story.dl" for one in problems)
    for one, (*_, words) in zip(problems, expected, strict=True):
        assert words in one.what
    assert (advice in (problems[0].fix or "")) if advice else problems[0].fix is None


def test_relations_are_declared_once_across_files() -> None:
    first, second = parse(".decl a(x:symbol)", "one.dl"), parse(".decl a(x:symbol)", "two.dl")

    (problem,) = source_problems([first, second])

    assert str(problem) == "two.dl:1:7: a is declared twice, first at one.dl:1:7"


def test_two_texts_without_a_name_are_still_two() -> None:
    texts = [parse(".decl a(x:symbol)"), parse(".decl a(x:symbol)")]
    assert len(list(source_problems(texts))) == 1
