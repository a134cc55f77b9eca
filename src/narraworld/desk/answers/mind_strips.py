"""Who knows what over the scenes: strips of matter and mind. A column that is not derived yet is said to be so, never empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from narraworld.base.settings import DEFAULTS

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.desk.kept_answers import MindColumn
    from narraworld.query.figures.ruler import RulerScene
    from narraworld.query.situation import Situation

__all__ = ["NOTHING", "STATES", "WAITING", "mind_strips"]

NOTHING, WAITING = "none", "wait"
STATES = {
    "knows": "knows", "believes falsely": "wrong", "believes": "believes", "heard": "heard", "doubts": "doubts",
    "unaware": "unaware", "last knew": "stale", "knows otherwise": "otherwise",
}  # fmt: skip


def mind_strips(
    seen: SeenStory, about: str = "", who: str = "", *, everything: bool = False, whole: bool = False
) -> dict[str, Any]:
    """Matters with the state of each mind at each scene, in the order in which the scenes happened.

    ``whole`` derives every column now; else the desk's worker fills what is missing, nearest to the moment first.
    """
    scenes = _in_order(seen)
    now = seen.desk.kept.derive(seen.situation)
    columns = [_column(seen, scene, whole) for scene in scenes]
    _ask_for_rest(seen, scenes, columns)
    known = [one for one in (*columns, now) if one is not None]
    names = {symbol: name for column in known for symbol, name in column.names.items()}
    matters = _matters(known, names, about, who)
    limit = len(matters) if everything or about or who else DEFAULTS.surfaces.web.strips
    return {
        "moments": [
            {"id": scene.moment, "chapter": scene.chapter, "scene": scene.n, "title": scene.words, "label": scene.label,
             "ready": column is not None, "now": _is_now(seen, scene)}
            for scene, column in zip(scenes, columns, strict=True)
        ],
        "matters": [_strips(matter, matters[matter], columns, now, names) for matter in list(matters)[:limit]],
        "left_out": max(0, len(matters) - limit),
        "about": _choices(names, {matter for column in known for matter, _ in column.cells}),
        "who": _choices(names, {mind for column in known for _, mind in column.cells}),
    }  # fmt: skip


def _in_order(seen: SeenStory) -> list[RulerScene]:
    """The scenes as they happened; one without a time stays where it is told."""
    placed, last = list[tuple[int, int, Any]](), -1
    for nth, scene in enumerate(seen.ruler.scenes):
        last = scene.tick if scene.tick is not None else last
        placed.append((last, nth, scene))
    return [scene for _, _, scene in sorted(placed, key=lambda one: one[:2])]


def _is_now(seen: SeenStory, scene: RulerScene) -> bool:
    now = seen.ruler.now
    return now is not None and seen.ruler.scenes[now] == scene


def _at(seen: SeenStory, scene: RulerScene) -> Situation:
    return replace(seen.situation, at=scene.moment)


def _column(seen: SeenStory, scene: RulerScene, whole: bool) -> MindColumn | None:
    there = _at(seen, scene)
    return seen.desk.kept.derive(there) if whole else seen.desk.kept.column(there)


def _ask_for_rest(
    seen: SeenStory, scenes: Sequence[RulerScene], columns: Sequence[MindColumn | None]
) -> None:
    middle = next((n for n, scene in enumerate(scenes) if _is_now(seen, scene)), len(scenes))
    missing = [n for n, column in enumerate(columns) if column is None]
    seen.desk.wants([_at(seen, scenes[n]) for n in sorted(missing, key=lambda n: abs(n - middle))])


def _matters(
    columns: Sequence[MindColumn], names: Mapping[str, str], about: str, who: str
) -> dict[str, list[str]]:
    """Each matter with the minds that say anything about it: what is disputed first, then what is so or not, last what happened."""
    events = frozenset[str]().union(*(column.events for column in columns))
    minds: dict[str, dict[str, int]] = {}
    wrong: dict[str, int] = {}
    for column in columns:
        for (matter, mind), state in column.cells.items():
            minds.setdefault(matter, {}).setdefault(mind, 0)
            minds[matter][mind] += 1
            wrong[matter] = wrong.get(matter, 0) + (state == "believes falsely")
    asked, whose = about.casefold(), who.casefold()
    kept = {
        matter: sorted(held, key=lambda mind: (-held[mind], mind))
        for matter, held in minds.items()
        if asked in names.get(matter, matter).casefold()
        and (not whose or any(whose in names.get(mind, mind).casefold() for mind in held))
    }
    order = sorted(
        kept,
        key=lambda matter: (
            -bool(wrong[matter]),
            matter in events,
            -len(kept[matter]),
            -wrong[matter],
            matter,
        ),
    )
    return {
        matter: [m for m in kept[matter] if not whose or whose in names.get(m, m).casefold()]
        for matter in order
    }


def _strips(
    matter: str,
    minds: Sequence[str],
    columns: Sequence[MindColumn | None],
    now: MindColumn,
    names: Mapping[str, str],
) -> dict[str, Any]:
    return {
        "id": matter,
        "words": names.get(matter, matter),
        "minds": [
            {
                "id": mind, "who": names.get(mind, mind), "now": _state(now, matter, mind),
                "states": [_state(column, matter, mind) for column in columns],
            }
            for mind in minds
        ],
    }  # fmt: skip


def _state(column: MindColumn | None, matter: str, mind: str) -> str:
    if column is None:
        return WAITING
    return STATES.get(column.cells.get((matter, mind), ""), NOTHING)


def _choices(names: Mapping[str, str], symbols: Iterable[str]) -> list[str]:
    return sorted({names.get(symbol, symbol) for symbol in symbols}, key=str.casefold)
