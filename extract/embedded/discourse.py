"""Discourse state carried from one unit to the next: where things are, who has them, open promises, kin, who is `he`. Pure values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from narraworld.kb.spans import TextRange

__all__ = ["DiscourseHistory", "DiscourseState", "Moves", "Place"]

Standing = dict[str, tuple[str, TextRange | None]]
Moves = dict[str, dict[str, str | None]]
WORDS = ("threads", "kin", "said", "sexes")  # what is carried on as it is
Place = tuple[int, str]  # of a unit in the telling: its order, then its id


@dataclass(slots=True)
class DiscourseState:
    """Where things were last said to be and who has them, with the words for it; `scene` is where the telling is."""

    where: Standing = field(default_factory=dict)
    holder: Standing = field(default_factory=dict)
    scene: str | None = None
    threads: dict[str, str] = field(
        default_factory=dict
    )  # open developments, each by whose deed it would be fulfilled
    kin: dict[str, str] = field(default_factory=dict)  # who is whose, by `owner noun`
    said: dict[str, str] = field(
        default_factory=dict
    )  # where things are, as somebody last claimed or thought
    sexes: dict[str, str] = field(default_factory=dict)  # how often somebody was `he`, and `she`: `4 1`

    def for_next_unit(self, known: Container[str]) -> DiscourseState:
        """The same for those ``known``, without the words: a record quotes its own unit only."""
        kept = {one: said for one, said in self.threads.items() if said.split()[0].split("+")[0] in known}
        said = {one: at for one, at in self.said.items() if one in known and at in known}
        kin = {key: one for key, one in self.kin.items() if one in known and key.split()[0] in known}
        return DiscourseState(
            _recalled(self.where, known), _recalled(self.holder, known), threads=kept, kin=kin, said=said,
            sexes={one: votes for one, votes in self.sexes.items() if one in known},
        )  # fmt: skip

    def moves_since(self, before: DiscourseState) -> Moves:
        """Whom and what a unit moved: the new place or holder of each, None where that became unknown."""
        return {
            "where": _moved(_places(before.where), _places(self.where)),
            "holder": _moved(_places(before.holder), _places(self.holder)),
            "threads": _moved(before.threads, self.threads),
            "kin": _moved(before.kin, self.kin),
            "said": _moved(before.said, self.said),
            "sexes": _moved(before.sexes, self.sexes),
        }

    def after(self, moves: Moves) -> DiscourseState:
        """The stage as these moves leave it."""
        where, holder = moves.get("where", {}), moves.get("holder", {})
        rest = {name: _after(getattr(self, name), moves.get(name, {})) for name in WORDS}
        return DiscourseState(_set(self.where, where), _set(self.holder, holder), None, **rest)


def _after(old: dict[str, str], moves: dict[str, str | None]) -> dict[str, str]:
    begun = {one: said for one, said in moves.items() if said is not None}
    return {one: said for one, said in old.items() if one not in moves} | begun


def _recalled(some: Standing, known: Container[str]) -> Standing:
    return {one: (at, None) for one, (at, _) in some.items() if one in known and at in known}


def _places(some: Standing) -> dict[str, str]:
    return {one: at for one, (at, _) in some.items()}


def _moved(then: dict[str, str], now: dict[str, str]) -> dict[str, str | None]:
    return {one: now.get(one) for one in sorted(now.keys() | then.keys()) if now.get(one) != then.get(one)}


def _set(some: Standing, moved: dict[str, str | None]) -> Standing:
    left = {one: at for one, at in some.items() if one not in moved}
    return left | {one: (at, None) for one, at in moved.items() if at is not None}


class DiscourseHistory:
    """How each unit of a story finds the stage; asked in the order of the telling, each answer costs one unit's moves."""

    def __init__(self, moves: Iterable[tuple[Place, Moves]] = ()) -> None:
        self._moves = dict(moves)
        self._places = sorted(self._moves)
        self._stage, self._done = DiscourseState(), 0  # after so many of the places

    def before(self, place: Place) -> DiscourseState:
        """The stage as all units told before this place leave it."""
        upto = bisect_left(self._places, place)
        if upto < self._done:
            self._rewind()
        for one in self._places[self._done : upto]:
            self._stage = self._stage.after(self._moves[one])
        self._done = upto
        return self._stage

    def add(self, place: Place, moves: Moves) -> None:
        """A unit was read, perhaps again, perhaps at a new place."""
        for old in [one for one in self._places if one[1] == place[1]]:
            self._places.remove(old)
        at = bisect_left(self._places, place)
        self._places.insert(at, place)
        self._moves[place] = moves
        if at < self._done:
            self._rewind()

    def _rewind(self) -> None:
        self._stage, self._done = DiscourseState(), 0
