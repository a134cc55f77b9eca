"""A snapshot as one file of RDF, and such a file back as units to commit.

TriG and N-Quads keep one graph per unit and can be read back; Turtle and JSON-LD are for other tools. Units come in the
order of the telling and statements sorted, so that two exports differ only where the stories do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import write_whole
from narraworld.kb import quads as rdf
from narraworld.kb.errors import KbError, UnknownRdfFormat
from narraworld.kb.journal.leaf import read_body
from narraworld.kb.journal.store import Snapshot

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["READABLE", "Imported", "RefusedStatement", "export", "read_export"]

READABLE = ("trig", "nq")


@dataclass(frozen=True, slots=True)
class RefusedStatement:
    """A statement we cannot take, and why."""

    statement: str
    why: str


@dataclass(frozen=True, slots=True)
class Imported:
    """Units with their statements, ready to commit one by one in this order, and what was left out."""

    units: tuple[tuple[str, str], ...]
    refused: tuple[RefusedStatement, ...]


def export(snapshot: Snapshot, path: Path | str) -> None:
    """Write all visible statements to `path`, whole or not at all; the format is that of its suffix."""
    path = Path(path)
    text = "".join(read_body(entry) for entry in snapshot.entries)
    content = rdf.serialize(text, _format(path, tuple(rdf.FORMATS)))
    try:
        write_whole(path, content)
    except OSError as trouble:
        raise KbError(f"cannot be written: {trouble.strerror}", where=str(path)) from trouble


def read_export(path: Path | str) -> Imported:
    """Read a TriG or N-Quads file, one graph per unit."""
    path = Path(path)
    by_unit: dict[str, list[ox.Quad]] = {}
    refused: list[RefusedStatement] = []
    for quad in rdf.read(path, _format(path, READABLE)):
        unit, why = rdf.unit_of(rdf.written_in(quad)), _why_not(quad)
        if unit is None or why:
            refused.append(RefusedStatement(str(quad), why))
        else:
            by_unit.setdefault(unit, []).append(quad)
    units = tuple((unit, rdf.canonical(some, unit)) for unit, some in by_unit.items())
    return Imported(units, tuple(refused))


def _why_not(quad: ox.Quad) -> str:
    """Why a statement cannot be taken; nothing if it can."""
    graph = rdf.written_in(quad)
    if not graph:
        return "it stands in no unit's graph"
    if rdf.unit_of(graph) is None:
        return f"{quad.graph_name} is not the graph of a unit"
    return "" if rdf.is_named(quad) else "it has a blank or quoted node"


def _format(path: Path, known: tuple[str, ...]) -> str:
    name = path.suffix.removeprefix(".").lower()
    if name not in known:
        raise UnknownRdfFormat(f"the format {name!r} is not among {', '.join(known)}", where=str(path))
    return name
