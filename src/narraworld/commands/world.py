"""The commands that ask the world, and those that carry it in and out: goals, views, proofs, SPARQL, files.

Each parses, calls one verb of `World`, prints, and has a documented exit code.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from narraworld.commands.options import (
    SEEN,
    AsJson,
    Branch,
    Engine,
    Eyes,
    Revision,
    Rules,
    Situation,
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    print_read_as,
    revision_of,
    situated,
)
from narraworld.commands.read import committed_lines

__all__ = ["register"]

SPARQL_SECONDS = 60.0  # somebody is waiting for the answer

SheetFormat = Annotated[str, typer.Option("--format", "-f", help="table, markdown, html, csv or json.")]
SheetFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the sheet to this file.")]
About = Annotated[str | None, typer.Option("--about", help="Only lines of somebody or something.")]
Kind = Annotated[str | None, typer.Option("--kind", help="Only one list: looks, kin, things, times …")]
Differs = Annotated[bool, typer.Option("--differs", help="Only lines whose values differ.")]


def register(app: typer.Typer) -> None:
    app.command()(retract)
    app.command("import")(import_)
    for command in (query, views, knows, sheet, why, sparql, export):
        app.command()(command)


# -- in


def retract(unit: str, where: Where = Path(), branch: Branch = "main", as_json: AsJson = False) -> None:
    """Take a unit out of the world; earlier revisions keep it."""
    with open_world(where) as world:
        revision = world.retract(unit, branch=branch).revision
    if as_json:
        print_json({"unit": unit, "revision": revision, "kind": "retract"})
    else:
        echo(f"{unit}  r{revision}  retracted")


def import_(file: Path, where: Where = Path(), branch: Branch = "main", as_json: AsJson = False) -> None:
    """Commit the units of a file that `export` wrote (.trig or .nq)."""
    from narraworld.base.given_files import open_given
    from narraworld.kb.rdf.exchange import read_export
    from narraworld.reading.outcome import committed_json

    open_given(file).close()  # there, and a file
    found = read_export(file)  # before a world is made: a slip leaves no empty one behind
    with open_world(where, create=True) as world:
        units, refused = world.import_(found, branch=branch)
    if as_json:
        told = [{"unit": one.unit, **committed_json(one)} for one in units]
        print_json({"units": told, "refused": [asdict(one) for one in refused]})
    else:
        print_lines([] if units or refused else [f"{file}: holds no units"])
        for committed in units:
            print_lines(committed_lines(committed))
        print_lines(f"  refused: {statement.why}: {statement.statement}" for statement in refused)
    if refused or any(committed.refusals for committed in units):
        raise typer.Exit(1)


# -- out


@situated(SEEN)
def sheet(
    situation: Situation,
    where: Where = Path(),
    form: SheetFormat = "table",
    output: SheetFile = None,
    about: About = None,
    kind: Kind = None,
    differs: Differs = False,
    as_json: AsJson = False,
) -> None:
    """The copy editor's style sheet: people, time line, things, names, numbers. No judgement.   narraworld sheet --format html -o sheet.html"""
    from narraworld.base.atomic_files import write_whole
    from narraworld.query.sheet.render import SHEET_FORMATS, render_sheet

    form = "json" if as_json else form
    one_of("--format", form, tuple(SHEET_FORMATS))
    with open_world(where) as world:
        found = world.sheet(situation).only(about, kind, differs=differs)
    told = render_sheet(found, form)
    if output is None:
        echo(told, nl=False)
    else:
        write_whole(output, told)
        echo(f"{output}: {len(found.rows)} lines", err=True)


@situated(SEEN)
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
    print_read_as(answer)
    if as_json:
        print_json(asdict(answer))
    else:
        print_lines(answer_lines(answer))
    if not answer.rows:
        raise typer.Exit(1)


@situated(SEEN)
def views(
    situation: Situation, where: Where = Path(), engine: Engine = "auto", as_json: AsJson = False
) -> None:
    """The four views for one situation.   narraworld views --at 2 --as Leo"""
    from narraworld.commands.show import views_lines

    with open_world(where, engine=engine) as world:
        scope = world.scope(situation)
        found = scope.views()
        print_read_as(found)
        if as_json:
            print_json(asdict(found))
        else:
            with scope.steady():
                print_lines(views_lines(found, scope))


@situated(SEEN)
def knows(
    situation: Situation,
    who: Annotated[list[str] | None, typer.Argument(help="Only these minds.", show_default=False)] = None,
    where: Where = Path(),
    everybody: Annotated[bool, typer.Option("--all", help="Also minds of which nothing is known.")] = False,
    wide: Annotated[bool, typer.Option("--wide", help="Words, however wide the table is.")] = False,
    as_json: AsJson = False,
) -> None:
    """Who knows what: characters against propositions, as wide as the terminal.   narraworld knows Leo --at 2"""
    from shutil import get_terminal_size

    from narraworld.commands.show import matrix_json, matrix_lines

    with open_world(where) as world:
        matrix = world.knows(situation, who=who or ())
    print_read_as(matrix)
    if as_json:
        print_json(matrix_json(matrix))
    else:
        width = get_terminal_size((100, 24)).columns
        print_lines(matrix_lines(matrix, width, everybody=everybody, wide=wide))


@situated(SEEN)
def why(
    goal: Annotated[str, typer.Argument(help='One relation, with names: believes(Leo, "key in drawer").')],
    situation: Situation,
    where: Where = Path(),
    rules: Rules = None,
    tree: Annotated[bool, typer.Option("--tree", help="The whole proof, rule by rule.")] = False,
    as_json: AsJson = False,
) -> None:
    """Why something holds, down to the words on the page; or why it does not, and what is missing."""
    from narraworld.commands.show import explanation_json, explanation_text

    with open_world(where, rules=rules) as world:
        scope = world.scope(situation)
        found = scope.why(goal)
        print_read_as(found)
        if as_json:
            print_json(explanation_json(found))
        else:
            with scope.steady():
                echo(explanation_text(found, scope, tree=tree))
    if not found.proofs:
        raise typer.Exit(1)


def sparql(
    query: str,
    where: Where = Path(),
    branch: Branch = "main",
    revision: Revision = None,
    eyes: Eyes = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Give up after so long.")] = SPARQL_SECONDS,
    as_json: AsJson = False,
) -> None:
    """Ask the RDF of the base facts, read-only (SELECT, ASK, CONSTRUCT, DESCRIBE)."""
    from narraworld.commands.show import table_lines
    from narraworld.query.figures.as_data import sparql_json

    with open_world(where) as world:
        answer = world.sparql(query, branch=branch, revision=revision_of(revision), seconds=seconds, as_=eyes)
    if as_json:
        print_json(sparql_json(answer))
        raise typer.Exit(0 if answer.truth or answer.rows else 1)
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


def export(
    file: Path,
    where: Where = Path(),
    branch: Branch = "main",
    revision: Revision = None,
    eyes: Eyes = None,
    as_json: AsJson = False,
) -> None:
    """Write the base facts to one file: .trig, .nq, .ttl or .jsonld by its suffix; .dl for Soufflé, .canvas for Obsidian."""
    with open_world(where) as world:
        world.export(file, branch=branch, revision=revision_of(revision), as_=eyes)
        written = world.store.snapshot(revision_of(revision), branch).revision
    if as_json:
        print_json({"file": str(file), "branch": branch, "revision": written})
