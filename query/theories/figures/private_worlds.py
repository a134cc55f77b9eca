"""Possible worlds: a column for each character, a row for each kind of world, filled where it differs from the actual one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.names import rows
from narraworld.query.theories.figures.drawing import BLUE, GREY, ORANGE, PINK, RED, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

LEFT, WIDE, LINE = 130.0, 230.0, 18.0
WORLDS = (
    ("K", "ryan_k", 1, BLUE),
    ("W", "ryan_w", 2, ORANGE),
    ("O", "ryan_o", 2, RED),
    ("F", "ryan_f", 1, PINK),
)
SAID = {"K": "believes wrongly", "W": "wants in vain", "O": "owes", "F": "dreams"}


def draw(analysis: Analysis) -> Figure:
    """Who is at odds with the world, over what."""
    shown = _shown(analysis)
    sheet = Drawing(
        f"{analysis.story}: private worlds against the actual one",
        "an empty cell is a world without conflict",
    )
    for at, one in enumerate(shown):
        sheet.text(LEFT + at * WIDE, 14, short(analysis.scope.names(one), 26), size=12, bold=True)
    y = 28.0
    for letter, relation, column, colour in WORLDS:
        cells = [[str(row[column]) for row in analysis.rows(relation) if row[0] == one] for one in shown]
        high = LINE * max(1, *map(len, cells)) + 14 if cells else LINE
        sheet.text(0, y + 18, f"{letter}: {SAID[letter]}", size=11)
        for at, inside in enumerate(cells):
            x = LEFT + at * WIDE
            sheet.box(x - 6, y, WIDE - 8, high, edge=GREY, fill="#fff7ec" if inside else "none")
            _list(sheet, x, y, [short(analysis.scope.names(said), 32) for said in inside], colour)
        y += high + 6
    moves = len(analysis.rows("ryan_move"))
    sheet.text(
        0, y + 22, f"moves: {moves}; clashes between characters: {len(analysis.rows('ryan_clash'))}", size=11
    )
    return sheet.figure()


def _shown(analysis: Analysis) -> list[str]:
    """Six characters at most, those who are at odds with the world before the others."""
    people = [str(one) for one, kind in rows(analysis.scope.engine, "entity") if kind == "character"]
    at_odds = {str(row[0]) for _, relation, _, _ in WORLDS for row in analysis.rows(relation)}
    return sorted(people, key=lambda one: (one not in at_odds, one))[:6]


def _list(sheet: Drawing, x: float, y: float, lines: list[str], colour: str) -> None:
    for at, said in enumerate(lines):
        sheet.circle(x + 4, y + 14 + at * LINE, 4, fill=colour)
        sheet.text(x + 14, y + 18 + at * LINE, said, size=11)
