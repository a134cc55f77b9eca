"""Who is who in a unit: links to known entities, new ids from names, identities left open.

A new entity with exactly the name and kind of one that is known is that one, unless the passage makes it a namesake; a
link that the model gives is taken if the kinds agree; whatever else might be the same stays apart, and says so. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from narraworld.extract.model.schema import EntityItem
from narraworld.kb.roster import TELLER, Known, Roster
from narraworld.kb.spans import TextRange

__all__ = ["EntityLinks", "LinkedEntity", "Unresolved"]


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """One entity of the passage; ``new`` when this unit is the first to speak of it."""

    id: str
    kind: str
    name: str
    new: bool
    where: TextRange
    names: tuple[str, ...] = ()
    here: str = ""  # what the passage calls one that was known before, if by another name


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An entity that may be one of ``candidates``; the text does not say, so nobody is merged."""

    entity: str
    candidates: tuple[str, ...]
    quote: str


@dataclass(slots=True)
class EntityLinks:
    """The entities of one unit by the numbers that its answers use."""

    roster: Roster
    shown: tuple[Known, ...]
    unit: str
    members: dict[int, LinkedEntity] = field(default_factory=dict)
    unresolved: list[Unresolved] = field(default_factory=list)

    def settle(self, item: EntityItem, where: TextRange) -> LinkedEntity:
        """Give an entity that has passed all checks its id."""
        member = self._linked(item, where) or self._met_before(item) or self._new(item, where)
        self.members[item.number] = member
        if item.could_be and member.new:
            candidates = tuple(self.shown[number - 1].id for number in item.could_be)
            self.unresolved.append(Unresolved(member.id, candidates, item.quote))
        return member

    def settle_pronoun(self, item: EntityItem, where: TextRange) -> LinkedEntity:
        """One of the known who is only `she` or `it` here, or the teller, who is `I`: a pronoun is nobody's name."""
        known = self.shown[item.known - 1].best_name if item.known is not None else TELLER
        return self.settle(item.model_copy(update={"name": known}), where)

    def new_members(self) -> list[LinkedEntity]:
        """Each newcomer once, in the order of their numbers."""
        return list({one.id: one for _, one in sorted(self.members.items()) if one.new}.values())

    def ids(self) -> set[str]:
        return {member.id for member in self.members.values()}

    def _linked(self, item: EntityItem, where: TextRange) -> LinkedEntity | None:
        if item.known is not None:
            return _member(self.shown[item.known - 1], item, where)
        if item.namesake or item.could_be:
            return None
        same = self.roster.called(item.name, item.is_a)
        return _member(same[0], item, where) if len(same) == 1 else None

    def _met_before(self, item: EntityItem) -> LinkedEntity | None:
        """Whoever has this name and kind in the passage already, unless it tells the two apart."""
        if item.namesake or item.could_be:
            return None
        wanted = (item.is_a, item.name.casefold())
        return next((one for one in self.members.values() if (one.kind, one.name.casefold()) == wanted), None)

    def _new(self, item: EntityItem, where: TextRange) -> LinkedEntity:
        name = " ".join(item.name.split())
        id = self.roster.free_id(name, self.ids() | {self.unit})
        return LinkedEntity(id, item.is_a, name, True, where, (name,))


def _member(known: Known, item: EntityItem, where: TextRange) -> LinkedEntity:
    name, here = known.best_name, " ".join(item.name.split())
    other = here if here.casefold() not in name.casefold() else ""
    return LinkedEntity(known.id, known.kind, name, False, where, known.names, other)
