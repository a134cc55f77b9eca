"""The page being read: what the modules of the embedded reader share while they go through one unit.

Holds the delta that grows, who has been met, and where everybody was last said to be, each with the words that said so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from narraworld.extract.coreference import OTHER, Company
from narraworld.extract.mentions import mention_of, nouns
from narraworld.extract.parsing import Word
from narraworld.kb.delta import Delta
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import Range

__all__ = ["Page", "Roles", "Stage"]

Roles = dict[str, tuple[str, ...]]


@dataclass(slots=True)
class Stage:
    """Where things were last said to be and who has them, with the words for it; `scene` is where the telling is."""

    where: dict[str, tuple[str, Range | None]] = field(default_factory=dict)
    holder: dict[str, tuple[str, Range | None]] = field(default_factory=dict)
    scene: str | None = None

    def for_next_unit(self) -> Stage:
        """The same without the words: a record quotes its own unit only."""
        where = {thing: (place, None) for thing, (place, _) in self.where.items()}
        return Stage(dict(where), {thing: (who, None) for thing, (who, _) in self.holder.items()})


@dataclass(slots=True)
class Page:
    """One unit in the reading."""

    delta: Delta
    company: Company
    stage: Stage = field(default_factory=Stage)
    words: Sequence[Word] = ()
    used: set[str] = field(default_factory=set)
    happened: dict[int, str] = field(default_factory=dict)  # clause of the sentence → its event
    spoken: list[tuple[str, tuple[str, ...], tuple[str, ...], list[Statement]]] = field(default_factory=list)
    shown: list[tuple[str, str, str | None, Range]] = field(default_factory=list)
    _meant: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def begin_sentence(self, words: Sequence[Word]) -> None:
        self.words = words
        self._meant.clear()
        self.happened.clear()

    def who(
        self, heads: Iterable[Word], prominence: int = OTHER, besides: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """The entities these words stand for, each once."""
        taken = set(besides)
        return tuple(dict.fromkeys(id for head in heads for id in self._ids(head, prominence, taken)))

    def _ids(self, head: Word, prominence: int, besides: set[str]) -> tuple[str, ...]:
        if head.position not in self._meant:
            mention = mention_of(head, self.words, self.delta.unit.text)
            vague = mention.sort == "noun" and mention.head in nouns().vague
            resolved = () if vague else self.company.resolve(mention, prominence, besides)
            self._meant[head.position] = resolved
        return self._meant[head.position]

    def add(self, kind: str, quote: Range | list[Range], /, **fields: Any) -> str:
        """Add a record; entities it names count as used. Roles nobody fills are left out."""
        given = {name: value for name, value in fields.items() if value not in (None, (), [])}
        for value in given.values():
            self.use(value)
        return self.delta.add(kind, quote=quote, **given)

    def use(self, value: Any) -> None:
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(one, Statement):
                self.used |= {one.subject, *([one.object] if one.object else [])}
            elif isinstance(one, str) and one in self.company.figures:
                self.used.add(one)

    def kind(self, id: str) -> str:
        return self.company.kind(id)

    def characters(self, ids: Iterable[str]) -> list[str]:
        return [id for id in ids if self.kind(id) == "character"]
