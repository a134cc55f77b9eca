"""The commands that read: prose and records in, what was refused and what was understood out.

Each parses, calls one verb of `World`, prints; knows no file format and no provider itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

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
from narraworld.commands.progress import progress_bar

if TYPE_CHECKING:
    from narraworld.extract.model.port import Usage
    from narraworld.models.session import ModelSession
    from narraworld.project.opened import Committed
    from narraworld.reading.coverage import UnitCoverage
    from narraworld.reading.forecast import ReadingForecast
    from narraworld.reading.outcome import OnFailure, UnitRead
    from narraworld.reading.read import OpenedFiles
    from narraworld.reading.with_model import ReadingSettings
    from narraworld.world import World

__all__ = ["committed_lines", "register"]

INTERRUPTED = 130  # what a shell reports of a command that Ctrl-C ended
HIDDEN = frozenset({"Span", "SourceUnit", "Proposition"})
READERS = ("embedded", "model", "relay")
ON_FAILURE = ("stop", "go-on")
DETAILS = ("details", "conflicts")  # the questions of that stage, whole and for small models

Files = Annotated[
    list[str], typer.Argument(help="Manuscript files or folders, '-' for stdin; .toml files are records.")
]
ReaderName = Annotated[str, typer.Option("--reader", help="embedded (offline, the default), model or relay.")]
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
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=1, help="Seconds of silence before a model's server is given up."),
]
Plotlines = Annotated[bool, typer.Option(help="Let the model consolidate scenes into plotlines.")]
Record = Annotated[
    Path | None, typer.Option("--record", help="Keep every answer in this file, for --replay.")
]
Carry = Annotated[
    Path | None, typer.Option("--carry", help="Take over an older recording where only our wording changed.")
]
KeepFiles = Annotated[bool, typer.Option("--keep", help="Leave the relay's files when the reading is done.")]
Small = Annotated[bool, typer.Option("--small", help="Ask one kind of thing at a time, for small models.")]
Details = Annotated[
    bool | None,
    typer.Option(
        "--details/--no-details",
        help="Ask for particulars and for what does not fit with earlier chapters; one more question for each unit.",
    ),
]
Summaries = Annotated[bool, typer.Option(help="Keep the model's summaries of scenes.")]


def register(app: typer.Typer) -> None:
    for command in (read, refusals, coverage):
        app.command()(command)


# -- read


def read(
    files: Files,
    where: Where = Path(),
    branch: Branch = "main",
    reader: ReaderName = "embedded",
    model: ModelName = None,
    replay: Replayed = None,
    record: Record = None,
    carry: Carry = None,
    keep: KeepFiles = False,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    on_failure: OnTrouble = "stop",
    jobs: Jobs = 4,
    timeout: Timeout = None,
    plotlines: Plotlines = True,
    summaries: Summaries = True,
    small: Small = False,
    details: Details = None,
    as_json: AsJson = False,
) -> None:
    """Read a manuscript, or files of records, into the world.   narraworld read chapters/*.md"""
    from narraworld.kb.journal.store import FOLDER
    from narraworld.reading.read import open_files
    from narraworld.reading.with_model import ReadingSettings

    one_of("--reader", reader, READERS)
    one_of("--on-failure", on_failure, ON_FAILURE)
    _refuse_idle(reader, {model, record, carry}, {replay, max_cost}, keep, dry_run)
    opened = open_files(files, branch=branch, root=where)  # before a world is made: a slip leaves none behind
    if dry_run:
        asked = _wants_details(where, details, replay)
        expected = _dry_run(where, opened, model, branch, plotlines=plotlines, small=small, details=asked)
        _print_forecast(expected, as_json)
        return
    paid = (where / FOLDER, model, replay, max_cost, jobs, record, carry)
    session = _session(*paid, timeout) if reader == "model" else None
    settings = ReadingSettings(
        jobs, summaries, 0 if plotlines else None, small, _wants_details(where, details, replay)
    )
    now = replace(opened, pieces=()) if reader == "relay" else opened
    with open_world(where, create=True) as world:
        with _interruptible(), world.watching(now, branch=branch) as edit:
            units = _read(world, now, session, settings, cast("OnFailure", on_failure), branch, quiet=as_json)
        print_lines([] if as_json else edit.lines())
    laid = None
    if now is not opened and opened.pieces:
        from narraworld.commands.agents.relay import lay_out

        laid = lay_out(where, files, branch, model, settings, record, carry, keep, quiet=as_json)
    if as_json:
        print_json({"units": [one.to_json() for one in units], "changed": edit.to_json(), "relay": laid})
    if any(map(_wants_a_look, units)):
        raise typer.Exit(1)


def _wants_details(where: Path, said: bool | None, replay: Path | None) -> bool:
    """As the caller says; else as the recording was made, or as the project has it."""
    from narraworld.project.file import load_settings

    if said is not None:
        return said
    if replay is not None:
        from narraworld.models.recordings import recorded_answers

        return any(one.prompt in DETAILS for one in recorded_answers(replay))
    return load_settings(where).details


def _refuse_idle(reader: str, asked: set[object], paid: set[object], keep: bool, dry_run: bool) -> None:
    """An option that the reader would not heed is a slip."""
    if reader == "embedded" and not dry_run and asked | paid != {None}:
        raise NarraWorldError(
            "--model, --replay, --record, --carry and --max-cost need --reader model",
            fix="add --reader model, or leave them out",
        )
    if reader == "relay" and paid != {None}:
        raise NarraWorldError(
            "--replay and --max-cost have no effect with --reader relay", fix="leave them out"
        )
    if keep and reader != "relay":
        raise NarraWorldError("--keep needs --reader relay", fix="add --reader relay, or leave it out")


def _session(
    root: Path,
    model: str | None,
    replay: Path | None,
    max_cost: float | None,
    jobs: int,
    record: Path | None,
    carry: Path | None,
    timeout: float | None,
) -> ModelSession:
    from narraworld.models.session import ModelSession
    from narraworld.project.file import load_settings
    from narraworld.relay.desk import answers_instead

    instead, limits = answers_instead(root, model), load_settings(root.parent).model
    return ModelSession(
        root / "cache", model, replay, max_cost, jobs, record, carry, instead, limits, timeout
    )


def _read(
    world: World,
    opened: OpenedFiles,
    session: ModelSession | None,
    settings: ReadingSettings,
    on_failure: OnFailure,
    branch: str,
    *,
    quiet: bool,
) -> list[UnitRead]:
    """The units, each printed as it is finished."""
    from narraworld.reading.read import EmbeddedReader, ModelReader

    reader = (
        ModelReader(lambda: session, settings, partial(_wants_small, session))
        if session
        else EmbeddedReader()
    )
    if session and opened.pieces:
        echo(_announced(world, opened, session, settings, branch), err=True)
    records = {delta.unit.id for delta in opened.records}
    steps = [] if quiet else _steps(opened, session, settings)
    units: list[UnitRead] = []
    with progress_bar(steps, session.spent if session else str) as finished:
        for unit in world.reading(opened, reader=reader, on_failure=on_failure, branch=branch):
            units.append(unit)
            with nullcontext() if quiet or unit.unit in records else finished():
                if not quiet:
                    _print_unit(unit, session.cost() if session else "")
    return units


async def _wants_small(session: ModelSession) -> bool:
    length = await session.short_context()
    if length is not None:
        echo(f"(the model takes {length:,} tokens at once: small questions, as with --small)", err=True)
    return length is not None


def _announced(
    world: World, opened: OpenedFiles, session: ModelSession, settings: ReadingSettings, branch: str
) -> str:
    """What will be asked of whom, before it is."""
    if session.replay is not None:
        return "(answers are replayed from recordings; no model is asked)"
    plotlines = settings.plotlines_every is not None
    return str(
        world.forecast(
            opened,
            model=session.model,
            plotlines=plotlines,
            small=settings.small,
            details=settings.details,
            branch=branch,
        )
    )


def _steps(opened: OpenedFiles, session: ModelSession | None, settings: ReadingSettings) -> list[str]:
    """What the bar counts."""
    last = [] if session is None or settings.plotlines_every is None else ["plotlines"]
    return [*(visible(piece.unit.title or piece.unit.id) for piece in opened.pieces), *last]


def _dry_run(
    where: Path,
    opened: OpenedFiles,
    model: str | None,
    branch: str,
    *,
    plotlines: bool,
    small: bool,
    details: bool,
) -> ReadingForecast:
    """The forecast for the world in ``where``, or for an empty one, of which nothing stays."""
    from narraworld.kb.errors import NotAStore

    def forecast(world: World) -> ReadingForecast:
        return world.forecast(
            opened, model=model, plotlines=plotlines, small=small, details=details, branch=branch
        )

    try:
        with open_world(where) as world:
            return forecast(world)
    except NotAStore:
        with TemporaryDirectory() as empty, open_world(Path(empty), create=True) as world:
            return forecast(world)


def _print_forecast(expected: ReadingForecast, as_json: bool) -> None:
    if as_json:
        print_json(asdict(expected))
    else:
        echo(expected)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C loses nothing: units are committed one by one, and answers are kept as they come."""
    try:
        yield
    except KeyboardInterrupt:
        echo("stopped; finished units are kept: run the same command again to go on from here", err=True)
        raise typer.Exit(INTERRUPTED) from None


# -- units as lines


def _print_unit(unit: UnitRead, so_far: str) -> None:
    title = f"  {unit.title}" if unit.title else ""
    if unit.committed is None:
        why = f": {unit.why}" if unit.why else ""
        echo(f"{unit.unit}{title}  {unit.outcome}{why}", err=unit.outcome == "failed")
    elif _is_of_records(unit):
        print_lines(committed_lines(unit.committed))
    elif unit.again:
        echo(f"{unit.unit}{title}  {unit.why_again}")
    else:
        refused = f"; {len(unit.refusals)} refused" if unit.refusals else ""
        echo(f"{_line(unit.committed, title)}{refused}{_aside(unit)}{_cost(unit.usage, so_far)}")


def _is_of_records(unit: UnitRead) -> bool:
    """Whether somebody wrote each of its records."""
    return unit.committed is not None and unit.coverage is None and unit.usage is None


def _wants_a_look(unit: UnitRead) -> bool:
    """Whether the author should look: what a reader invents and loses is daily bread, what somebody wrote is not."""
    return unit.outcome == "failed" or (_is_of_records(unit) and bool(unit.refusals))


def committed_lines(committed: Committed) -> list[str]:
    """One line for a unit, and one for each record that was refused."""
    return [_line(committed)] + [
        f"  refused {refusal.record}: {refusal.message}" + (f" ({refusal.value})" if refusal.value else "")
        for refusal in committed.refusals
    ]


def _line(committed: Committed, title: str = "") -> str:
    revision = f"r{committed.entry.revision}" if committed.entry else "not committed"
    shown = [f"{n} {kind.lower()}" for kind, n in committed.records.items() if kind not in HIDDEN]
    return f"{committed.unit}{title}  {revision}  {', '.join(shown) or 'no records'}"


def _aside(unit: UnitRead) -> str:
    """How much was understood, or what was left for later."""
    said = unit.coverage
    if said is not None:
        return f"  ({said.read} of {said.sentences} sentences read, {said.partly} partly)"
    return f"; {unit.waiting} candidates wait" if unit.waiting else ""


def _cost(usage: Usage | None, so_far: str) -> str:
    if usage is None:
        return ""
    tokens = usage.prompt_tokens + usage.answer_tokens
    cached = f", {usage.cached} from the cache" if usage.cached else ""
    return f"  [{usage.calls} calls, {tokens:,} tokens{cached}{so_far and f'{so_far} so far'}]"


# -- what was refused, what was understood


def refusals(where: Where = Path(), as_json: AsJson = False) -> None:
    """What was read and not accepted, unit by unit, with the reasons."""
    with open_world(where) as world:
        kept = world.refusals()
    if as_json:
        print_json([asdict(one) for one in kept])
    else:
        print_lines([str(one) for one in kept] or ["nothing was refused"])
    if kept:
        raise typer.Exit(1)


def coverage(
    where: Where = Path(),
    branch: Branch = "main",
    unread: Annotated[
        bool, typer.Option("--unread", help="Quote what gave nothing, or nothing sure.")
    ] = False,
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Quote the references nobody was found for.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What the embedded reader understood, unit by unit: sentences, records, references.   narraworld coverage --unread"""
    from narraworld.reading.coverage import total_of

    with open_world(where) as world:
        found = world.coverage(branch=branch)
    if as_json:
        print_json({"units": [one.to_json() for one in found], "total": total_of(found)})
    else:
        print_lines(_coverage_lines(found, unread, unresolved))


def _coverage_lines(found: Sequence[UnitCoverage], unread: bool, unresolved: bool) -> Iterator[str]:
    from narraworld.reading.coverage import total_of

    for one in found:
        yield f"{one.unit}  " + (f"{one.title}  " if one.title else "") + _understood(one.to_json())
        yield from (f"  not read      {quote}" for quote in one.unread if unread)
        yield from (f"  unsure        {quote}" for quote in one.unsure if unread)
        yield from (f"  who or what?  {quote}" for quote in one.unresolved if unresolved)
    yield f"all {len(found)} units  {_understood(total_of(found))}"


def _number(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(value)


def _understood(said: dict[str, Any]) -> str:
    records = ", ".join(f"{count} {kind}" for kind, count in said["records"].items()) or "no records"
    if said["sentences"] is None:
        return f"read by other means; {records}"
    return (
        f"{said['sentences']} sentences: {said['read']} read, {said['partly']} partly, {_number(said['not_read'])} not; "
        f"{_number(said['unresolved'])} unresolved, {_number(said['unsure'])} unsure; {records}"
    )
