"""Every default in one object. `docs/settings.md` lists them, and a test holds page and object equal.

A section is a frozen value; whoever needs one takes it from here. Pure values; imports nothing of ours. A value's module is
imported when somebody first asks for it: to define all of them takes longer than a short command does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from narraworld.base.settings.engines_values import (
        BulkSettings,
        Choice,
        ClockSettings,
        EngineSection,
        ExplainSettings,
        Guesses,
        IndexOptions,
        IntervalSettings,
        Limits,
        ProofSection,
        SqliteSettings,
        TimeSection,
        WhyNotSettings,
    )
    from narraworld.base.settings.memory_values import (
        Bm25,
        CheckingSection,
        FoundSettings,
        JudgeSettings,
        MemorySection,
        MemorySwitches,
        PackingSettings,
        PlanSettings,
        PreviewSettings,
        Ranking,
        RetrievalSettings,
        Scale,
        Weights,
    )
    from narraworld.base.settings.model_values import (
        AskingSettings,
        ModelReadingSection,
        QuestionSettings,
    )
    from narraworld.base.settings.reading_values import (
        AheadSettings,
        AttributionSettings,
        CandidateBounds,
        CastSettings,
        ConsolidationSettings,
        DeskSettings,
        DialogueSettings,
        DocumentSettings,
        EmbeddedSection,
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
    from narraworld.base.settings.sections import (
        DEFAULTS,
        Settings,
    )
    from narraworld.base.settings.surface_values import (
        AgentSettings,
        LspSettings,
        ServeSettings,
        SurfaceSection,
        WatchSettings,
    )

__all__ = [
    "DEFAULTS",
    "AgentSettings",
    "AheadSettings",
    "AskingSettings",
    "AttributionSettings",
    "Bm25",
    "BulkSettings",
    "CandidateBounds",
    "CastSettings",
    "CheckingSection",
    "Choice",
    "ClockSettings",
    "ConsolidationSettings",
    "DeskSettings",
    "DialogueSettings",
    "DocumentSettings",
    "EmbeddedSection",
    "EngineSection",
    "Estimates",
    "ExplainSettings",
    "FoundSettings",
    "Guesses",
    "IndexOptions",
    "IntervalSettings",
    "JudgeSettings",
    "Limits",
    "LspSettings",
    "MarkSettings",
    "MemorySection",
    "MemorySwitches",
    "MisspeltSettings",
    "ModelReadingSection",
    "NameSpanSettings",
    "OwnerSettings",
    "PackingSettings",
    "ParticipantSettings",
    "PlanSettings",
    "PreviewSettings",
    "PriorSettings",
    "ProofSection",
    "QuestionSettings",
    "QuotationSettings",
    "RankerSettings",
    "Ranking",
    "ReadingSettings",
    "RetrievalSettings",
    "Scale",
    "ServeSettings",
    "Settings",
    "SourceSettings",
    "SqliteSettings",
    "StrangerSettings",
    "SurfaceSection",
    "TimeSection",
    "TwoNamesSettings",
    "WatchSettings",
    "Weights",
    "WhyNotSettings",
]

HOMES = {
    "engines_values": (
        "BulkSettings",
        "Choice",
        "ClockSettings",
        "EngineSection",
        "ExplainSettings",
        "Guesses",
        "IndexOptions",
        "IntervalSettings",
        "Limits",
        "ProofSection",
        "SqliteSettings",
        "TimeSection",
        "WhyNotSettings",
    ),
    "memory_values": (
        "Bm25",
        "CheckingSection",
        "FoundSettings",
        "JudgeSettings",
        "MemorySection",
        "MemorySwitches",
        "PackingSettings",
        "PlanSettings",
        "PreviewSettings",
        "Ranking",
        "RetrievalSettings",
        "Scale",
        "Weights",
    ),
    "model_values": (
        "AskingSettings",
        "ModelReadingSection",
        "QuestionSettings",
    ),
    "reading_values": (
        "AheadSettings",
        "AttributionSettings",
        "CandidateBounds",
        "CastSettings",
        "ConsolidationSettings",
        "DeskSettings",
        "DialogueSettings",
        "DocumentSettings",
        "EmbeddedSection",
        "Estimates",
        "MarkSettings",
        "MisspeltSettings",
        "NameSpanSettings",
        "OwnerSettings",
        "ParticipantSettings",
        "PriorSettings",
        "QuotationSettings",
        "RankerSettings",
        "ReadingSettings",
        "SourceSettings",
        "StrangerSettings",
        "TwoNamesSettings",
    ),
    "sections": (
        "DEFAULTS",
        "Settings",
    ),
    "surface_values": (
        "AgentSettings",
        "LspSettings",
        "ServeSettings",
        "SurfaceSection",
        "WatchSettings",
    ),
}


def __getattr__(name: str) -> Any:
    """A value by its name, from the module it lives in; no other is imported on the way."""
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
