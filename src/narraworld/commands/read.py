"""The commands that read: prose and records in, what was refused and what it cost out.

Registered on the app by `cli`. Parses, calls `reading`, prints; knows no file format and no provider itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from narraworld.base.atomic_files import make_folder
from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import (
    AsJson,
    Branch,
    ModelName,
    Replayed,
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    visible,
)

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks, Usage
    from narraworld.extract.sources import Piece
    from narraworld.kb.delta import Delta
    from narraworld.models.openai import OpenAIModel
    from narraworld.reading.coverage import UnitCoverage
    from narraworld.reading.with_model import OnFailure, ReadingSettings, UnitRead
    from narraworld.world import Committed, World

__all__ = ["Asking", "reading_lines", "register"]

INTERRUPTED = 130  # what a shell reports of a command that Ctrl-C ended

HIDDEN = frozenset({"Span", "SourceUnit", "Proposition"})

RECORDS = ".toml"

READERS = ("embedded", "model")

ON_FAILURE = ("stop", "go-on")

Files = Annotated[
    list[str], typer.Argument(help="Manuscript files or folders, '-' for stdin; .toml files are records.")
]

Reader = Annotated[str, typer.Option("--reader", help="embedded (offline, the default) or model.")]

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what a model would be asked and cost; ask and keep nothing.")
]

MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0, help="Stop before spending more US dollars than this.")
]

OnTrouble = Annotated[str, typer.Option("--on-failure", help="stop or go-on when a unit cannot be read.")]

Jobs = Annotated[
    int, typer.Option("--jobs", min=1, help="Questions to a model under way at once; the result is the same.")
]

Plotlines = Annotated[bool, typer.Option(help="Let the model consolidate scenes into plotlines.")]

Summaries = Annotated[bool, typer.Option(help="Keep the model's summaries of scenes.")]


def register(app: typer.Typer) -> None:
    app.command()(read)
    app.command()(refusals)
    app.command()(coverage)


def read(
    files: Files,
    where: Where = Path(),
    branch: Branch = "main",
    reader: Reader = "embedded",
    model: ModelName = None,
    replay: Replayed = None,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    on_failure: OnTrouble = "stop",
    jobs: Jobs = 4,
    plotlines: Plotlines = True,
    summaries: Summaries = True,
) -> None:
    """Read a manuscript, or files of records, into the world.   narraworld read chapters/*.md"""
    from narraworld.kb.journal.store import FOLDER
    from narraworld.reading.with_model import ReadingSettings, in_place

    one_of("--reader", reader, READERS)
    one_of("--on-failure", on_failure, ON_FAILURE)
    if reader == "embedded" and not dry_run and (model, replay, max_cost) != (None, None, None):
        raise NarraWorldError("the embedded reader asks no model", fix="say --reader model")
    records, told = _opened(files, branch)
    asking = Asking(where / FOLDER / "cache", model, replay, max_cost, jobs)
    how = ReadingSettings(jobs, summaries, 0 if plotlines else None)
    if dry_run:
        echo(_dry_run(where, told, asking, branch, how))
        return
    with open_world(where, create=True) as world:
        troubled = [_commit_records(world, delta, branch) for delta in records]
        pieces = in_place(world, told, branch=branch)
        with _interruptible(), _semantic_diff(world, pieces, branch):
            if pieces and reader == "model":
                model_reads = _with_model(world, pieces, asking, branch, cast("OnFailure", on_failure), how)
                troubled += asyncio.run(model_reads)
            elif pieces:
                troubled += _embedded(world, pieces, branch)
    if any(troubled):
        raise typer.Exit(1)


def refusals(where: Where = Path()) -> None:
    """What was read and not accepted, unit by unit, with the reasons."""
    from narraworld.reading.with_model import kept_refusals

    with open_world(where) as world:
        kept = kept_refusals(world.store.root)
    for one in kept:
        echo(f"{one.unit}  {one.record}: {one.message}" + (f" ({one.value})" if one.value else ""))
    if not kept:
        echo("nothing was refused")
    else:
        raise typer.Exit(1)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C loses nothing: units are committed one by one, and answers are kept as they come."""
    try:
        yield
    except KeyboardInterrupt:
        echo("stopped; finished units are kept: run the same command again to go on from here", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _semantic_diff(world: World, pieces: Sequence[Piece], branch: str) -> Iterator[None]:
    """Say what a changed chapter brought and took away; a first reading has nothing to compare with."""
    from narraworld.checking.edits import edited_units, standing, what_changed

    units = edited_units(world, pieces, branch=branch)
    before = standing(world, branch=branch) if units else None
    yield
    if before is not None:
        for line in what_changed(before, standing(world, branch=branch), units).lines():
            echo(line)


# -- files
def _opened(names: Sequence[str], branch: str) -> tuple[list[Delta], list[Piece]]:
    """Records and pieces of prose; read before a world is made, so that a slip leaves neither an empty nor half a one behind."""
    from narraworld.extract.records import read_records
    from narraworld.extract.sources import read_sources

    if not all(name.strip() for name in names):
        raise NarraWorldError(
            "an empty name names no file", fix="for the folder you are in, say: narraworld read ."
        )
    records = [read_records(Path(name), branch=branch) for name in names if name.endswith(RECORDS)]
    prose = [name for name in names if not name.endswith(RECORDS)]
    return records, read_sources(prose, stdin=sys.stdin if "-" in prose else None) if prose else []


def _commit_records(world: World, delta: Delta, branch: str) -> bool:
    reading = world.commit(delta, branch=branch)
    for line in reading_lines(reading):
        echo(line)
    return bool(reading.refusals)


def reading_lines(reading: Committed) -> list[str]:
    """One line for a unit, and one for each record that was refused."""
    revision = f"r{reading.entry.revision}" if reading.entry else "not committed"
    lines = [f"{reading.unit}  {revision}  {_counted(reading)}"]
    return lines + [
        f"  refused {r.record}: {r.message}" + (f" ({r.value})" if r.value else "") for r in reading.refusals
    ]


def _counted(reading: Committed) -> str:
    shown = [f"{n} {kind.lower()}" for kind, n in reading.records.items() if kind not in HIDDEN]
    return ", ".join(shown) or "no records"


# -- prose
def _embedded(world: World, pieces: Sequence[Piece], branch: str) -> list[bool]:
    from narraworld.reading.with_embedded import read_embedded

    return [_told(one) for one in read_embedded(world, pieces, branch=branch)]


async def _with_model(
    world: World,
    pieces: Sequence[Piece],
    asking: Asking,
    branch: str,
    on_failure: OnFailure,
    settings: ReadingSettings,
) -> list[bool]:
    from narraworld.commands.progress import progress_bar
    from narraworld.reading.with_model import read_with_model

    if asking.replay is None:
        echo(_forecast(world, pieces, asking, branch, settings), err=True)
    steps, troubled = [visible(piece.unit.title or piece.unit.id) for piece in pieces], []
    if settings.plotlines_every is not None:
        steps.append("plotlines")
    async with asking as asks:
        with progress_bar(steps, asking.spent) as finished:
            async for one in read_with_model(
                world, pieces, asks, branch=branch, on_failure=on_failure, settings=settings
            ):
                with finished():
                    troubled.append(_told(one, asking.cost()))
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
        """US dollars; nothing where the price is unknown."""
        spent = self._opened.spending.spent if self._opened else None
        return "" if spent is None else f", ${spent:.4f}"

    async def __aenter__(self) -> Asks:
        from narraworld.models.recordings import AnswerCache, Replay

        if self.replay:
            echo("(answers are replayed from recordings; no model is asked)", err=True)
            return Replay(self.replay, self.model)
        from narraworld.models.environment import ModelSettings
        from narraworld.models.openai import OpenAIModel
        from narraworld.models.prices import known_prices
        from narraworld.models.spending import Spending

        settings = ModelSettings.from_environment(model=self.model, jobs=self._jobs)
        make_folder(self._cache)
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
        echo(
            f"{one.unit}{title}  {one.outcome}" + (f": {one.why}" if one.why else ""),
            err=one.outcome == "failed",
        )
        return one.outcome == "failed"
    assert one.reading is not None
    revision = f"r{one.reading.entry.revision}" if one.reading.entry else "not committed"
    refused = f"; {len(one.reading.refusals)} refused" if one.reading.refusals else ""
    echo(
        f"{one.unit}{title}  {revision}  {_counted(one.reading)}{refused}{one.note}{_cost(one.usage, so_far)}"
    )
    return False


def _cost(usage: Usage | None, so_far: str) -> str:
    if usage is None:
        return ""
    tokens = usage.prompt_tokens + usage.answer_tokens
    cached = f", {usage.cached} from the cache" if usage.cached else ""
    return f"  [{usage.calls} calls, {tokens:,} tokens{cached}{so_far and f'{so_far} so far'}]"


def _dry_run(where: Path, told: Sequence[Piece], asking: Asking, branch: str, how: ReadingSettings) -> str:
    """The forecast for the world in ``where``, or for an empty one, of which nothing stays."""
    from narraworld.kb.errors import NotAStore
    from narraworld.reading.with_model import in_place

    try:
        with open_world(where) as world:
            return _forecast(world, in_place(world, told, branch=branch), asking, branch, how)
    except NotAStore:
        with TemporaryDirectory() as empty, open_world(Path(empty), create=True) as world:
            return _forecast(world, told, asking, branch, how)


def _forecast(
    world: World, pieces: Sequence[Piece], asking: Asking, branch: str, how: ReadingSettings
) -> str:
    """Calls, tokens and cost if a model read those pieces that were not read yet."""
    from narraworld.extract.model.stages import STAGES
    from narraworld.extract.model.templates import load
    from narraworld.models.environment import ModelSettings, Secret
    from narraworld.models.prices import (
        CostRange,
        Expected,
        consolidations,
        estimate_tokens,
        forecast,
        known_prices,
    )
    from narraworld.reading.with_model import unchanged

    settings = ModelSettings.from_environment(model=asking.model, key=Secret("not-needed-to-count"))
    unread = [estimate_tokens(piece.unit.text) for piece in pieces if not unchanged(world, piece, branch)]
    systems = [estimate_tokens(load(stage.name).system) for stage in STAGES]
    questions = [
        Expected(system + words, CostRange(words // 2, words * 2)) for words in unread for system in systems
    ]
    if how.plotlines_every is not None:
        questions += consolidations(estimate_tokens(load("plotlines").system), len(unread))
    price = known_prices().get(settings.model)
    return f"{len(unread)} units with {settings.model} at {settings.endpoint}: {forecast(questions, price)}"


# -- How much of the story was understood: `narraworld coverage`, unit by unit. Parses, asks, prints


def coverage(
    where: Where = Path(),
    branch: Branch = "main",
    unread: Annotated[bool, typer.Option("--unread", help="Quote the sentences that gave nothing.")] = False,
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Quote the references nobody was found for.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What the embedded reader understood, unit by unit: sentences, records, references.   narraworld coverage --unread"""
    from narraworld.reading.coverage import coverage_of

    with open_world(where) as world:
        found = coverage_of(world.store, branch)
    if as_json:
        print_json({"units": [one.to_json() for one in found], "total": _total(found)})
    else:
        print_lines(_lines(found, unread, unresolved))


def _lines(found: Sequence[UnitCoverage], unread: bool, unresolved: bool) -> Iterator[str]:
    for one in found:
        yield f"{one.unit}  " + (f"{one.title}  " if one.title else "") + _understood(one.to_json())
        yield from (f"  not read      {quote}" for quote in one.unread if unread)
        yield from (f"  who or what?  {quote}" for quote in one.unresolved if unresolved)
    yield f"all {len(found)} units  {_understood(_total(found))}"


def _total(found: Sequence[UnitCoverage]) -> dict[str, Any]:
    """All units together; whoever is in several counts once."""
    from narraworld.reading.coverage import count_of

    counted = [one for one in found if one.sentences is not None]
    classes = {node: kind for one in found for node, kind in one.classes.items()}
    return {
        "sentences": sum(one.sentences or 0 for one in counted) if counted else None,
        "read": sum(one.read for one in counted),
        "partly": sum(one.partly for one in counted),
        "not_read": sum(len(one.unread) for one in counted),
        "unresolved": sum(len(one.unresolved) for one in counted),
        "records": count_of(classes),
    }


def _number(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(value)


def _understood(said: dict[str, Any]) -> str:
    records = ", ".join(f"{count} {kind}" for kind, count in said["records"].items()) or "no records"
    if said["sentences"] is None:
        return f"read by other means; {records}"
    return (
        f"{said['sentences']} sentences: {said['read']} read, {said['partly']} partly, {_number(said['not_read'])} not; "
        f"{_number(said['unresolved'])} unresolved; {records}"
    )
