"""The commands of the relay: the next question, its answer, how things stand. Each parses, calls `relay`, prints.

0 there is a question, or the answer was taken · 1 nothing to answer now · 2 an answer that is none, or a name that means nothing
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.commands.options import AsJson, Where, echo, print_json, print_lines

if TYPE_CHECKING:
    from narraworld.reading.outcome import UnitRead
    from narraworld.reading.with_model import ReadingSettings
    from narraworld.relay.desk import Shown, Tally
    from narraworld.relay.errand import Progress, Relay

__all__ = ["lay_out", "progress_json", "register", "shown_json"]

SOMEBODY = "somebody"
STDIN = "-"

relay = typer.Typer(no_args_is_help=True, help="Questions of a reading, for whoever is at hand to answer.")

Id = Annotated[str, typer.Argument(help="The question's id, as `relay next` shows it.")]
Name = Annotated[str, typer.Option("--as", help="Who answers; give each of several a name of its own.")]


def register(app: typer.Typer) -> None:
    app.add_typer(relay, name="relay")


def lay_out(
    where: Path,
    files: list[str],
    branch: str,
    model: str | None,
    how: ReadingSettings,
    record: Path | None,
    carry: Path | None,
    keep: bool,
    *,
    quiet: bool = False,
) -> dict[str, Any]:
    """Begin a reading through the relay: `read --reader relay`."""
    from narraworld.relay.errand import Errand, Relay

    if STDIN in files:
        raise NarraWorldError("what comes from stdin cannot be taken up again", fix="save it to a file first")
    there = tuple(str(Path(name).resolve()) for name in files if not name.endswith(".toml"))
    kept, old = (str(path.resolve()) if path else None for path in (record, carry))
    found = Relay(where).begin(Errand(there, branch, model, how, kept, old, keep))
    print_lines([] if quiet else _progress_lines(found, _options(where)))
    return progress_json(found)


@relay.command("next")
def next_(
    where: Where = Path(),
    name: Name = SOMEBODY,
    full: Annotated[bool, typer.Option("--full", help="With all instructions, had before or not.")] = False,
    as_json: AsJson = False,
) -> None:
    """The next question that can be answered now.   narraworld relay next --as ada"""
    found, desk = _relay(where), _relay(where).desk
    if full:
        desk.forget_seen(name)
    shown = found.next(name)
    if as_json:
        print_json(shown_json(found, shown))
    else:
        print_lines(_question_lines(found, shown, _options(where, name)))
    if shown is None:
        raise typer.Exit(1)


@relay.command()
def answer(
    id: Id,
    file: Annotated[str, typer.Argument(help="A file with the answer as JSON, or - for stdin.")],
    where: Where = Path(),
    name: Name = SOMEBODY,
    as_json: AsJson = False,
) -> None:
    """Give an answer.   narraworld relay answer events-1a2b3c4d answer.json"""
    progress = _relay(where).answer(id, _text(file), name)
    if as_json:
        print_json(progress_json(progress))
    else:
        print_lines(["taken", *_progress_lines(progress, _options(where, name))])


@relay.command("give-back")
def give_back(
    id: Id,
    where: Where = Path(),
    too_long: Annotated[bool, typer.Option("--too-long", help="Ask about less text at a time.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give a question back, so that somebody else can have it."""
    progress = _relay(where).give_back(id, too_long=too_long)
    if as_json:
        print_json(progress_json(progress))
        return
    print_lines([f"{id} is open again" if not too_long else f"{id} is put in halves"])
    print_lines(_progress_lines(progress, _options(where)))


@relay.command()
def status(where: Where = Path(), as_json: AsJson = False) -> None:
    """What is being read, which questions are open, and who has them."""
    from dataclasses import asdict

    found = _relay(where)
    errand, desk = found.errand(), found.desk
    open_ = [(one, desk.loans.of(one.id)) for one in desk.open()]
    if as_json:
        rows = [{"id": one.id, "lent_to": loan.to if loan else None} for one, loan in open_]
        print_json({"reading": errand and list(errand.files), "open": rows, "tally": asdict(desk.tally())})
        return
    echo(f"reading {', '.join(errand.files)}" if errand else "no reading is under way")
    print_lines(f"  {one.id}  {f'lent to {loan.to}' if loan else 'free'}" for one, loan in open_)
    print_lines(_tally_lines(desk.tally()))


