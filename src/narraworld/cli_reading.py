"""The commands that read: prose and records in, what was refused and what it cost out.

Registered on the app by `cli`. Parses, calls `reading`, prints; knows no file format and no provider itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from narraworld.ontology.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.extract.asking import Asks, Usage
    from narraworld.extract.sources import Piece
    from narraworld.models import OpenAIModel
    from narraworld.reading import OnFailure, ReadingSettings, UnitRead
    from narraworld.world import Reading, World

__all__ = ["Asking", "reading_lines", "register"]

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
    jobs: Annotated[
        int, typer.Option(min=1, help="Questions to a model under way at once; the result is the same.")
    ] = 4,
    plotlines: Annotated[bool, typer.Option(help="Let the model consolidate scenes into plotlines.")] = True,
    summaries: Annotated[bool, typer.Option(help="Keep the model's summaries of scenes.")] = True,
) -> None:
    """Read a manuscript, or files of records, into the world.   narraworld read chapters/*.md"""
    records = [Path(name) for name in files if name.endswith(".toml")]
    prose = [name for name in files if not name.endswith(".toml")]
    if reader not in ("embedded", "model") or on_failure not in ("stop", "go-on"):
        raise NarraWorldError("--reader is embedded or model, --on-failure is stop or go-on")
    for path in records:
        _readable(path)
    told = _pieces(prose) if prose else []
    with _world(where) as world:
        troubled = [_read_records(world, path, branch) for path in records]
        if prose:
            from narraworld.reading import ReadingSettings, in_place

            pieces = in_place(world, told, branch=branch)
            asking = Asking(world.store.root / "cache", model, replay, max_cost, jobs)
            how = ReadingSettings(jobs, summaries, 0 if plotlines else None)
            if dry_run:
                typer.echo(_forecast(world, pieces, asking, branch, how))
                return
            with _interruptible(), _semantic_diff(world, pieces, branch):
                troubled += (
                    asyncio.run(
                        _with_model(world, pieces, asking, branch, cast("OnFailure", on_failure), how)
                    )
                    if reader == "model"
                    else _embedded(world, pieces, branch)
                )
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


@contextmanager
def _semantic_diff(world: World, pieces: Sequence[Piece], branch: str) -> Iterator[None]:
    """Say what a changed chapter brought and took away; a first reading has nothing to compare with."""
    from narraworld.edits import edited_units, standing, what_changed

    units = edited_units(world, pieces, branch=branch)
    before = standing(world, branch=branch) if units else None
    yield
    if before is not None:
        for line in what_changed(before, standing(world, branch=branch), units).lines():
            typer.echo(line)


def _world(where: Path, *, create: bool = True) -> World:
    from narraworld.world import World

    return World.open(where, create=create)


def _pieces(names: Sequence[str]) -> list[Piece]:
    from narraworld.extract.sources import read_sources

    return read_sources(names, stdin=sys.stdin if "-" in names else None)


# -- records


def _readable(path: Path) -> None:
    """Looked at before a world is made: what cannot be read leaves no empty one behind."""
    try:
        path.open("rb").close()
    except OSError as error:
        raise NarraWorldError(f"cannot be read: {error.strerror}", where=str(path)) from error


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
    asking: Asking,
    branch: str,
    on_failure: OnFailure,
    settings: ReadingSettings,
) -> list[bool]:
    from narraworld.cli_progress import progress_bar
    from narraworld.reading import read_with_model

    if asking.replay is None:
        typer.echo(_forecast(world, pieces, asking, branch, settings), err=True)
    titles, troubled = [piece.unit.title or piece.unit.id for piece in pieces], []
    async with asking as asks:
        with progress_bar(titles, asking.spent) as advance:
            async for one in read_with_model(
                world, pieces, asks, branch=branch, on_failure=on_failure, settings=settings
            ):
                troubled.append(_told(one, asking.cost()))
                advance()
    return troubled


class Asking:
    """A model behind its answer cache, or recordings; opened and closed as one."""

    def __init__(
        self, cache: Path, model: str | None, replay: Path | None, max_cost: float | None, jobs: int = 1
    ) -> None:
        self._cache, self.model, self.replay = cache, model, replay
        self._max_cost, self._jobs = max_cost, jobs
        self._opened: OpenAIModel | None = None

    def spent(self) -> str:
        """Tokens and US dollars so far, in words."""
        used = self._opened.ledger.total if self._opened else None
        return f"{used.prompt_tokens + used.answer_tokens:,} tokens{self.cost()}" if used else "replayed"

    def cost(self) -> str:
        """US dollars so far; nothing where the price is unknown."""
        spent = self._opened.spending.spent if self._opened else None
        return "" if spent is None else f", ${spent:.4f} so far"

    async def __aenter__(self) -> Asks:
        from narraworld.recordings import AnswerCache, Replay

        if self.replay:
            typer.echo("(answers are replayed from recordings; no model is asked)", err=True)
            return Replay(self.replay, self.model)
        from narraworld.model_settings import ModelSettings
        from narraworld.models import OpenAIModel
        from narraworld.prices import known_prices
        from narraworld.spending import Spending

        settings = ModelSettings.from_environment(model=self.model, jobs=self._jobs)
        self._cache.mkdir(parents=True, exist_ok=True)
        spending = Spending(known_prices().get(settings.model), self._max_cost)
        self._opened = OpenAIModel(settings, memory=self._cache / "model-modes.json", spending=spending)
        return AnswerCache(self._opened, self._cache / "answers.sqlite")

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.aclose()


def _told(one: UnitRead, so_far: str = "") -> bool:
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
    typer.echo(
        f"{one.unit}{title}  {revision}  {_counted(one.reading)}{refused}{one.note}{_cost(one.usage, so_far)}"
    )
    return False


def _cost(usage: Usage | None, so_far: str) -> str:
    if usage is None:
        return ""
    tokens = usage.prompt_tokens + usage.answer_tokens
    cached = f", {usage.cached} from the cache" if usage.cached else ""
    return f"  [{usage.calls} calls, {tokens:,} tokens{cached}{so_far}]"


def _forecast(
    world: World, pieces: Sequence[Piece], asking: Asking, branch: str, how: ReadingSettings
) -> str:
    """Calls, tokens and cost if a model read those pieces that were not read yet."""
    from narraworld.extract.prompting import load
    from narraworld.extract.stages import STAGES
    from narraworld.model_settings import ModelSettings, Secret
    from narraworld.prices import Expected, Range, consolidations, estimate_tokens, forecast, known_prices
    from narraworld.reading import unchanged

    settings = ModelSettings.from_environment(model=asking.model, key=Secret("not needed to count"))
    unread = [estimate_tokens(piece.unit.text) for piece in pieces if not unchanged(world, piece, branch)]
    systems = [estimate_tokens(load(stage.name).system) for stage in STAGES]
    questions = [
        Expected(system + words, Range(words // 2, words * 2)) for words in unread for system in systems
    ]
    if how.plotlines_every is not None:
        questions += consolidations(estimate_tokens(load("plotlines").system), len(unread))
    price = known_prices().get(settings.model)
    return f"{len(unread)} units with {settings.model} at {settings.endpoint}: {forecast(questions, price)}"
