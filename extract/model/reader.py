"""The model reader: one unit in, one reading out.

    passage → entities → events and propositions → perspective and access → changes
            → every item tied to the text or refused → the refused asked again, once → delta

A reading is whole or failed; what a model could not support is refused item by item and listed, and never keeps its good
neighbours out. Given the same answers the delta is the same, byte for byte. Reads no files and no store; speaks to a model
only through the port in `asking`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from narraworld.extract.model.assembly import assemble
from narraworld.extract.model.grounding import Grounding, GroundingContext, ground
from narraworld.extract.model.linking import Unresolved
from narraworld.extract.model.passage import NumberedText, PassageCut
from narraworld.extract.model.port import Asks, ModelFailed, StillOpen, Usage
from narraworld.extract.model.references import Items, merged
from narraworld.extract.model.refusal_reasons import RefusedItem
from narraworld.extract.model.schema import NamingItem, SummaryItem
from narraworld.extract.model.stages import Questioning, ReaderSettings, ask_again, ask_stage, stages_of
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Prior, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import Refusal

__all__ = ["ModelOutcome", "ModelReading", "ReaderSettings", "read_unit"]

ModelOutcome: TypeAlias = Literal["ok", "empty", "failed"]
SETTINGS = ReaderSettings()


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What became of one unit.

    ok: ``delta`` can be committed. empty: there was nothing to note, and ``delta`` holds the unit alone. failed: nothing is
    to be committed, and ``why`` says why. ``refusals`` are quarantined: asked again where that could help, and still without
    support; of an ok reading ``why`` says if they could not be asked again. ``newcomers`` is everybody in the unit with the
    names it uses, for the roster of the next (`Roster.plus`). ``questions`` counts prompts, answered from
    a cache or not.
    """

    unit: Unit
    outcome: ModelOutcome
    delta: Delta | None = None
    refusals: tuple[Refusal, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    newcomers: tuple[Known, ...] = ()
    usage: Usage = field(default_factory=Usage)
    questions: int = 0
    why: str | None = None


async def read_unit(
    unit: Unit,
    roster: Roster,
    asks: Asks,
    prior: Prior | None = None,
    settings: ReaderSettings = SETTINGS,
    scenes: Sequence[PassageCut] = (),
) -> ModelReading:
    """Read one unit with a model; a model that fails gives a failed reading, not an exception.

    ``scenes`` are the unit's scenes as (start, end, title); without them lines such as `***` part the scenes. The roster
    is that of the other units: what only an earlier version of this unit told is told anew.
    """
    passage, asked = NumberedText(unit.text, tuple(scenes)), Questioning(asks)
    if not any(sign.isalnum() for sign in unit.text):
        return ModelReading(unit, "empty", Delta(unit))
    shown = roster.likely(unit.text, settings.roster_limit)
    context = GroundingContext(unit.id, passage, roster, shown, prior or Prior(), settings.cues)
    try:
        items = await _answers(context, asked, settings)
    except ModelFailed as error:
        return ModelReading(unit, "failed", usage=asked.usage, questions=asked.questions, why=str(error))
    reading, why = await _put_right(context, items, asked, settings)
    return _read(unit, reading, asked, why)


async def _answers(context: GroundingContext, asked: Questioning, settings: ReaderSettings) -> Items:
    """What the model says in all stages; where there is nobody and nothing, the later stages are not asked."""
    items: Items = {}
    for stage in stages_of(settings):
        reading = ground(context, items)
        with _telling_refusals(reading):
            items = merged(items, await ask_stage(stage, reading, asked, settings))
        if not items:
            break
    return items if settings.summaries else {kind: items[kind] for kind in items if kind != SummaryItem.kind}


@contextmanager
def _telling_refusals(reading: Grounding) -> Iterator[None]:
    """Whoever answers later is told at once what of the answers so far was refused."""
    try:
        yield
    except StillOpen as waiting:
        waiting.refused = tuple(one.refusal(reading.context.unit) for one in reading.refused)
        raise


async def _put_right(
    context: GroundingContext, items: Items, asked: Questioning, settings: ReaderSettings
) -> tuple[Grounding, str | None]:
    """The final grounding, after asking once more about what was refused; and why that failed, if it did."""
    first = ground(context, items)
    wrong = [one for one in first.refused if one.asks_again][: settings.most_refused]
    if not wrong or len(first.refused) < settings.repair_share * sum(map(len, items.values())):
        return first, None
    try:
        with _telling_refusals(first):
            corrected = await ask_again(first, wrong, asked, items, settings)
    except ModelFailed as error:
        return first, f"what was refused could not be asked again: {error}"
    return _no_worse(context, items, corrected, wrong), None


def _no_worse(
    context: GroundingContext, items: Items, corrected: Items, wrong: list[RefusedItem]
) -> Grounding:
    """Ground the corrected items; one that was only doubted, and is now refused whole, is taken back."""
    second = ground(context, corrected)
    doubted = {(one.kind, one.index) for one in wrong if not one.whole}
    spoilt = doubted & {(one.kind, one.index) for one in second.refused if one.whole}
    if not spoilt:
        return second
    restored = {
        kind: tuple(items[kind][n] if (kind, n) in spoilt else item for n, item in enumerate(some))
        for kind, some in corrected.items()
    }
    return ground(context, restored)


def _read(unit: Unit, reading: Grounding, asked: Questioning, why: str | None) -> ModelReading:
    refusals = tuple(one.refusal(unit.id) for one in reading.refused)
    read = ModelReading(unit, "ok", refusals=refusals, usage=asked.usage, questions=asked.questions, why=why)
    if reading.empty and refusals:
        nothing = f"none of the {len(refusals)} items the model gave could be tied to the text"
        return replace(read, outcome="failed", why=nothing)
    if reading.empty:
        return replace(read, outcome="empty", delta=Delta(unit))
    unresolved, newcomers = tuple(reading.cast.unresolved), tuple(_newcomers(reading))
    return replace(read, delta=assemble(unit, reading), unresolved=unresolved, newcomers=newcomers)


def _newcomers(reading: Grounding) -> list[Known]:
    """Everybody in the passage under all names it uses; the roster takes up what it did not have."""
    names = {one.id: [*one.names] for one in reading.cast.members.values()}
    kinds = {one.id: one.kind for one in reading.cast.members.values()}
    for naming in reading.of(NamingItem):
        names[reading.cast.members[naming.item.entity].id].append(" ".join(naming.item.quote.split()))
    return [Known(id, kinds[id], tuple(dict.fromkeys(called))) for id, called in names.items()]
