"""`narraworld demo`: the bundled stories told, with what the world answers. Parses, calls `telling`, prints."""

from __future__ import annotations

from typing import Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import one_of, print_lines

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    story: Annotated[str | None, typer.Argument(help="key, lamp or gate; all of them by default.")] = None,
    reader: Annotated[
        str,
        typer.Option(help="records (the short stories), or model (a long one, replayed from recordings)."),
    ] = "records",
) -> None:
    """The bundled stories: views, who knows what, and a proof. Offline, no key, nothing kept."""
    from narraworld.commands.demo_stories import LONG_STORY, tell, tell_replay

    one_of("--reader", reader, ("records", "model"))
    if reader == "model" and story not in (None, LONG_STORY):
        raise NarraWorldError(
            f"{story!r} has no recorded answers", fix=f"only {LONG_STORY} has: leave it out"
        )
    print_lines(tell_replay() if reader == "model" else tell(story))
