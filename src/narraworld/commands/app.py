"""Words in, words out. Each command parses, calls one verb of `World`, prints, and has a documented exit code.

0 clean or answered · 1 findings, or what was asked does not hold · 2 usage, settings or a broken store · 130 interrupted ·
141 nobody reads on (`… | head -1`), as a shell reports it of other tools
Heavy libraries are imported by the verbs themselves, so that `--help` stays quick.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands import check, memory, read
from narraworld.commands.options import (
    SEEN,
    AsJson,
    Branch,
    Engine,
    Revision,
    Rules,
    Situation,
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    revision_of,
    situated,
)
from narraworld.commands.read import reading_lines

__all__ = ["app", "main"]

NOBODY_READS = 141  # 128 + SIGPIPE
SPARQL_SECONDS = 60.0  # somebody is waiting for the answer

app = typer.Typer(
    no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="A story world that remembers: what happened, who knows it, what is still open, what may yet come.",
)  # fmt: skip
branches = typer.Typer(no_args_is_help=True, help="What-ifs that grow from the story and leave it alone.")

for group in (read, memory, check):
    group.register(app)
app.add_typer(branches, name="branch")


def main() -> None:
    """The command; every error of ours, and of the disk, ends as one message and exit code 2."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)  # what it warns of, SHACL refuses with a reason
    stdout = sys.stdout
    try:
        app()
    except SystemExit:
        if sys.stdout is not stdout:  # typer puts a silent one there once the pipe is closed
            sys.exit(NOBODY_READS)
        raise
    except NarraWorldError as error:
        _fail(error)
    except OSError as error:
        _fail(NarraWorldError(error.strerror or str(error), where=error.filename and str(error.filename)))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(error: NarraWorldError) -> NoReturn:
    echo(f"narraworld: {error}", err=True)
    sys.exit(2)


def _version(asked: bool) -> None:
    if asked:
        from narraworld import __version__

        echo(f"narraworld {__version__}")
        raise typer.Exit


@app.callback()
def narraworld(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Which release this is.")
    ] = False,
) -> None: ...


# -- in


@app.command()
def retract(unit: str, where: Where = Path(), branch: Branch = "main") -> None:
    """Take a unit out of the world; earlier revisions keep it."""
    with open_world(where) as world:
        echo(f"{unit}  r{world.retract(unit, branch=branch).revision}  retracted")


@app.command("import")
def import_(file: Path, where: Where = Path(), branch: Branch = "main") -> None:
    """Commit the units of a file that `export` wrote (.trig or .nq)."""
    from narraworld.base.given_files import open_given
    from narraworld.kb.rdf.exchange import read_export

    open_given(file).close()  # there, and a file
    found = read_export(file)  # before a world is made: a slip leaves no empty one behind
    with open_world(where, create=True) as world:
        readings, refused = world.import_(found, branch=branch)
        print_lines([] if readings or refused else [f"{file}: holds no units"])
        for reading in readings:
            print_lines(reading_lines(reading))
        print_lines(f"  refused: {one.why}: {one.statement}" for one in refused)
    if refused or any(reading.refusals for reading in readings):
        raise typer.Exit(1)


# -- out


@app.command()
@situated()
def query(
    text: Annotated[str, typer.Argument(help="A goal or conditions joined by commas.")],
    situation: Situation,
    where: Where = Path(),
    rules: Rules = None,
    engine: Engine = "auto",
    as_json: AsJson = False,
) -> None:
    """Ask in rules, with names for things.   narraworld query 'mistaken(Who, P, Truth)'"""
    from narraworld.commands.show import answer_lines

    with open_world(where, rules=rules, engine=engine) as world:
        answer = world.query(text, situation)
    if as_json:
        print_json(
            {"columns": answer.columns, "rows": answer.rows, "words": answer.words, "read_as": answer.read_as}
        )
    else:
        print_lines(answer_lines(answer))
    if not answer.rows:
        raise typer.Exit(1)


@app.command()
@situated(SEEN)
def views(
    situation: Situation,
    where: Where = Path(),
    engine: Engine = "auto",
    as_json: AsJson = False,
) -> None:
    """The four views for one situation.   narraworld views --at ch02 --as Leo"""
    from dataclasses import asdict

    from narraworld.commands.show import views_lines

    with open_world(where, engine=engine) as world:
        scope = world.scope(situation)
        found = scope.views()
        if as_json:
            print_json(asdict(found))
        else:
            print_lines(views_lines(found, scope))


@app.command()
@situated()
def knows(
    situation: Situation,
    where: Where = Path(),
    as_json: AsJson = False,
) -> None:
    """Who knows what: characters against propositions.   narraworld knows --at ch02"""
    from narraworld.commands.show import matrix_lines

    with open_world(where) as world:
        matrix = world.knows(situation)
    if as_json:
        cells = [{"proposition": p, "who": c, "status": s} for (p, c), s in sorted(matrix.cells.items())]
        print_json({"characters": matrix.characters, "propositions": matrix.propositions, "cells": cells})
    else:
        print_lines(matrix_lines(matrix))


