"""The lists of small words: asked for by name, whole in the tables, and nowhere in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.extract.embedded.english import FOLDER, LANGUAGE
from narraworld.extract.embedded.lexicon.function_words import pattern, patterns, wordmap, wordrow, wordset

ASKING = {"wordset", "wordmap", "wordrow", "pattern", "patterns"}
MODULES = [file for file in FOLDER.parent.rglob("*.py") if file.parent != FOLDER]
# What may stand side by side in Python: names of kinds, roles, realis, relations of the grammar, properties of records.
OURS = frozenset(
    word
    for line in (
        "character place object group unknown noun name names pronoun unbound actual negated hypothetical future habitual dreamed",
        "male female thing several same maybe different us me who other number owner here there sky light morning later working",
        "root conj xcomp ccomp advcl acl relative parataxis nsubj csubj obj iobj obl nmod det amod nummod compound flat case mark cop",
        "aux fixed cc advmod discourse expl vocative dislocated dep punct curly straight",
        "agent patient recipient origin destination addressee instrument companion with beside speaker speech mind intend",
        "enters leaves present asleep awake away condition location possession kinship promises asks resolved abandoned",
        "knows believes doubts disbelieves where holder threads kin said read partly unread unresolved unit sentence clause closing",
        "known happening dreaming alone watching adjectives movements conditions adverbs ignorance pledged certainty",
        "person animal vehicle food plant substance nature abstract deed time amount body",
        "subject oblique joined nominative objective possessive reflexive",
        "farther latest votes parallel owned speaks likely chain bias all",
        "always encoder leaving coming lines others talk",
        "either passive earlier seeming turned announcing copular realis kind manner movement mode relation status attitude truth valence requires at",
    )
    for word in line.split()
)


def _displays(tree: ast.AST) -> Iterator[list[str]]:
    """The texts of each list, set, tuple or dictionary that is written out, `__all__` aside."""
    exported = [node.value for node in ast.walk(tree) if isinstance(node, ast.Assign) and _is_all(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Set | ast.List | ast.Tuple) and node not in exported:
            yield [
                part.value
                for part in node.elts
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
        elif isinstance(node, ast.Dict):
            yield [
                part.value
                for part in node.keys
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]


def _is_all(node: ast.Assign) -> bool:
    return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"


@pytest.mark.parametrize("file", MODULES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_list_of_words_stands_in_python(file: Path) -> None:
    lists = [
        [text for text in texts if re.fullmatch("[a-z'’]+", text)]
        for texts in _displays(ast.parse(file.read_text("utf-8")))
    ]
    assert [words for words in lists if len(set(words) - OURS) > 1] == []


def test_every_list_is_asked_for_and_every_one_asked_for_is_there() -> None:
    asked = {
        part.value
        for file in MODULES
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ASKING
        for part in ast.walk(call.args[0])
        if isinstance(part, ast.Constant) and "." in str(part.value)
    }
    there = {
        f"{section}.{name}"
        for table in ("grammar", "parser_input", "patterns")
        for section, lists in LANGUAGE.table(table).items()
        for name in lists
    } | {f"small.{name}" for name in LANGUAGE.table("function_words")}
    parts = {name for name in there - asked if _inner(name)}
    assert (asked - there, there - asked - parts) == (set(), set())


def _inner(name: str) -> bool:
    """Whether a pattern is only a part of others."""
    section, _, part = name.partition(".")
    said = LANGUAGE.table("patterns").get(section, {}).values()
    return any(f"{{{part}}}" in str(shape) for shape in said)


def test_a_list_is_a_set_a_row_or_a_map() -> None:
    assert wordset("pronouns.reflexive") == {"himself", "herself"}
    assert wordrow("endings.self") == ("self", "selves")
    assert wordmap("pronouns.gender")["hers"] == "female"


def test_a_pattern_is_put_together_from_its_parts() -> None:
    assert pattern("number.numeral").fullmatch("Twenty-two")
    assert [shape.search("Strider, whose real name was Aragorn") is not None for shape in patterns("identity.same")] == [
        True, False, False, False,
    ]  # fmt: skip
