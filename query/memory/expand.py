"""What goes with what: the threads and false beliefs of the focal characters, and the company of a good record in
causation, thread and scene. Follows links of the rules, each a look-up; scores nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.needs import MemoryItem, MemoryPlan
    from narraworld.query.scope import Scope

__all__ = ["Expansion"]

# relation, column of the record, column of what it is linked to
LINKS = (
    ("cause", 0, 1), ("cause", 1, 0), ("tied", 0, 1), ("tied", 1, 0), ("step", 0, 1), ("possible_event", 1, 0),
)  # fmt: skip
PARTS = (("in_scene", 1, 0), ("plotline_member", 0, 1), ("plot_plotline", 0, 1))
MANY = 12  # parts of a whole, links of a record


class Expansion:
    """Links of one plan in one scope."""

    def __init__(self, scope: Scope, plan: MemoryPlan, per_character: int) -> None:
        self._scope, self._engine, self._tell = scope, scope.engine, scope.teller
        self._focal, self._most = plan.focal, per_character
        self._holders = tuple(
            dict.fromkeys((*plan.focal, *(one for need in plan.needs for one in need.holders)))
        )

    def followed(self) -> Iterator[MemoryItem]:
        """What is on the minds of the focal characters: open threads, what may come of them, and false beliefs."""
        for who in self._focal:
            owned = [str(row[0]) for row in rows(self._engine, "owner", None, who)]
            still = [thread for thread in owned if rows(self._engine, "open", thread)]
            for thread in still[-self._most :]:
                yield from self._tell.items(thread)
                for option, _ in rows(self._engine, "possibility", None, thread):
                    yield from self._tell.items(str(option))
            wrong = dict.fromkeys(str(row[1]) for row in rows(self._engine, "mistaken", who))
            for proposition in list(wrong)[-self._most :]:
                yield from filter(None, [self._tell.held(who, proposition)])

    def linked(self, seeds: Iterable[tuple[str, float]]) -> Iterator[tuple[MemoryItem, float]]:
        """Items that the seeds lead to, with the score of the seed."""
        for record, score in seeds:
            for other in self._company(record):
                yield from ((item, score) for item in self._tell.items(other))
            for _, proposition, _ in rows(self._engine, "state", record):
                minds = (self._tell.held(who, str(proposition)) for who in self._holders)
                yield from ((item, score) for item in minds if item)

    def _company(self, record: str) -> list[str]:
        found: dict[str, None] = {}
        for relation, own, other in (*LINKS, *PARTS):
            bound = (record,) if own == 0 else (None, record)
            found.update(
                dict.fromkeys(str(row[other]) for row in rows(self._engine, relation, *bound)[:MANY])
            )
        return list(found)
