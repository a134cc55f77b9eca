"""Reading a manuscript: files in, units committed one by one, in the order of the telling.

    sources → reader (embedded, or a model through its port) → SHACL → journal → plotlines over what was read

A unit whose words were read already is not read again. A failed reading commits nothing and says why; what was refused
is kept beside the journal for `narraworld refusals`. Knows no file format and no provider; whoever answers is handed in.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import ReadingSettings
from narraworld.kb.plotlines import PLOTLINES
from narraworld.kb.units import LARGEST_ORDER, number_in
from narraworld.query.situation import Situation
from narraworld.reading.prior import prior_of, roster_of
from narraworld.world import Committed, World

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks, Usage
    from narraworld.extract.model.reader import ModelReading
    from narraworld.extract.sources import Piece
    from narraworld.kb.delta import Delta
    from narraworld.kb.journal.store import Snapshot
    from narraworld.ontology.validate import Refusal

__all__ = [
    "KeptRefusal",
    "OnFailure",
    "Outcome",
    "ReadingSettings",
    "UnitRead",
    "in_place",
    "keep_refusals",
    "kept_refusals",
    "read_with_model",
    "unchanged",
]

Outcome: TypeAlias = Literal["read", "unchanged", "empty", "failed"]
OnFailure: TypeAlias = Literal["stop", "go-on"]
REFUSALS = "refusals"


USUAL = ReadingSettings()


@dataclass(frozen=True, slots=True)
class UnitRead:
    """What became of one unit of the manuscript."""

    unit: str
    title: str | None
    outcome: Outcome
    reading: Committed | None = None
    why: str | None = None
    usage: Usage | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal that was kept: in which unit, what, and why."""

    unit: str
    record: str
    message: str
    value: str | None


def in_place(world: World, pieces: Sequence[Piece], *, branch: str = "main") -> list[Piece]:
    """The pieces at their places in the telling, also when a chapter is read by itself.

    An order the author states stands; a unit that is known keeps its place; a newcomer to a begun story goes where the
    number in its name says, if that could be one and is free, else to the end. Each unit takes the map to its file along.
    """
    entries = world.store.snapshot(branch=branch).entries
    orders = {entry.unit: entry.order for entry in entries if entry.unit != PLOTLINES}
    begun = bool(orders)
    placed = []
    for piece in pieces:
        order = piece.unit.order if not begun or _states_order(piece) else _place(piece.unit.id, orders)
        orders[piece.unit.id] = order
        unit = replace(piece.unit, order=order, branch=branch, source_map=piece.places.to_text())
        placed.append(replace(piece, unit=unit))
    return placed


def _states_order(piece: Piece) -> bool:
    return any(note.kind == "order" for note in piece.notes)


def _place(unit: str, orders: dict[str, int]) -> int:
    if unit in orders:
        return orders[unit]
    number = number_in(unit)
    if number is not None and number not in orders.values():
        return number
    return min(max(orders.values()) + 1, LARGEST_ORDER)


async def read_with_model(
    world: World,
    pieces: Sequence[Piece],
    asks: Asks,
    *,
    branch: str = "main",
    on_failure: OnFailure = "stop",
    settings: ReadingSettings = USUAL,
) -> AsyncIterator[UnitRead]:
    """Read pieces with a model; each knows who and what the units before it told. Plotlines come last, as a unit."""
    every = settings.plotlines_every
    for number, piece in enumerate(pieces, 1):
        done = unchanged(world, piece, branch) or await _read(world, piece, asks, branch, settings)
        yield done
        if done.outcome == "failed" and on_failure == "stop":
            return
        due = number == len(pieces) or (every and number % every == 0 and done.reading)
        if every is not None and due and (drawn := await _draw_plotlines(world, asks, branch)):
            yield drawn


async def _read(world: World, piece: Piece, asks: Asks, branch: str, settings: ReadingSettings) -> UnitRead:
    from narraworld.extract.model.reader import ReaderSettings, read_unit

    engine = world.scope(Situation(branch=branch)).engine
    roster = roster_of(engine, but=piece.unit.id)
    scenes = [(scene.start, scene.end, scene.title) for scene in piece.scenes]
    how = ReaderSettings(jobs=settings.jobs, summaries=settings.summaries)
    return _committed(
        world, await read_unit(piece.unit, roster, asks, prior_of(engine), how, scenes=scenes), branch
    )


