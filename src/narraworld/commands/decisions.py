"""The commands of the author's word: a finding is intended, one of two passages holds, two names are one person.

What is decided goes to `.narraworld/decisions.toml`; see `query/checks/decisions.py`. Each parses, calls `checkup`, and prints.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import AsJson, Branch, Where, echo, open_world, print_json, print_lines

if TYPE_CHECKING:
    from narraworld.query.checks.decisions import DecisionKind
    from narraworld.query.checks.findings import Finding
    from narraworld.query.checks.report import Report

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command()(waive)
    decided = typer.Typer(
        help="What the author decided, in .narraworld/decisions.toml.", invoke_without_command=True
    )
    decided.callback()(decisions)
    decided.command("merge")(merge)
    decided.command("split")(split)
    app.add_typer(decided, name="decisions")


def waive(
    key: Annotated[str, typer.Argument(help="The key of a finding, or its beginning.")],
    reason: Annotated[str, typer.Option("--reason", help="Why it is meant so.")] = "",
    keep: Annotated[
        str | None, typer.Option("--keep", help="A canon choice instead: the unit whose passage holds.")
    ] = None,
    where: Where = Path(),
    branch: Branch = "main",
) -> None:
    """Say that a finding is intended, or which of its passages holds.   narraworld waive 3f2a --reason "he lies" """
    from narraworld.checking.checkup import CheckRequest, decisions_file, examine
    from narraworld.query.checks.decisions import Decision, add_decision

    if not reason and keep is None:
        raise NarraWorldError("a waiver needs its reason", fix='narraworld waive KEY --reason "…"')
    with open_world(where) as world:
        found = _by_key(key, examine(world, CheckRequest(least="note", branch=branch)))
        units = [passage.unit for passage in found.passages]
        if keep is not None and keep not in units:
            raise NarraWorldError(
                f"no passage of this finding is in {keep!r}", fix=f"there are: {', '.join(units)}"
            )
        kind: DecisionKind = "intentional" if keep is None else "canon"
        fields = {
            "key": found.key,
            "keep": keep,
            "rule": found.rule.id,
            "says": found.message,
            "reason": reason,
        }
        said = Decision(kind, {name: value for name, value in fields.items() if value})
        again = add_decision(decisions_file(world), said, same=["key"])
    echo(f"{kind}: {found.rule.id} {found.message}" + (" (changed)" if again else ""))


def _by_key(key: str, report: Report) -> Finding:
    told = (*report.checked.findings, *report.checked.waived)
    found = {each.key: each for one in told for each in one.each() if each.key.startswith(key)}
    if key in found or len(found) == 1:
        return found.get(key) or next(iter(found.values()))
    if found:
        raise NarraWorldError(f"{key!r} could be {' or '.join(found)}", fix="give more of the key")
    raise NarraWorldError(
        f"no finding has the key {key!r}", fix="keys are told by: narraworld check --format full"
    )


def decisions(ctx: typer.Context, where: Where = Path(), as_json: AsJson = False) -> None:
    """All decisions; those about who is who and what holds are put into effect."""
    if ctx.invoked_subcommand is not None:
        return
    from narraworld.checking.checkup import decisions_file, hear

    with open_world(where) as world:
        decided, refused = hear(world)
        if as_json:
            print_json([{"kind": one.kind, **one.fields} for one in decided.all])
        else:
            print_lines(one.line() for one in decided.all)
        print_lines([] if decided.all or as_json else [f"nothing is decided yet ({decisions_file(world)})"])
    for trouble in refused:
        echo(f"narraworld: {trouble}", err=True)
    if refused:
        raise typer.Exit(1)


One = Annotated[str, typer.Argument(help="A name or an id.")]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]


def merge(one: One, other: One, reason: Reason = "", where: Where = Path()) -> None:
    """Two names, one person or thing.   narraworld decisions merge Tom "Mr Thomas" """
    _decide("same", one, other, reason, where)


def split(one: One, other: One, reason: Reason = "", where: Where = Path()) -> None:
    """Not the same, however alike.   narraworld decisions split Tom "Old Tom" """
    _decide("different", one, other, reason, where)


def _decide(kind: DecisionKind, one: str, other: str, reason: str, where: Path) -> None:
    from narraworld.checking.checkup import decisions_file, hear
    from narraworld.query.checks.decisions import FILE, Decision, add_decision

    with open_world(where) as world:
        names = world.scope().names
        fields = {"one": names.symbol(one), "other": names.symbol(other), "reason": reason}
        if fields["one"] == fields["other"]:
            raise NarraWorldError(f"{one!r} and {other!r} are one already", fix="name two")
        kinds = [names.kinds(fields["one"]), names.kinds(fields["other"])]
        if kind == "same" and all(kinds) and not kinds[0] & kinds[1]:
            raise NarraWorldError(
                f"{one!r} is {_a(kinds[0])} and {other!r} is {_a(kinds[1])}",
                fix=f"if one of them was read wrongly, write the merge into {FILE} yourself",
            )
        said = Decision(kind, {name: value for name, value in fields.items() if value})
        add_decision(decisions_file(world), said, same=["one", "other"])
        _, refused = hear(world)
    echo(said.line())
    for trouble in refused:
        echo(f"narraworld: {trouble}", err=True)
    if refused:
        raise typer.Exit(1)


def _a(kinds: frozenset[str]) -> str:
    said = " and ".join(sorted(kinds)).lower()
    return f"an {said}" if said[0] in "aeiou" else f"a {said}"
