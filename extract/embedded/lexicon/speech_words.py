"""How prose tells who is speaking: verbs of saying, and what a listener may be called (`speech.toml`). Holds no word itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["SpeechWords", "speech_words"]


@dataclass(frozen=True, slots=True)
class SpeechWords:
    """The table `speech.toml`."""

    verbs: frozenset[str]
    with_particle: Mapping[str, frozenset[str]]
    thinking: frozenset[str]
    asking: frozenset[str]
    promising: frozenset[str]
    idle: frozenset[str]
    courtesies: frozenset[str]
    everybody: frozenset[str]
    replies: frozenset[str]
    going_on: frozenset[str]
    he: frozenset[str]
    she: frozenset[str]
    fondly: frozenset[str]


def speech_words() -> SpeechWords:
    """The words of speaking of the language that is read."""
    return of_spoken(_speech_words)


def _speech_words(language: Language) -> SpeechWords:
    said = language.table("speech")
    particles = {verb: frozenset(words) for verb, words in said.pop("with_particle").items()}
    return SpeechWords(with_particle=particles, **{name: frozenset(words) for name, words in said.items()})
