"""The commands of the author's word: a finding is intended, one of two passages holds, two names are one person.

What is decided goes to `.narraworld/decisions.toml`; see `query/checks/decisions.py`. Each parses, calls one verb of `World`, prints.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import AsJson, Branch, Where, echo, open_world, print_json, print_lines
from narraworld.commands.surfaces import completion

if TYPE_CHECKING:
    from narraworld.checking.authors_word import WorldDecision

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command()(waive)
    decided = typer.Typer(
        help="What the author decided, in .narraworld/decisions.toml.", invoke_without_command=True
    )
    decided.callback()(decisions)
    decided.command("merge")(merge)
    decided.command("split")(split)
    app.add_typer(decided, name="decisions")


def waive(
    key: Annotated[
        str,
        typer.Argument(
            help="The key of a finding, or its beginning.", autocompletion=completion.finding_keys
        ),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why it is meant so.")] = "",
    keep: Annotated[
        str | None, typer.Option("--keep", help="A canon choice instead: the unit whose passage holds.")
    ] = None,
    where: Where = Path(),
    branch: Branch = "main",
    as_json: AsJson = False,
) -> None:
    """Say that a finding is intended, or which of its passages holds.   narraworld waive 3f2a --reason "he lies" """
    if not reason and keep is None:
        raise NarraWorldError("say why the finding is intended", fix='narraworld waive KEY --reason "…"')
    with open_world(where) as world:
        decided = world.waive(key, reason, keep=keep, branch=branch)
    said = decided.decision
    if as_json:
        print_json({"kind": said.kind, **said.fields, "changed": decided.changed})
        return
    echo(f"{said.kind}: {said['rule']} {said['says']}" + (" (changed)" if decided.changed else ""))


def decisions(ctx: typer.Context, where: Where = Path(), as_json: AsJson = False) -> None:
    """All decisions; those about who is who and what holds are put into effect."""
    if ctx.invoked_subcommand is not None:
        return
    from narraworld.checking.authors_word import decisions_file

    with open_world(where) as world:
        decided, refused = world.decisions()
        if as_json:
            print_json([{"kind": one.kind, **one.fields} for one in decided.all])
        else:
            print_lines(one.line() for one in decided.all)
        print_lines(
            [] if decided.all or as_json else [f"nothing is decided yet ({decisions_file(world.story)})"]
        )
    for trouble in refused:
        echo(f"narraworld: {trouble}", err=True)
    if refused:
        raise typer.Exit(1)


One = Annotated[str, typer.Argument(help="A name or an id.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]


def merge(one: One, other: One, reason: Reason = "", where: Where = Path(), as_json: AsJson = False) -> None:
    """Two names, one person or thing.   narraworld decisions merge Tom "Mr Thomas" """
    _decide("same", one, other, reason, where, as_json)


def split(one: One, other: One, reason: Reason = "", where: Where = Path(), as_json: AsJson = False) -> None:
    """Not the same, however alike.   narraworld decisions split Tom "Old Tom" """
    _decide("different", one, other, reason, where, as_json)


def _decide(kind: WorldDecision, one: str, other: str, reason: str, where: Path, as_json: bool) -> None:
    with open_world(where) as world:
        decided = world.decide(kind, one, other, reason=reason)
    said = decided.decision
    if as_json:
        print_json({"kind": said.kind, **said.fields, "changed": decided.changed})
    else:
        echo(said.line())
    for trouble in decided.refused:
        echo(f"narraworld: {trouble}", err=True)
    if decided.refused:
        raise typer.Exit(1)
