"""Who knows what over the scenes: strips of matter and mind. A column that is not derived yet is said to be so, never empty."""

from __future__ import annotations

from collections import Counter
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
    names, every_matter, every_mind = _spoken_of(known)
    matters = _matters(known, names, about, who)
    limit = len(matters) if everything or about or who else DEFAULTS.surfaces.web.strips
    return {
        "moments": _moments(seen, scenes, columns),
        "matters": [
            _strips(matter, matters[matter], columns, now, names) for matter in list(matters)[:limit]
        ],
        "left_out": max(0, len(matters) - limit),
        "about": _choices(names, every_matter),
        "who": _choices(names, every_mind),
    }


def _spoken_of(columns: Sequence[MindColumn]) -> tuple[dict[str, str], set[str], set[str]]:
    """The names that columns have for things, and every matter and mind in them."""
    names = {symbol: name for column in columns for symbol, name in column.names.items()}
    cells = [cell for column in columns for cell in column.cells]
    return names, {matter for matter, _ in cells}, {mind for _, mind in cells}


def _moments(
    seen: SeenStory, scenes: Sequence[RulerScene], columns: Sequence[MindColumn | None]
) -> list[dict[str, Any]]:
    return [
        {"id": scene.moment, "chapter": scene.chapter, "scene": scene.n, "title": scene.words, "label": scene.label,
         "ready": column is not None, "now": _is_now(seen, scene)}
        for scene, column in zip(scenes, columns, strict=True)
    ]  # fmt: skip


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
    minds, wrong = _counted(columns)

    def standing(matter: str) -> tuple[bool, bool, int, int, str]:
        return not wrong[matter], matter in events, -len(minds[matter]), -wrong[matter], matter

    asked = sorted(_called(minds, names, about), key=standing)
    theirs = {matter: _called(_oftenest(minds[matter]), names, who) for matter in asked}
    return {matter: some for matter, some in theirs.items() if some}


def _counted(columns: Iterable[MindColumn]) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """In how many columns each mind says anything about a matter; and how often any of them is wrong about it."""
    minds, wrong = dict[str, Counter[str]](), Counter[str]()
    for column in columns:
        for (matter, mind), state in column.cells.items():
            minds.setdefault(matter, Counter())[mind] += 1
            wrong[matter] += state == "believes falsely"
    return minds, wrong


def _oftenest(held: Counter[str]) -> list[str]:
    return sorted(held, key=lambda mind: (-held[mind], mind))


def _called(symbols: Iterable[str], names: Mapping[str, str], words: str) -> list[str]:
    """Those whose name has these words in it; all of them where there are none."""
    return [one for one in symbols if words.casefold() in names.get(one, one).casefold()]


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
