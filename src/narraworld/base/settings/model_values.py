"""What a model is asked at once, and how long and how often. Pure values; imports other values only."""

from __future__ import annotations

from dataclasses import dataclass, field

from narraworld.base.settings.reading_values import (
    CandidateBounds,
    ConsolidationSettings,
    Estimates,
    PriorSettings,
    ReadingSettings,
)

__all__ = [
    "SMALL_QUESTIONS",
    "AskingSettings",
    "ModelReadingSection",
    "QuestionSettings",
]


@dataclass(frozen=True, slots=True)
class QuestionSettings:
    """How much one question of a reading is about and shows."""

    part_words: int = 1_500  # about how much one question is about
    floor: int = 600  # characters not halved further
    roster_limit: int = 40
    facts: int = 24
    threads: int = 24
    most_refused: int = 40
    repair_share: float = 0.03  # of what was given must be lost before asking again pays its call
    repair_around: int = 2  # sentences shown on either side of a refused item
    remembered: int = 150  # known facts that the question about details is shown


SMALL_QUESTIONS = QuestionSettings(part_words=400, roster_limit=12, facts=6, threads=6, remembered=20)


@dataclass(frozen=True, slots=True)
class AskingSettings:
    """How a server is asked. Times are seconds."""

    jobs: int = 4  # questions under way at once
    timeout: float = 180.0  # silence of the server before a try is given up
    patience: float = 900.0  # one call with all its retries, even if the server keeps dripping bytes
    transport_retries: int = 4  # after the first try: 429, 5xx, broken connections; Retry-After is honoured
    repairs: int = 2  # times an answer that does not fit is sent back with the reason
    repair_budget: int = 60_000  # tokens of one question after which it is not repaired any more
    answer_tokens: int = 16_384  # asked of the server; a longer answer is cut and becomes Overflow
    answer_bytes: int = 2**20  # read from the server; more is refused unread
    asking_about: float = 5.0  # for what the server says of the model; without it we go on
    small_context: int = 12_000  # tokens of context below which questions are put in the small size
    temperature: float = 0.0
    seed: int = 7


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
