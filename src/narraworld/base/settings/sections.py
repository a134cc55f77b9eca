"""All defaults in one object, section by section. Pure values; imports nothing of ours before somebody asks for a section."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from narraworld.base.settings.engines_values import EngineSection, ProofSection, TimeSection
    from narraworld.base.settings.memory_values import CheckingSection, MemorySection
    from narraworld.base.settings.model_values import ModelReadingSection
    from narraworld.base.settings.reading_values import DeskSettings, EmbeddedSection, SourceSettings
    from narraworld.base.settings.surface_values import SurfaceSection

__all__ = ["DEFAULTS", "SECTIONS", "Settings"]

# In the order of the page: the class of a section and the module it lives in.
SECTIONS = {
    "sources": ("reading_values", "SourceSettings"),
    "embedded": ("reading_values", "EmbeddedSection"),
    "model_reading": ("model_values", "ModelReadingSection"),
    "relay": ("reading_values", "DeskSettings"),
    "engines": ("engines_values", "EngineSection"),
    "proofs": ("engines_values", "ProofSection"),
    "time": ("engines_values", "TimeSection"),
    "memory": ("memory_values", "MemorySection"),
    "checking": ("memory_values", "CheckingSection"),
    "surfaces": ("surface_values", "SurfaceSection"),
}


class Settings:
    """All that can be tuned, by section. A section is made when it is first asked for: all together take longer than a short command."""

    sources: SourceSettings
    embedded: EmbeddedSection
    model_reading: ModelReadingSection
    relay: DeskSettings
    engines: EngineSection
    proofs: ProofSection
    time: TimeSection
    memory: MemorySection
    checking: CheckingSection
    surfaces: SurfaceSection

    def __getattr__(self, name: str) -> Any:
        if name not in SECTIONS:
            raise AttributeError(f"no section of the settings is called {name!r}")
        home, kind = SECTIONS[name]
        section = getattr(import_module(f"narraworld.base.settings.{home}"), kind)()
        self.__dict__[name] = section  # from now on it is found without us
        return section

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings are handed in where they are used, not changed here: {name}")


DEFAULTS = Settings()
