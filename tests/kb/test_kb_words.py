"""The table of English words: every list is asked for, and every one asked for is there."""

from __future__ import annotations

import ast
import tomllib

from places import ROOT

from narraworld.kb.english import wordmap, wordrow, wordset
from narraworld.kb.numbers import number_in, whole_number

ASKING = {"wordset", "wordmap", "wordrow"}
ROOMS = ("kb", "extract/model", "extract/sources", "query")


def asked() -> set[str]:
    return {
        str(part.value)
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ASKING
        for part in call.args
        if isinstance(part, ast.Constant)
    }


def test_every_list_is_asked_for_and_every_one_asked_for_is_there() -> None:
    table = tomllib.loads((ROOT / "kb" / "english" / "words.toml").read_text("utf-8"))

    assert asked() == {f"{section}.{name}" for section, lists in table.items() for name in lists}


def test_a_list_is_a_set_a_row_or_words_with_a_meaning() -> None:
    assert "captain" in wordset("names.titles")
    assert wordrow("numbers.ones")[:3] == ("zero", "one", "two")
    assert wordmap("headings.short")["volume"] == "vol"
    assert wordmap("time.direction")["hence"] == "later"


def test_a_raised_figure_is_no_number() -> None:
    assert (whole_number(["²"]), number_in("²")) == (None, None)
    assert whole_number(["two", "hundred", "and", "12"]) == 212
