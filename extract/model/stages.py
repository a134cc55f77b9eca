"""The stages of reading a unit, that of details where it is wanted, and asking again: which prompt, which answer, and what to do when one is too long.

A stage is asked part by part; a part whose answer was cut off is halved between sentences, down to a floor, and the
halves' answers are put together in order. Speaks to a model only through the port in `asking`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, TypeVar, cast, get_args

from pydantic import BaseModel

from narraworld.base.settings import DEFAULTS
from narraworld.extract.model import rendering as showing
from narraworld.extract.model.forms import StageAnswer
from narraworld.extract.model.grounding import Grounding
from narraworld.extract.model.particulars import DetailsAnswer
from narraworld.extract.model.passage import PassagePart, sentence_of
from narraworld.extract.model.port import Asks, Overflow, Prompt, Usage, in_order
from narraworld.extract.model.prompts.cue_words import ENGLISH, GuardWords
from narraworld.extract.model.prompts.small_prompts import small_template
from narraworld.extract.model.prompts.templates import Template, fill, load
from narraworld.extract.model.references import Items, items_of, joined, references, referred
from narraworld.extract.model.refusal_reasons import RefusedItem
from narraworld.extract.model.schema import (
    AnswerItem,
    ChangesAnswer,
    EntitiesAnswer,
    EventItem,
    EventsAnswer,
    PerspectiveAnswer,
    PropositionItem,
    RepairAnswer,
)
from narraworld.ontology.respects import Respects, respects

__all__ = [
    "DETAILS",
    "STAGES",
    "PromptStage",
    "Questioning",
    "ReaderSettings",
    "ask_again",
    "ask_stage",
    "stages_of",
]


Answer = TypeVar("Answer", bound=BaseModel)
USUAL, PACE = DEFAULTS.model_reading.questions, DEFAULTS.model_reading.pace


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """What can be tuned.

    ``part_words``: about how much one question is about; ``floor``: characters not halved further; ``jobs``: how many parts
    of a long unit are asked about at the same time; ``repair_share``: how much of what was given must be lost
    before asking again pays its call; ``repair_around``: sentences shown on either side of a refused item; ``respects``: the
    table of the project, with its own rows; ``details``: whether the copy editor's question is asked too, and ``remembered`` how many
    known facts it is shown.
    """

    part_words: int = USUAL.part_words
    floor: int = USUAL.floor
    roster_limit: int = USUAL.roster_limit
    facts: int = USUAL.facts
    threads: int = USUAL.threads
    most_refused: int = USUAL.most_refused
    repair_share: float = USUAL.repair_share
    repair_around: int = USUAL.repair_around
    remembered: int = USUAL.remembered
    summaries: bool = PACE.summaries
    details: bool = PACE.details
    small: bool = PACE.small
    jobs: int = PACE.jobs
    cues: GuardWords = ENGLISH
    respects: Respects = field(default_factory=respects)

    @classmethod
    def for_small_models(cls, **others: Any) -> ReaderSettings:
        """One kind of item to a question, about less text, with short lists."""
        return cls(**(asdict(DEFAULTS.model_reading.small_questions) | {"small": True} | others))


@dataclass(frozen=True, slots=True)
class PromptStage:
    """One question about a passage. ``inputs`` gives the lists it needs; ``counts`` are the kinds it numbers itself."""

    name: str
    answer: type[BaseModel]
    inputs: Callable[[Grounding, ReaderSettings], dict[str, str]]
    counts: tuple[str, ...] = ()
    template: Callable[[Respects], Template] | None = None  # where it is not the file of that name

    def prompt(self, reading: Grounding, part: PassagePart, settings: ReaderSettings) -> Prompt:
        passage = {"passage": reading.passage.shown(part)}
        return self.form(settings.respects).fill(self.inputs(reading, settings) | passage)

    def form(self, table: Respects | None = None) -> Template:
        table = table or respects()
        return self.template(table) if self.template else load(self.name, table)


def _for_entities(reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    return {"known": showing.known(reading.context.shown)}


def _for_events(reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    return {"facts": showing.facts(reading, settings.facts), "entities": showing.entities(reading)}


def _for_perspective(reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    return {
        "entities": showing.entities(reading),
        "events": showing.events(reading),
        "propositions": showing.propositions(reading),
    }


def _for_changes(reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    return _for_perspective(reading, settings) | {
        "threads": showing.threads(reading, settings.threads),
        "possibilities": showing.possibilities(reading, settings.threads),
        "knowledge": showing.knowledge(reading),
        "scenes": showing.scenes(reading) if settings.summaries else "",
        "counting": showing.counting(reading),
    }


def _for_details(reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    return {
        "remembered": showing.remembered(reading, settings.remembered),
        "entities": showing.entities(reading),
        "propositions": showing.propositions(reading),
    }


LISTS = {"entity": "entities", "event": "events", "proposition": "propositions"}

STAGES = (
    PromptStage("entities", EntitiesAnswer, _for_entities, ("entity",)),
    PromptStage("events", EventsAnswer, _for_events, ("event", "proposition")),
    PromptStage("perspective", PerspectiveAnswer, _for_perspective),
    PromptStage("changes", ChangesAnswer, _for_changes, ("proposition", "development")),
)
DETAILS = PromptStage("details", DetailsAnswer, _for_details)


# -- the same for small models: a question for each list


def stages_of(settings: ReaderSettings) -> tuple[PromptStage, ...]:
    """The questions in their order."""
    if settings.small:
        return (*SMALL_STAGES, *SMALL_DETAILS) if settings.details else SMALL_STAGES
    return (*STAGES, DETAILS) if settings.details else STAGES


def _small(stage: PromptStage, listed: str) -> PromptStage:
    """A stage's question for one of its lists, shown only the lists that items of this kind refer to."""
    answer = cast("type[StageAnswer]", stage.answer)
    item = _item_of(answer, listed)
    names = tuple(name for kind, name in SHOWN.items() if kind in referred(item))
    names += ("counting",) if listed in COUNTED else ()
    return PromptStage(
        listed,
        answer.narrowed(listed),
        partial(_short_lists, names),
        tuple(kind for kind in stage.counts if kind == item.kind),
        partial(small_template, stage.name, listed, names),
    )


