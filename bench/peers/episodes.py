"""The episodes that every system gets: three plain sentences each, and a cast that grows slowly. The same for the same number.

The mark `[[e17]]` lets a model that sees only a prompt know which episode is being read. Knows none of the systems.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

__all__ = ["MARK", "Episode", "episode", "question"]

ROOMS = ("kitchen", "cellar", "attic", "library", "stable", "chapel", "orchard", "mill")
THINGS = ("lamp", "key", "letter", "ring", "knife", "map", "coin", "book", "coat", "cup")
NAMES = ("Mara", "Leo", "Ida", "Anselm", "Jonas", "Vera", "Tilda", "Ruben", "Sanne", "Otto", "Nele", "Bram")
FIRST_CAST = 6
MARK = re.compile(r"\[\[e(\d+)\]\]")


@dataclass(frozen=True, slots=True)
class Episode:
    """A thing changes hands before a witness, and is put somewhere."""

    number: int
    giver: str
    taker: str
    witness: str
    thing: str
    room: str

    @property
    def sentences(self) -> tuple[str, str, str]:
        return (
            f"{self.giver} gave the {self.thing} to {self.taker} in the {self.room}.",
            f"{self.witness} saw it.",
            f"{self.taker} put the {self.thing} in the {self.room}.",
        )

    @property
    def prose(self) -> str:
        return " ".join(self.sentences)

    @property
    def marked(self) -> str:
        return f"[[e{self.number}]] {self.prose}"


def episode(number: int) -> Episode:
    chance = random.Random(number)
    cast = FIRST_CAST + int(number**0.5)
    giver, taker, witness = (_person(n) for n in chance.sample(range(cast), 3))
    return Episode(number, giver, taker, witness, chance.choice(THINGS), chance.choice(ROOMS))


def question(number: int, size: int) -> str:
    """Something about one of the first ``size`` episodes."""
    chance = random.Random(10_000 + number)
    one = episode(chance.randrange(size))
    return chance.choice(
        (
            f"Where is the {one.thing}?",
            f"What does {one.taker} have?",
            f"What did {one.witness} see in the {one.room}?",
        )
    )


def _person(number: int) -> str:
    rest, nth = divmod(number, len(NAMES))
    return NAMES[nth] + (f" {_roman(rest + 1)}" if rest else "")


def _roman(number: int) -> str:
    return "".join(
        sign * (number // value % limit) for sign, value, limit in (("X", 10, 10), ("V", 5, 2), ("I", 1, 5))
    )
