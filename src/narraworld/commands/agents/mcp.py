"""`narraworld mcp`: the story as tools for an agent, over stdio. Parses, and hands over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import Where

__all__ = ["register"]

INSTRUCTIONS = (
    "Read a manuscript into a story world with your own model: call next_question, answer from its text alone, "
    "call give_answer, and go on until next_question says done."
)


def register(app: typer.Typer) -> None:
    app.command("mcp")(serve)


def serve(
    files: Annotated[
        list[str] | None, typer.Argument(help="Chapters to read; without them, the reading under way.")
    ] = None,
    where: Where = Path(),
    relay: Annotated[
        bool, typer.Option("--relay", help="Let the agent answer the reading's questions.")
    ] = False,
) -> None:
    """Tools for an agent over stdio.   narraworld mcp --relay --world novel novel/chapters"""
    if not relay:
        raise NarraWorldError(
            "no tools were asked for", fix="say --relay: the agent then reads the manuscript"
        )
    try:
        from narraworld.mcp.server import serve_stdio
    except ModuleNotFoundError as missing:
        raise NarraWorldError(
            f"needs the package {missing.name}", fix="pip install 'narraworld[mcp]'"
        ) from missing
    from narraworld import __version__
    from narraworld.mcp.tools import relay_tools
    from narraworld.relay.errand import Errand, Relay

    found, name = Relay(where), f"mcp-{os.getpid()}"
    if files:
        found.begin(Errand(tuple(str(Path(file).resolve()) for file in files)))
    serve_stdio(relay_tools(found, name), INSTRUCTIONS, __version__)
