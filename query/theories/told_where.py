"""Where the rows of a theory are told: in which unit, in which scene. Reads base relations, decides nothing."""

from __future__ import annotations

from narraworld.query.names import rows
from narraworld.rules.engines import Engine
from narraworld.rules.language.ir import Row

__all__ = ["ToldWhere"]


class ToldWhere:
    """Units and scenes of a world, in the order of the telling, and which of them a row belongs to."""

    def __init__(self, engine: Engine) -> None:
        ordered = sorted((int(order), str(unit)) for unit, order in rows(engine, "unit"))
        self.units = tuple(unit for _, unit in ordered)
        self._place = {unit: at for at, unit in enumerate(self.units)}
        self._scenes = sorted(
            (self._place.get(str(unit), 0), int(start), int(end), str(scene))
            for scene, unit, start, end in rows(engine, "scene")
        )
        self.scenes = tuple(scene for *_, scene in self._scenes)
        self._told = _last_told(engine)

    def unit(self, row: Row) -> str | None:
        """The unit that a row names, or else the one that tells the first record in it."""
        named = next((str(value) for value in row if value in self._place), None)
        return named or next((self._told[str(value)][0] for value in row if value in self._told), None)

    def scene(self, row: Row) -> str | None:
        """The scene that a row names, or else the one that tells the first record in it."""
        named = next((str(value) for value in row if value in self.scenes), None)
        told = next((self._told[str(value)] for value in row if value in self._told), None)
        if named or told is None:
            return named
        at, start = self._place.get(told[0], -1), told[1]
        return next(
            (scene for unit, begin, end, scene in self._scenes if unit == at and begin <= start < end), None
        )


def _last_told(engine: Engine) -> dict[str, tuple[str, int]]:
    """Unit and place of the last words that each record quotes; whatever is spoken of in many places has none."""
    shared = {str(one) for one, _ in rows(engine, "entity")}
    spans = {str(span): (str(unit), int(start)) for span, unit, start, _ in rows(engine, "span")}
    told: dict[str, tuple[str, int]] = {}
    for record, span in rows(engine, "evidence"):
        place = spans.get(str(span))
        if place and str(record) not in shared:
            told[str(record)] = max(told.get(str(record), place), place)
    return told
