"""The ruler: chapters with their scenes in the order told, where the moment stands, and how far the telling has come.

What is not yet told is a number. Reads derived rows, decides nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from narraworld.query.errors import QueryError
from narraworld.query.moments import Moment, Telling
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["RulerChapter", "RulerScene", "StoryRuler", "heading", "ruler_of", "scene_events", "scene_ticks"]


@dataclass(frozen=True, slots=True)
class RulerScene:
    """A cell: ``moment`` is how it is asked for, ``tick`` when it begins in the story, ``back`` whether that is before what was told."""

    moment: str
    chapter: int
    n: int
    scenes: int
    id: str
    tick: int | None = None
    back: bool = False
    when: str = ""

    @property
    def words(self) -> str:
        scene = f", scene {self.n}" if self.scenes > 1 else ""
        return f"Chapter {self.chapter}{scene}" + (f", {self.when}" if self.when else "")

    @property
    def short(self) -> str:
        return f"ch {self.chapter}, scene {self.n}" if self.scenes > 1 else f"ch {self.chapter}"

    @property
    def label(self) -> str:
        return f"{self.chapter}.{self.n}" if self.scenes > 1 else f"{self.chapter}"


@dataclass(frozen=True, slots=True)
class RulerChapter:
    """A chapter; one that is not told yet has no unit, no title and one cell."""

    n: int
    unit: str | None
    title: str
    scenes: tuple[RulerScene, ...] = ()
    moment: str = ""

    @property
    def is_told(self) -> bool:
        return self.unit is not None

    @property
    def headed(self) -> str:
        return heading(self.n, self.title)


def heading(n: int, title: str) -> str:
    """A chapter's number and title; a title that says its number already, as "Chapter 10", stands alone."""
    return title if str(n) in re.findall(r"\d+", title) else f"{n} {title}".strip()


@dataclass(frozen=True)
class StoryRuler:
    """The chapters, and the place of the moment among the scenes that are told; None is the end."""

    chapters: tuple[RulerChapter, ...]
    now: int | None
    said: str

    @cached_property
    def scenes(self) -> tuple[RulerScene, ...]:
        """Every scene that is told."""
        return tuple(scene for chapter in self.chapters if chapter.is_told for scene in chapter.scenes)

    @property
    def told(self) -> tuple[RulerChapter, ...]:
        return tuple(chapter for chapter in self.chapters if chapter.is_told)

    def number(self, unit: str) -> int | None:
        return next((chapter.n for chapter in self.told if chapter.unit == unit), None)

    def title(self, unit: str) -> str:
        return next((chapter.title for chapter in self.told if chapter.unit == unit), "")

    def reaches(self, moment: Moment) -> bool:
        """Whether a moment is told."""
        if moment.unit is None:
            return True
        place = next((chapter for chapter in self.told if chapter.unit == moment.unit), None)
        return place is not None and (moment.scene or 1) <= len(place.scenes)

    def scene_of(self, scene: str) -> RulerScene | None:
        return next((one for one in self.scenes if one.id == scene), None)


def ruler_of(scope: Scope, told: Moment | None, at: Moment | None, *, named: bool = True) -> StoryRuler:
    """The ruler of a whole story, hidden beyond ``told``; ``named`` is false for eyes that know no titles."""
    chapters = scope.once(_whole)
    shown = tuple(_shown(chapter, told, chapters, named) for chapter in chapters)
    scenes = [scene for chapter in shown if chapter.is_told for scene in chapter.scenes]
    now = _now(scenes, shown, at)
    return StoryRuler(shown, now, scenes[now].words if now is not None else _edge(at, told, shown))


def _edge(at: Moment | None, told: Moment | None, shown: tuple[RulerChapter, ...]) -> str:
    if at is not None and at.tick is not None:
        return f"tick {at.tick}"
    if at is not None and at.edge == "start":
        return "before the story"
    last = [chapter for chapter in shown if chapter.is_told]
    return f"told to the end of chapter {last[-1].n}" if told and last else "the whole story"


def _now(scenes: list[RulerScene], shown: tuple[RulerChapter, ...], at: Moment | None) -> int | None:
    if at is None or at.unit is None:
        return None
    chapters = [one.n for one in shown if one.unit == at.unit][:1]
    mine = [n for n, scene in enumerate(scenes) if scene.chapter in chapters]
    if not mine:
        return None
    return mine[at.scene - 1] if at.scene and at.scene <= len(mine) else mine[-1]


