"""The table of English words: every list is asked for, and every one asked for is there."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest
from places import ROOT

from narraworld.kb.english import either, usual_calendar, wordmap, wordrow, wordset
from narraworld.kb.numbers import decade, number_in, whole_number

ASKING = {"either", "wordset", "wordmap", "wordrow"}
ROOMS = ("kb", "extract/model", "extract/sources", "query", "src")


HOUSE = ("ontology", "kb", "rules", "extract", "query", "src")
# fields, columns and codes of our own that happen to be small words
CODES = [
    {"one", "many", "life"}, {"means", "yes", "no"}, {"before", "after", "during", "sameTime"}, {"one", "other", "reason"}, {"what", "who", "state"},
    {"", "yes", "no"}, {"who", "words", "how"}, {"at", "told", "as"}, {"what", "who", "state", "where"}, {"who", "about", "limit"},
    {"at", "told", "chapter", "unit", "from", "to"},
]  # fmt: skip
_ALTERNATIVES = re.compile(r"(?:[a-z' ]+\|){3,}[a-z' ]+")


def literal_words(text: str) -> Iterator[list[str]]:
    """The literal collections of a module, keys of mappings and alternatives of patterns among them, from three words on."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (found.split("|") for found in _ALTERNATIVES.findall(node.value))
        said = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else getattr(node, "keys", [])
        words = [
            part.value for part in said if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        if len(words) > 2:
            yield words


def word_lists(text: str) -> list[list[str]]:
    """Those of which two in three are small words of English."""
    tables = ROOT / "extract/embedded/english/tables/function_words.toml"
    small = set(tomllib.loads(tables.read_text("utf-8"))["function_words"].split()) | wordset("time.vague")
    return [
        words
        for words in literal_words(text)
        if 3 * sum(word.strip().lower() in small for word in words) >= 2 * len(words)
        and set(words) not in CODES
    ]


def modules() -> list[str]:
    return [str(path.relative_to(ROOT)) for room in HOUSE for path in sorted((ROOT / room).rglob("*.py"))]


def test_no_module_has_a_list_of_words() -> None:
    found = {name: lists for name in modules() if (lists := word_lists((ROOT / name).read_text("utf-8")))}

    assert found == {}


@pytest.mark.parametrize(
    "text",
    ['SMALL = frozenset({"the", "a", "of"})', 'X = {"is": 1, "was": 2, "are": 3}', 'P = r"\\b(?:who|whom|what|which)\\b"'],
)  # fmt: skip
def test_a_list_of_words_would_be_found(text: str) -> None:
    assert len(word_lists(text)) == 1


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


def test_a_list_as_alternatives_and_the_calendar_that_needs_none_of_an_author() -> None:
    assert either("verbs.be") == "is|are|was|were"
    assert usual_calendar()["months"][1] == {"name": "February", "days": 28}


def test_a_part_of_ten_years_stays_within_them() -> None:
    assert [decade(f"in her {part}teens") for part in ("", "early ", "mid-", "late ")] == [
        (13, 19), (13, 17), (16, 19), (18, 19),
    ]  # fmt: skip


def test_a_raised_figure_is_no_number() -> None:
    assert (whole_number(["²"]), number_in("²")) == (None, None)
    assert whole_number(["two", "hundred", "and", "12"]) == 212
