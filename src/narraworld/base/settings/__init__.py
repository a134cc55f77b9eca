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
        FoundSettings,
        JudgeSettings,
        MemorySwitches,
        PackingSettings,
        PlanSettings,
        PreviewSettings,
        Ranking,
        RetrievalSettings,
        Scale,
        Weights,
    )
    from narraworld.base.settings.model_values import AskingSettings, QuestionSettings
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
    from narraworld.base.settings.sections import (
        DEFAULTS,
        CheckingSection,
        EmbeddedSection,
        EngineSection,
        MemorySection,
        ModelReadingSection,
        ProofSection,
        Settings,
        TimeSection,
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
    "QuestionLimits",
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

HOMES = ("engines_values", "memory_values", "model_values", "reading_values", "sections", "surface_values")


def __getattr__(name: str) -> Any:
    """A value by its name, from the module it lives in."""
    if name in __all__:
        for home in HOMES:
            module = import_module(f"{__name__}.{home}")
            if name in module.__all__:
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
