"""Who `I` and `you` are while letters are read: who signs them and who is greeted. Writes no record."""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.layout.letters import Letter
from narraworld.extract.embedded.people.coreference import Coreference

__all__ = ["Correspondence"]


class Correspondence:
    """The letters of a unit, one open at a time; behind one, `I` is whoever it was before."""

    def __init__(self, company: Coreference, found: Sequence[Letter]) -> None:
        self._company, self._teller = company, company.teller
        self._waiting = list(reversed(found))
        self._open: Letter | None = None

    def at(self, place: int) -> None:
        """The reading has come to this place."""
        while self._waiting and self._waiting[-1].where.start <= place:
            self._open = self._waiting.pop()
        if self._open is None:
            return
        inside = place < self._open.where.end
        self._company.teller = self._who(self._open.writer) if inside else self._teller
        self._company.you = tuple(filter(None, map(self._who, self._open.readers))) if inside else ()

    def _who(self, name: str | None) -> str | None:
        person = self._company.people.called(name) if name else None
        return self._company.person(person) if person else None
