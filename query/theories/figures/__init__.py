"""The figure of each theory. A pack without a drawing of its own is drawn as the graph of its results."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import Figure

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["Figure", "figure_of"]

# Which module draws which pack.
DRAWN = {
    "genette": "telling_order", "brewer": "affect_bars", "ryan": "private_worlds", "sig": "intention_tracks",
    "lehnert": "plot_units", "greimas": "actants", "bremond": "sequences", "propp": "tale_lines", "causal": "cause_graph",
    "network": "storylines",
}  # fmt: skip


def figure_of(analysis: Analysis) -> Figure:
    """The drawing of an analysis."""
    module = import_module(f"narraworld.query.theories.figures.{DRAWN.get(analysis.pack.name, 'graph')}")
    drawn: Figure = module.draw(analysis)
    return drawn
