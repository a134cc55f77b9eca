"""Whom a committed unit names: entities with their names, and what else it gives an id. Reads canonical statements, derives nothing."""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.kb import quads as rdf
from narraworld.kb.roster import Known
from narraworld.reading.again.known_so_far import NamedByUnit
from narraworld.rules.living.census import classes_in

__all__ = ["named_in"]

KINDS = {"Character": "character", "Place": "place", "Object": "object", "Group": "group"}
WHO, NAME = f"> <{rdf.NW}entity> ", f"> <{rdf.NW}name> "
TAKES_AN_ID = frozenset({"Development", "SourceUnit"})


def named_in(body: str) -> NamedByUnit:
    """What the statements of one unit name, each entity with all names they give it."""
    classes, names = classes_in(body), dict[str, set[str]]()
    meant = {subject: entity.rpartition(rdf.DATA)[2] for subject, entity in _said(body, WHO)}
    for subject, name in _said(body, NAME):
        names.setdefault(meant.get(subject, subject), set()).add(name)
    # who is only named here, and is somebody elsewhere, has no kind
    cast = (Known(id, KINDS.get(classes.get(id, ""), ""), tuple(sorted(names[id]))) for id in sorted(names))
    taken = frozenset(id for id, kind in classes.items() if kind in TAKES_AN_ID)
    return NamedByUnit(tuple(cast), taken)


def _said(body: str, property: str) -> Iterator[tuple[str, str]]:
    """Subject and value of every statement with this property; only its lines are parsed."""
    lines = "\n".join(line for line in body.splitlines() if property in line)
    for quad in rdf.parse(lines):
        if f"> <{getattr(quad.predicate, 'value', '')}> " == property:
            yield (
                str(getattr(quad.subject, "value", "")).removeprefix(rdf.DATA),
                str(getattr(quad.object, "value", "")),
            )