def _shown(
    chapter: RulerChapter, told: Moment | None, whole: tuple[RulerChapter, ...], named: bool
) -> RulerChapter:
    """The chapter as far as it is told."""
    if told is None:
        return _as_named(chapter, chapter.scenes, named)
    last = next((one.n for one in whole if one.unit == told.unit), None)
    if told.edge == "start" or (last is not None and chapter.n > last):
        return RulerChapter(chapter.n, None, "", moment=str(chapter.n))
    here = told.scene and chapter.n == last
    return _as_named(chapter, chapter.scenes[: told.scene] if here else chapter.scenes, named)


def _as_named(chapter: RulerChapter, scenes: tuple[RulerScene, ...], named: bool) -> RulerChapter:
    """With titles, or for whoever must not see them with numbers alone."""
    if named:
        return RulerChapter(chapter.n, chapter.unit, chapter.title, scenes, chapter.moment)
    return RulerChapter(chapter.n, chapter.unit, "", tuple(map(_unnamed, scenes)), str(chapter.n))


def _unnamed(one: RulerScene) -> RulerScene:
    return RulerScene(_numbered(one), one.chapter, one.n, one.scenes, one.id, one.tick, one.back)


def _numbered(scene: RulerScene) -> str:
    return f"{scene.chapter} scene {scene.n}" if scene.scenes > 1 else f"{scene.chapter}"


def _whole(scope: Scope) -> tuple[RulerChapter, ...]:
    engine = scope.engine
    words = {str(node): str(said) for _, node, said in rows(engine, "anchored")}
    cells: dict[str, list[tuple[int, str]]] = {}
    for scene, unit, start, _ in rows(engine, "scene"):
        cells.setdefault(str(unit), []).append((int(start), str(scene)))
    telling, latest = Telling(engine), [-1]
    found = list[RulerChapter]()
    for n, chapter in zip(_numbers(telling), telling.chapters, strict=True):
        mine = [id_ for _, id_ in sorted(cells.get(chapter.unit, []))] or [chapter.unit]
        made = tuple(_scenes(chapter.unit, n, mine, scope.once(scene_ticks), words, latest))
        found.append(RulerChapter(n, chapter.unit, chapter.title or chapter.unit, made, chapter.unit))
    return tuple(found)


def _scenes(
    unit: str, n: int, mine: list[str], ticks: Mapping[str, int], words: Mapping[str, str], latest: list[int]
) -> Iterator[RulerScene]:
    """The scenes of one chapter; ``latest`` keeps the ticks of all scenes so far, to tell which go back in time."""
    for nth, id_ in enumerate(mine, 1):
        tick = ticks.get(id_)
        moment = f"{unit} scene {nth}" if len(mine) > 1 else unit
        when = words.get(id_, words.get(unit, "") if nth == 1 else "")
        back = tick is not None and tick < max(latest)
        yield RulerScene(moment, n, nth, len(mine), id_, tick, back, when)
        latest += [tick] if tick is not None else []


def _numbers(telling: Telling) -> list[int]:
    """What each chapter's number is, as the resolver reads numbers: a prologue may be chapter 0."""
    found = list[int]()
    for place, chapter in enumerate(telling.chapters, 1):
        asked = (
            number
            for number in (place, place - 1, *range(place + 2))
            if _means(telling, number, chapter.unit)
        )
        found.append(next(asked, place))
    rising = all(a < b for a, b in itertools.pairwise(found))
    return found if rising else [*range(1, len(found) + 1)]


def _means(telling: Telling, number: int, unit: str) -> bool:
    try:
        return telling.chapter(str(number))[0].unit == unit
    except QueryError:
        return False


def scene_ticks(scope: Scope) -> dict[str, int]:
    """When each scene takes place: the moment of the middle one of its events, so that a memory in it does not move it."""
    at = {str(record): int(tick) for record, tick in rows(scope.engine, "at")}
    timed = {
        scene: sorted(at[one] for one in events if one in at)
        for scene, events in scope.once(scene_events).items()
    }
    return {scene: ticks[len(ticks) // 2] for scene, ticks in timed.items() if ticks}


def scene_events(scope: Scope) -> dict[str, list[str]]:
    """What happens in each scene; a chapter without marked scenes is one."""
    found: dict[str, list[str]] = {}
    for scene, event in rows(scope.engine, "scene_event"):
        found.setdefault(str(scene), []).append(str(event))
    marked = {str(unit) for _, unit, _, _ in rows(scope.engine, "scene")}
    happened = {str(event) for (event,) in rows(scope.engine, "happened")}
    for node, unit in rows(scope.engine, "occurs"):
        if str(unit) not in marked and str(node) in happened:
            found.setdefault(str(unit), []).append(str(node))
    return found
