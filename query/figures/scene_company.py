"""Who is with whom, scene by scene, and the order told against the order in which things happened. Values for the drawing.

Presence is not a role in something the scene tells: people are there whose perceived events lie in the scene's own time. Whoever
is only spoken of is not drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.settings import DEFAULTS
from narraworld.query.figures.ruler import scene_events
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.figures.ruler import RulerScene, StoryRuler
    from narraworld.query.scope import Scope

__all__ = ["SceneCompany", "company_of", "map_values", "scenes_by_person"]


SceneCompany: TypeAlias = Mapping[str, list[dict[str, Any]]]


def map_values(
    scope: Scope, ruler: StoryRuler, order: str = "told", follow: str = "", *, everybody: bool = False
) -> dict[str, Any]:
    """Scenes as columns, people as lines, and who stands together in each column."""
    there: SceneCompany = scope.once(company_of)
    scenes, there = _columns(list(ruler.scenes), there)
    happened = sorted(range(len(scenes)), key=lambda n: (_tick(scenes, n), n))
    counted = Counter(who for scene in scenes for group in there.get(scene.id, ()) for who in group["people"])
    shown, followed = _drawn(scope, counted, follow, everybody)
    columns = range(len(scenes)) if order != "happened" else happened
    return {
        "order": "happened" if order == "happened" else "told",
        "scenes": [_scene(scenes[n], n, happened.index(n), there) for n in columns],
        "chapters": [{"n": one.n, "title": one.title} for one in ruler.told],
        "people": [{"id": who, "name": scope.names(who), "scenes": counted[who], "followed": who == followed} for who in shown],
        "everybody": len(counted),
        "groups": [list(_together(there.get(scenes[n].id, ()), shown)) for n in columns],
    }  # fmt: skip


def _drawn(scope: Scope, counted: Counter[str], follow: str, everybody: bool) -> tuple[list[str], str | None]:
    """Who has a line, those of most scenes first, and who of them is followed."""
    most = None if everybody else DEFAULTS.surfaces.web.lines
    people = [who for who, _ in counted.most_common(most)]
    followed = _followed(scope, follow, people)
    drawn = {*people, *([followed] if followed else [])}
    return sorted(drawn, key=lambda who: (-counted[who], who)), followed


def _scene(scene: RulerScene, told: int, happened: int, there: SceneCompany) -> dict[str, Any]:
    return {
        "id": scene.moment, "chapter": scene.chapter, "n": scene.n, "label": scene.label, "words": scene.words,
        "day": scene.when, "told": told, "happened": happened, "back": scene.back,
        "place": next((one["place"] for one in there.get(scene.id, ())), None),
    }  # fmt: skip


def _together(groups: Iterable[Mapping[str, Any]], shown: Collection[str]) -> Iterator[dict[str, Any]]:
    """Those of each place who are drawn; a place with none of them is not."""
    for group in groups:
        people = [who for who in group["people"] if who in shown]
        if people:
            yield {"place": group["place"], "people": people}


def scenes_by_person(scope: Scope) -> Counter[str]:
    """In how many scenes each is there; a chapter without scenes is one."""
    there: SceneCompany = scope.once(company_of)
    return Counter(
        who for groups in there.values() for who in {one for group in groups for one in group["people"]}
    )


def _columns(scenes: list[RulerScene], there: SceneCompany) -> tuple[list[RulerScene], SceneCompany]:
    """A column for each scene; in a long story one for each chapter, where whoever is in it stands together."""
    if len(scenes) <= DEFAULTS.surfaces.web.chapters_from:
        return scenes, there
    chapters = list(({scene.chapter: replace(scene, n=1, scenes=1) for scene in reversed(scenes)}).values())[
        ::-1
    ]
    whole: dict[str, list[dict[str, Any]]] = {}
    for chapter in chapters:
        mine = [group for one in scenes if one.chapter == chapter.chapter for group in there.get(one.id, ())]
        met = sorted({who for group in mine for who in group["people"]})
        whole[chapter.id] = [{"place": None, "people": met}] if met else []
    return chapters, whole


def _tick(scenes: list[Any], n: int) -> int:
    """When a scene happened; one without events belongs to the one before."""
    while n >= 0:
        if scenes[n].tick is not None:
            return int(scenes[n].tick)
        n -= 1
    return -1


def _followed(scope: Scope, follow: str, people: list[str]) -> str | None:
    if follow:
        return scope.resolver.symbol(follow)
    return people[0] if people else None


def company_of(scope: Scope) -> dict[str, list[dict[str, Any]]]:
    """For each scene, the people of each place that it shows."""
    engine = scope.engine
    at = {str(record): int(tick) for record, tick in rows(engine, "at")}
    told = {str(record): int(position) for record, position in rows(engine, "told")}
    where = {str(event): str(place) for event, place in rows(engine, "takes_place")}
    minds: dict[str, list[str]] = {}
    for who, event, _ in rows(engine, "perceives"):
        minds.setdefault(str(event), []).append(str(who))
    scenes = scope.once(scene_events)
    return {
        scene: [
            {"place": scope.names(place) if place else None, "people": people}
            for place, people in _groups(_in_own_time(events, at, told), minds, where)
        ]
        for scene, events in scenes.items()
    }


def _in_own_time(events: list[str], at: Mapping[str, int], told: Mapping[str, int]) -> list[str]:
    """The events that are as far from their telling as most of the scene: memories and prospects are further."""
    shifts = {event: at[event] // 1000 - told[event] for event in events if event in at and event in told}
    if not shifts:
        return events
    usual, _ = Counter(shifts.values()).most_common(1)[0]
    return [event for event, shift in shifts.items() if shift == usual] or events


def _groups(
    events: list[str], minds: Mapping[str, list[str]], where: Mapping[str, str]
) -> list[tuple[str | None, list[str]]]:
    """People by the place at which they perceive most; whoever has none stands with those they share an event with."""
    place = _usual_places(events, minds, where)
    for event in events:
        beside = {place[who] for who in minds.get(event, ()) if place[who]}
        for who in minds.get(event, ()):
            if place[who] is None and len(beside) == 1:
                place[who] = next(iter(beside))
    groups: dict[str | None, list[str]] = {}
    for who, there in place.items():
        groups.setdefault(there, []).append(who)
    return [(there, sorted(set(people))) for there, people in groups.items()]


def _usual_places(
    events: list[str], minds: Mapping[str, list[str]], where: Mapping[str, str]
) -> dict[str, str | None]:
    """Where each mind perceives most."""
    places: dict[str, Counter[str]] = {}
    for event in events:
        for who in minds.get(event, ()):
            places.setdefault(who, Counter()).update([where[event]] if event in where else [])
    return {who: found.most_common(1)[0][0] if found else None for who, found in places.items()}
