"""The commands of history and of good order: what was committed, what it changed, and whether all is well."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from narraworld.commands.options import (
    AsJson,
    Branch,
    Eyes,
    Where,
    echo,
    open_world,
    print_json,
    print_lines,
    revision_of,
)
from narraworld.commands.progress import working

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    for command in (log, diff, reindex, doctor):
        app.command()(command)


def log(where: Where = Path(), branch: Branch = "main", as_json: AsJson = False) -> None:
    """What was committed, oldest first."""
    from narraworld.project.journal import open_journal

    # What `World.log` reads; the world itself takes longer to import.
    entries = open_journal(where).log(branch)
    if as_json:
        told = [(one.revision, one.unit, str(one.kind), one.body_sha[:12], one.note) for one in entries]
        print_json([dict(zip(("revision", "unit", "kind", "sha", "note"), one, strict=True)) for one in told])
        return
    for entry in entries:
        echo(f"r{entry.revision}  {entry.unit}  {entry.kind}  {entry.body_sha[:12]}")


def diff(
    before: str,
    after: str,
    where: Where = Path(),
    branch: Branch = "main",
    eyes: Eyes = None,
    as_json: AsJson = False,
) -> None:
    """What changed in the world between two revisions: units, facts, beliefs, threads.   narraworld diff r3 r5"""
    with open_world(where) as world:
        found = world.diff(revision_of(before) or 0, revision_of(after) or 0, branch, as_=eyes)
    if as_json:
        print_json(asdict(found))
    else:
        print_lines(found.lines())
    if found:
        raise typer.Exit(1)


def reindex(where: Where = Path(), branch: Branch = "main", as_json: AsJson = False) -> None:
    """Throw the caches away and derive everything again."""
    with open_world(where) as world, working("deriving everything again", quiet=as_json):
        world.reindex(branch)
        revision = world.store.snapshot(branch=branch).revision
    if as_json:
        print_json({"branch": branch, "revision": revision, "reindexed": True})


def doctor(where: Where = Path(), as_json: AsJson = False) -> None:
    """Look the installation and the store over; says what is wrong and what to do."""
    from narraworld.project.doctor import (
        examine,  # what `World.doctor` does, also where there is no world yet
    )

    ailments = examine(where)
    if as_json:
        print_json([asdict(ailment) for ailment in ailments])
    else:
        print_lines(
            f"{ailment.state:5} {ailment.what}" + (f"\n      {ailment.fix}" if ailment.fix else "")
            for ailment in ailments
        )
    if any(ailment.state == "fail" for ailment in ailments):
        raise typer.Exit(1)
