"""Reading with a model: units committed one by one, in the order of the telling.

    pieces → model reader, through its port → SHACL → journal → plotlines over what was read

A unit whose words were read already is not read again. A failed reading commits nothing and says why. Knows no file format
and no provider; whoever answers is handed in.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.settings import PriorSettings, ReadingSettings
from narraworld.kb.plotlines import PLOTLINES
from narraworld.query.memory.known_facts import remembered_of
from narraworld.query.situation import Situation
from narraworld.reading.outcome import OnFailure, Outcome, UnitRead, unchanged
from narraworld.reading.prior import prior_of, recognisable, roster_of
from narraworld.reading.refusals import keep_refusals

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.extract.model.reader import ModelReading, ReaderSettings
    from narraworld.extract.sources import Piece
    from narraworld.kb.delta import Delta
    from narraworld.kb.journal.store import Snapshot
    from narraworld.ontology.validate import Refusal
    from narraworld.project.opened import OpenStory

__all__ = ["USUAL", "ReadingSettings", "read_with_model", "reader_settings"]


USUAL = ReadingSettings()


def reader_settings(settings: ReadingSettings) -> ReaderSettings:
    """How the reader of one unit asks."""
    from narraworld.extract.model.reader import ReaderSettings

    made = ReaderSettings.for_small_models if settings.small else ReaderSettings
    return made(jobs=settings.jobs, summaries=settings.summaries, details=settings.details)


async def read_with_model(
    story: OpenStory,
    pieces: Sequence[Piece],
    asks: Asks,
    *,
    branch: str = "main",
    on_failure: OnFailure = "stop",
    settings: ReadingSettings = USUAL,
) -> AsyncGenerator[UnitRead, None]:
    """Read pieces with a model; each knows who and what the units before it told. Plotlines come last, as a unit."""
    every = settings.plotlines_every
    for number, piece in enumerate(pieces, 1):
        done = unchanged(story, piece, branch) or await _read(story, piece, asks, branch, settings)
        yield done
        if done.outcome == "failed" and on_failure == "stop":
            return
        due = number == len(pieces) or (every and number % every == 0 and done.committed)
        if every is not None and due and (drawn := await _draw_plotlines(story, asks, branch)):
            yield drawn


async def _read(
    story: OpenStory, piece: Piece, asks: Asks, branch: str, settings: ReadingSettings
) -> UnitRead:
    from narraworld.extract.model.reader import read_unit

    engine = story.scope(Situation(branch=branch)).engine
    roster = recognisable(engine, roster_of(engine, but=piece.unit.id))
    scenes = [(scene.start, scene.end, scene.title) for scene in piece.scenes]
    how = replace(reader_settings(settings), respects=story.settings.respects)
    prior = prior_of(engine, roster, piece.unit.text)
    if settings.details:
        known = remembered_of(engine, roster, piece.unit.text, PriorSettings(), but=piece.unit.id)
        prior = replace(prior, remembered=known)
    return _committed(story, await read_unit(piece.unit, roster, asks, prior, how, scenes=scenes), branch)


async def _draw_plotlines(story: OpenStory, asks: Asks, branch: str) -> UnitRead | None:
    """Consolidate the scenes into plotlines; None if nothing was committed since, or no scenes hang together.

    A consolidation that fails commits nothing: the plotlines of before stay, and the scenes below are as they were.
    """
    from narraworld.extract.model.consolidation import consolidate, plotline_unit
    from narraworld.reading.plotline_candidates import candidates_of

    snapshot = story.store.snapshot(branch=branch)
    if _is_drawn(snapshot):
        return None
    candidates = candidates_of(story.scope(Situation(branch=branch)).engine)
    if not candidates and PLOTLINES not in snapshot:
        return None
    last = max(entry.order for entry in snapshot.entries if entry.unit != PLOTLINES)
    found = await consolidate(candidates, asks, plotline_unit(last, branch))
    if found.why is not None:
        return UnitRead(PLOTLINES, found.delta.unit.title, "failed", why=found.why, usage=found.usage)
    kept = _kept(story, found.delta, found.refusals, branch)
    return replace(kept, usage=found.usage, waiting=len(found.waiting))


def _is_drawn(snapshot: Snapshot) -> bool:
    """Whether plotlines were the last thing to be committed: nothing has changed since."""
    entry = snapshot.find(PLOTLINES)
    return entry is not None and entry.revision == snapshot.revision


def _committed(story: OpenStory, read: ModelReading, branch: str) -> UnitRead:
    unit = read.unit
    if read.refusals:  # first of all: once the unit is in the journal it is not read again
        keep_refusals(story.store, unit.id, read.refusals)
    if read.delta is None:
        return UnitRead(unit.id, unit.title, "failed", why=read.why, usage=read.usage)
    outcome: Outcome = "empty" if read.outcome == "empty" else "read"
    return replace(
        _kept(story, read.delta, read.refusals, branch), outcome=outcome, why=read.why, usage=read.usage
    )


def _kept(story: OpenStory, delta: Delta, refused: Sequence[Refusal], branch: str) -> UnitRead:
    """Commit, and keep beside the journal what the reader and the shapes refused."""
    committed = story.commit(delta, branch=branch)
    committed = replace(committed, refusals=(*refused, *committed.refusals))
    keep_refusals(story.store, delta.unit.id, committed.refusals)
    return UnitRead(delta.unit.id, delta.unit.title, "read", committed)
