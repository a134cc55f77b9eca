"""Suspense, curiosity and surprise: the telling from left to right, a bar for each open question, a dot for each re-reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.names import rows
from narraworld.query.theories.figures.drawing import BLUE, GREY, ORANGE, PINK, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

LEFT, WIDE, TALL = 260.0, 620.0, 24.0


def draw(analysis: Analysis) -> Figure:
    """Bars from the raising of a question to its answer; what is never answered goes on to the end."""
    told = {str(one): int(at) for one, at in rows(analysis.scope.engine, "told")}
    places = sorted(set(told.values()))
    across = {place: LEFT + WIDE * at / max(len(places) - 1, 1) for at, place in enumerate(places)}
    sheet = Drawing(f"{analysis.story}: what the reader waits for", "across: the telling, record by record")
    bars = [(str(one), int(start), int(end), BLUE) for one, start, end in analysis.rows("aff_suspense")]
    bars += [(str(one), int(start), places[-1], GREY) for one, start in analysis.rows("aff_waiting")]
    bars += [
        (str(one), told[str(one)], told[str(other)], ORANGE) for one, other in analysis.rows("aff_curiosity")
    ]
    for at, (one, start, end, colour) in enumerate(sorted(bars, key=lambda bar: bar[1])):
        y = TALL * at
        sheet.text(0, y + 12, short(analysis.scope.names(one), 42), size=11)
        sheet.box(across[start], y, across[end] - across[start], 14, fill=colour, edge=colour)
    y = TALL * len(bars) + 10
    for state, left_open, place in analysis.rows("aff_surprise"):
        sheet.line(across[told[str(left_open)]], y + 7, across[int(place)], y + 7, colour=PINK)
        sheet.circle(across[int(place)], y + 7, 6, fill=PINK)
        sheet.text(0, y + 11, short(analysis.scope.names(str(state)), 42), size=11)
        y += TALL
    sheet.line(LEFT, y + 10, LEFT + WIDE, y + 10, colour=GREY, arrow=True)
    sheet.legend(
        y + 44,
        [
            (BLUE, "suspense"),
            (GREY, "never answered"),
            (ORANGE, "curiosity: effect to cause"),
            (PINK, "surprise"),
        ],
    )
    return sheet.figure()
