"""Tables beside a rule file: what is read, what is refused and in which line, and rows of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines_under_test import every_engine

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Atom, Row, Var
from narraworld.rules.language.program import load_program, problems

DECLARED = ".decl seen(who:symbol, day:number)\n"


def rows_of(folder: Path, text: str, tables: dict[str, str]) -> list[Row]:
    """The rows of `seen` that every engine finds."""
    for name, table in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(table, encoding="utf-8")
    file = folder / "mine.dl"
    file.write_text(DECLARED + text, encoding="utf-8")
    program = load_program([file])
    goal = Atom("seen", (Var("W"), Var("D")))
    found = {tuple(engine.ask(goal)) for _, engine in every_engine(program, {})}
    assert len(found) == 1
    return list(*found)


TABLES = [
    ("tabs", ".input seen", {"seen.facts": "leo\t1\nmara\t-2\n"}, [("leo", 1), ("mara", -2)]),
    ("no table, no rows", ".input seen", {}, []),
    ("commas", '.input seen(IO=file, filename="s.csv", delimiter=",")', {"s.csv": "leo,1\r\nmara,0x10"}, [("leo", 1), ("mara", 16)]),
    ("a folder below", '.input seen(filename="data/s.tsv")', {"data/s.tsv": "a b\t3\n"}, [("a b", 3)]),
    ("quoted, with a head", '.input seen(filename="s.csv", rfc4180=true, headers=true)',
     {"s.csv": 'who,day\n"leo, the ""fox""",7\n'}, [('leo, the "fox"', 7)]),
    ("own rows besides", '.input seen\nseen("zoe", 9).\nseen(W, D + 1) :- seen(W, D), D < 2.', {"seen.facts": "leo\t1\n"},
     [("leo", 1), ("leo", 2), ("zoe", 9)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tables", "rows"), [pytest.param(*row[1:], id=row[0]) for row in TABLES])
def test_read(tmp_path: Path, text: str, tables: dict[str, str], rows: list[Row]) -> None:
    assert rows_of(tmp_path, text, tables) == rows


REFUSED = [
    ("not there", '.input seen(filename="gone.csv")', "", "gone.csv:1:1: this table cannot be read: No such file"),
    ("outside", '.input seen(filename="../s.csv")', "", "mine.dl:2:1: ../s.csv lies outside the folder"),
    ("elsewhere", '.input seen(filename="/etc/passwd")', "", "/etc/passwd lies outside the folder"),
    ("a word for a number", ".input seen", "leo\t1\nmara\tnoon\n", "seen.facts:2:1: 'noon' is no number, but column day"),
    ("too few", ".input seen", "leo\t1\n\n", "seen.facts:2:1: 1 values where 2 are wanted"),
    ("too large", ".input seen", "leo\t9223372036854775808\n", "seen.facts:1:1: 9223372036854775808 does not fit"),
    ("a database", '.input seen(IO=sqlite, filename="seen.facts")', "", "seen cannot be read with IO=sqlite"),
    ("unknown parameter", '.input seen(filename="seen.facts", colour=red)', "", "seen cannot be read with colour"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "table", "words"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_refused(tmp_path: Path, text: str, table: str, words: str) -> None:
    with pytest.raises(RuleError) as caught:
        rows_of(tmp_path, text, {"seen.facts": table})
    assert words in str(caught.value)
    (told,) = problems([tmp_path / "mine.dl"])
    assert words in str(told)


def test_rows_for_what_is_given_elsewhere_need_a_word(tmp_path: Path) -> None:
    base, mine = tmp_path / "base.dl", tmp_path / "mine.dl"
    base.write_text(
        "//@ from nw:Event: id\n.decl happened(e:symbol)\n.input happened\n.decl twice(e:symbol)\ntwice(E) :- happened(E)."
    )
    mine.write_text('happened("dream").')
    with pytest.raises(RuleError, match=r"mine\.dl:1:1: happened is given, no rule may add to it"):
        load_program([base, mine])

    mine.write_text(
        '.extend happened\nhappened("dream").\nhappened(cat2) :- happened(E), E = "walk", cat2 = "step".'
    )
    program = load_program([base, mine])
    for name, engine in every_engine(program, {"happened": [("walk",)]}):
        assert engine.ask(Atom("twice", (Var("E"),))) == [("dream",), ("step",), ("walk",)], name
    assert program.relations["happened__given"].bindings == ("nw:Event: id",)
