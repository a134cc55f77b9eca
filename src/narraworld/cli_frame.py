"""What every command shares: its options, the world it opens, and how it prints. Knows no command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.ontology.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.query.situation import Situation
    from narraworld.world import World

__all__ = [
    "AsJson", "At", "Branch", "Engine", "Eyes", "Revision", "Rules", "Told", "Where",
    "open_world", "print_json", "print_lines", "revision_of", "situation_of",
]  # fmt: skip

Where = Annotated[Path, typer.Option("--world", "-w", help="Folder of the manuscript.", envvar="NARRAWORLD")]
At = Annotated[str | None, typer.Option("--at", help="Story time: a unit, 'ch02 scene 1', or a tick.")]
Told = Annotated[
    str | None, typer.Option("--told", help="How far the telling has come; nothing later is seen.")
]
Revision = Annotated[str | None, typer.Option("--revision", "-r", help="An earlier commit, as in r3.")]
Branch = Annotated[str, typer.Option("--branch", "-b", help="Which version of the story.")]
Eyes = Annotated[str | None, typer.Option("--as", help="Through whose eyes.")]
Rules = Annotated[
    list[Path] | None, typer.Option("--rules", help="A rule file of your own; may be repeated.")
]
Engine = Annotated[str, typer.Option("--engine", help="auto, sqlite, duckdb or pydatalog.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


@contextmanager
def open_world(
    where: Path, *, create: bool = False, rules: list[Path] | None = None, engine: str = "auto"
) -> Iterator[World]:
    """The world in a folder; what of it could not be read is said at the end, after the answer from the rest."""
    from narraworld.world import World

    with World.open(where, create=create, rules=tuple(rules or ()), engine=engine) as world:  # type: ignore[arg-type]
        yield world
        for trouble in world.damage:
            typer.echo(f"narraworld: left out of the answer: {trouble}", err=True)


def situation_of(
    at: str | None, told: str | None, revision: str | None, branch: str, eyes: str | None = None
) -> Situation:
    from narraworld.query.situation import Situation

    return Situation(at, told, revision_of(revision), branch, eyes)


def revision_of(text: str | None) -> int | None:
    if text is None:
        return None
    number = text.removeprefix("r")
    if not number.isdecimal():
        raise NarraWorldError(f"{text!r} is not a revision", fix="write r3, as `narraworld log` shows them")
    return int(number)


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_lines(lines: Any) -> None:
    for line in lines:
        typer.echo(line)
