"""Programs in people's words: read as the same program spelt out by hand, and answered alike by every engine.

2,000 programs, the same ones every time, many in one database; `NARRAWORLD_TEXTS=20000` runs that many instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from engines_under_test import ENGINES
from oracle import derive
from random_texts import twins

from narraworld.rules.language.ir import Atom, Program, Row, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

PROGRAMS = int(os.environ.get("NARRAWORLD_TEXTS", "2000"))
TOGETHER = 40  # programs in one database
SEED = 20261118
NAMES = ("Meets", "day", "Any", "out", "Other")
Rows = dict[str, set[Row]]


def together(which: range) -> tuple[Program, Program, dict[str, frozenset[Row]]]:
    """Many programs as one, in both spellings, kept apart by the names of their relations."""
    found = list(twins(SEED + which.start, len(which)))
    sugared = "\n".join(_renamed(one.sugared, number) for number, one in enumerate(found))
    plain = "\n".join(_renamed(one.plain, number) for number, one in enumerate(found))
    facts = {f"{name}{i}": frozenset(rows) for i, one in enumerate(found) for name, rows in one.facts.items()}
    return load_program([parse(sugared)]), load_program([parse(plain)]), facts


def _renamed(text: str, number: int) -> str:
    called = re.sub(rf"\b({'|'.join(NAMES)})\b(?=\(|\n)", rf"\g<1>{number}", text)
    return re.sub(r"\bPerson\b", f"Person{number}", called)


def shown(program: Program, rows: Rows) -> Rows:
    return {name: set(rows[name]) for name, one in program.relations.items() if not one.auxiliary}


BLOCKS = [range(start, min(start + TOGETHER, PROGRAMS)) for start in range(0, PROGRAMS, TOGETHER)]


def blocks() -> Iterator[object]:
    for number, block in enumerate(BLOCKS):
        marks = () if number == 0 else (pytest.mark.slow,)
        yield pytest.param(block, marks=marks, id=f"{block.start}-{block.stop}")


@pytest.mark.parametrize("which", list(blocks()))
def test_both_spellings_mean_the_same_on_every_engine(which: range) -> None:
    sugared, plain, facts = together(which)
    truth = shown(plain, derive(plain, facts))

    assert shown(sugared, derive(sugared, facts)) == truth
    for name, made in ENGINES.items():
        with closing(made(sugared, facts)) as engine:
            found = {
                relation: set(
                    engine.ask(
                        Atom(relation, tuple(Var(f"V{i}") for i in range(sugared.relations[relation].arity)))
                    )
                )
                for relation in truth
            }
        assert found == truth, name


def test_the_random_programs_use_every_new_form() -> None:
    text = "\n".join(one.sugared for one in twins(SEED, 200))
    forms = (";", "!(", "(day(n), (", "* 2 + 1", ", -n)", "count : Meets(_, n))", "1 < count", "max n :", "true", "false", "brie",
             "Any() :-", "day(n + 1)", "!day(n")  # fmt: skip
    assert [form for form in forms if form not in text] == []
