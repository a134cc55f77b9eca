"""The model reader: one unit in, one reading out.

    passage → entities → events and propositions → perspective and access → changes
            → every item tied to the text or refused → the refused asked again, once → delta

A reading is whole or failed; what a model could not support is refused item by item and listed, and never keeps its good
neighbours out. Given the same answers the delta is the same, byte for byte. Reads no files and no store; speaks to a model
only through the port in `asking`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narraworld.extract.asking import Asks, ModelFailed, Usage
from narraworld.extract.assembly import assemble
from narraworld.extract.cast import Unresolved
from narraworld.extract.grounding import Context, Grounding, ground
from narraworld.extract.numbers import Items, merged
from narraworld.extract.passage import Passage
from narraworld.extract.refusing import Refused
from narraworld.extract.stages import STAGES, Asked, ReaderSettings, ask_again, ask_stage
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Prior, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import Refusal

__all__ = ["Outcome", "Read", "ReaderSettings", "read_unit"]

Outcome: TypeAlias = Literal["ok", "empty", "failed"]
SETTINGS = ReaderSettings()


@dataclass(frozen=True, slots=True)
class Read:
    """What became of one unit.

    ok: ``delta`` can be committed. empty: there was nothing to note, and ``delta`` holds the unit alone. failed: nothing is
    to be committed, and ``why`` says why. ``refusals`` are quarantined: asked again where that could help, and still without
    support. ``newcomers`` extend the roster for the next unit (`Roster.plus`). ``questions`` counts prompts, answered from
    a cache or not.
    """

    unit: Unit
    outcome: Outcome
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
) -> Read:
    """Read one unit with a model; a model that fails gives a failed reading, not an exception."""
    passage, asked = Passage(unit.text), Asked(asks)
    if not any(sign.isalnum() for sign in unit.text):
        return Read(unit, "empty", Delta(unit))
    shown = roster.likely(unit.text, settings.roster_limit)
    context = Context(unit.id, passage, roster, shown, prior or Prior(), settings.cues)
    try:
        items = await _answers(context, asked, settings)
    except ModelFailed as error:
        return Read(unit, "failed", usage=asked.usage, questions=asked.questions, why=str(error))
    reading, refused = await _put_right(context, items, asked, settings)
    return _read(unit, reading, refused, asked)


async def _answers(context: Context, asked: Asked, settings: ReaderSettings) -> Items:
    """What the model says in all stages; where there is nobody and nothing, the later stages are not asked."""
    items: Items = {}
    for stage in STAGES:
        reading = ground(context, items)
        items = merged(items, await ask_stage(stage, reading, asked, settings))
        if not items:
            break
    return items


async def _put_right(
    context: Context, items: Items, asked: Asked, settings: ReaderSettings
) -> tuple[Grounding, list[Refused]]:
    """The final grounding, after asking once more about what was refused, and what stays refused."""
    first = ground(context, items)
    wrong = [one for one in first.refused if one.asks_again][: settings.most_refused]
    if not wrong:
        return first, first.refused
    try:
        corrected = await ask_again(first, wrong, asked, items)
    except ModelFailed:
        return first, first.refused
    second = ground(context, corrected)
    return second, second.refused


def _read(unit: Unit, reading: Grounding, refused: list[Refused], asked: Asked) -> Read:
    refusals = tuple(one.refusal(unit.id) for one in refused)
    spent = {"usage": asked.usage, "questions": asked.questions}
    if reading.empty and refused:
        why = f"none of the {len(refused)} items the model gave could be tied to the text"
        return Read(unit, "failed", refusals=refusals, why=why, **spent)
    if reading.empty:
        return Read(unit, "empty", Delta(unit), **spent)
    delta = assemble(unit, reading)
    return Read(
        unit, "ok", delta, refusals, tuple(reading.cast.unresolved), tuple(_newcomers(reading)), **spent
    )


def _newcomers(reading: Grounding) -> list[Known]: ...
