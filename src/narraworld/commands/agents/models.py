"""`narraworld models try`: a report card for whoever reads, over three bundled pages with gold. Parses, runs, prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.commands.options import AsJson, ModelName, Replayed, one_of, print_json, print_lines

if TYPE_CHECKING:
    from narraworld.reading.with_model import ReadingSettings
    from narraworld.report_cards.report_card import ReportCard

__all__ = ["register"]

READERS = ("model", "embedded", "inventor")

models = typer.Typer(no_args_is_help=True, help="Which model is good enough to read.")


def register(app: typer.Typer) -> None:
    app.add_typer(models, name="models")


@models.callback()
def _models() -> None:
    """So that `try` stays a word of its own."""


@models.command("try")
def try_(
    reader: Annotated[str, typer.Option("--reader", help=f"{', '.join(READERS)}.")] = "model",
    model: ModelName = None,
    replay: Replayed = None,
    into: Annotated[
        Path | None, typer.Option("--into", help="Keep the card here; compare with others.")
    ] = None,
    small: Annotated[bool, typer.Option("--small", help="Ask one kind of thing at a time.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read three bundled pages and print a report card.   narraworld models try --model qwen3:8b --into cards.json"""
    from narraworld.report_cards.report_card import NO_PLOTLINES, card_lines, keep_card

    one_of("--reader", reader, READERS)
    card = _card(reader, model, replay, NO_PLOTLINES if not small else replace(NO_PLOTLINES, small=True))
    cards = keep_card(card, into) if into else [card]
    if as_json:
        print_json([one.to_json() for one in cards])
    else:
        print_lines(card_lines(cards))
    if card.failed:
        raise typer.Exit(1)


def _card(reader: str, model: str | None, replay: Path | None, how: ReadingSettings) -> ReportCard:
    from narraworld.report_cards.report_card import try_embedded, try_reader

    if reader == "embedded":
        return try_embedded()
    if reader == "inventor":
        from narraworld.report_cards.inventor import Inventor

        return try_reader(Inventor(), "scripted", how)
    if replay is not None:
        from narraworld.models.recordings import Replay

        return try_reader(Replay(replay, model), "replayed", how)
    from narraworld.models.environment import ModelSettings
    from narraworld.models.openai import OpenAIModel

    asks = OpenAIModel(ModelSettings.from_environment(model=model))
    try:
        return try_reader(asks, lambda: f"mode {asks.mode}", how)
    finally:
        import asyncio

        asyncio.run(asks.aclose())
