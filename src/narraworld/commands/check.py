"""The commands of checking: findings, and the rules behind them. The author's word on them is in `decisions`.

Each parses, calls one verb of `World`, prints, and has a documented exit code. Data goes to stdout, talk to stderr.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import asdict, replace
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from narraworld.base.atomic_files import write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.commands import decisions
from narraworld.commands.options import (
    AsJson,
    Branch,
    Eyes,
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
from narraworld.commands.progress import working
from narraworld.commands.surfaces import completion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from narraworld.models.session import ModelSession
    from narraworld.query.checks.findings import RuleCard, Severity
    from narraworld.query.checks.report import Report
    from narraworld.reading.read import OpenedFiles

__all__ = ["register"]

STDIN = "-"
CHECKING = "looking for what does not fit"
TERMINATED = 143  # what a shell reports of a command that was told to end
TELL_WHY = frozenset({"full", "html"})  # formats with room for a proof
PLAIN = frozenset({"text", "full"})

Files = Annotated[
    list[str] | None, typer.Argument(help="Files or folders to read first where they changed; '-' for stdin.")
]
Prefixes = Annotated[
    list[str] | None, typer.Option("--select", help="Only these checks: NW204, or NW2 for a family.")
]
NotThese = Annotated[list[str] | None, typer.Option("--ignore", help="Not these checks.")]
Format = Annotated[str, typer.Option("--format", "-f", help="text, full, json, jsonl, github, gitlab, sarif, junit, rdjson, markdown or html.", autocompletion=completion.formats)]  # fmt: skip
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the report to this file.")]
Level = Annotated[str, typer.Option("--min-severity", help="Tell error, warning or note and above.")]
FailOn = Annotated[
    str, typer.Option("--fail-on", help="End with 1 for findings this grave: error, warning, note or never.")
]
Since = Annotated[
    str | None, typer.Option("--since", help="Only what is new since a revision, as in r5; and what is gone.")
]
NewOnly = Annotated[bool, typer.Option("--new-only", help="Only what the baseline does not know.")]
Baseline = Annotated[
    Path | None, typer.Option("--baseline", help="Another baseline file than .narraworld/baseline.json.")
]
WriteBaseline = Annotated[
    bool, typer.Option("--write-baseline", help="Take what is found now as known; ends with 0.")
]
Explain = Annotated[bool, typer.Option("--explain", help="The proof under each finding.")]
Knows = Annotated[bool, typer.Option("--knows", help="With the table of who knows what (html).")]
Judge = Annotated[
    bool,
    typer.Option(
        "--judge", help="Let a model judge what no rule decides: nominations, notes, two values in the sheet."
    ),
]
Record = Annotated[
    Path | None, typer.Option("--record", help="Keep the judge's answers in this file, for --replay.")
]
StdinName = Annotated[
    str | None, typer.Option("--stdin-filename", help="The file that the text on stdin stands for.")
]
OwnRules = Annotated[
    list[Path] | None, typer.Option("--rules", help="A file or folder of checks of your own.")
]


def register(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(rule)
    decisions.register(app)


# -- check


def check(
    files: Files = None,
    where: Where = Path(),
    branch: Branch = "main",
    form: Format = "text",
    output: Output = None,
    least: Level = "warning",
    fail_on: FailOn = "warning",
    select: Prefixes = None,
    ignore: NotThese = None,
    since: Since = None,
    new_only: NewOnly = False,
    baseline: Baseline = None,
    keep: WriteBaseline = False,
    explain: Explain = False,
    knows: Knows = False,
    judge: Judge = False,
    model: ModelName = None,
    record: Record = None,
    replay: Replayed = None,
    rules: OwnRules = None,
    stdin_filename: StdinName = None,
    eyes: Eyes = None,
    as_json: AsJson = False,
) -> None:
    """Find what does not fit: both passages, the reason, and what was not looked at.   narraworld check chapters/

    0 nothing found · 1 findings as grave as --fail-on · 2 something is wrong with the question
    """
    from narraworld.query.checks.report.report import plural
    from narraworld.query.checks.sifting import fails
    from narraworld.query.situation import Situation

    form = "json" if as_json else form
    _known_words(form, least, fail_on)
    names = files or []
    _check_stdin(names, stdin_filename)
    opened = _opened(where, names) if stdin_filename is None else None
    buffer = (stdin_filename, sys.stdin) if stdin_filename is not None else None
    if buffer:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # editors end us at the next keystroke
    with open_world(where, create=opened is not None) as world:
        with working(CHECKING, quiet=as_json) as say:
            report = world.check(
                *([opened] if opened else []), select=_split(select), ignore=_split(ignore), rules=rules or [],
                least=cast("Severity", least), since=since, baseline=(baseline or True) if new_only and not keep else None,
                judge=_judge(where, judge, model, record, replay), forecast=_forecast, explain=explain or form in TELL_WHY, knows=knows, buffer=buffer,
                tell=None if as_json else partial(_changed, say), situation=Situation(branch=branch, focalizer=eyes),
            )  # fmt: skip
        if keep:
            path, known = world.keep_baseline(report, baseline)
            echo(f"{path}: {plural(known, 'finding')} known from now on", err=True)
            return
    _tell(report, form, output)
    if fail_on != "never" and fails(report.findings, cast("Severity", fail_on)):
        raise typer.Exit(1)


def _judge(
    where: Path, wanted: bool, model: str | None, record: Path | None, replay: Path | None
) -> ModelSession | None:
    """Who judges; nobody without --judge."""
    if not wanted:
        if {model, record, replay} != {None}:
            raise NarraWorldError(
                "--model, --record and --replay need --judge", fix="add --judge, or leave them out"
            )
        return None
    from narraworld.kb.journal.store import FOLDER
    from narraworld.models.session import ModelSession
    from narraworld.project.file import load_settings
    from narraworld.relay.desk import answers_instead

    root = where / FOLDER
    instead = answers_instead(root, model or os.environ.get("NARRAWORLD_MODEL"))
    limits = load_settings(where).model
    return ModelSession(root / "cache", model, replay, record=record, instead=instead, limits=limits)


def _forecast(words: str) -> None:
    echo(f"({words})", err=True)


def _opened(where: Path, names: Sequence[str]) -> OpenedFiles | None:
    """The files named, or the whole folder where there is no world yet; read before a world is made for them."""
    from narraworld.reading.changed import sources_of
    from narraworld.reading.read import OpenedFiles

    pieces = sources_of(where, names)
    return None if pieces is None else OpenedFiles(pieces=tuple(pieces), whole=not names)


def _known_words(form: str, least: str, fail_on: str) -> None:
    from narraworld.query.checks.report import FORMATS, SEVERITIES

    one_of("--format", form, tuple(FORMATS))
    one_of("--min-severity", least, SEVERITIES)
    one_of("--fail-on", fail_on, (*SEVERITIES, "never"))


def _check_stdin(names: Sequence[str], stands_for: str | None) -> None:
    alone = list(names) == [STDIN] and stands_for is not None
    if not alone and (STDIN in names or stands_for is not None):
        fix = "narraworld check - --stdin-filename ch03.md"
        raise NarraWorldError("'-' and --stdin-filename go together, without other files", fix=fix)


def _split(given: Sequence[str] | None) -> tuple[str, ...]:
    """`--select NW2,NW301 --select NW5` is three."""
    return tuple(one.strip() for group in given or () for one in group.split(",") if one.strip())


def _changed(say: Callable[[str], object] | None, done: int, total: int, unit: str) -> None:
    """A unit was read because it had changed: on a terminal how far that is, elsewhere a line for each."""
    if say is None:
        echo(f"read {unit}", err=True)
    else:
        say(CHECKING if done == total else visible(f"read {done}/{total} {unit}"))


def _tell(report: Report, form: str, output: Path | None) -> None:
    from narraworld.query.checks.report import render
    from narraworld.query.checks.report.report import plural

    on_terminal = isinstance(sys.stdout, TextIOWrapper) and sys.stdout.isatty()  # a closed stdout is None
    coloured = form in PLAIN and output is None and on_terminal and "NO_COLOR" not in os.environ
    told = render(replace(report, colour=coloured), form)
    if output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            # a terminal without curly quotes still gets the findings
            sys.stdout.reconfigure(errors="replace")
        echo(told, nl=False)
    else:
        write_whole(output, told)
        echo(f"{output}: {plural(len(report.checked.findings), 'finding')}", err=True)


# -- rule


def rule(
    number: Annotated[
        str | None,
        typer.Argument(
            help="NW204, or NW2 for a family; without it, all.", autocompletion=completion.rule_numbers
        ),
    ] = None,
    rules: OwnRules = None,
    where: Where = Path(),
    as_json: AsJson = False,
) -> None:
    """What a check looks for, and what it leaves alone.   narraworld rule NW204"""
    cards = [card for _, card in sorted(_cards(where, (number or "").upper(), rules or []).items())]
    if not cards:
        raise NarraWorldError(f"there is no check {number!r}", fix="all checks: narraworld rule")
    if as_json:
        print_json([asdict(card) for card in cards])
    elif len(cards) == 1:
        print_lines(_card_lines(cards[0]))
    else:
        print_lines(
            f"{card.id}  {card.severity:7}  {card.title}  ({card.subtype}; {card.verdict})" for card in cards
        )


def _cards(where: Path, beginning: str, rules: list[Path]) -> dict[str, RuleCard]:
    """The shipped checks, and the project's own where there is a project."""
    from narraworld.checking.check_world import rule_cards
    from narraworld.kb.errors import NotAStore

    try:
        with open_world(where) as world:
            return world.checks(beginning, rules=rules)
    except NotAStore:
        found = rule_cards(None, rules)
        return {number: card for number, card in found.items() if number.startswith(beginning)}


def _card_lines(card: RuleCard) -> Iterator[str]:
    yield f"{card.id}  {card.title}"
    yield f"  severity  {card.severity}"
    yield f"  serves    {card.subtype}"
    yield f"  verdict   {VERDICTS.get(card.verdict, card.verdict)}"
    for head, words in (("about", card.about), ("speaks up", card.fires), ("stays silent", card.silent)):
        if words:
            yield f"\n{head}\n  {words}"
    yield f"\nto leave it out: narraworld check --ignore {card.id}\nfor one passage: <!-- narraworld: ignore {card.id} the reason -->"


VERDICTS = {
    "decides": "the rule decides",
    "explicit half": "the rule decides what the text says outright, and leaves the rest alone",
    "nominates": "the rule suspects; a judge may confirm (check --judge)",
    "judge": "no rule can tell, and none tries",
}
