"""How prose marks causes, purposes, attempts, feelings and norms (`motives.toml`). Holds no word itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["MotiveWords", "motive_words"]


@dataclass(frozen=True, slots=True)
class MotiveWords:
    """The table `motives.toml`; ``feelings`` gives each word its valence."""

    because: frozenset[str]
    of_states: frozenset[str]
    states: frozenset[str]
    therefore: frozenset[str]
    purpose: frozenset[str]
    trying: frozenset[str]
    wanting: frozenset[str]
    achieved: frozenset[str]
    failed: frozenset[str]
    in_vain: frozenset[str]
    before_vain: frozenset[str]
    asking: frozenset[str]
    commanding: frozenset[str]
    forbidding: frozenset[str]
    allowing: frozenset[str]
    must: frozenset[str]
    unwilled: frozenset[str]
    minding: frozenset[str]
    feelings: Mapping[str, str]


def motive_words() -> MotiveWords:
    """The words of motives of the language that is read."""
    return of_spoken(_motive_words)


def _motive_words(language: Language) -> MotiveWords:
    said = dict(language.table("motives"))
    felt = {word: valence for valence, words in said.pop("feelings").items() for word in words}
    return MotiveWords(feelings=felt, **{name: frozenset(words) for name, words in said.items()})
