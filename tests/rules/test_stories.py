"""Every rule file tells stories; every engine agrees; every rule has a story that dies with it."""

from __future__ import annotations

import pytest
from engines_under_test import every_engine
from oracle import derive
from story_cases import CASES, Story, alone, rule_count, rule_files, stories

from narraworld.rules.ir import Atom, Var

ALL = [story for file in rule_files() for story in stories(file)]


def test_every_rule_file_has_stories() -> None:
    assert {path.name for path in CASES.iterdir()} == set(rule_files())


@pytest.mark.parametrize("story", ALL, ids=str)
def test_story(story: Story) -> None:
    derived = derive(alone(story.file), story.given)

    assert {name: frozenset(derived.get(name, ())) for name in story.expected} == story.expected


@pytest.mark.parametrize("story", ALL, ids=str)
def test_every_engine_tells_the_same_story(story: Story) -> None:
    program = alone(story.file)
    for name, engine in every_engine(program, story.given):
        for relation, expected in story.expected.items():
            columns = tuple(Var(f"V{i}") for i in range(program.relations[relation].arity))
            assert frozenset(engine.ask(Atom(relation, columns))) == expected, f"{name}: {relation}"


@pytest.mark.parametrize("file", rule_files())
def test_every_rule_has_a_story_that_dies_with_it(file: str) -> None:
    unmissed = [index for index in range(rule_count(file)) if not _missed(file, index)]

    assert [str(load_rule(file, index)) for index in unmissed] == []


def _missed(file: str, index: int) -> bool:
    """Whether some story of the file changes when the rule is left out."""
    program = alone(file, without=index)
    for story in stories(file):
        derived = derive(program, story.given)
        if any(frozenset(derived.get(name, ())) != rows for name, rows in story.expected.items()):
            return True
    return False


def load_rule(file: str, index: int) -> str:
    from narraworld.rules.program import load_builtin

    source = next(source for source in load_builtin().sources if source.file.endswith(f"{file}.dl"))
    return str(source.rules[index].place)
