"""What can be a place, a possession or a condition, by its word (`holding.toml`, two lists of `phrases.toml`). Holds no word itself."""

from __future__ import annotations

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.language import Language, spoken

__all__ = ["HoldingWords", "holding_words"]


@dataclass(frozen=True, slots=True)
class HoldingWords:
    """The table."""

    parts: frozenset[str]
    no_condition: frozenset[str]
    owned: frozenset[str]  # kinds of nouns
    elsewhen: frozenset[str]
    nowhere: frozenset[str]  # kinds of nouns
    ownerless: frozenset[str]  # kinds of nouns
    fixed: frozenset[str]
    away: frozenset[str]
    since: frozenset[str]
    once: frozenset[str]
    garments: frozenset[str]
    common: frozenset[str]  # nouns of which every room and street has one


def holding_words() -> HoldingWords:
    return spoken().made(_holding_words)


def _holding_words(language: Language) -> HoldingWords:
    said = {name: frozenset(words) for name, words in language.table("holding").items()}
    phrases = language.table("phrases")
    garments, common = phrases["people"]["garments"].split(), phrases["words"]["common"].split()
    return HoldingWords(**said, garments=frozenset(garments), common=frozenset(common))
