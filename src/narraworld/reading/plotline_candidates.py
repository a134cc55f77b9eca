"""What could be a plotline: the candidates the rules find, with the lines of their scenes, as plain values.

A carrier (a development, or a slot that changes value) runs through scenes; of each scene the lines are what moves the
carrier there, then what those who have to do with it do. Only what happened is told: hypothetical records have no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from narraworld.base.settings import CandidateBounds
from narraworld.kb.plotlines import Candidate, SceneCard, SceneLine
from narraworld.query.names import NameBook, rows
from narraworld.rules.engines import Engine
from narraworld.rules.language.ir import Row

__all__ = ["CandidateBounds", "candidates_of"]

ROLES = (
    "agent", "experiencer", "patient", "recipient", "instrument", "companion", "origin", "destination",
)  # fmt: skip


BOUNDS = CandidateBounds()


def candidates_of(engine: Engine, bounds: CandidateBounds = BOUNDS) -> list[Candidate]:
    """The carriers that connect scenes: developments first, and first those that run through most scenes."""
    found = [
        (str(carrier), str(kind), _scenes(engine, str(carrier))) for carrier, kind in rows(engine, "plotline")
    ]
    found.sort(key=lambda one: (one[1] != "development", -len(one[2]), one[0]))
    teller = _Teller(engine, bounds)
    return [teller.candidate(*one) for one in found[: bounds.candidates]]


def _scenes(engine: Engine, carrier: str) -> list[str]:
    """The scenes of a candidate in the order of the telling."""
    members = [str(scene) for _, scene in rows(engine, "plotline_member", carrier)]
    return sorted(members, key=lambda scene: (int(rows(engine, "told", scene)[0][1]), scene))


class _Teller:
    """Puts records into lines."""

    def __init__(self, engine: Engine, bounds: CandidateBounds) -> None:
        self._engine, self._bounds = engine, bounds
        self._names = NameBook(engine, short=True)
        self._told: dict[str, list[str]] = {}
        for record, scene in rows(engine, "in_scene"):
            self._told.setdefault(str(scene), []).append(str(record))

    def candidate(self, carrier: str, kind: str, scenes: list[str]) -> Candidate:
        is_development = kind == "development"
        nature = f" ({rows(self._engine, 'development', carrier)[0][1]})" if is_development else ""
        cards = [self._card(carrier, scene) for scene in scenes[-self._bounds.scenes :]]
        return Candidate(
            carrier,
            self._names(carrier) + nature,
            tuple(card for card in cards if card.lines),
            tuple(str(who) for _, who in rows(self._engine, "persona", carrier)),
            carrier if is_development else None,
        )

    def _card(self, carrier: str, scene: str) -> SceneCard:
        """What moves the carrier in the scene, then what else concerns it, as far as there is room; in order."""
        here = set(self._told.get(scene, ()))
        moving = [record for record in self._moving(carrier) if record in here]
        near = (event for event in self._concerning(carrier, scene) if event not in moving)
        chosen = dict.fromkeys([*moving, *islice(near, max(0, self._bounds.lines - len(moving)))])
        lines = [line for record in chosen if (line := self._line(record, scene))]
        return SceneCard(
            scene, tuple(line for _, line in sorted(lines, key=lambda one: (one[0], one[1].record)))
        )

    def _moving(self, carrier: str) -> Iterator[str]:
        """The steps of a development and what they happened in; the states that give a slot its values."""
        steps = [str(step) for _, step, _, _ in rows(self._engine, "turn", carrier)]
        matters = [str(matter) for _, _, matter in rows(self._engine, "kept_in", None, carrier)]
        states = [
            str(state)
            for matter in dict.fromkeys(matters)
            for state, *_ in rows(self._engine, "world_claim", None, matter)
        ]
        for record in (*steps, *states):
            yield record
            yield from (str(event) for _, event in rows(self._engine, "tied", record))

    def _concerning(self, carrier: str, scene: str) -> Iterator[str]:
        """The happenings of the scene in which somebody has a part who has to do with the carrier."""
        own = {str(who) for _, who in rows(self._engine, "owner", carrier)} | {carrier.partition(".")[0]}
        for _, event in rows(self._engine, "scene_event", scene):
            if own & {str(who) for _, who, _ in rows(self._engine, "role", event)}:
                yield str(event)

    def _line(self, record: str, scene: str) -> tuple[int, SceneLine] | None:
        """The record in words, with the words it rests on in this scene; first of all where those stand."""
        _, unit, start, end = rows(self._engine, "scene", scene)[0]
        for _, span in rows(self._engine, "evidence", record):
            _, where, begins, _ = rows(self._engine, "span", span)[0]
            if where == unit and int(start) <= int(begins) < int(end):
                quote = " ".join(str(rows(self._engine, "quote", span)[0][1]).split())
                return int(begins), SceneLine(record, str(span), f"{self._said(record)} (“{quote}”)")
        return None

    def _said(self, record: str) -> str:
        if step := rows(self._engine, "step", record):
            _, development, status = step[0]
            return f"{self._names(str(development))}: {status}"
        if event := rows(self._engine, "event", record):
            return f"{event[0][1]}{self._roles(rows(self._engine, 'role', record))}"
        return self._names(record)

    def _roles(self, parts: Iterable[Row]) -> str:
        by_role: dict[str, list[str]] = {}
        for _, who, role in parts:
            by_role.setdefault(str(role), []).append(self._names(str(who)))
        told = [f"{role} {' and '.join(by_role[role])}" for role in ROLES if role in by_role]
        return f": {', '.join(told)}" if told else ""
