"""What every story of a corpus shares: the shipped rules and checks, their settings, and the lifted base relations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from narraworld.project.file import ProjectSettings
from narraworld.project.setup import frame_of
from narraworld.rules.language.cards import check_files
from narraworld.rules.language.ir import Program
from narraworld.rules.language.lifting import lift
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.cut import same_for_all
from narraworld.rules.living.living_world import WorldSetup

__all__ = ["base_program", "checking_setup", "corpus_setup"]


def corpus_setup(rules: Iterable[Path] = ()) -> WorldSetup:
    """The shipped rules, and further ones about each story."""
    return _setup(tuple(rules))


def checking_setup(rules: Iterable[Path] = ()) -> WorldSetup:
    """… with the shipped checks among them, which also conclude more than a plain answer should."""
    return _setup((*check_files(), *rules))


@cache
def _setup(rules: tuple[Path, ...]) -> WorldSetup:
    return frame_of(ProjectSettings(), load_builtin(rules))


@cache
def base_program() -> Program:
    """The lifted shipped program: what the Parquet files of a bucket look like."""
    program = checking_setup().program
    return lift(program, same_for_all(program))
