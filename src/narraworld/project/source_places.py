"""From an offset in a unit to file, line and column in what the author wrote. Asks an engine, opens no file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.extract.sources import Places
    from narraworld.extract.sources.places import Place
    from narraworld.rules.engines import Engine

__all__ = ["PlaceFinder"]


class PlaceFinder:
    """Where a character of a unit stands in the author's own file, for units that came from one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._maps: dict[str, Places | None] = {}

    def __call__(self, unit: str, offset: int) -> str:
        return str(self.place(unit, offset) or "")

    def place(self, unit: str, offset: int) -> Place | None:
        """File, line and column; None for a unit that came from no file."""
        if unit not in self._maps:
            self._maps[unit] = self._read(unit)
        places = self._maps[unit]
        return places.at(offset) if places else None

    def _read(self, unit: str) -> Places | None:
        from narraworld.extract.sources import Places
        from narraworld.query.names import rows

        found = rows(self._engine, "mapped", unit)
        return Places.from_text(str(found[0][1])) if found else None
