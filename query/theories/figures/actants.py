"""Actants, after Greimas: for each quest the six places on their three axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import GREY, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

WIDE, TALL, ACROSS = 170.0, 40.0, 230.0
PLACES = (
    ("sender", "act_sender", 0, 0), ("object", "act_object", 1, 0), ("receiver", "act_receiver", 2, 0),
    ("helper", "act_helper", 0, 1), ("subject", "act_subject", 1, 1), ("opponent", "act_opponent", 2, 1),
)  # fmt: skip
ARROWS = (((0, 0), (1, 0)), ((1, 0), (2, 0)), ((0, 1), (1, 1)), ((2, 1), (1, 1)), ((1, 1), (1, 0)))


def draw(analysis: Analysis) -> Figure:
    """One diagram for each quest, below one another; an empty place is dashed."""
    quests = list(dict.fromkeys(str(quest) for quest, _ in analysis.rows("act_subject")))
    sheet = Drawing(f"{analysis.story}: actants", "each quest with its six places; an empty place is dashed")
    for at, quest in enumerate(quests):
        top = 20 + at * 190.0
        sheet.text(0, top, short(analysis.scope.names(quest), 60), size=12, bold=True)
        for (x, y), (to_x, to_y) in ARROWS:
            _arrow(sheet, x * ACROSS, top + 20 + y * 80, to_x * ACROSS, top + 20 + to_y * 80)
        for word, relation, x, y in PLACES:
            held = [analysis.scope.names(str(who)) for one, who in analysis.rows(relation) if one == quest]
            left, upper = x * ACROSS, top + 20 + y * 80
            sheet.box(left, upper, WIDE, TALL, fill="#ffffff", dashed=not held)
            sheet.text(left + 6, upper + 13, word, size=9, colour=GREY)
            sheet.text(left + WIDE / 2, upper + 30, short(", ".join(held), 24), size=12, anchor="middle")
    return sheet.figure()


def _arrow(sheet: Drawing, x: float, y: float, to_x: float, to_y: float) -> None:
    """From one box to the next: sideways between their edges, upwards between their middles."""
    if x == to_x:
        sheet.line(x + WIDE / 2, y, to_x + WIDE / 2, to_y + TALL, arrow=True)
    elif x < to_x:
        sheet.line(x + WIDE, y + TALL / 2, to_x, to_y + TALL / 2, arrow=True)
    else:
        sheet.line(x, y + TALL / 2, to_x + WIDE, to_y + TALL / 2, arrow=True)
