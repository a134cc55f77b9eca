"""The commands of checking: findings, and the rules behind them. The author's word on them is in `decisions`.

Each parses, calls `checkup` or one door of `query`, prints, and has a documented exit code. Data goes to stdout, talk to stderr.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import asdict, replace
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
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    revision_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from narraworld.checking.checkup import CheckRequest
    from narraworld.extract.sources import Piece
    from narraworld.query.checks.findings import RuleCard, Severity
    from narraworld.query.checks.report import Report
    from narraworld.world import World

__all__ = ["register"]

STDIN = "-"
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
Format = Annotated[str, typer.Option("--format", "-f", help="text, full, json, jsonl, github, gitlab, sarif, junit, rdjson, markdown or html.")]  # fmt: skip
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
    typer.Option("--judge", help="Let a model confirm what rules only suspect; it sees the passages alone."),
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
    rules: OwnRules = None,
    stdin_filename: StdinName = None,
) -> None:
    """Find what does not fit: both passages, the reason, and what was not looked at.   narraworld check chapters/

    0 nothing found · 1 findings as grave as --fail-on · 2 something is wrong with the question
    """
    from narraworld.checking.checkup import CheckRequest, baseline_file, sources_of
    from narraworld.query.checks.sifting import fails

    _known_words(form, least, fail_on)
    names = files or []
    _check_stdin(names, stdin_filename)
    pieces = sources_of(where, names) if stdin_filename is None else None
    with open_world(where, create=pieces is not None) as world:
        asked = CheckRequest(
            _split(select), _split(ignore), tuple(rules or ()), cast("Severity", least), revision_of(since),
            (baseline or baseline_file(world)) if new_only and not keep else None, explain or form in TELL_WHY, knows, branch=branch,
        )  # fmt: skip
        report = _examined(world, pieces, stdin_filename, asked, whole=not names)
        _check_selected(asked.select, report)
        if judge:
            from narraworld.checking.judge import judged

            report = judged(world, report)
        if keep:
            _keep(baseline or baseline_file(world), report)
            return
    _tell(report, form, output)
    if fail_on != "never" and fails(report.checked.findings, cast("Severity", fail_on)):
        raise typer.Exit(1)


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


def _check_selected(prefixes: Sequence[str], report: Report) -> None:
    """No finding of a check that does not exist would look like a clean manuscript."""
    numbers = [one.rule.id for one in report.checked.reports]
    for prefix in prefixes:
        if not any(number.startswith(prefix) for number in numbers):
            raise NarraWorldError(f"--select {prefix!r} means no check", fix="all checks: narraworld rule")


def _split(given: Sequence[str] | None) -> tuple[str, ...]:
    """`--select NW2,NW301 --select NW5` is three."""
    return tuple(one.strip() for group in given or () for one in group.split(",") if one.strip())


def _examined(
    world: World, pieces: list[Piece] | None, stdin_name: str | None, asked: CheckRequest, *, whole: bool
) -> Report:
    """Read what changed and check; ``whole`` when the pieces are all of the manuscript, comments to us included."""
    from narraworld.checking.checkup import (
        examine,
        manuscript_of,
        read_changed,
        what_if,
        with_buffer,
        with_remarks,
    )

    if stdin_name is not None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # editors end us at the next keystroke
        with what_if(world, asked.branch) as branch:
            buffer, units = with_buffer(world, sys.stdin, stdin_name, branch=branch)
            read_changed(world, buffer, branch=branch, tell=_quietly)
            return examine(world, replace(asked, branch=branch, units=frozenset(units)), buffer)
    manuscript = manuscript_of(world, pieces, branch=asked.branch)
    read_changed(world, manuscript, branch=asked.branch, tell=lambda line: echo(line, err=True))
    return examine(world, asked, manuscript if whole else with_remarks(world, branch=asked.branch))


def _quietly(line: str) -> None:
    """Editors take everything for output."""


def _keep(path: Path, report: Report) -> None:
    from narraworld.query.checks.baseline import write_baseline
    from narraworld.query.checks.report.report import plural

    known = plural(write_baseline(path, report.checked.findings), "finding")
    echo(f"{path}: {known} known from now on", err=True)


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
    number: Annotated[str | None, typer.Argument(help="NW204, or NW2 for a family; without it, all.")] = None,
    rules: OwnRules = None,
    where: Where = Path(),
    as_json: AsJson = False,
) -> None:
    """What a check looks for, and what it leaves alone.   narraworld rule NW204"""
    beginning = (number or "").upper()
    cards = [card for name, card in sorted(_cards(where, rules or []).items()) if name.startswith(beginning)]
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


def _cards(where: Path, rules: list[Path]) -> dict[str, RuleCard]:
    """The shipped checks, and the project's own where there is a project."""
    from narraworld.checking.check_world import rule_cards
    from narraworld.kb.errors import NotAStore

    try:
        with open_world(where) as world:
            return rule_cards(world, rules)
    except NotAStore:
        return rule_cards(None, rules)


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
