"""Rule stories: one rule file, what it is given, what follows.

    tests/rules/cases/<rule file>/<story>/given.dl     facts for any relation the file does not define itself
    tests/rules/cases/<rule file>/<story>/expect.dl    every row of each relation named; `// none: r, s` means empty

A file is tested alone: relations of other files are simply given, so a story is small and dies for one reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from narraworld.rules.ir import Const, Program, Relation, Row
from narraworld.rules.program import BUILT_IN, load_builtin, load_program
from narraworld.rules.syntax import Clause, Directive, Source, parse

CASES = Path(__file__).parent / "cases"
_NONE = re.compile(r"^// none: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Story:
    """One case folder, read."""

    file: str
    name: str
    given: dict[str, frozenset[Row]]
    expected: dict[str, frozenset[Row]]

    def __str__(self) -> str:
        return f"{self.file}/{self.name}"


def rule_files() -> list[str]:
    """Shipped files that have rules (the base files only declare)."""
    return [name for name in BUILT_IN if not name.startswith("base")]


@cache
def stories(file: str) -> tuple[Story, ...]:
    folders = sorted(path for path in (CASES / file).iterdir() if path.is_dir())
    return tuple(_story(file, folder) for folder in folders)


def _story(file: str, folder: Path) -> Story:
    expected = (folder / "expect.dl").read_text()
    wanted = _facts(expected)
    for line in _NONE.findall(expected):
        wanted |= {name.strip(): frozenset() for name in line.split(",")}
    return Story(file, folder.name, _facts((folder / "given.dl").read_text()), wanted)


def _facts(text: str) -> dict[str, frozenset[Row]]:
    found: dict[str, set[Row]] = {}
    for rule in parse(text).rules:
        assert not rule.body, "a story gives facts, not rules"
        values = tuple(term.value for term in rule.head.args if isinstance(term, Const))
        assert len(values) == len(rule.head.args), f"not a fact: {rule.head}"
        found.setdefault(rule.head.relation, set()).add(values)
    return {name: frozenset(rows) for name, rows in found.items()}


@cache
def alone(file: str, without: int | None = None) -> Program:
    """The program of one file, all other relations given; ``without`` leaves out one rule."""
    sources = {Path(source.file).stem: source for source in load_builtin().sources}
    source = sources[file]
    defined = {rule.head.relation for rule in source.rules}
    if without is not None:
        source = _without(source, without)
    others = [
        relation for other in sources.values() for relation in other.relations if relation.name not in defined
    ]
    own = tuple(
        part for part in source.statements if not (isinstance(part, Relation) and part.name not in defined)
    )
    told = [replace(relation, on_demand=False, bindings=()) for relation in others]
    inputs = [Directive("input", relation.name, relation.place) for relation in told]
    given = Source("given", "", (*told, *inputs))
    return load_program([given, replace(source, statements=own)])


def _without(source: Source, index: int) -> Source:
    clauses = [part for part in source.statements if isinstance(part, Clause)]
    kept = tuple(part for part in source.statements if part is not clauses[index])
    return replace(source, statements=kept)


def rule_count(file: str) -> int:
    sources = {Path(source.file).stem: source for source in load_builtin().sources}
    return len(sources[file].clauses)
