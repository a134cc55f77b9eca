"""Words in, words out. Each command parses, calls one verb of `World`, prints, and has a documented exit code.

0 clean or answered · 1 findings, or what was asked does not hold · 2 usage, settings or a broken store · 130 interrupted ·
141 the reader of our output closed the pipe (`… | head -1`), as a shell reports it of other tools
Heavy libraries are imported by the verbs themselves, so that `--help` stays quick.
"""

from __future__ import annotations

import logging
import sys
from typing import Annotated, NoReturn

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands import branches, check, demo, history, memory, read, rules, world
from narraworld.commands.agents import mcp, models, relay, skill
from narraworld.commands.options import echo
from narraworld.commands.research import analyse, corpus
from narraworld.commands.surfaces import lsp, serve, watch
from narraworld.commands.surfaces.plain_values import quick_command

__all__ = ["app", "main"]

NOBODY_READS = 141  # 128 + SIGPIPE

app = typer.Typer(
    no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="A story world that remembers: what happened, who knows it, what is still open, what may yet come.",
)  # fmt: skip

for group in (
    read, memory, check, serve, watch, rules, analyse, corpus, branches, world, history, demo, relay, mcp, lsp, models, skill,
):  # fmt: skip
    group.register(app)


def main() -> None:
    """The command; every error of ours, and of the disk, ends as one message and exit code 2."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)  # what it warns of, SHACL refuses with a reason
    stdout = sys.stdout
    try:
        quick_command(app)()
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
        from narraworld.base.version import __version__

        echo(f"narraworld {__version__}")
        raise typer.Exit


@app.callback()
def narraworld(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Which release this is.")
    ] = False,
) -> None: ...
