"""All defaults in one object, section by section. Pure values; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field

from narraworld.base.settings.engines_values import (
    BulkSettings,
    Choice,
    ClockSettings,
    ExplainSettings,
    Guesses,
    IndexOptions,
    IntervalSettings,
    Limits,
    QuestionLimits,
    SqliteSettings,
    WhyNotSettings,
)
from narraworld.base.settings.memory_values import (
    Bm25,
    DeedSettings,
    FoundSettings,
    JudgeSettings,
    PackingSettings,
    PlanSettings,
    PreviewSettings,
    Ranking,
    RetrievalSettings,
)
from narraworld.base.settings.model_values import SMALL_QUESTIONS, AskingSettings, QuestionSettings
from narraworld.base.settings.reading_values import (
    AheadSettings,
    AttributionSettings,
    CandidateBounds,
    CastSettings,
    ConsolidationSettings,
    DeskSettings,
    DialogueSettings,
    DocumentSettings,
    Estimates,
    MarkSettings,
    MisspeltSettings,
    NameSpanSettings,
    OwnerSettings,
    ParticipantSettings,
    PriorSettings,
    QuotationSettings,
    RankerSettings,
    ReadingSettings,
    SourceSettings,
    StrangerSettings,
    TwoNamesSettings,
)
from narraworld.base.settings.surface_values import SurfaceSection

__all__ = [
    "DEFAULTS",
    "CheckingSection",
    "EmbeddedSection",
    "EngineSection",
    "MemorySection",
    "ModelReadingSection",
    "ProofSection",
    "Settings",
    "TimeSection",
]


@dataclass(frozen=True, slots=True)
class EngineSection:
    """How rules are run."""

    sqlite: SqliteSettings = field(default_factory=SqliteSettings)
    choice: Choice = field(default_factory=Choice)
    bulk: BulkSettings = field(default_factory=BulkSettings)
    limits: Limits = field(default_factory=Limits)
    question: QuestionLimits = field(default_factory=QuestionLimits)
    sparql: IndexOptions = field(default_factory=IndexOptions)


@dataclass(frozen=True, slots=True)
class ProofSection:
    """How far a search for reasons goes."""

    why: ExplainSettings = field(default_factory=ExplainSettings)
    why_not: WhyNotSettings = field(default_factory=WhyNotSettings)


@dataclass(frozen=True, slots=True)
class TimeSection:
    """How story time is counted, and what inexact amounts may mean."""

    clock: ClockSettings = field(default_factory=ClockSettings)
    guesses: Guesses = field(default_factory=Guesses)
    intervals: IntervalSettings = field(default_factory=IntervalSettings)


@dataclass(frozen=True, slots=True)
class EmbeddedSection:
    """How the embedded reader judges."""

    quotations: QuotationSettings = field(default_factory=QuotationSettings)
    document: DocumentSettings = field(default_factory=DocumentSettings)
    name_spans: NameSpanSettings = field(default_factory=NameSpanSettings)
    cast: CastSettings = field(default_factory=CastSettings)
    misspelt: MisspeltSettings = field(default_factory=MisspeltSettings)
    strangers: StrangerSettings = field(default_factory=StrangerSettings)
    two_names: TwoNamesSettings = field(default_factory=TwoNamesSettings)
    owners: OwnerSettings = field(default_factory=OwnerSettings)
    ranker: RankerSettings = field(default_factory=RankerSettings)
    attribution: AttributionSettings = field(default_factory=AttributionSettings)
    dialogue: DialogueSettings = field(default_factory=DialogueSettings)
    participants: ParticipantSettings = field(default_factory=ParticipantSettings)
    marks: MarkSettings = field(default_factory=MarkSettings)
    parse_ahead: AheadSettings = field(default_factory=AheadSettings)


@dataclass(frozen=True, slots=True)
class ModelReadingSection:
    """How a model is asked to read."""

    pace: ReadingSettings = field(default_factory=ReadingSettings)
    consolidation: ConsolidationSettings = field(default_factory=ConsolidationSettings)
    prior: PriorSettings = field(default_factory=PriorSettings)
    candidates: CandidateBounds = field(default_factory=CandidateBounds)
    estimates: Estimates = field(default_factory=Estimates)
    questions: QuestionSettings = field(default_factory=QuestionSettings)
    small_questions: QuestionSettings = SMALL_QUESTIONS
    asking: AskingSettings = field(default_factory=AskingSettings)


@dataclass(frozen=True, slots=True)
class MemorySection:
    """What memory looks for and how a budget is spent."""

    bm25: Bm25 = field(default_factory=Bm25)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    planning: PlanSettings = field(default_factory=PlanSettings)
    packing: PackingSettings = field(default_factory=PackingSettings)
    preview: PreviewSettings = field(default_factory=PreviewSettings)
    found: FoundSettings = field(default_factory=FoundSettings)
    deeds: DeedSettings = field(default_factory=DeedSettings)


@dataclass(frozen=True, slots=True)
class CheckingSection:
    """How findings are ranked, and how much a judge is asked."""

    ranking: Ranking = field(default_factory=Ranking)
    judge: JudgeSettings = field(default_factory=JudgeSettings)


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be tuned, by section."""

    sources: SourceSettings = field(default_factory=SourceSettings)
    embedded: EmbeddedSection = field(default_factory=EmbeddedSection)
    model_reading: ModelReadingSection = field(default_factory=ModelReadingSection)
    relay: DeskSettings = field(default_factory=DeskSettings)
    engines: EngineSection = field(default_factory=EngineSection)
    proofs: ProofSection = field(default_factory=ProofSection)
    time: TimeSection = field(default_factory=TimeSection)
    memory: MemorySection = field(default_factory=MemorySection)
    checking: CheckingSection = field(default_factory=CheckingSection)
    surfaces: SurfaceSection = field(default_factory=SurfaceSection)


DEFAULTS = Settings()
