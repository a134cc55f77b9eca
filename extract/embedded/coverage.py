"""How much of a unit was understood: counted, never hidden. Pure values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from narraworld.kb.spans import TextRange

__all__ = ["Coverage"]


@dataclass(slots=True)
class Coverage:
    """Sentences by how far they were read, references nobody could be found for, and what was read but is too unsure to be written."""

    read: int = 0
    partly: int = 0
    unread: list[TextRange] = field(default_factory=list)
    unresolved: list[TextRange] = field(default_factory=list)
    unsure: list[TextRange] = field(default_factory=list)

    @property
    def sentences(self) -> int:
        return self.read + self.partly + len(self.unread)

    def count(self, where: TextRange, clauses: int, understood: int) -> None:
        if understood == 0:
            self.unread.append(where)
        elif understood < clauses:
            self.partly += 1
        else:
            self.read += 1

    def to_json(self) -> dict[str, Any]:
        return {
            "read": self.read,
            "partly": self.partly,
            "unread": [[one.start, one.end] for one in self.unread],
            "unresolved": [[one.start, one.end] for one in self.unresolved],
            "unsure": [[one.start, one.end] for one in self.unsure],
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Coverage:
        return cls(
            int(said["read"]),
            int(said["partly"]),
            *(_ranges(said.get(name, ())) for name in ("unread", "unresolved", "unsure")),
        )


def _ranges(pairs: Iterable[tuple[int, int]]) -> list[TextRange]:
    return [TextRange(int(start), int(end)) for start, end in pairs]
