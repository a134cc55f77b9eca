"""What a model is asked to fill in, one class per kind of item and one answer per stage.

Words first, then the statement they support. References are small numbers, and only to what stands earlier: in the lists the
prompt shows, or above in the same answer. No ids, no offsets. A number that is wrong is a matter for `grounding`, item by
item; only what is no answer at all fails here. The prompt of the same name in `prompts/` asks for each answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import ConfigDict, Field, create_model

from narraworld.extract.model.forms import StageAnswer, Strict, some_fields

__all__ = [
    "AccessItem",
    "AnswerItem",
    "AttitudeItem",
    "CauseItem",
    "ChangesAnswer",
    "Correction",
    "DevelopmentItem",
    "DevelopmentKind",
    "EntitiesAnswer",
    "Entity",
    "EntityItem",
    "EventItem",
    "EventsAnswer",
    "IdentityItem",
    "JumpItem",
    "NamingItem",
    "OnceOrWill",
    "OrderItem",
    "PerspectiveAnswer",
    "PossibilityItem",
    "PossibleEvent",
    "PresenceItem",
    "PropositionItem",
    "RealisationItem",
    "Refers",
    "RepairAnswer",
    "SecretItem",
    "Some",
    "SpeechItem",
    "StepItem",
    "SummaryItem",
    "TimeItem",
    "UnawarenessItem",
    "Uncertainty",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refers:
    """Marks a number as that of an item of ``kind``; ``only`` narrows an entity's kind."""

    kind: str
    only: tuple[str, ...] = ()


Thing = TypeVar("Thing")
Some: TypeAlias = Annotated[list[Thing], Field(default_factory=list)]  # as many as there are; may be left out

MINDS = ("character", "group")
Entity: TypeAlias = Annotated[int, Refers("entity")]
Mind: TypeAlias = Annotated[int, Refers("entity", MINDS)]
Person: TypeAlias = Annotated[int, Refers("entity", ("character",))]
KnownEntity: TypeAlias = Annotated[int, Refers("known")]
FactNumber: TypeAlias = Annotated[int, Refers("fact")]
Event: TypeAlias = Annotated[int, Refers("event")]
Proposition: TypeAlias = Annotated[int, Refers("proposition")]
Development: TypeAlias = Annotated[int, Refers("development")]
KnownPossibility: TypeAlias = Annotated[int, Refers("open possibility")]
Scene: TypeAlias = Annotated[int, Refers("scene")]

EntityKind: TypeAlias = Literal["character", "place", "object", "group"]
Realis: TypeAlias = Literal["actual", "negated", "hypothetical", "future", "habitual", "dreamed"]
Truth: TypeAlias = Literal["asserted", "false", "disputed", "unknown", "unstated"]
Mode: TypeAlias = Literal[
    "participation", "observation", "communication", "reading", "discovery", "memory", "inference"
]
AttitudeKind: TypeAlias = Literal["knows", "believes", "doubts", "disbelieves", "wonders"]
Manner: TypeAlias = Literal["asserts", "asks", "promises", "lies", "requests", "jokes", "mocks", "ironises"]
OnceOrWill: TypeAlias = Literal["once", "will"]
Movement: TypeAlias = Literal["present", "enters", "leaves", "away", "asleep", "awake"]
DevelopmentKind: TypeAlias = Literal["goal", "conflict", "relationship", "plan", "promise", "mystery"]
Status: TypeAlias = Literal["advanced", "blocked", "resolved", "abandoned"]
Uncertainty: TypeAlias = Literal["low", "medium", "high"]


class AnswerItem(Strict):
    """One thing read from the passage, beginning with the words that support it."""

    titled: ClassVar[bool] = False
    kind: ClassVar[str]

    quote: str = Field(description="words copied from the passage, exactly, without line numbers")
    sentence: int | None = Field(None, description="the number of the line where the quote begins")


# ---- stage 1: who and what


class EntityItem(AnswerItem):
    """Someone or something that matters in the passage."""

    kind: ClassVar[str] = "entity"

    number: int = Field(description="1, 2, 3, … in this list")
    known: KnownEntity | None = Field(
        None, description="its number in the list of known entities; null if new"
    )
    is_a: EntityKind
    name: str = Field(description="its fullest name in the passage, without article")
    namesake: bool = Field(False, description="true if the passage says it is another one of the same name")
    could_be: list[KnownEntity] = Field(
        default_factory=list, description="known entities it might be, where the passage leaves that open"
    )


