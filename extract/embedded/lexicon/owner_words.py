"""The words around pronouns that tell whose something is (`owners.toml`), as one value. Holds no word itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["OwnerWords", "owner_words"]


@dataclass(frozen=True, slots=True)
class OwnerWords:
    """Which words pick somebody up, which can follow an objective pronoun, and what a pronoun's form says."""

    picking_up: frozenset[str]
    newcomer: frozenset[str]
    after_objective: frozenset[str]
    after_possessive: frozenset[str]
    own_name: tuple[tuple[str, ...], ...]  # what a teller says before the own name
    case: Mapping[str, str]


def owner_words() -> OwnerWords:
    """Those of the language that is read."""
    return of_spoken(_owner_words)


def _owner_words(language: Language) -> OwnerWords:
    said = language.table("owners")
    return OwnerWords(
        frozenset(said["picking_up"]), frozenset(said["newcomer"]), frozenset(said["after_objective"]),
        frozenset(said["after_possessive"]),
        tuple(tuple(phrase.split()) for phrase in said["own_name"]), said["case"],
    )  # fmt: skip
