"""Discourse entities of one unit: names, kind, gender and last mention. Values only; `coreference` decides who is meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.person_names import names
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange

__all__ = [
    "NOWHERE",
    "OBJECT",
    "OTHER",
    "SUBJECT",
    "DiscourseEntity",
    "guessed_kind",
    "longer_word",
    "name_key",
    "names_nobody",
    "same_name",
    "surely",
]

NOWHERE = TextRange(0, 0)
SUBJECT, OBJECT, OTHER = 0, 1, 2
PREFIX = 3  # letters that a longer noun has before a shorter one


@dataclass(slots=True)
class DiscourseEntity:
    """An entity of this unit: what it is called, and when it was last spoken of."""

    id: str
    kind: str
    names: list[str]
    where: TextRange
    head: str
    new: bool = True
    gender: str | None = None
    seen: tuple[int, int] = (-1, OTHER)  # clause, and how prominent there
    generic: bool = False  # only spoken of as a sort of thing: `she hated lemons`
    said: TextRange = NOWHERE  # the clause that last called it by a name or noun
    heard: tuple[int, int] = (-1, OTHER)  # the same as `seen`, in what people say
    led: int = -1  # the last main clause with it as subject
    sure: bool = True  # whether more than a guess says what it is
    many: bool = False  # last called by a noun for several: `the hens`
    known_as: set[str] = field(default_factory=set)  # nouns said beside the name: `Mr. Crewe, the solicitor`

    @property
    def keys(self) -> set[str]:
        return {name_key(name) for name in self.names} | self.known_as

    def goes_by(self, key: str) -> bool:
        """Whether a key is one of theirs."""
        return key in self.known_as or key in map(name_key, self.names)


def surely(kind: str, mention: Mention, treated: bool) -> bool:
    """Whether more than a guess says what a noun stands for: the tables, or what the story does with it."""
    if kind == "character":
        return mention.sort == "name" or nouns().can_be_he(mention.head)
    holds = mention.head in frame_table().nouns["containers"]
    return treated or holds or nouns().kind(mention.head) is not None


def names_nobody(mention: Mention) -> bool:
    """`French`, `Christmas`: capitals that are neither somebody nor something."""
    return all(word in names().nobody for word in name_key(mention.text).split())


def guessed_kind(mention: Mention) -> str:
    if mention.sort == "name":
        return "character"
    kind = nouns().kind(mention.head) or "object"
    return "group" if kind == "character" and mention.plural else kind


def longer_word(one: DiscourseEntity, mention: Mention) -> bool:
    """Whether a thing's noun ends like this one: the logbook for `the book`."""
    return (
        one.kind == "object"
        and one.head.endswith(mention.head)
        and len(one.head) - len(mention.head) >= PREFIX
    )


@lru_cache(maxsize=20_000)
def name_key(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _bare(name: str) -> list[str]:
    """The words of a name without its titles."""
    return [word for word in name_key(name).replace(".", "").split() if word not in nouns().titles]


def same_name(mention: Mention, one: DiscourseEntity) -> bool:
    """One name inside the other, no clash of gender or number: `Elizabeth` and `Elizabeth Bennet`, not Mr and Mrs."""
    if (mention.gender and one.gender and mention.gender != one.gender) or one.kind == "object":
        return False
    said = _bare(mention.text)
    return any(_within(said, _bare(name)) for name in one.names if name[:1].isupper())


def _within(one: list[str], other: list[str]) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(short) and (short == long or short == long[: len(short)] or short == long[-len(short) :])