class NamingItem(AnswerItem):
    """Another name of an entity; the quote is that name and nothing else."""

    kind: ClassVar[str] = "naming"

    entity: Entity


class IdentityItem(AnswerItem):
    """The passage says outright that two entities are one, or are not."""

    kind: ClassVar[str] = "identity"

    one: Entity
    other: Entity
    verdict: Literal["same", "different"]


class JumpItem(AnswerItem):
    """A scene begins here though no line marks it; the quote is its first words."""

    kind: ClassVar[str] = "jump"


class EntitiesAnswer(StageAnswer):
    entities: Some[EntityItem]
    namings: Some[NamingItem]
    identities: Some[IdentityItem]
    jumps: Some[JumpItem]


# ---- stage 2: what happens and what holds


class EventItem(AnswerItem):
    """Something that happens, or is told as not, not yet, or only perhaps happening."""

    kind: ClassVar[str] = "event"

    number: int = Field(description="1, 2, 3, … in this list")
    what: str = Field(description="one verb in its plain form: move, tell, promise")
    realis: Realis
    is_speech: bool = Field(False, description="true if the event is someone saying something")
    agent: Some[Entity]
    patient: Some[Entity]
    recipient: Some[Entity]
    instrument: Some[Entity]
    experiencer: Some[Entity]
    companion: Some[Entity]
    origin: Some[Entity]
    destination: Some[Entity]
    place: Entity | None = None


class CauseItem(AnswerItem):
    """The passage says in so many words that one event brought another about."""

    kind: ClassVar[str] = "cause"

    cause: Event
    effect: Event


class TimeItem(AnswerItem):
    """Words that tell the time; the quote is those words. Null for both: the whole passage."""

    kind: ClassVar[str] = "time"

    event: Event | None = None
    scene: Scene | None = None
    flashback: bool = Field(False, description="true if the telling goes back here")


class OrderItem(AnswerItem):
    """The passage says how two events lie in time."""

    kind: ClassVar[str] = "order"

    event: Event
    relation: Literal["before", "after", "during", "sameTime"]
    other: Event


class PropositionItem(AnswerItem):
    """One thing that can be so or not, with how the narration itself stands to it."""

    kind: ClassVar[str] = "proposition"

    number: int = Field(description="1, 2, 3, … ; in a later list go on from the number given there")
    fact: FactNumber | None = Field(
        None, description="a known fact, instead of subject, predicate and the rest"
    )
    subject: Entity | None = None
    predicate: str | None = Field(None, description="one of the listed respects, or one word of your own")
    object: Entity | None = Field(None, description="exactly one of object, about and value is given")
    about: Proposition | None = Field(None, description="for knows and believes: an earlier proposition")
    value: str | None = Field(None, description="a word, colour or number, exactly as the passage has it")
    negative: bool = Field(False, description="true for: it is not so")
    truth: Truth
    when: OnceOrWill | None = Field(None, description="once: was so and is over; will: is still to come")
    effect_of: Event | None = Field(None, description="the event that made it so")
    required_by: list[Event] = Field(default_factory=list, description="events possible only if it is so")


class EventsAnswer(StageAnswer):
    events: Some[EventItem]
    causes: Some[CauseItem]
    times: Some[TimeItem]
    orders: Some[OrderItem]
    propositions: Some[PropositionItem]


# ---- stage 3: who can know it


class SpeechItem(AnswerItem):
    """What is said in an event of saying."""

    kind: ClassVar[str] = "speech"

    event: Event
    speaker: Entity
    addressees: Some[Entity]
    claims: Some[Proposition]
    manner: Manner


class AccessItem(AnswerItem):
    """A way in which someone comes to be able to know something."""

    kind: ClassVar[str] = "access"

    holder: Mind
    proposition: Proposition | None = None
    event: Event | None = None
    mode: Mode
    gained_in: Event | None = None
    speaker: Entity | None = None


class AttitudeItem(AnswerItem):
    """What someone makes of a proposition, by the words of the narration."""

    kind: ClassVar[str] = "attitude"

    holder: Mind
    proposition: Proposition
    attitude: AttitudeKind
    since: Event | None = None
    speaker: Entity | None = None


