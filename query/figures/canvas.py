"""A story as JSON Canvas 1.0, which Obsidian opens: people and threads as cards, chapters as files, who has a thread and who is in a chapter
as edges. Values in, a document out; asks a scope, writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from narraworld.query.figures.ruler import ruler_of
from narraworld.query.figures.scene_company import company_of
from narraworld.query.names import rows
from narraworld.query.views import threads_of

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["canvas_of"]

WIDE, HIGH, GAP = 260, 80, 40


def canvas_of(scope: Scope) -> dict[str, list[dict[str, Any]]]:
    """Nodes in three columns (chapters, people, threads), and edges between them."""
    ruler = ruler_of(scope, None, None)
    files = {
        str(unit): str(map_).split('"')[3]
        for unit, map_ in rows(scope.engine, "mapped")
        if str(map_).count('"') > 3
    }
    people = [str(who) for who, kind in rows(scope.engine, "entity") if kind == "character"]
    nodes = [
        *(_chapter(n, one.unit or "", one.title, files.get(one.unit or "")) for n, one in enumerate(ruler.told)),
        *(_card(f"p-{who}", scope.names(who), 1, n) for n, who in enumerate(people)),
        *(_card(f"t-{one.development}", f"{one.words} ({one.status})", 2, n) for n, one in enumerate(threads_of(scope.engine, scope.names))),
    ]  # fmt: skip
    return {
        "nodes": nodes,
        "edges": [*_presence(scope, people), *_owners(scope, {node["id"] for node in nodes})],
    }


def _chapter(n: int, unit: str, title: str, file: str | None) -> dict[str, Any]:
    card = _card(f"c-{unit}", title, 0, n)
    if file is None:
        return card
    del card["text"]
    return card | {"type": "file", "file": file}


def _card(name: str, text: str, column: int, row: int) -> dict[str, Any]:
    place = {"x": column * (WIDE + 4 * GAP), "y": row * (HIGH + GAP), "width": WIDE, "height": HIGH}
    return {"id": name, "type": "text", "text": text, **place}


def _presence(scope: Scope, people: list[str]) -> list[dict[str, Any]]:
    units = {str(scene): str(unit) for scene, unit, _, _ in rows(scope.engine, "scene")}
    met = {
        (who, units.get(scene, scene))
        for scene, groups in scope.once(company_of).items()
        for group in groups
        for who in group["people"]
        if who in people
    }
    return [_edge(f"p-{who}", f"c-{unit}", "is in") for who, unit in sorted(met)]


def _owners(scope: Scope, known: set[str]) -> list[dict[str, Any]]:
    pairs = ((f"p-{who}", f"t-{development}") for development, who in rows(scope.engine, "owner"))
    return [_edge(a, b, "has") for a, b in sorted(pairs) if a in known and b in known]


def _edge(one: str, other: str, label: str) -> dict[str, Any]:
    return {"id": f"{one}>{other}", "fromNode": one, "toNode": other, "label": label}
