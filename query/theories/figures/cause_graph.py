"""The causal network: events from left to right in story time, an arc for each link, the chain from opening to outcome in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.names import rows
from narraworld.query.theories.figures.drawing import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    RED,
    SKY,
    Drawing,
    Figure,
    short,
)

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

STEP, MOST = 84.0, 60
KINDS = {
    "said": GREY,
    "goal": BLUE,
    "enabling": GREEN,
    "physical": ORANGE,
    "motivational": SKY,
    "psychological": PINK,
}


def draw(analysis: Analysis) -> Figure:
    """The larger a circle, the more links; hollow ones lie off the chain. Of a long story only what is joined is drawn."""
    ticks = {str(one): int(at) for one, at in rows(analysis.scope.engine, "at")}
    links = [(str(one), str(other), str(kind)) for one, other, kind in analysis.rows("net_cause")]
    degree = {str(one): int(links) for one, links in analysis.rows("net_degree")}
    shown = [one for one in degree if degree[one] or len(degree) <= MOST]
    shown = sorted(
        sorted(shown, key=lambda one: -degree[one])[:MOST], key=lambda one: (ticks.get(one, 0), one)
    )
    across = {one: at * STEP for at, one in enumerate(shown)}
    chain = {str(one) for (one,) in analysis.rows("net_chain")}
    longest = max(
        (abs(across[one] - across[other]) for one, other, _ in links if one in across and other in across),
        default=0.0,
    )
    base = 30 + longest / 3.2
    sheet = Drawing(
        f"{analysis.story}: what came of what",
        "across: story time; filled: on the chain from opening to outcome",
    )
    for one, other, kind in links:
        if one in across and other in across:
            bend = -abs(across[one] - across[other]) / 1.6
            bold = one in chain and other in chain
            sheet.arc(
                across[other],
                base,
                across[one],
                base,
                bend=bend,
                colour=KINDS.get(kind, RED),
                width=2.4 if bold else 1,
                arrow=True,
            )
    for at, one in enumerate(shown):
        fill = "#444444" if one in chain else "#ffffff"
        sheet.circle(
            across[one], base, 4 + 1.6 * min(degree[one], 8), fill=fill, hint=analysis.scope.names(one)
        )
        sheet.text(across[one] - 10, base + 30 + 15 * (at % 4), short(analysis.scope.names(one), 34), size=10)
    used = [kind for kind in KINDS if any(kind == found for *_, found in links)]
    sheet.legend(base + 112, [(KINDS[kind], kind) for kind in used])
    return sheet.figure()
