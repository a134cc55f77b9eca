"""How much of the story was understood: `narraworld coverage`, unit by unit. Parses, asks, prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.commands.options import AsJson, Branch, Where, open_world, print_json, print_lines

if TYPE_CHECKING:
    from narraworld.reading.coverage import UnitCoverage

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command()(coverage)


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
        yield f"{one.unit}  " + (f"{one.title}  " if one.title else "") + _told(one.to_json())
        yield from (f"  not read      {quote}" for quote in one.unread if unread)
        yield from (f"  who or what?  {quote}" for quote in one.unresolved if unresolved)
    yield f"all {len(found)} units  {_told(_total(found))}"


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


def _told(said: dict[str, Any]) -> str:
    records = ", ".join(f"{count} {kind}" for kind, count in said["records"].items()) or "no records"
    if said["sentences"] is None:
        return f"read by other means; {records}"
    return (
        f"{said['sentences']} sentences: {said['read']} read, {said['partly']} partly, {_number(said['not_read'])} not; "
        f"{_number(said['unresolved'])} unresolved; {records}"
    )
