"""Which lines a mind is shown for a scene, within a budget: what happened scene by scene and what is under way, who holds what, what
records and rules have besides, and the text, all of one scope, so that nothing outside the situation is among them.

Generous: what the plan would never pack may be what the scene needs. Chooses and orders; derives nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.settings import ChoosingSettings
from narraworld.query.memory.by_mind.text_pieces import TextPieces
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.items import Teller
from narraworld.query.memory.lines.beside import rested_on, together, with_company
from narraworld.query.memory.lines.fitted import as_line, causes, cost_of, fitting, in_order
from narraworld.query.memory.lines.held_matters import HeldMatters
from narraworld.query.memory.needs import MemoryItem
from narraworld.query.memory.preview import preview_of
from narraworld.query.memory.private_matters import PrivateMatters
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.lines.given_lines import GivenLine, LinePart
    from narraworld.query.memory.needs import FoundRecord, MemoryPlan
    from narraworld.query.scope import Scope

__all__ = ["Offered", "matter_of", "offered"]

Offered = dict["GivenLine", "MemoryItem"]
"""The lines in their order, each with the item it tells."""

DEVELOPING = ("D", "H")


def offered(
    found: Sequence[FoundRecord], plan: MemoryPlan, scope: Scope, settings: ChoosingSettings
) -> Offered:
    """All that is laid before a mind, part by part, each as the story tells it."""
    pool, room = _Pool(found, plan, scope, settings), settings.tokens
    developments = pool.fitted("developments", pool.developing(), room * settings.developments)
    minds = pool.fitted("holders", pool.minds(), room * settings.minds)
    records = pool.fitted("records", pool.besides(minds.values()), room * settings.records)
    followed = [*developments, *minds, *records]
    left = room - sum(map(cost_of, followed))
    text = pool.fitted("text", pool.text(followed), left)
    return {**developments, **minds, **records, **text}


class _Pool:
    """What may be shown for one plan, each kind with the worthiest first."""

    def __init__(
        self, found: Sequence[FoundRecord], plan: MemoryPlan, scope: Scope, settings: ChoosingSettings
    ) -> None:
        self._found, self._plan, self._scope, self._settings = found, plan, scope, settings
        self._tell = scope.once(Teller)

    def fitted(self, part: LinePart, items: Iterable[MemoryItem], budget: float) -> Offered:
        """Those of them that fit, in the order of the story."""
        told = {replace(as_line(item, self._scope), part=part): item for item in items}
        return {line: told[line] for line in in_order(told, fitting(told, int(budget)), self._scope)}

    def developing(self) -> Iterator[MemoryItem]:
        """Scenes in a sentence or two, threads and what may come of them: what was found for the plan, then all threads."""
        found = [one.item for one in self._found if one.item.section in DEVELOPING]
        yield from (item for item in found if item.section == "D")
        for thread, _ in rows(self._scope.at_once, "development"):
            yield from self._tell.items(str(thread))
        yield from (item for item in found if item.section == "H")

    # -- who holds what

    def minds(self) -> Iterator[MemoryItem]:
        """The matters on minds: those near to the request, those that one holds and another does not, and the latest; what
        happened after what is so, for the text tells it better."""
        for who in self._people():
            yield from self._scope.once(PrivateMatters).unknown_to(who, self._settings.unknown)
        held = self._scope.once(HeldMatters)
        matters = list(held.matters)
        near = {record: one.score for one in reversed(self._found) for record in one.item.records}
        worth = [
            max((near.get(one, 0.0) for one in held.records_of(matter)), default=0.0) for matter in matters
        ]
        told = [self._told(held.records_of(matter)) for matter in matters]
        numbers = range(len(matters))
        apart = [nth for nth in numbers if self._apart(held.matters[matters[nth]])]
        orders = (
            sorted(numbers, key=lambda nth: -worth[nth]),
            sorted(apart, key=lambda nth: -told[nth]),
            sorted(numbers, key=lambda nth: -told[nth]),
        )
        worths = together(orders, self._settings)
        first = sorted(worths, key=lambda nth: (held.is_event(matters[nth]), -worths[nth], nth))
        for nth in first[: self._settings.matters]:
            yield from self._of_minds(matters[nth])

    def _people(self) -> list[str]:
        """Those whom the scene turns on, then those who are most present."""
        people = [one.id for one in self._scope.once(preview_of).characters if one.kind == "character"]
        return list(dict.fromkeys((*self._plan.focal, *people)))[: self._settings.people]

    def _of_minds(self, matter: str) -> Iterator[MemoryItem]:
        """One line for all who have it on their minds; through somebody's eyes, what they make of it."""
        eyes = self._scope.focalizer
        if eyes is None:
            yield self._scope.once(HeldMatters).item(matter, self._plan.focal)
        elif own := self._tell.held(eyes, matter):
            yield own

    def _apart(self, holders: Mapping[str, str]) -> bool:
        """Whether those whom the scene turns on, and any others who hold it, stand differently to it."""
        states = {*holders.values(), *(holders.get(who, "") for who in self._plan.focal)}
        return len(states) > 1 and any(who in holders for who in self._plan.focal)

    def _told(self, records: Iterable[str]) -> int:
        return max(
            (int(row[1]) for one in records for row in rows(self._scope.at_once, "told", one)), default=0
        )

    # -- what records and rules have besides

    def besides(self, minds: Iterable[MemoryItem]) -> Iterator[MemoryItem]:
        """Facts of the world, lies, promises and what else minds hold that stands in no line of several, and why things came about."""
        told = {matter_of(item) for item in minds}
        for who, _ in rows(self._scope.at_once, "entity", None, "character"):
            yield from self._tell.other_names(str(who))
        for one in self._found:
            if one.item.section in ("W", "B") and matter_of(one.item) not in told:
                yield one.item
        near = {record: one.score for one in reversed(self._found) for record in one.item.records}
        for line in causes(near, self._scope):
            yield MemoryItem(
                f"W|{'|'.join(line.records)}", "W", line.words, line.records, line.spans[:1],
                told=self._told(line.records),
            )  # fmt: skip

    # -- the text

    def text(self, followed: Sequence[GivenLine]) -> Iterator[MemoryItem]:
        """Sentences: near to the request, told last, what other lines rest on, or beside such a one."""
        passages, pieces = self._scope.once(Search).passages, self._scope.once(TextPieces).pieces
        place = {f"T|{passage.id}": nth for nth, passage in enumerate(passages)}
        near = [place[one.item.key] for one in self._found if one.item.key in place]
        last = range(len(passages) - 1, -1, -1)[: self._settings.latest]
        worths = with_company(
            together((near, last, rested_on(followed, self._scope)), self._settings), passages, self._settings
        )
        best = [max((worths.get(nth, 0.0) for nth in piece.sentences), default=0.0) for piece in pieces]
        for nth in sorted(range(len(pieces)), key=lambda nth: (-best[nth], nth)):
            if best[nth]:
                yield pieces[nth].item
        yield from (
            one.item for one in self._found if one.item.section == "T" and not self._is_within(one.item)
        )

    def _is_within(self, item: MemoryItem) -> bool:
        """Whether the words of an item begin within a sentence that may be seen, so that a piece tells them."""
        return not item.spans or all(map(self._scope.once(TextPieces).has, item.spans))


def matter_of(item: MemoryItem) -> str:
    """What a line of minds is about."""
    return item.key.split("|", 2)[-1] if item.section == "B" else ""
