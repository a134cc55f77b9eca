"""The commands of what-ifs: begin, list, compare, forget. Each parses, calls one verb of `World`, prints."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from narraworld.commands.options import (
    AsJson,
    Eyes,
    Revision,
    Where,
    echo,
    open_world,
    print_json,
    print_lines,
    revision_of,
)

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    branches = typer.Typer(no_args_is_help=True, help="What-ifs that grow from the story and leave it alone.")
    branches.command("new")(new)
    branches.command("list")(show)
    branches.command("delete")(delete)
    branches.command("compare")(compare)
    app.add_typer(branches, name="branch")


def new(
    name: str,
    where: Where = Path(),
    parent: Annotated[str, typer.Option("--from")] = "main",
    revision: Revision = None,
    as_json: AsJson = False,
) -> None:
    """Begin a what-if.   narraworld branch new rescue --from main"""
    with open_world(where) as world:
        made = world.branch(name, parent=parent, revision=revision_of(revision))
    if as_json:
        print_json(asdict(made))
    else:
        echo(f"{made.name}  from {made.parent} r{made.revision}")


def show(where: Where = Path(), as_json: AsJson = False) -> None:
    """All what-ifs."""
    with open_world(where) as world:
        found = world.branches()
    if as_json:
        print_json([asdict(branch) for branch in found])
    else:
        print_lines(f"{branch.name}  from {branch.parent} r{branch.revision}" for branch in found)


def delete(name: str, where: Where = Path(), as_json: AsJson = False) -> None:
    """Forget a what-if; nothing of it stays."""
    with open_world(where) as world:
        world.delete_branch(name)
    if as_json:
        print_json({"name": name, "deleted": True})


def compare(
    name: str,
    where: Where = Path(),
    other: Annotated[str, typer.Option("--with")] = "main",
    eyes: Eyes = None,
    as_json: AsJson = False,
) -> None:
    """How the views of a what-if differ from those of the story."""
    with open_world(where) as world:
        found = world.compare(other, name, as_=eyes)
    if as_json:
        print_json(asdict(found))
    else:
        print_lines(found.lines())
    if found:
        raise typer.Exit(1)
