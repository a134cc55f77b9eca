"""Functions of the wonder tale: one line of thirty-one places for each move, filled where the tale has the function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import BLUE, GREY, RED, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

CELL, FUNCTIONS = 26.0, 31


def draw(analysis: Analysis) -> Figure:
    """Numbers are Propp's; red marks an event that comes before one of a lower number."""
    moves = {str(event): int(move) for event, move in analysis.rows("fun_move")}
    wrong = {str(event) for event, _ in analysis.rows("fun_out_of_order")}
    found = sorted(analysis.rows("fun_event"), key=lambda row: (moves.get(str(row[0]), 1), row[2], row[3]))
    sheet = Drawing(
        f"{analysis.story}: functions after Propp",
        "one line for each move; filled where the tale has the function; red: out of order",
    )
    y = 20.0
    for move in sorted(set(moves.values())):
        here = [row for row in found if moves[str(row[0])] == move]
        sheet.text(0, y + 16, f"move {move}", size=11)
        _cells(sheet, y, [(int(number), str(event) in wrong) for event, _, number, _ in here])
        y += CELL + 16
        for event, function, number, _ in here:
            sheet.text(86, y, f"{number}", size=10, anchor="end")
            sheet.text(96, y, str(function), size=11, bold=True)
            sheet.text(270, y, short(analysis.scope.names(str(event)), 70), size=11)
            y += 18
        y += 14
    for who, sphere in analysis.rows("fun_sphere"):
        sheet.text(96, y, f"{sphere}: {analysis.scope.names(str(who))}", size=11)
        y += 17
    return sheet.figure()


def _cells(sheet: Drawing, y: float, filled: list[tuple[int, bool]]) -> None:
    """All of Propp's functions in one move; `filled` has a number for each event, and whether it is out of order."""
    for rank in range(1, FUNCTIONS + 1):
        held = [off for number, off in filled if number == rank]
        x = 60 + rank * CELL
        fill = RED if any(held) else BLUE if held else "#ffffff"
        sheet.box(x, y, CELL - 3, CELL - 3, fill=fill, edge=GREY)
        ink = "#ffffff" if held else GREY
        sheet.text(x + 11, y + 16, str(rank), size=10, anchor="middle", colour=ink)
