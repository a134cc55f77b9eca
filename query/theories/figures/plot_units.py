"""Plot units, after Lehnert: a column for each character, affect states downwards in time, links between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import BLUE, GREEN, GREY, ORANGE, RED, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

WIDE, TALL = 300.0, 46.0
FILL = {"+": GREEN, "-": RED, "M": BLUE}
LINKS = (
    ("leh_success", GREEN, "success"),
    ("leh_failure", RED, "failure"),
    ("leh_problem", ORANGE, "problem"),
)


def draw(analysis: Analysis) -> Figure:
    """M is a wish or an intention, + and − how it went."""
    states = sorted(analysis.rows("leh_state"), key=lambda row: (row[4], row[0]))
    moments = sorted({row[4] for row in states})
    people = list(dict.fromkeys(str(row[1]) for row in states))
    sheet = Drawing(f"{analysis.story}: plot units", "downwards: story time; M a wish, + good, − bad")
    for at, one in enumerate(people):
        sheet.text(at * WIDE, 10, analysis.scope.names(one), size=12, bold=True)
        sheet.line(at * WIDE + 10, 20, at * WIDE + 10, 40 + TALL * len(moments), colour="#e0e0e0")
    spot = {
        (str(row[0]), str(row[1])): (people.index(str(row[1])) * WIDE + 10, 46 + TALL * moments.index(row[4]))
        for row in states
    }
    by_state: dict[str, tuple[float, float]] = {state: place for (state, _), place in spot.items()}
    _links(sheet, analysis, by_state)
    for state, who, sign, thread, _when in states:
        x, y = spot[str(state), str(who)]
        told = "−" if sign == "-" else str(sign)
        sheet.circle(x, y, 10, fill=FILL[str(sign)], hint=analysis.scope.names(str(state)))
        sheet.text(x, y + 4, told, size=12, colour="#ffffff", anchor="middle", bold=True)
        sheet.text(x + 16, y + 4, short(analysis.scope.names(str(thread)), 40), size=10)
    sheet.legend(
        70 + TALL * len(moments), [*((colour, words) for _, colour, words in LINKS), (GREY, "cross link")]
    )
    return sheet.figure()


def _links(sheet: Drawing, analysis: Analysis, spot: dict[str, tuple[float, float]]) -> None:
    """Units beside the column of their character, cross links between columns."""
    for number, (relation, colour, _) in enumerate(LINKS):
        aside = -18 - 14 * number
        for wish, end in analysis.rows(relation):
            (x, y), (_, to_y) = spot[str(wish)], spot[str(end)]
            sheet.arc(x - 10, y, x - 10, to_y, bend=0, sideways=aside, colour=colour, width=2, arrow=True)
    for state, other, _event in analysis.rows("leh_cross"):
        sheet.line(*spot[str(state)], *spot[str(other)], colour=GREY, dashed=True)
