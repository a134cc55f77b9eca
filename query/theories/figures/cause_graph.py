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
    degree = {str(one): int(links) for one, links in analysis.rows("net_degree")}
    across = {one: at * STEP for at, one in enumerate(_shown(analysis, degree))}
    links = [(str(one), str(other), str(kind)) for one, other, kind in analysis.rows("net_cause")]
    drawn = [link for link in links if {*link[:2]} <= across.keys()]
    chain = {str(one) for (one,) in analysis.rows("net_chain")}
    base = 30 + _longest(across, drawn) / 3.2
    sheet = Drawing(
        f"{analysis.story}: what came of what",
        "across: story time; filled: on the chain from opening to outcome",
    )
    for one, other, kind in drawn:
        _arc(sheet, base, across[one], across[other], kind=kind, bold={one, other} <= chain)
    for at, (one, x) in enumerate(across.items()):
        name = analysis.scope.names(one)
        _circle(sheet, x, base, links=degree[one], on_chain=one in chain, name=name)
        sheet.text(x - 10, base + 30 + 15 * (at % 4), short(name, 34), size=10)
    _legend(sheet, base + 112, {kind for *_, kind in links})
    return sheet.figure()


def _longest(across: dict[str, float], links: list[tuple[str, str, str]]) -> float:
    return max((abs(across[one] - across[other]) for one, other, _ in links), default=0.0)


def _circle(sheet: Drawing, x: float, base: float, *, links: int, on_chain: bool, name: str) -> None:
    fill = "#444444" if on_chain else "#ffffff"
    sheet.circle(x, base, 4 + 1.6 * min(links, 8), fill=fill, hint=name)


def _legend(sheet: Drawing, y: float, found: set[str]) -> None:
    sheet.legend(y, [(colour, kind) for kind, colour in KINDS.items() if kind in found])


def _shown(analysis: Analysis, degree: dict[str, int]) -> list[str]:
    """The events that are drawn, in story time: those of most links, and in a short story the unjoined ones too."""
    ticks = {str(one): int(at) for one, at in rows(analysis.scope.engine, "at")}
    joined = [one for one in degree if degree[one] or len(degree) <= MOST]
    most = sorted(joined, key=lambda one: -degree[one])[:MOST]
    return sorted(most, key=lambda one: (ticks.get(one, 0), one))


def _arc(sheet: Drawing, base: float, effect: float, cause: float, *, kind: str, bold: bool) -> None:
    sheet.arc(
        cause,
        base,
        effect,
        base,
        bend=-abs(effect - cause) / 1.6,
        colour=KINDS.get(kind, RED),
        width=2.4 if bold else 1,
        arrow=True,
    )
