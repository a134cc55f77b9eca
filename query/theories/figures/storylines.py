"""Characters over time: each a thread through the units, joined where two meet; first meetings are marked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from narraworld.query.names import rows
from narraworld.query.theories.figures.drawing import COLOURS, GREY, ORANGE, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

THREADS = tuple(colour for colour in COLOURS if colour != ORANGE)  # that one means: for the first time
LEFT, STEP, TALL, MOST = 130.0, 110.0, 34.0, 14


def draw(analysis: Analysis) -> Figure:
    """Those who meet most stand above; a thread is drawn where its character takes part."""
    ordered = sorted((int(order), str(unit)) for unit, order in rows(analysis.scope.engine, "unit"))
    crowd = max(Counter(str(unit) for _, _, unit in analysis.rows("soc_met")).values(), default=0)
    step = min(
        max(STEP, 9.0 * crowd + 40), 900 / max(len(ordered), 1)
    )  # room for every bar of the fullest unit
    across = {unit: LEFT + at * step for at, (_, unit) in enumerate(ordered)}
    degree = {str(one): int(others) for one, others in analysis.rows("soc_degree")}
    people = sorted(degree, key=lambda one: (-degree[one], one))[:MOST]
    sheet = Drawing(
        f"{analysis.story}: who meets whom, unit by unit",
        "a bar joins two who meet; orange: for the first time",
    )
    down = {one: 40 + TALL * at for at, one in enumerate(people)}
    for unit, x in across.items():
        sheet.text(x, 14, short(unit, 12), size=10)
    _threads(sheet, analysis, down, across, step)
    _meetings(sheet, analysis, down, across, step)
    return sheet.figure()


def _threads(
    sheet: Drawing, analysis: Analysis, down: dict[str, float], across: dict[str, float], step: float
) -> None:
    """Each character's name and thread, over a faint line through all the units."""
    there = {(str(who), str(unit)) for who, unit in analysis.rows("soc_present")}
    for at, (one, y) in enumerate(down.items()):
        sheet.text(0, y + 4, short(analysis.scope.names(one), 18), size=11)
        sheet.line(LEFT, y, LEFT + step * len(across) - 20, y, colour="#e4e4e4")
        present = [x for unit, x in across.items() if (one, unit) in there]
        _thread(sheet, y, present, step, THREADS[at % len(THREADS)])


def _thread(sheet: Drawing, y: float, present: list[float], step: float, colour: str) -> None:
    for x in present:
        sheet.line(x, y, x + step - 20, y, colour=colour, width=5)


def _meetings(
    sheet: Drawing, analysis: Analysis, down: dict[str, float], across: dict[str, float], step: float
) -> None:
    """A bar for each two who meet in a unit, side by side."""
    new = {(str(one), str(other), str(unit)) for unit, one, other in analysis.rows("soc_new")}
    beside: dict[str, int] = {}
    for one, other, unit in sorted((str(a), str(b), str(u)) for a, b, u in analysis.rows("soc_met")):
        if one not in down or other not in down:
            continue
        beside[unit] = beside.get(unit, 0) + 1
        x, first = across[unit] + min(9.0 * beside[unit], step - 24), (one, other, unit) in new
        sheet.line(x, down[one], x, down[other], colour=ORANGE if first else GREY, width=3 if first else 2)
        sheet.circle(x, down[one], 3, fill=GREY)
        sheet.circle(x, down[other], 3, fill=GREY)
