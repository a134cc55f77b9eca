"""A story's export as a rule program: our own parser reads the same program from it, and clingo derives the same rows."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from asp_programs import derived_by_clingo

from narraworld.reading.stories import read_bundled
from narraworld.rules.engines.sql.writer import reads, stored
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Atom, Facts, Program, Row, Rule, Var
from narraworld.rules.language.program import RuleBook, load_program
from narraworld.rules.language.souffle import RESERVED, rule_text
from narraworld.rules.language.surface.syntax import parse
from narraworld.world import World

STORIES = ("key", "fox", "lamp", "gate", "broken", "mended", "crossing/chapters")
WIDTH = 2**31  # clingo counts in 32 bits


def safe(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def texts(rules: Iterable[Rule]) -> list[str]:
    """Rules as they read, with the names that Soufflé leaves us."""
    found = []
    for rule in rules:
        text = rule_text(rule)
        for name in RESERVED:
            text = text.replace(f" {name}(", f" {name}_(").replace(f"!{name}(", f"!{name}_(")
            text = f"{name}_({text.removeprefix(f'{name}(')}" if text.startswith(f"{name}(") else text
        found.append(text)
    return found


@pytest.fixture(scope="module", params=STORIES)
def story(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RuleBook, RuleBook]:
    """The program of a world that holds a story, and the program that its export is read back as."""
    folder = tmp_path_factory.mktemp("story")
    with closing(World.open(folder / "world", create=True)) as world:
        read_bundled(world.story, request.param)
        world.export(folder / "world.dl")
        return world.story.frame.program, load_program(
            [parse(Path(folder / "world.dl").read_text(), "world.dl")]
        )


@pytest.mark.slow
def test_it_is_read_back_as_the_same_program(story: tuple[RuleBook, RuleBook]) -> None:
    program, back = story
    assert texts(back.rules) == texts(program.rules)
    assert sorted(back.relations) == sorted(map(safe, program.relations))
    assert sorted(back.base()) == sorted(map(safe, program.base()))
    assert back.given, "its facts came along"


def within_32_bits(program: Program, rows: Facts) -> set[str]:
    """The relations whose rows, and those of everything they rest on, clingo can hold."""
    kept = {name for name in stored(program) if all(_fits(row) for row in rows[name])}
    while narrower := {name for name in kept if any(reads(rule) - kept for rule in program.rules_for(name))}:
        kept -= narrower
    return kept


def _fits(row: Row) -> bool:
    return all(isinstance(value, str) or -WIDTH <= value < WIDTH for value in row)


@pytest.mark.slow
def test_clingo_derives_the_same_from_it(story: tuple[RuleBook, RuleBook]) -> None:
    _, back = story
    with closing(SqliteEngine(back)) as engine:
        engine.load({})
        rows = {
            name: engine.ask(Atom(name, tuple(Var(f"V{i}") for i in range(back.relations[name].arity))))
            for name in stored(back)
        }
    names = within_32_bits(back, rows)
    found = derived_by_clingo(back, back.given, names)

    assert len(names) > 50
    assert {name: found[name] for name in names} == {name: set(rows[name]) for name in names}
