"""Common nouns: which stand for people, places and things, which for nothing that anybody could touch.

Our own lists (`nouns.toml`) correct the dictionary (`noun_kinds.py`); only what neither knows is told by its ending. What can be a
place, a possession or a condition stands in `holding.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass

from narraworld.extract.embedded.lexicon.function_words import wordrow
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds

__all__ = ["HoldingWords", "Nouns", "holding_words", "nouns"]

ENTITIES = {"person": "character", "place": "place", "thing": "object", "vehicle": "object", "food": "object"}
INTANGIBLE = frozenset({"abstract", "deed", "time", "amount", "body"})  # what is no entity by itself
TANGIBLE = frozenset({*ENTITIES, "animal", "plant", "substance", "nature"})
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
    unsettled: frozenset[str]  # of which the dictionary is too sure

    def kind(self, noun: str) -> str | None:
        """What a noun stands for, if our lists or the dictionary tell."""
        listed = self.listed(noun)
        if listed is not None or noun in self.vague or noun in self.creatures:
            return listed
        return ENTITIES.get(self._by_the_book(noun) or "")

    def firmly(self, noun: str) -> str | None:
        """The same where no story says otherwise: the dictionary is firm on people only (a lounge may be sat on, or entered)."""
        return self.listed(noun) or ("character" if self.kind(noun) == "character" else None)

    def listed(self, noun: str) -> str | None:
        """What our own lists say that a noun stands for, or its ending: `oarsman`, `gentlewomen`."""
        if noun.endswith(wordrow("endings.men")) and len(noun) > SHORTEST and noun not in self.tangible:
            return "character"
        lists = {"character": self.people, "group": self.groups, "place": self.places, "object": self.things}
        return next((kind for kind, words in lists.items() if noun in words), None)

    def _by_the_book(self, noun: str) -> str | None:
        return None if noun in self.unsettled else noun_kinds().surely(noun)

    def gender(self, noun: str) -> str | None:
        """Whether a noun says man or woman."""
        return "male" if noun in self.male else "female" if noun in self.female else None

    def nothing(self, noun: str) -> bool:
        """Whether a noun stands for nobody and nothing: what no hand can move (`kindness`), a part of somebody (`her lips`)."""
        noun = noun.replace("’", "'")
        if noun in self.vague or f"{noun}s" in self.vague:
            return True
        if noun in self.tangible or self.listed(noun) is not None:
            return False
        return noun_kinds().masks(noun) or self._intangible(noun)

    def _intangible(self, noun: str) -> bool:
        """By the learned kinds of nouns, else by the book and by how the word ends."""
        abstract = noun.endswith(wordrow("endings.abstract"))
        found = None if noun in self.unsettled else noun_kinds().of(noun)
        if found is not None and found.kind in INTANGIBLE:
            return found.whole or abstract
        return abstract and self._by_the_book(noun) not in TANGIBLE

    def creature(self, noun: str) -> bool:
        """Whether a noun is a beast: by our lists, or by the dictionary."""
        return noun in self.creatures or noun_kinds().surely(noun) == "animal"

    def can_be_he(self, noun: str) -> bool:
        """Whether `he` or `she` may mean it: a person, a beast, or one who does something (`the lamplighter`)."""
        last = noun.rpartition("-")[2]
        does = last.endswith(wordrow("endings.doers")) and last not in self.things | self.places
        return does or last in self.people | self.creatures


def nouns() -> Nouns:
    """The nouns of the language that is read."""
    return of_spoken(_nouns)


def _nouns(language: Language) -> Nouns:
    """Our lists; of the nouns that verb frames speak of (containers, creatures, measures) the dictionary is not asked."""
    said = {name: frozenset(words) for name, words in language.table("nouns").items()}
    framed = {word for words in language.table("verb_frames")["nouns"].values() for word in words}
    return Nouns(**said | {"unsettled": said["unsettled"] | framed})


# -- what can be a place, a possession or a condition (`holding.toml`, two lists of `phrases.toml`)


@dataclass(frozen=True, slots=True)
class HoldingWords:
    """What can hold, or be held, by its word."""

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
    manner: frozenset[str]
    spots: frozenset[str]  # kinds of nouns
    bare: frozenset[str]
    weathers: frozenset[str]
    kept: frozenset[str]
    garments: frozenset[str]
    common: frozenset[str]  # nouns of which every room and street has one


def holding_words() -> HoldingWords:
    return of_spoken(_holding_words)


def _holding_words(language: Language) -> HoldingWords:
    said = {name: frozenset(words) for name, words in language.table("holding").items()}
    phrases = language.table("phrases")
    garments, common = phrases["people"]["garments"].split(), phrases["words"]["common"].split()
    return HoldingWords(**said, garments=frozenset(garments), common=frozenset(common))