@app.command()
@situated()
def why(
    goal: Annotated[str, typer.Argument(help='One relation, with names: believes(Leo, "key in drawer").')],
    situation: Situation,
    where: Where = Path(),
    rules: Rules = None,
    tree: Annotated[bool, typer.Option("--tree", help="The whole proof, rule by rule.")] = False,
    as_json: AsJson = False,
) -> None:
    """Why something holds, down to the words on the page; or why it does not, and what is missing."""
    from narraworld.rules.proofs.proof import to_json
    from narraworld.rules.proofs.prose import as_prose, as_tree, why_not_prose
    from narraworld.rules.proofs.why_not import why_not_json

    with open_world(where, rules=rules) as world:
        scope = world.scope(situation)
        found = scope.why(goal)
        if as_json:
            print_json(
                [to_json(proof) for proof in found.proofs]
                if found.missing is None
                else why_not_json(found.missing)
            )
        elif found.missing is not None:
            echo(why_not_prose(found.missing, scope.names, scope.quotes))
        else:
            render = as_tree if tree else as_prose
            echo("\n\n".join(render(proof, scope.names, scope.quotes) for proof in found.proofs))
    if not found.proofs:
        raise typer.Exit(1)


@app.command()
def sparql(
    query: str,
    where: Where = Path(),
    branch: Branch = "main",
    revision: Revision = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Give up after so long.")] = SPARQL_SECONDS,
) -> None:
    """Ask the RDF of the base facts, read-only (SELECT, ASK, CONSTRUCT, DESCRIBE)."""
    from narraworld.commands.show import table_lines

    with open_world(where) as world:
        answer = world.sparql(query, branch=branch, revision=revision_of(revision), seconds=seconds)
    if answer.truth is not None:
        echo("yes" if answer.truth else "no")
        raise typer.Exit(0 if answer.truth else 1)
    if not answer.rows:
        echo("no answer")
        raise typer.Exit(1)
    print_lines(
        table_lines(
            answer.variables, [["" if cell is None else str(cell) for cell in row] for row in answer.rows]
        )
    )


@app.command()
def export(file: Path, where: Where = Path(), branch: Branch = "main", revision: Revision = None) -> None:
    """Write the base facts to one file: .trig, .nq, .ttl or .jsonld by its suffix; .dl for Soufflé."""
    with open_world(where) as world:
        world.export(file, branch=branch, revision=revision_of(revision))


# -- history


@app.command()
def log(where: Where = Path(), branch: Branch = "main") -> None:
    """What was committed, oldest first."""
    with open_world(where) as world:
        for entry in world.log(branch):
            echo(f"r{entry.revision}  {entry.unit}  {entry.kind}  {entry.body_sha[:12]}")


@app.command()
def diff(
    before: str, after: str, where: Where = Path(), branch: Branch = "main", as_json: AsJson = False
) -> None:
    """What changed in the world between two revisions: units, facts, beliefs, threads.   narraworld diff r3 r5"""
    from dataclasses import asdict

    with open_world(where) as world:
        found = world.diff(revision_of(before) or 0, revision_of(after) or 0, branch)
    if as_json:
        print_json(asdict(found))
    else:
        print_lines(found.lines())
    if found:
        raise typer.Exit(1)


@app.command()
def reindex(where: Where = Path(), branch: Branch = "main") -> None:
    """Throw the caches away and derive everything again."""
    with open_world(where) as world:
        world.reindex(branch)


@app.command()
def doctor(where: Where = Path(), as_json: AsJson = False) -> None:
    """Look the installation and the store over; says what is wrong and what to do."""
    from narraworld.project.doctor import examine

    checks = examine(where)
    if as_json:
        print_json([check.__dict__ for check in checks])
    else:
        print_lines(
            f"{check.state:5} {check.what}" + (f"\n      {check.fix}" if check.fix else "")
            for check in checks
        )
    if any(check.state == "fail" for check in checks):
        raise typer.Exit(1)


@app.command()
def demo(
    story: Annotated[str | None, typer.Argument(help="key, lamp or gate; all of them by default.")] = None,
    reader: Annotated[
        str,
        typer.Option(help="records (the short stories), or model (a long one, replayed from recordings)."),
    ] = "records",
) -> None:
    """The bundled stories: views, who knows what, and a proof. Offline, no key, nothing kept."""
    from narraworld.commands.demo import LONG_STORY, tell, tell_replay

    one_of("--reader", reader, ("records", "model"))
    if reader == "model" and story not in (None, LONG_STORY):
        raise NarraWorldError(
            f"{story!r} has no recorded answers", fix=f"only {LONG_STORY} has: leave it out"
        )
    print_lines(tell_replay() if reader == "model" else tell(story))


# -- branches


@branches.command("new")
def branch_new(
    name: str,
    where: Where = Path(),
    parent: Annotated[str, typer.Option("--from")] = "main",
    revision: Revision = None,
) -> None:
    """Begin a what-if.   narraworld branch new rescue --from main"""
    with open_world(where) as world:
        made = world.branch(name, parent=parent, revision=revision_of(revision))
    echo(f"{made.name}  from {made.parent} r{made.revision}")


@branches.command("list")
def branch_list(where: Where = Path()) -> None:
    """All what-ifs."""
    with open_world(where) as world:
        print_lines(f"{one.name}  from {one.parent} r{one.revision}" for one in world.store.branches())


@branches.command("delete")
def branch_delete(name: str, where: Where = Path()) -> None:
    """Forget a what-if; nothing of it stays."""
    with open_world(where) as world:
        world.delete_branch(name)


@branches.command("compare")
def branch_compare(
    name: str, where: Where = Path(), other: Annotated[str, typer.Option("--with")] = "main"
) -> None:
    """How the views of a what-if differ from those of the story."""
    with open_world(where) as world:
        found = world.compare(other, name)
    print_lines(found.lines())
    if found:
        raise typer.Exit(1)
