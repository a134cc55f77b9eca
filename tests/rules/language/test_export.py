"""What is exported for Soufflé is a program of our own as well, in its author's words."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from typing import Any

from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Atom, Rule, SourcePlace, Var
from narraworld.rules.language.program import RuleBook, load_program
from narraworld.rules.language.souffle import RESERVED, to_souffle
from narraworld.rules.language.surface.syntax import parse

WRITTEN = """\
.type Person <: symbol
.decl Meets(a:Person, b:Person)
.input Meets
.decl contains(a:Person, n:number) brie
.decl ok()
contains(x, 1 + count : Meets(x, _)) :- Meets(x, _) ; Meets(_, x).
contains(x, 0), ok() :- contains(x, -1), !(Meets(x, x), x = "mara"), "contains(x" != x. // an aside
"""


def placeless(thing: Any) -> Any:
    return (
        replace(thing, place=SourcePlace(), written=None)
        if isinstance(thing, Rule)
        else replace(thing, place=SourcePlace())
    )


def renamed(text: str) -> str:
    """With the names that Soufflé leaves us."""
    return re.sub(rf"(relation|name)='({'|'.join(RESERVED)})(?='|__)", r"\1='\2_", text)


def same_program(one: RuleBook, other: RuleBook) -> bool:
    relations = [[repr(placeless(one)) for one in book.relations.values()] for book in (one, other)]
    rules = [[repr(placeless(rule)) for rule in book.rules] for book in (one, other)]
    same_relations = sorted(map(renamed, relations[0])) == sorted(relations[1])
    return same_relations and [*map(renamed, rules[0])] == rules[1]


def test_the_authors_words_are_exported_and_read_back() -> None:
    program = load_program([parse(WRITTEN, "mine.dl")])
    text = to_souffle(program, {"Meets": [("leo", "mara")]})

    assert "contains_(x, 1 + count : Meets(x, _)) :- Meets(x, _) ; Meets(_, x).\n" in text
    assert (
        'contains_(x, 0), ok() :- contains_(x, -1), !(Meets(x, x), x = "mara"), "contains(x" != x.\n' in text
    )
    assert text.count("1 + count") == 1
    back = load_program([parse(text)])
    assert same_program(program, back)
    assert back.given == {"Meets": (("leo", "mara"),)}
    with closing(SqliteEngine(back)) as engine:
        engine.load({})
        assert engine.ask(Atom("contains_", (Var("X"), Var("N")))) == [("leo", 2), ("mara", 1)]
