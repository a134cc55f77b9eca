"""What keeps the embedded reader in order: each module has a test, a clause gets its realis in one place, and nobody changes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from parses import parsed

from narraworld.extract.embedded.english import FOLDER
from narraworld.extract.embedded.grammar.clauses import clauses

READER = FOLDER.parent
TESTS = Path(__file__).parents[2]
ROOT = "narraworld.extract.embedded"


def _modules() -> Iterator[tuple[str, Path]]:
    for file in sorted(READER.rglob("*.py")):
        if file.name != "__init__.py":
            yield ".".join([ROOT, *file.relative_to(READER).with_suffix("").parts]), file


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ROOT):
            yield str(node.module)
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_every_module_is_imported_by_a_test() -> None:
    imported = {name for file in TESTS.rglob("*.py") for name in _imported(file)}
    assert [name for name, _ in _modules() if name not in imported] == []


def _gives_realis(node: ast.AST) -> bool:
    """`clause.realis = …`, `Clause(…, realis=…)`, `replace(clause, realis=…)`; an event's realis is the clause's."""
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Attribute) and target.attr == "realis" for target in node.targets)
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return called in {"Clause", "replace"} and any(
        word.arg == "realis" for word in getattr(node, "keywords", ())
    )


def test_a_clause_gets_its_realis_in_one_place() -> None:
    writers = [
        name
        for name, file in _modules()
        if any(map(_gives_realis, ast.walk(ast.parse(file.read_text("utf-8")))))
    ]
    assert writers == [f"{ROOT}.grammar.realis"]


def test_nobody_changes_a_clause() -> None:
    [clause] = clauses(parsed("Leo left."))
    with pytest.raises(FrozenInstanceError):
        clause.realis = "dreamed"  # type: ignore[misc]
