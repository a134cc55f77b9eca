"""The commands that read: prose and records in, what was refused and what it cost out.

Registered on the app by `cli`. Parses, calls `reading`, prints; knows no file format and no provider itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.ontology.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.extract.asking import Asks, Usage
    from narraworld.extract.sources import Piece
    from narraworld.models import OpenAIModel
    from narraworld.reading import UnitRead
    from narraworld.world import Reading, World

__all__ = ["reading_lines", "register"]

INTERRUPTED = 130  # what a shell reports of a command that Ctrl-C ended
HIDDEN = frozenset({"Span", "SourceUnit", "Proposition"})


def register(app: typer.Typer) -> None:
    app.command()(read)
    app.command()(refusals)


def read(
    files: Annotated[
        list[str], typer.Argument(help="Manuscript files or folders, '-' for stdin; .toml files are records.")
    ],
    where: Annotated[
        Path, typer.Option("--world", "-w", help="Folder of the manuscript.", envvar="NARRAWORLD")
    ] = Path(),
    branch: Annotated[str, typer.Option("--branch", "-b", help="Which version of the story.")] = "main",
    reader: Annotated[str, typer.Option(help="embedded (offline, the default) or model.")] = "embedded",
    model: Annotated[str | None, typer.Option(help="Model name; else NARRAWORLD_MODEL.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Answer from recordings in this folder instead of a model.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what a model would be asked and cost; ask nothing.")
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option(help="Stop before spending more US dollars than this.")
    ] = None,
    on_failure: Annotated[str, typer.Option(help="stop or go-on when a unit cannot be read.")] = "stop",
) -> None:
    """Read a manuscript, or files of records, into the world.   narraworld read chapters/*.md"""
    records = [Path(name) for name in files if name.endswith(".toml")]
    prose = [name for name in files if not name.endswith(".toml")]
    if reader not in ("embedded", "model") or on_failure not in ("stop", "go-on"):
        raise NarraWorldError("--reader is embedded or model, --on-failure is stop or go-on")
    with _world(where) as world:
        troubled = [_read_records(world, path, branch) for path in records]
        if prose:
            from narraworld.reading import in_place

            pieces = in_place(world, _pieces(prose), branch=branch)
            if dry_run:
                typer.echo(_forecast(pieces, model))
                return
            run = (
                _with_model(world, pieces, branch, on_failure, model, replay, max_cost)
                if reader == "model"
                else None
            )
            with _interruptible():
                troubled += asyncio.run(run) if run else _embedded(world, pieces, branch)
    if any(troubled):
        raise typer.Exit(1)


def refusals(where: Annotated[Path, typer.Option("--world", "-w", envvar="NARRAWORLD")] = Path()) -> None:
    """What was read and not accepted, unit by unit, with the reasons."""
    from narraworld.reading import kept_refusals

    with _world(where, create=False) as world:
        kept = kept_refusals(world.store.root)
    for one in kept:
        typer.echo(f"{one.unit}  {one.record}: {one.message}" + (f" ({one.value})" if one.value else ""))
    if not kept:
        typer.echo("nothing was refused")
    else:
        raise typer.Exit(1)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C loses nothing: units are committed one by one, and answers are kept as they come."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(
            "stopped; finished units are kept: run the same command again to go on from here", err=True
        )
        raise typer.Exit(INTERRUPTED) from None


def _world(where: Path, *, create: bool = True) -> World:
    from narraworld.world import World

    return World.open(where, create=create)


def _pieces(names: Sequence[str]) -> list[Piece]:
    from narraworld.extract.sources import read_sources

    return read_sources(names, stdin=sys.stdin if "-" in names else None)


# -- records


def _read_records(world: World, path: Path, branch: str) -> bool:
    reading = world.read(path, branch=branch)
    for line in reading_lines(reading):
        typer.echo(line)
    return bool(reading.refusals)


def reading_lines(reading: Reading) -> list[str]:
    """One line for a unit, and one for each record that was refused."""
    revision = f"r{reading.entry.revision}" if reading.entry else "not committed"
    lines = [f"{reading.unit}  {revision}  {_counted(reading)}"]
    return lines + [
        f"  refused {r.record}: {r.message}" + (f" ({r.value})" if r.value else "") for r in reading.refusals
    ]


def _counted(reading: Reading) -> str:
    shown = [f"{n} {kind.lower()}" for kind, n in reading.records.items() if kind not in HIDDEN]
    return ", ".join(shown) or "no records"


# -- prose


def _embedded(world: World, pieces: Sequence[Piece], branch: str) -> list[bool]:
    from narraworld.reading_offline import read_embedded

    return [_told(one) for one in read_embedded(world, pieces, branch=branch)]


async def _with_model(
    world: World,
    pieces: Sequence[Piece],
    branch: str,
    on_failure: str,
    model: str | None,
    replay: Path | None,
    max_cost: float | None,
) -> list[bool]:
    from narraworld.reading import read_with_model

    async with _whom_to_ask(world, model, replay, max_cost) as asks:
        found = read_with_model(world, pieces, asks, branch=branch, on_failure=on_failure)  # type: ignore[arg-type]
        return [_told(one) async for one in found]


def _whom_to_ask(world: World, model: str | None, replay: Path | None, max_cost: float | None) -> _Asking:
    return _Asking(world.store.root / "cache", model, replay, max_cost)


class _Asking:
    """A model behind its answer cache, or recordings; opened and closed as one."""

    def __init__(self, cache: Path, model: str | None, replay: Path | None, max_cost: float | None) -> None:
        self._cache, self._model, self._replay, self._max_cost = cache, model, replay, max_cost
        self._opened: OpenAIModel | None = None

    async def __aenter__(self) -> Asks:
        from narraworld.recordings import AnswerCache, Replay

        if self._replay:
            typer.echo("(answers are replayed from recordings; no model is asked)", err=True)
            return Replay(self._replay, self._model)
        from narraworld.model_settings import ModelSettings
        from narraworld.models import OpenAIModel
        from narraworld.prices import known_prices
        from narraworld.spending import Spending

        settings = ModelSettings.from_environment(model=self._model)
        self._cache.mkdir(parents=True, exist_ok=True)
        spending = Spending(known_prices().get(settings.model), self._max_cost)
        self._opened = OpenAIModel(settings, memory=self._cache / "model-modes.json", spending=spending)
        return AnswerCache(self._opened, self._cache / "answers.sqlite")

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.aclose()


def _told(one: UnitRead) -> bool:
    """Print what became of a unit; true where the author should look."""
    title = f"  {one.title}" if one.title else ""
    if one.outcome in ("unchanged", "failed"):
        typer.echo(
            f"{one.unit}{title}  {one.outcome}" + (f": {one.why}" if one.why else ""),
            err=one.outcome == "failed",
        )
        return one.outcome == "failed"
    assert one.reading is not None
    revision = f"r{one.reading.entry.revision}" if one.reading.entry else "not committed"
    refused = f"; {len(one.reading.refusals)} refused" if one.reading.refusals else ""
    typer.echo(f"{one.unit}{title}  {revision}  {_counted(one.reading)}{refused}{one.note}{_cost(one.usage)}")
    return False


def _cost(usage: Usage | None) -> str:
    if usage is None:
        return ""
    tokens = usage.prompt_tokens + usage.answer_tokens
    cached = f", {usage.cached} from the cache" if usage.cached else ""
    return f"  [{usage.calls} calls, {tokens:,} tokens{cached}]"


def _forecast(pieces: Sequence[Piece], model: str | None) -> str:
    """Calls, tokens and cost if a model read these pieces."""
    from narraworld.extract.prompting import load
    from narraworld.extract.stages import STAGES
    from narraworld.model_settings import ModelSettings, Secret
    from narraworld.prices import Expected, Range, estimate_tokens, forecast, known_prices

    settings = ModelSettings.from_environment(model=model, key=Secret("not needed to count"))
    questions = []
    for piece in pieces:
        words = estimate_tokens(piece.unit.text)
        for stage in STAGES:
            prompt = estimate_tokens(load(stage.name).system) + words
            questions.append(Expected(prompt, Range(words // 2, words * 2)))
    return f"{len(pieces)} units with {settings.model} at {settings.endpoint}: {forecast(questions, known_prices().get(settings.model))}"
