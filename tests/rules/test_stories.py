"""Every rule file tells stories; every engine agrees; every rule has a story that dies with it."""

from __future__ import annotations

from functools import lru_cache

import pytest
from engines_under_test import every_engine
from oracle import derive, reads
from story_cases import CASES, Story, alone, rule_files, rules_of, stories, weakened, without

from narraworld.rules.language.ir import Atom, Program, Row, Var

SPOKEN = ("status without turn(D, _, W, T)",)  # follows from the rest, but a proof should name the step
ALL = [story for file in rule_files() for story in stories(file)]


def test_every_rule_file_has_stories() -> None:
    told = {str(path.parent.parent.relative_to(CASES)) for path in CASES.glob("**/given.dl")}
    assert told == set(rule_files())


@pytest.mark.parametrize("story", ALL, ids=str)
def test_story(story: Story) -> None:
    assert story.prose.startswith("// "), "a story begins with the prose it stands for"
    assert _told(alone(story.file), story) == story.expected


@pytest.mark.parametrize("story", ALL, ids=str)
def test_every_engine_tells_the_same_story(story: Story) -> None:
    program = alone(story.file)
    for name, engine in every_engine(program, story.given):
        for relation, expected in story.expected.items():
            columns = tuple(Var(f"V{i}") for i in range(program.relations[relation].arity))
            assert frozenset(engine.ask(Atom(relation, columns))) == expected, f"{name}: {relation}"


@pytest.mark.parametrize("file", rule_files())
def test_every_rule_has_a_story_that_dies_with_it(file: str) -> None:
    assert [str(rule.place) for rule in rules_of(file) if _unmissed(file, without(file, rule))] == []


@pytest.mark.parametrize("file", rule_files())
def test_every_condition_has_a_story_that_dies_without_it(file: str) -> None:
    idle = [change for change, program in weakened(file) if _unmissed(file, program)]

    assert [change for change in idle if not change.endswith(SPOKEN)] == []


def _unmissed(file: str, program: Program) -> bool:
    """Whether no story of the file is told differently by the program."""
    same = _untouched(program, alone(file))
    return all(_told(program, story, same) == story.expected for story in stories(file))


def _untouched(program: Program, whole: Program) -> frozenset[str]:
    """The relations that a changed program cannot derive otherwise: the same rules over relations untouched as well."""
    found = set(program.base())
    for stratum in program.strata:
        rules = [rule for name in stratum.relations for rule in program.rules_for(name)]
        before = [rule for name in stratum.relations for rule in whole.rules_for(name)]
        if rules == before and all(reads(rule) <= found | set(stratum.relations) for rule in rules):
            found |= set(stratum.relations)
    return frozenset(found - set(program.base()))


def _told(
    program: Program, story: Story, same: frozenset[str] = frozenset()
) -> dict[str, frozenset[tuple[str | int, ...]]]:
    """What the program derives of the relations that the story speaks of; of ``same`` what the whole file derives."""
    known = _derived(story.file)[story.name] if same else {}
    derived = derive(program, story.given, {name: known[name] for name in same})
    return {name: frozenset(derived[name]) for name in story.expected}


@lru_cache(maxsize=1)
def _derived(file: str) -> dict[str, dict[str, set[Row]]]:
    """Of each story of a file what the whole file derives."""
    return {story.name: derive(alone(file), story.given) for story in stories(file)}
