"""Hints: what is probably not meant, each in one small program, and silence where all is well."""

from __future__ import annotations

import pytest

from narraworld.rules.language.hints import hints, never_silent
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

DECLARED = ".decl knows(a:symbol, b:symbol)\n.input knows\n.decl day(n:number)\n.input day\n.decl out(a:symbol)\n.output out\n"


def told(text: str) -> list[str]:
    """What is said of the text; that nothing fills what is declared before it goes without saying here."""
    found = [hint.what for hint in hints(load_program([parse(DECLARED + text, "mine.dl")]), {"mine.dl"})]
    unfilled = [
        f"{name} is an input that nothing fills, so it is always empty" for name in ("knows", "day", "at")
    ]
    assert set(unfilled[:2]) <= set(found)
    return [one for one in found if one not in unfilled]


HINTED = [
    ("nothing to say", "out(x) :- knows(x, _).", []),
    ("a symbol without quotes", "out(x) :- knows(x, leo).", ["leo stands once and means anything at all"]),
    ("twice is a join", "out(who) :- knows(who, other), knows(other, who).", []),
    ("multiplied", ".decl pair(a:symbol, n:number)\n.output pair\npair(x, n) :- knows(x, _), day(n).\nout(x) :- knows(x, _).",
     ["nothing ties x and n together: every row of one meets every row of the other"]),
    ("merely possible is not multiplied", "out(x) :- knows(x, _), day(_).", []),
    ("a place where a person is meant", ".type Person <: symbol\n.type Place <: symbol\n.decl at(a:Person, b:Place)\n.input at\n"
     "out(x) :- at(x, y), at(y, _).\n", ["y is a Place in at and a Person in at"]),
    ("one type includes the other", ".type Person <: symbol\n.type Thing = Person | Dog\n.type Dog <: symbol\n"
     ".decl at(a:Person, b:Thing)\n.input at\nout(x) :- at(x, y), at(y, _).\n", []),
    ("never true", 'out(x) :- knows(x, _), 1 > 2.', ["this condition is never true"]),
    ("never true of anything", "out(x) :- knows(x, _), x != x.", ["this condition is never true: both sides are the same"]),
    ("unread", ".decl lost(a:symbol)\nlost(x) :- knows(x, _).\nout(x) :- knows(x, _).", ["nothing reads lost"]),
    ("described, so meant to be asked", "/// lost: who is lost\n.decl lost(a:symbol)\nlost(x) :- knows(x, _).\nout(x) :- knows(x, _).", []),
    ("unfilled", ".decl empty(a:symbol)\nout(x) :- knows(x, _), !empty(x).", ["nothing ever puts a row into empty"]),
    ("endless", ".decl n(a:number)\n.output n\nn(1).\nn(x + 1) :- n(x).\nout(x) :- knows(x, _).",
     ["n makes new numbers out of its own and nothing stops it"]),
    ("bounded", ".decl n(a:number)\n.output n\nn(1).\nn(x + 1) :- n(x), x < 9.\nout(x) :- knows(x, _).", []),
    ("not followed, said once", '.printsize out\n.printsize knows\n.pragma "legacy"\nout(x) :- knows(x, _).',
     [".printsize is read and not followed", ".pragma is advice to Soufflé and not followed"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*row[1:], id=row[0]) for row in HINTED])
def test_hints(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def test_only_the_files_asked_about() -> None:
    book = load_program(
        [
            parse(DECLARED + "out(x) :- knows(x, leo).", "a.dl"),
            parse(".extend out\nout(x) :- knows(x, ben).", "b.dl"),
        ]
    )
    assert [str(hint) for hint in hints(book, {"b.dl"})] == [
        'b.dl:2:1: ben stands once and means anything at all\n  a symbol stands in quotes: "ben"; what nobody uses is written _'
    ]


def test_rows_for_a_relation_of_another_file_are_never_silent() -> None:
    there = parse(DECLARED + "out(x) :- knows(x, leo).", "a.dl")
    book = load_program([there, parse('out(x) :- knows(x, "ben").\nout(x) :- knows("ben", x).', "b.dl")])

    said = "b.dl:1:1: this adds to out, and so to every answer that rests on it"
    assert [str(hint).partition("\n")[0] for hint in never_silent(book, {"b.dl"})] == [said]
    assert said in [str(hint).partition("\n")[0] for hint in hints(book, {"b.dl"})]
    assert [hint for hint in never_silent(book, {"a.dl", "b.dl"}) if "adds to" in hint.what] == []


def test_whoever_says_extend_means_it() -> None:
    there = parse(DECLARED + "out(x) :- knows(x, leo).", "a.dl")
    book = load_program([there, parse('.extend out\nout(x) :- knows(x, "ben").', "b.dl")])

    assert never_silent(book, {"b.dl"}) == []
