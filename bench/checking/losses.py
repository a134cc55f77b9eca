"""Where a planted error is lost on its way from the page to a finding: the stage at which its two sides part, and the counts over all of them.

Stages, first to last: *unread* (no detail of its kind on one side or on both), *apart* (of one kind, but nobody's list holds both: the owner),
*formless* (in one list, but one of the two has no normal words of the same respect), *alike* (their normal words do not exclude each other),
*silent* (they differ on the sheet and no rule speaks), *noted*, *found*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bench.checking.manuscripts import Place, Planted, Twin
from bench.frame import show
from narraworld.query.sheet.style_rows import SheetRow

__all__ = ["Loss", "losses", "tell_losses"]

STAGES = ("unread a b", "unread a", "unread b", "apart", "formless", "alike", "silent", "noted", "found")
LEVELS = ("direct", "inferred")
# in which lists of the sheet the two sides of an error of a kind may stand
LISTS = {
    "time": "time line|age|distances", "looks": "looks|body", "kin": "kin", "age": "age|time line", "ability": "skills|food|body",
    "condition": "things", "place": "floors|addresses|distances|home|things|places", "job": "work", "number": "numbers|money|kin",
    "possession": "things", "clothing": "clothes|things", "death": "death", "name": "names|kin", "rule": "rules|things|skills",
    "weather": "weather", "presence": "things|places", "knowledge": "mind", "viewpoint": "mind",
}  # fmt: skip


class Loss(NamedTuple):
    """A planted error, how far it came, and what was read on each of its sides."""

    planted: Planted
    stage: str
    sides: tuple[list[SheetRow], list[SheetRow]]


def losses(twin: Twin) -> Iterator[Loss]:
    """Every error of a broken twin with the stage it reached."""
    found = {level: twin.met(level, twin.found) for level in LEVELS}
    noted = {level: twin.met(level, twin.notes) for level in LEVELS}
    for one in twin.planted:
        if one.level not in LEVELS:
            continue
        sides = _on(twin.rows, one.sides[0]), _on(twin.rows, one.sides[1])
        if one.id in found[one.level]:
            stage = "found"
        elif one.id in noted[one.level]:
            stage = "noted"
        else:
            stage = _stage(*sides, one.kind)
        yield Loss(one, stage, sides)


def _on(rows: Iterable[SheetRow], side: Sequence[Place]) -> list[SheetRow]:
    return [row for row in rows if any(Place(row.unit, row.start, row.end).touches(place) for place in side)]


def _stage(first: Sequence[SheetRow], second: Sequence[SheetRow], kind: str) -> str:
    pairs = [(one, other) for one in first for other in second if one.list == other.list]
    if pairs:
        return max(map(_reached, pairs), key=STAGES.index)
    fitting = LISTS.get(kind, "").split("|")
    unread = [
        "" if any(row.kind in fitting for row in side) else name
        for side, name in ((first, " a"), (second, " b"))
    ]
    return f"unread{''.join(unread)}" if any(unread) else "apart"


def _reached(pair: tuple[SheetRow, SheetRow]) -> str:
    one, other = pair
    if one.respect != other.respect or not (one.normal and other.normal):
        return "formless"
    return "silent" if one.differs and other.differs else "alike"


def tell_losses(twins: Sequence[Twin]) -> None:
    """Each error with what was read of it, then how many were lost at which stage."""
    lost = [one for twin in twins if twin.twin == "broken" for one in losses(twin)]
    for one in lost:
        print(f"{one.stage:12}{one.planted.id}  {one.planted.kind}  {one.planted.level}")
        for side, rows, quotes in zip("ab", one.sides, one.planted.quotes, strict=True):
            print(f"    {side}  “{' … '.join(quotes)}”")
            for row in rows:
                print(
                    f"         {row.list}  {row.respect}={row.value}  {','.join(row.normal)}  ({row.owner_p})"
                )
    counts = Counter((one.stage, one.planted.level) for one in lost)
    table = [(stage, *(counts[stage, level] for level in LEVELS)) for stage in STAGES]
    show("Where errors are lost", ("stage", *LEVELS), table)
