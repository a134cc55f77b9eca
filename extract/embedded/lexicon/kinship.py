"""Who is whose: the daughter, the brother, the neighbour of somebody, and what somebody is to them in turn (`kinship.toml`).

A ledger from two ids and a noun to the same the other way round; it finds whom `her father` means once the text has said
that she is his daughter. Pure; reads no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from narraworld.extract.embedded.lexicon.tables import table

__all__ = ["KIN", "Kin", "relatives", "turned"]

KIN = frozenset(
    {"son", "daughter", "father", "mother", "brother", "sister", "husband", "wife", "uncle", "aunt", "nephew", "niece",
     "cousin", "twin", "grandson", "granddaughter", "grandfather", "grandmother"}
)  # fmt: skip  # of these a record is written


@lru_cache(maxsize=1)
def relatives() -> Mapping[str, tuple[str, str]]:
    """Noun → what a man, and what a woman, is to whom it is said of."""
    said = table("kinship")
    return {noun: (words.split()[0], words.split()[-1]) for noun, words in said.items()}


def turned(noun: str, gender: str | None) -> str:
    """What somebody of this gender is to their daughter, their brother …; nothing where that cannot be told."""
    man, woman = relatives().get(noun, ("", ""))
    return man if gender == "male" or man == woman else woman if gender == "female" else ""


@dataclass(slots=True)
class Kin:
    """Everybody's people, by `owner noun`; ``said`` can be kept from unit to unit."""

    said: dict[str, str] = field(default_factory=dict)

    def add(self, owner: str, noun: str, who: str, owner_gender: str | None) -> None:
        """``who`` is the noun of ``owner``; and the other way round, as far as the owner's gender tells."""
        self.said[f"{owner} {noun}"] = who
        if other := turned(noun, owner_gender):
            self.said.setdefault(f"{who} {other}", owner)

    def of(self, owners: Iterable[str], noun: str) -> str | None:
        """The one whom these people have as their noun; None where there is nobody, or several."""
        found = {self.said[key] for owner in owners if (key := f"{owner} {noun}") in self.said}
        return found.pop() if len(found) == 1 else None

    def owners(self, noun: str) -> list[str]:
        """Who is known to have such a one."""
        return [key.rpartition(" ")[0] for key in self.said if key.rpartition(" ")[2] == noun]
