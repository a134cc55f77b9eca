"""`narraworld skill --into DIR`: a small folder that teaches an agent when and how to use the commands. Copies, nothing else."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import AsJson, echo, print_json

__all__ = ["register"]

NAME = "narraworld"


def register(app: typer.Typer) -> None:
    app.command()(skill)


def skill(
    into: Annotated[Path, typer.Option("--into", help="Where your agent looks for skills.")],
    force: Annotated[bool, typer.Option("--force", help="Write over an older one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a skill for agents.   narraworld skill --into .claude/skills"""
    target = into / NAME
    if target.exists() and not force:
        raise NarraWorldError("is there already", where=str(target), fix="say --force to write over it")
    with as_file(files("narraworld") / "skill") as source:
        shutil.copytree(source, target, dirs_exist_ok=True)
    wrote = target / "SKILL.md"
    if as_json:
        print_json({"file": str(wrote)})
    else:
        echo(f"wrote {wrote}")