def _item_of(answer: type[StageAnswer], listed: str) -> type[AnswerItem]:
    [item] = get_args(answer.model_fields[listed].annotation)
    return cast("type[AnswerItem]", item)


def _short_lists(names: tuple[str, ...], reading: Grounding, settings: ReaderSettings) -> dict[str, str]:
    every = _for_changes(reading, settings) | _for_entities(reading, settings)
    every |= _for_events(reading, settings) | _for_details(reading, settings)
    every["scenes"] = showing.scenes(reading)
    every["threads"] = "\n".join(filter(None, (every["threads"], showing.developments(reading))))
    return {name: every[name] for name in names}


SHOWN = {
    "known": "known",
    "fact": "facts",
    "entity": "entities",
    "event": "events",
    "proposition": "propositions",
    "development": "threads",
    "open possibility": "possibilities",
    "scene": "scenes",
    "remembered": "remembered",
}
COUNTED = ("propositions", "developments")


def _by_list(*stages: PromptStage) -> tuple[PromptStage, ...]:
    return tuple(_small(stage, listed) for stage in stages for listed in stage.answer.model_fields)


SMALL_STAGES, SMALL_DETAILS = _by_list(*STAGES), _by_list(DETAILS)


@dataclass(slots=True)
class Questioning:
    """Whom we ask, and what it has cost so far."""

    asks: Asks
    usage: Usage = field(default_factory=Usage)
    questions: int = 0

    async def ask(self, prompt: Prompt, answer: type[Answer]) -> Answer:
        self.questions += 1
        told = await self.asks.ask(prompt, answer)
        self.usage += told.usage
        return told.answer


