"""The command of the style sheet. Parses, calls one verb of `World`, prints. Exit code 0; 2 for a word that means nothing here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from narraworld.base.atomic_files import write_whole
from narraworld.commands.options import CUT, Situation, Where, echo, one_of, open_world, situated

__all__ = ["register"]

Format = Annotated[str, typer.Option("--format", "-f", help="table, markdown, html, csv or json.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the sheet to this file.")]
About = Annotated[str | None, typer.Option("--about", help="Only lines of somebody or something.")]
Kind = Annotated[str | None, typer.Option("--kind", help="Only one list: looks, kin, things, times …")]
Differs = Annotated[bool, typer.Option("--differs", help="Only lines whose values differ.")]


def register(app: typer.Typer) -> None:
    app.command()(sheet)


@situated(CUT)
def sheet(
    situation: Situation,
    where: Where = Path(),
    form: Format = "table",
    output: Output = None,
    about: About = None,
    kind: Kind = None,
    differs: Differs = False,
) -> None:
    """The copy editor's style sheet: people, time line, things, names, numbers. No judgement.   narraworld sheet --format html -o sheet.html"""
    from narraworld.query.sheet.render import SHEET_FORMATS, render_sheet

    one_of("--format", form, tuple(SHEET_FORMATS))
    with open_world(where) as world:
        found = world.sheet(situation).only(about, kind, differs=differs)
    told = render_sheet(found, form)
    if output is None:
        echo(told, nl=False)
    else:
        write_whole(output, told)
        echo(f"{output}: {len(found.rows)} lines", err=True)