@relay.command()
def stop(where: Where = Path(), as_json: AsJson = False) -> None:
    """End the reading; finished units stay, and answers that were given are kept for the next time."""
    _relay(where).stop()
    if as_json:
        print_json({"stopped": True})
        return
    echo("stopped; finished units stay, and no answer that was given is asked for again")


# -- words


def shown_json(found: Relay, shown: Shown | None) -> dict[str, Any]:
    """A question for a program; without one, whether the reading is done or others have what is open."""
    if shown is None:
        return {"done": found.errand() is None, "open": len(found.desk.open())}
    page = (found.desk.folder / "pages" / f"{shown.question.id}.md").resolve()
    return {
        "done": False, "id": shown.question.id, "instructions": shown.instructions or None,
        "question": shown.question.user, "page": str(page), "schema": str(page.with_suffix(".schema.json")),
    }  # fmt: skip


def progress_json(progress: Progress) -> dict[str, Any]:
    """What became of an answer, for a program."""
    refused = [{"item": one.record, "why": one.message, "quote": one.value} for one in progress.refused]
    units = [{"unit": one.unit, "outcome": one.outcome, "why": one.why} for one in progress.units]
    return {
        "accepted": True,
        "refused": refused,
        "units": units,
        "open": progress.open,
        "done": progress.done,
    }


def _options(where: Path, name: str = SOMEBODY) -> str:
    """What the next command must say too: who answers, and where, unless that goes without saying."""
    who = f" --as {quote(name)}" if name != SOMEBODY else ""
    return who + (f" --world {quote(str(where))}" if where != Path() else "")


def _question_lines(found: Relay, shown: Shown | None, options: str) -> Iterator[str]:
    if shown is None:
        waiting = len(found.desk.open())
        yield (
            f"{waiting} questions are lent to others: try again later"
            if waiting
            else "nothing is left to answer"
        )
        return
    yield f"# {shown.question.id}"
    yield ""
    yield shown.text
    yield ""
    yield f"Answer with: narraworld relay answer {shown.question.id} FILE{options}"
    if not shown.instructions:
        yield "(instructions and shape as before; --full shows them again)"


def _progress_lines(progress: Progress, options: str) -> Iterator[str]:
    yield from (f"  refused {one.record}: {one.message} ({one.value})" for one in progress.refused)
    if progress.refused and not progress.done and not progress.units:
        share = DEFAULTS.model_reading.questions.repair_share
        yield f"  (nothing to do now: where {share:.0%} or more of a unit is refused, it is asked about again, with the reasons, when the unit is through)"
    yield from map(_unit_line, progress.units)
    if progress.done:
        yield "the reading is done"
        yield from _tally_lines(progress.tally)
    elif progress.open:
        yield f"open questions: {progress.open}; the next: narraworld relay next{options}"


def _unit_line(one: UnitRead) -> str:
    if one.committed is None:
        return f"{one.unit}  {one.outcome}" + (f": {one.why}; it is asked about anew" if one.why else "")
    refused = f"; {len(one.refusals)} refused" if one.refusals else ""
    return f"{one.unit}  {one.outcome}  {sum(one.committed.records.values())} records{refused}"


def _tally_lines(tally: Tally) -> Iterator[str]:
    if tally.questions:
        yield f"{tally.questions} questions shown, {tally.tokens_in:,} tokens; {tally.tokens_out:,} tokens of answers"


def _relay(where: Path) -> Relay:
    from narraworld.relay.errand import Relay

    return Relay(where)


def _text(file: str) -> str:
    from narraworld.relay.open_questions import LONGEST_ANSWER

    try:
        with sys.stdin.buffer if file == STDIN else Path(file).open("rb") as source:
            return source.read(LONGEST_ANSWER + 1).decode("utf-8")
    except UnicodeDecodeError as trouble:
        raise NarraWorldError("is not UTF-8 text", where=file, fix="save the answer as UTF-8") from trouble