async def ask_stage(
    stage: PromptStage, reading: Grounding, asked: Questioning, settings: ReaderSettings
) -> Items:
    """All items of one stage, part by part."""
    base = {kind: reading.highest(kind) for kind in stage.counts}
    parts = reading.passage.parts(settings.part_words)
    questions = [partial(_ask_part, stage, reading, part, base, asked, settings) for part in parts]
    items: Items = {}
    for given in await in_order(questions, settings.jobs):
        items = joined(items, given, base)
    return items


async def _ask_part(
    stage: PromptStage,
    reading: Grounding,
    part: PassagePart,
    base: Mapping[str, int],
    asked: Questioning,
    settings: ReaderSettings,
) -> Items:
    try:
        return items_of(await asked.ask(stage.prompt(reading, part, settings), stage.answer))
    except Overflow:
        if part.sentences < 2 or reading.passage.length(part) <= settings.floor:
            raise
    items: Items = {}
    for half in reading.passage.halves(part):
        items = joined(items, await _ask_part(stage, reading, half, base, asked, settings), base)
    return items


async def ask_again(
    reading: Grounding,
    refused: Sequence[RefusedItem],
    asked: Questioning,
    items: Items,
    settings: ReaderSettings,
) -> Items:
    """The items with those put right that the model could put right; the others stay as they were."""
    kinds = sorted({one.kind for one in refused})
    prompt = fill("repair", refused=showing.refused(refused), **_for_repair(reading, refused, settings))
    corrected = {kind: list(some) for kind, some in items.items()}
    answer = cast("RepairAnswer", await asked.ask(prompt, RepairAnswer.narrowed(*kinds)))
    for correction in answer.corrections:
        if 1 <= correction.refused <= len(refused):
            wrong = refused[correction.refused - 1]
            right = _renumbered(getattr(correction, wrong.kind), wrong, corrected[wrong.kind])
            if right is not None:
                corrected[wrong.kind][wrong.index] = right
    return {kind: tuple(some) for kind, some in corrected.items()}


def _for_repair(
    reading: Grounding, refused: Sequence[RefusedItem], settings: ReaderSettings
) -> dict[str, str]:
    """The sentences around the refused items, and of the lists that their kinds refer to only what stands in these sentences."""
    places = [sentence_of(reading.passage, one.item.quote, one.item.sentence) for one in refused]
    near = reading.passage.near(places, settings.repair_around)
    needed = {kind for one in refused for kind in referred(type(one.item))}
    lists = {
        "entities": showing.entities(reading),
        "events": showing.events(reading, _told_in(reading, EventItem, near, refused)),
        "propositions": showing.propositions(reading, _told_in(reading, PropositionItem, near, refused)),
    }
    shown = {name: lists[name] if kind in needed else "" for kind, name in LISTS.items()}
    return shown | {"passage": reading.passage.lines(near)}


def _told_in(
    reading: Grounding,
    cls: type[EventItem] | type[PropositionItem],
    sentences: Sequence[int],
    refused: Sequence[RefusedItem],
) -> set[int]:
    """The numbers of the items whose words begin in these sentences, and of those that a refused item names."""
    here = set(sentences)
    told = {
        kept.item.number for kept in reading.of(cls) if reading.passage.sentence_at(kept.where.start) in here
    }
    named = {number for one in refused for _, to, number in references(one.item) if to.kind == cls.kind}
    return told | named


def _renumbered(
    right: AnswerItem | None, wrong: RefusedItem, given: Sequence[AnswerItem]
) -> AnswerItem | None:
    """The corrected item under a number that is nobody else's: its old one, or a fresh one; else None."""
    if right is None or not hasattr(right, "number"):
        return right
    others = {getattr(item, "number", None) for index, item in enumerate(given) if index != wrong.index}
    old = getattr(wrong.item, "number", 0)
    number = old if old >= 1 and old not in others else right.number
    return None if number in others else right.model_copy(update={"number": number})