class UnawarenessItem(AnswerItem):
    """The passage itself says that someone does not know."""

    kind: ClassVar[str] = "unawareness"

    holder: Mind
    proposition: Proposition | None = None
    event: Event | None = None


class SecretItem(AnswerItem):
    """Someone keeps something to themselves: from some, or from everybody."""

    kind: ClassVar[str] = "secret"

    holder: Mind
    proposition: Proposition
    kept_from: Some[Mind]
    shared_with: Some[Mind]


class PresenceItem(AnswerItem):
    """Who is there, comes, goes, sleeps or wakes."""

    kind: ClassVar[str] = "presence"

    holder: Person
    movement: Movement
    place: Entity | None = None
    at: Event | None = None


class PerspectiveAnswer(StageAnswer):
    speeches: Some[SpeechItem]
    accesses: Some[AccessItem]
    attitudes: Some[AttitudeItem]
    unawareness: Some[UnawarenessItem]
    secrets: Some[SecretItem]
    presences: Some[PresenceItem]


# ---- stage 4: what changes, what stays open, what may come


class DevelopmentItem(AnswerItem):
    """A thread that the passage opens."""

    kind: ClassVar[str] = "development"

    number: int = Field(description="go on from the number given in the prompt")
    is_a: DevelopmentKind
    title: str = Field(description="one short sentence")
    holders: Some[Mind]
    aim: Proposition | None = Field(None, description="what would settle it")
    event: Event | None = Field(None, description="the event that opens it")


class StepItem(AnswerItem):
    """A change in how a thread stands."""

    kind: ClassVar[str] = "step"

    development: Development
    status: Status
    event: Event | None = None


class PossibleEvent(Strict):
    """Something that may happen, told by its roles."""

    what: str
    agent: Some[Entity]
    patient: Some[Entity]
    recipient: Some[Entity]
    destination: Some[Entity]


class PossibilityItem(AnswerItem):
    """One way in which an open thread may go on; the quote shows the condition that is still unresolved."""

    kind: ClassVar[str] = "possibility"

    development: Development
    summary: str
    premises: Some[Proposition]
    constraints: Some[Proposition]
    events: Some[PossibleEvent]
    uncertainty: Uncertainty = "medium"


class RealisationItem(AnswerItem):
    """A possibility noted earlier came true in an event of this passage."""

    kind: ClassVar[str] = "realisation"

    possibility: KnownPossibility
    event: Event


class SummaryItem(AnswerItem):
    """A scene in one or two sentences; the quote is from that scene."""

    kind: ClassVar[str] = "summary"

    scene: Scene
    events: list[Event]
    summary: str


class ChangesAnswer(StageAnswer):
    propositions: Some[PropositionItem]
    developments: Some[DevelopmentItem]
    steps: Some[StepItem]
    possibilities: Some[PossibilityItem]
    realisations: Some[RealisationItem]
    summaries: Some[SummaryItem]


# ---- asking again


class Correction(Strict):
    """A refused item put right: the item under the name of its kind, or nothing to withdraw it."""

    refused: int = Field(description="its number in the list of refused items")
    entity: EntityItem | None = None
    naming: NamingItem | None = None
    identity: IdentityItem | None = None
    jump: JumpItem | None = None
    event: EventItem | None = None
    cause: CauseItem | None = None
    time: TimeItem | None = None
    order: OrderItem | None = None
    proposition: PropositionItem | None = None
    speech: SpeechItem | None = None
    access: AccessItem | None = None
    attitude: AttitudeItem | None = None
    unawareness: UnawarenessItem | None = None
    secret: SecretItem | None = None
    presence: PresenceItem | None = None
    development: DevelopmentItem | None = None
    step: StepItem | None = None
    possibility: PossibilityItem | None = None
    realisation: RealisationItem | None = None
    summary: SummaryItem | None = None


class _Lenient(Strict):
    """What was not asked for is passed over: a correction of another kind spoils none that was asked for."""

    model_config = ConfigDict(extra="ignore")


class RepairAnswer(StageAnswer):
    """Narrowed by the kinds that may be put right: eighteen of them cost more than the passage."""

    corrections: Some[Correction]

    @classmethod
    def _fields(cls, names: tuple[str, ...]) -> dict[str, Any]:
        fields = some_fields(Correction, ("refused", *names))
        correction: Any = create_model(Correction.__name__, __base__=_Lenient, **fields)
        return {"corrections": (list[correction], Field(default_factory=list))}
