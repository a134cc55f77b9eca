"""Any result as a graph: what stands in its first column points to what stands in its second."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import COLOURS, GREY, Drawing, Figure, short

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["arrows", "as_dot", "draw"]


def arrows(analysis: Analysis) -> Iterator[tuple[str, str, str]]:
    """(relation, from, to) in words, for each row of each result that names two things."""
    for result in analysis.results:
        for row, words in zip(result.rows, result.words, strict=True):
            named = [word for value, word in zip(row, words, strict=True) if isinstance(value, str)]
            if len(named) > 1:
                yield result.relation, named[0], named[1]


def as_dot(analysis: Analysis) -> str:
    """The same for Graphviz."""
    lines = [
        f"  {_quoted(one)} -> {_quoted(other)} [label={_quoted(relation)}];"
        for relation, one, other in arrows(analysis)
    ]
    return "\n".join(
        [f"digraph {_quoted(analysis.pack.name)} {{", "  rankdir=LR;", *dict.fromkeys(lines), "}"]
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def draw(analysis: Analysis) -> Figure:
    """Everything on a circle, an arrow for each row."""
    found = list(dict.fromkeys(arrows(analysis)))
    nodes = list(dict.fromkeys(name for _, one, other in found for name in (one, other)))
    relations = list(dict.fromkeys(relation for relation, *_ in found))
    sheet = Drawing(f"{analysis.pack.head.title} {analysis.story}")
    radius = max(90.0, 14.0 * len(nodes))
    turn = {name: 2 * pi * at / max(len(nodes), 1) for at, name in enumerate(nodes)}
    spot = {name: (radius * (1 + cos(way)), 40 + radius * (1 + sin(way))) for name, way in turn.items()}
    for relation, one, other in found:
        colour = COLOURS[relations.index(relation) % len(COLOURS)]
        sheet.line(*spot[one], *spot[other], colour=colour, arrow=True)
    for name, (x, y) in spot.items():
        sheet.circle(x, y, 4, fill=GREY)
        sheet.text(x + 8, y + 4, short(name), size=11)
    sheet.legend(
        60 + 2 * radius + 30, [(COLOURS[at % len(COLOURS)], one) for at, one in enumerate(relations)]
    )
    return sheet.figure()
