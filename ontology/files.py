"""The Turtle files beside this module, read once. Touches nothing but those files; alignments are never read here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["MODULES", "ROOM", "SHAPES", "ontology_graph", "parsed", "shapes_graph"]

ROOM = Path(__file__).parent
MODULES = tuple(
    ROOM / f"{name}.ttl" for name in ("core", "mind", "development", "possible", "scale", "situation")
)
SHAPES = tuple(sorted((ROOM / "shapes").glob("*.ttl")))


@cache
def ontology_graph() -> Graph:
    """The six modules as one graph. Shared: read it, never change it."""
    return parsed(MODULES)


@cache
def shapes_graph() -> Graph:
    """All shapes as one graph. Shared: read it, never change it."""
    return parsed(SHAPES)


def parsed(files: tuple[Path, ...]) -> Graph:
    """A graph of the caller's own with all that the files say."""
    from rdflib import Graph

    graph = Graph()
    for file in files:
        graph.parse(file, format="turtle")
    return graph
