"""A walk over the table of respects: each row is offered, read by its check, worded both ways, reached by its example, and printed.

Each of the five is asked of the thing itself (the prompt, the rules, the sentence, the normal form, the page), and each can fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from narraworld.extract.model.prompts.templates import load, prompt_names
from narraworld.kb.normal import Normaliser
from narraworld.kb.propositions import Statement
from narraworld.kb.wording import Wording
from narraworld.ontology.deeds import deeds
from narraworld.ontology.reference_page import reference_page
from narraworld.ontology.respects import BY_HAND, CHECKLESS, Respect, Respects, respects
from narraworld.rules.language.cards import card_texts
from narraworld.rules.language.ir import Atom, Compare, Const, Literal, Not, Rule
from narraworld.rules.language.program import load_builtin

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "vocabulary.md"
IN_WORDS = {"claim", "free", "person", "place", "thing", "entity", "kin"}  # has no normal form of its own
BY_TABLE = {"watched", "kin_word"}  # relations by which a check reads rows that it does not name


# -- is it so of a row, in a table?


def offered(row: Respect, table: Respects) -> bool:
    """Every prompt that it names says it, or one of its family."""
    if row.stage == BY_HAND:
        return True
    names = {row.name, row.label, *(one.name for one in table.rows.values() if row.word and one.word)}
    stages = row.stage.split(", ")
    return set(stages) <= set(prompt_names()) and all(
        any(name in load(stage, table).system for name in names) for stage in stages
    )


def read(row: Respect, table: Respects) -> bool:
    """Its check compares it, and it can be asked for from both sides."""
    asked = all(re.search(rf"{{(\w+:)?{who}", text) for who, text in zip("SO", row.asks, strict=True))
    if row.check == CHECKLESS:
        return asked
    names, relations = _looks_at(row.check)
    by_name = any(name == row.name or name.startswith(f"{row.name}-of-") for name in names)
    return asked and row.check in card_texts() and (by_name or bool(BY_TABLE & relations))


def worded(row: Respect, table: Respects) -> bool:
    """Yes and no are two sentences of its own, and both say what it is about."""
    wording = Wording(str, table)
    said, denied = (wording(Statement("Ida", row.name, value="V", negative=no)) for no in (False, True))
    return said != denied and "V" in said and "V" in denied and "not so that" not in denied


def reached(row: Respect, table: Respects) -> bool:
    """Its example comes down to it, and so does each of its names; what is told in words has only names."""
    names = all(table.named(name) is row for name in (row.name, row.label))
    said = {pair.respect for pair in Normaliser(table).pairs(row.name, row.example)}
    return names and (row.value in IN_WORDS or row.name in said)


def printed(row: Respect, table: Respects) -> bool:
    page = PAGE.read_text(encoding="utf-8")
    return any(line in page for line in reference_page(table).splitlines() if f"| `{row.name}` |" in line)


ASKED: Mapping[str, Callable[[Respect, Respects], bool]] = {
    one.__name__: one for one in (offered, read, worded, reached, printed)
}


@cache
def _looks_at(check: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words and the relations that the rules of a check meet, however far down."""
    waiting = [rule for rule in _rules("finding") if _is_word(rule.head.args[0], check)]
    words, relations = set[str](), set[str]()
    while waiting:
        rule = waiting.pop()
        words.update(_words(rule))
        fresh = {atom.relation for atom in _atoms(rule.body)} - relations
        relations |= fresh
        waiting += [one for relation in fresh for one in _rules(relation)]
    return frozenset(words), frozenset(relations)


def _atoms(body: tuple[Literal, ...]) -> list[Atom]:
    return [one.atom if isinstance(one, Not) else one for one in body if isinstance(one, Atom | Not)]


def _words(rule: Rule) -> Iterator[str]:
    terms = [term for atom in (rule.head, *_atoms(rule.body)) for term in atom.args]
    terms += [term for one in rule.body if isinstance(one, Compare) for term in (one.left, one.right)]
    yield from (str(term.value) for term in terms if isinstance(term, Const))


def _is_word(term: object, word: str) -> bool:
    return isinstance(term, Const) and term.value == word


@cache
def _rules(relation: str) -> tuple[Rule, ...]:
    book = load_builtin(sorted((ROOT / "rules" / "checks").glob("*.dl")))
    return tuple(book.rules_for(relation))


# -- the walk


@pytest.mark.parametrize("row", respects().rows.values(), ids=lambda row: row.name)
def test_every_respect_is_offered_read_worded_reached_and_printed(row: Respect) -> None:
    assert [name for name, so in ASKED.items() if not so(row, respects())] == []


@pytest.mark.parametrize(
    ("fault", "fields"),
    [
        ("offered", {"stage": "entities"}),  # whose prompt lists no respects
        ("offered", {"stage": "evnets"}),
        ("read", {"check": "NW101"}),  # which looks at other things
        ("read", {"check": "NW999"}),
        ("read", {"check": CHECKLESS, "asks": ("what is it", "what is it")}),
        ("worded", {"no": "{S} is {O}"}),
        ("worded", {"no": "{S} is not"}),
        ("reached", {"example": "seven leagues"}),
        ("printed", {"means": "", "yes": "{S} counts as {O}"}),
    ],
)
def test_each_of_the_five_can_fail(fault: str, fields: dict[str, object]) -> None:
    table = respects()
    broken = replace(table.rows["height"], **fields)  # type: ignore[arg-type]
    torn = replace(table, rows={**table.rows, "height": broken})

    assert fault in [name for name, so in ASKED.items() if not so(broken, torn)]


def test_the_reference_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(respects())


def test_deeds_speak_of_respects_and_of_roles() -> None:
    roles = {"agent", "patient", "recipient", "origin", "destination", "instrument", "place"}
    patterns = [one.removeprefix("not.") for deed in deeds().values() for one in (*deed.changes, *deed.needs)]

    assert {one.partition(".")[0] for one in patterns} <= roles
    assert {role for deed in deeds().values() for role in deed.learns} <= roles
    assert {one.partition(".")[2].replace(":", ".").partition(".")[0] for one in patterns} <= set(
        respects().rows
    )
