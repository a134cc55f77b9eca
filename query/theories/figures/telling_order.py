"""Order and duration: story time against the telling, one point for each event; returns with their reach; speech below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.names import rows
from narraworld.query.theories.figures.drawing import BLUE, GREY, ORANGE, PINK, SKY, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

WIDE, HIGH = 760.0, 360.0
LABEL_WIDE, LABEL_HIGH = 190.0, 11.0  # of thirty letters


def draw(analysis: Analysis) -> Figure:
    """From left to right as told, from top to bottom as it happened: what is told in its turn lies on the diagonal."""
    engine = analysis.scope.engine
    told = {str(one): int(at) for one, at in rows(engine, "told")}
    ticks = {str(one): int(at) for one, at in rows(engine, "at")}
    placed = told.keys() & ticks.keys()
    events = [str(one) for (one,) in rows(engine, "happened") if one in placed]
    across = _places(sorted(events, key=lambda one: told[one]))
    down = _places(sorted(events, key=lambda one: (ticks[one], told[one])))
    step = max(len(events) - 1, 1)
    sheet = Drawing(
        f"{analysis.story}: the order of the telling",
        "across: as told; down: as it happened; arcs: how far a return reaches",
    )
    spot = {one: (WIDE * across[one] / step, HIGH * down[one] / step) for one in events}
    sheet.line(0, 0, WIDE, HIGH, colour=GREY, dashed=True)
    _returns(sheet, analysis, spot, ticks, across)
    named = list[tuple[float, float]]()
    for one, at in spot.items():
        _point(sheet, analysis, one, at, events=len(events), named=named)
    _strip(sheet, analysis)
    return sheet.figure()


def _places(ordered: list[str]) -> dict[str, int]:
    return {one: at for at, one in enumerate(ordered)}


def _point(
    sheet: Drawing, analysis: Analysis, one: str, at: tuple[float, float], *, events: int, named: list[tuple[float, float]],
) -> None:  # fmt: skip
    """An event, smaller among many; named where it stands out and where there is room beside those ``named`` before."""
    (x, y), name, line = at, analysis.scope.names(one), _line(analysis, one)
    colour = {"analepsis": ORANGE, "prolepsis": PINK}.get(line, BLUE)
    sheet.circle(x, y, 5 if events < 60 else 2.5, fill=colour, hint=name)
    room = not any(abs(y - other) < LABEL_HIGH and abs(x - beside) < LABEL_WIDE for beside, other in named)
    if room and (line != "main" or events <= 16):
        named.append(at)
        sheet.text(x + 9, y + 4, short(name, 30), size=10)


def _line(analysis: Analysis, event: str) -> str:
    found = rows(analysis.scope.engine, "line", event)
    return str(found[0][1]) if found else "main"


def _returns(
    sheet: Drawing,
    analysis: Analysis,
    spot: dict[str, tuple[float, float]],
    ticks: dict[str, int],
    across: dict[str, int],
) -> None:
    """An arc from each return to the last event told before it that happened later."""
    for event, _ in analysis.rows("gen_analepsis"):
        before = [
            one for one in spot if across[one] < across.get(str(event), 0) and ticks[one] > ticks[str(event)]
        ]
        if before and str(event) in spot:
            last = max(before, key=lambda one: across[one])
            sheet.arc(*spot[last], *spot[str(event)], bend=-24, colour=ORANGE, width=1.4, arrow=True)


def _strip(sheet: Drawing, analysis: Analysis) -> None:
    """Speech share and pace, unit by unit."""
    pace = {str(unit): int(value) for unit, value in analysis.rows("gen_density")}
    shares = [(str(unit), int(value)) for unit, value in analysis.rows("gen_speech")]
    wide, top = WIDE / max(len(shares), 1), HIGH + 50
    sheet.text(0, top - 8, "speech (per cent), events in 1,000 characters", size=11)
    for at, (unit, share) in enumerate(shares):
        sheet.box(at * wide, top, (wide - 4) * share / 100, 14, fill=SKY, edge=SKY)
        sheet.box(at * wide, top, wide - 4, 14, edge=GREY)
        if len(shares) <= 16:
            sheet.text(
                at * wide, top + 30, short(f"{unit}: {share} %, {pace.get(unit, 0)}", int(wide / 6)), size=10
            )
