"""What every common noun stands for, by the dictionary (`noun_kinds.txt`, made by `training/noun_kinds.py`): a kind and its share.

The share is how much of a noun's use is of that kind; below `Sureness.enough` the dictionary is unsure, and a noun of unsure kind is
no place and nobody. Our own corrections stand in `nouns.toml` and go before it. Holds no word itself.
"""

from __future__ import annotations

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["NounKind", "NounKinds", "noun_kinds"]

NEVER = "-"  # the line of words that are no nouns
WHOLE = 10  # tenths


@dataclass(frozen=True, slots=True)
class Sureness:
    """When the dictionary is sure of a kind."""

    enough: float = 0.6
    wholly: float = 0.8  # to say that a noun is nothing one could touch


SURENESS = Sureness()


@dataclass(frozen=True, slots=True)
class NounKind:
    """What a noun stands for: person, animal, group, body, time, place, thing, vehicle, food, deed, words, abstract, …"""

    kind: str
    share: float

    @property
    def sure(self) -> bool:
        return self.share >= SURENESS.enough

    @property
    def whole(self) -> bool:
        """Whether hardly any use of the noun is of another kind."""
        return self.share >= SURENESS.wholly


@dataclass(frozen=True, slots=True)
class NounKinds:
    """The dictionary."""

    kinds: dict[str, NounKind]
    never: frozenset[str]  # adjectives, verbs and adverbs that are never nouns

    def of(self, noun: str) -> NounKind | None:
        """The kind of a noun, of a joined one that of its last part: a `tea-table` is a table."""
        return self.kinds.get(noun) or self.kinds.get(noun.rpartition("-")[2])

    def surely(self, noun: str) -> str | None:
        """The kind of a noun where the dictionary is sure of it."""
        found = self.of(noun)
        return found.kind if found is not None and found.sure else None

    def masks(self, word: str) -> bool:
        """Whether no dictionary allows a word as a noun: `asleep`, `beneath`."""
        return word in self.never and word not in self.kinds


def noun_kinds() -> NounKinds:
    """The dictionary of the language that is read."""
    return of_spoken(_noun_kinds)


def _noun_kinds(language: Language) -> NounKinds:
    kinds, never = dict[str, NounKind](), frozenset[str]()
    shared: dict[tuple[str, int], NounKind] = {}
    for line in (language.tables / "noun_kinds.txt").read_text("utf-8").splitlines():
        kind, _, words = line.partition("\t")
        if line.startswith("#"):
            continue
        if kind == NEVER:
            never = frozenset(words.split())
            continue
        for entry in words.split():
            word, _, tenths = entry.partition(":")
            share = int(tenths or WHOLE)
            kinds[word] = shared.setdefault((kind, share), NounKind(kind, share / WHOLE))
    return NounKinds(kinds, never)