async def _draw_plotlines(world: World, asks: Asks, branch: str) -> UnitRead | None:
    """Consolidate the scenes into plotlines; None if nothing was committed since, or no scenes hang together.

    A consolidation that fails commits nothing: the plotlines of before stay, and the scenes below are as they were.
    """
    from narraworld.extract.model.consolidation import consolidate, plotline_unit
    from narraworld.reading.plotline_candidates import candidates_of

    snapshot = world.store.snapshot(branch=branch)
    if _is_drawn(snapshot):
        return None
    candidates = candidates_of(world.scope(Situation(branch=branch)).engine)
    if not candidates and PLOTLINES not in snapshot:
        return None
    last = max(entry.order for entry in snapshot.entries if entry.unit != PLOTLINES)
    found = await consolidate(candidates, asks, plotline_unit(last, branch))
    if found.why is not None:
        return UnitRead(PLOTLINES, found.delta.unit.title, "failed", why=found.why, usage=found.usage)
    note = f"; {len(found.waiting)} candidates wait" if found.waiting else ""
    return replace(_kept(world, found.delta, found.refusals, branch), usage=found.usage, note=note)


def _is_drawn(snapshot: Snapshot) -> bool:
    """Whether plotlines were the last thing to be committed: nothing has changed since."""
    entry = snapshot.find(PLOTLINES)
    return entry is not None and entry.revision == snapshot.revision


def _committed(world: World, read: ModelReading, branch: str) -> UnitRead:
    unit = read.unit
    if read.refusals:  # first of all: once the unit is in the journal it is not read again
        keep_refusals(world, unit.id, read.refusals)
    if read.delta is None:
        return UnitRead(unit.id, unit.title, "failed", why=read.why, usage=read.usage)
    outcome: Outcome = "empty" if read.outcome == "empty" else "read"
    return replace(
        _kept(world, read.delta, read.refusals, branch), outcome=outcome, why=read.why, usage=read.usage
    )


def _kept(world: World, delta: Delta, refused: Sequence[Refusal], branch: str) -> UnitRead:
    """Commit, and keep beside the journal what the reader and the shapes refused."""
    reading = world.commit(delta, branch=branch)
    reading = replace(reading, refusals=(*refused, *reading.refusals))
    keep_refusals(world, delta.unit.id, reading.refusals)
    return UnitRead(delta.unit.id, delta.unit.title, "read", reading)


def unchanged(world: World, piece: Piece, branch: str) -> UnitRead | None:
    """The outcome for a unit whose words are those of its committed version."""
    entry = world.store.snapshot(branch=branch).find(piece.unit.id)
    if entry is None:
        return None
    known = world.store.of_unit(entry, "sha256")
    return UnitRead(piece.unit.id, piece.unit.title, "unchanged") if known == piece.unit.sha256 else None


# -- what was refused


def keep_refusals(world: World, unit: str, refusals: Sequence[Refusal]) -> None:
    """Put the refusals of a unit's newest version beside the journal; a clean reading leaves no file."""
    path = world.store.root / REFUSALS / f"{unit}.json"
    if not refusals:
        path.unlink(missing_ok=True)
        return
    make_folder(path.parent)
    write_whole(path, json.dumps([asdict(one) for one in refusals], ensure_ascii=False, indent=1))


def kept_refusals(root: Path) -> list[KeptRefusal]:
    """Every refusal that still stands, by unit."""
    return [one for path in sorted((root / REFUSALS).glob("*.json")) for one in _kept_in(path)]


def _kept_in(path: Path) -> list[KeptRefusal]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return [KeptRefusal(path.stem, one["record"], one["message"], one["value"]) for one in said]
    except (ValueError, KeyError, TypeError) as error:
        fix = f"delete it; reading {path.stem} again says what is refused"
        raise NarraWorldError("is not a list of refusals", where=str(path), fix=fix) from error
