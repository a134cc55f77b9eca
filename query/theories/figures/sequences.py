"""Elementary sequences after Bremond, with the branch that was taken in bold; restored equilibria after Todorov below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import BLUE, GREEN, GREY, RED, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

LEFT, STEP, TALL = 270.0, 150.0, 58.0


def draw(analysis: Analysis) -> Figure:
    """Each thread: open, acted on or not, achieved or missed."""
    phases: dict[str, set[str]] = {}
    for thread, phase, _ in analysis.rows("bre_phase"):
        phases.setdefault(str(thread), set()).add(str(phase))
    sheet = Drawing(
        f"{analysis.story}: possibilities and what became of them", "bold: the branch that was taken"
    )
    for at, (thread, seen) in enumerate(phases.items()):
        _tree(sheet, short(analysis.scope.names(thread), 44), seen, 30 + at * TALL)
    y = 40 + len(phases) * TALL
    for slot, matter, start, lost, back in analysis.rows("tod_restored"):
        sheet.text(
            0,
            y + 4,
            short(f"{analysis.scope.names(str(slot))}: {analysis.scope.names(str(matter))}", 44),
            size=11,
        )
        whole = max(int(back) - int(start), 1)
        middle = LEFT + 2 * STEP * (int(lost) - int(start)) / whole
        sheet.line(LEFT, y, middle, y, colour=GREEN, width=6)
        sheet.line(middle, y, LEFT + 2 * STEP, y, colour=RED, width=2, dashed=True)
        sheet.line(LEFT + 2 * STEP, y, LEFT + 2 * STEP + 60, y, colour=GREEN, width=6)
        sheet.text(LEFT + 2 * STEP + 70, y + 4, "restored", size=11)
        y += 26
    return sheet.figure()


def _tree(sheet: Drawing, title: str, seen: set[str], y: float) -> None:
    sheet.text(0, y + 4, title, size=11)
    spots = {
        "open": (LEFT, y), "acted on": (LEFT + STEP, y - 12), "not acted on": (LEFT + STEP, y + 16),
        "achieved": (LEFT + 2 * STEP, y - 20), "missed": (LEFT + 2 * STEP, y + 4),
    }  # fmt: skip
    taken = seen | (set() if seen - {"open"} else {"not acted on"})
    for one, other in (
        ("open", "acted on"),
        ("open", "not acted on"),
        ("acted on", "achieved"),
        ("acted on", "missed"),
    ):
        bold = other in taken
        sheet.line(*spots[one], *spots[other], colour=BLUE if bold else GREY, width=2.5 if bold else 0.8)
    for word, (x, middle) in spots.items():
        sheet.circle(x, middle, 4, fill=BLUE if word in taken else "#ffffff")
        above = 13 if word in ("open", "acted on") else 0  # lines go on to the right of these
        place = (x - 4, middle + 4 - above) if above else (x + 8, middle + 4)
        sheet.text(*place, word, size=10, bold=word in taken, colour=BLUE if word in taken else GREY)
