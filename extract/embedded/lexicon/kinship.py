"""What somebody is to somebody, and the other the other way round: her father, his daughter (`kinship.toml`). Pure; reads no text."""

from __future__ import annotations

from collections.abc import Mapping

from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["relatives", "turned"]


def relatives() -> Mapping[str, tuple[str, str]]:
    """Noun → what a man, and what a woman, is to whom it is said of."""
    return of_spoken(_relatives)


def _relatives(language: Language) -> Mapping[str, tuple[str, str]]:
    said = language.table("kinship")
    return {noun: (words.split()[0], words.split()[-1]) for noun, words in said.items()}


def turned(noun: str, gender: str | None) -> str:
    """What somebody of this gender is to their daughter, their brother …; nothing where that cannot be told."""
    man, woman = relatives().get(noun, ("", ""))
    return man if gender == "male" or man == woman else woman if gender == "female" else ""
