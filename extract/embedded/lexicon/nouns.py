"""Common nouns: which stand for people, places and things, which for nothing that anybody could touch (`nouns.toml`)."""

from __future__ import annotations

from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.function_words import wordrow
from narraworld.extract.embedded.lexicon.language import Language, spoken

__all__ = ["Nouns", "nouns"]

SHORTEST = 6  # letters of a noun that ends like `man` and is not `human` or `omen`


@dataclass(frozen=True, slots=True)
class Nouns:
    """The table of common nouns."""

    people: frozenset[str]
    male: frozenset[str]
    female: frozenset[str]
    titles: frozenset[str]
    groups: frozenset[str]
    places: frozenset[str]
    vague: frozenset[str]
    things: frozenset[str]
    telling: frozenset[str]
    creatures: frozenset[str]
    tangible: frozenset[str]

    def kind(self, noun: str) -> str | None:
        """What a noun stands for, if the table or its ending tells: `oarsman`, `gentlewomen`."""
        if noun.endswith(wordrow("endings.men")) and len(noun) > SHORTEST and noun not in self.tangible:
            return "character"
        listed = {"character": self.people, "group": self.groups, "place": self.places, "object": self.things}
        return next((kind for kind, words in listed.items() if noun in words), None)

    def gender(self, noun: str) -> str | None:
        """Whether a noun says man or woman."""
        return "male" if noun in self.male else "female" if noun in self.female else None

    def nothing(self, noun: str) -> bool:
        """Whether a noun stands for nobody and nothing: what no hand can move (`kindness`), a part of somebody (`her lips`)."""
        abstract = noun.endswith(wordrow("endings.abstract")) and noun not in self.tangible
        return abstract or noun in self.vague or f"{noun}s" in self.vague

    def can_be_he(self, noun: str) -> bool:
        """Whether `he` or `she` may mean it: a person, a beast, or one who does something (`the lamplighter`)."""
        last = noun.rpartition("-")[2]
        does = last.endswith(wordrow("endings.doers")) and last not in self.things | self.places
        return does or last in self.people | self.creatures


def nouns() -> Nouns:
    """The nouns of the language that is read."""
    return spoken().made(_nouns)


def _nouns(language: Language) -> Nouns:
    return Nouns(**{name: frozenset(words) for name, words in language.table("nouns").items()})
