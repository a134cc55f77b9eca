"""The people of a situation, and one of them: names, scenes, whereabouts, belongings, what is on that mind, threads, company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.overview import belief_json, thread_json
from narraworld.desk.answers.story_map import story_map
from narraworld.query.figures.scene_company import scenes_by_person
from narraworld.query.names import rows
from narraworld.query.resolve import MINDS

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["one_person", "people"]


def people(seen: SeenStory) -> list[dict[str, Any]]:
    """Everybody this situation knows of, those in most scenes first. Through a character's eyes, those that mind has met."""
    scope = seen.scope
    if seen.eyes:
        return [{"id": scope.focalizer, "name": scope.names(scope.focalizer or ""), "scenes": None}]
    with seen.world.story.turn:
        counted = scenes_by_person(scope)
    minds = {
        str(who): str(kind) for who, kind in rows(scope.engine, "entity") if kind in ("character", "group")
    }
    order = sorted(minds, key=lambda who: (minds[who] != "character", -counted[who], who))
    return [
        {"id": who, "name": scope.names(who), "kind": minds[who], "scenes": counted[who]} for who in order
    ]


def one_person(seen: SeenStory, name: str) -> dict[str, Any]:
    """One character, as far as the situation knows them."""
    with seen.world.story.turn:
        scope = seen.scope
        who = scope.resolver.symbol(name, MINDS)
        if seen.eyes and who != scope.focalizer:
            return _of_another(seen, who)
        return _known(seen, who)


def _of_another(seen: SeenStory, who: str) -> dict[str, Any]:
    """Somebody else, as the mind we look through holds them: only what that mind believes of them."""
    views = seen.world.views(seen.situation)
    name = seen.scope.names(who)
    about = [
        belief_json(seen, one)
        for held in views.beliefs.values()
        for one in held
        if name in one.words or who in one.proposition.split(".")
    ]
    return {"id": who, "name": name, "names": [name], "beliefs": about}


def _known(seen: SeenStory, who: str) -> dict[str, Any]:
    scope, views = seen.scope, seen.world.views(seen.situation)
    name = scope.names(who)
    owned = {str(d) for d, owner in rows(scope.engine, "owner") if owner == who}
    held = [belief_json(seen, one) for one in views.beliefs.get(who, ())]
    told = {
        "id": who, "name": name, "names": [name] if seen.eyes else _names(seen, who),
        "beliefs": held,
        "threads": [thread_json(seen, one) for one in views.threads if one.development in owned],
    }  # fmt: skip
    if seen.eyes:
        return told
    facts = [one for one in views.facts if _is_about(seen, one.proposition, who)]
    return told | {
        "facts": [{"words": one.words, "quotes": seen.quotes(one.record)[-1:]} for one in facts],
        "withholds": _withholds(seen, who),
        **_company(seen, who),
        "mentions": _first_of_each(seen.quotes(who)),
    }


def _names(seen: SeenStory, who: str) -> list[str]:
    found = rows(seen.scope.engine, "named", None, who)
    return list(dict.fromkeys([seen.scope.names(who), *(str(name) for _, _, name in found)]))


def _first_of_each(quotes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where somebody is first called so, and then so."""
    first = dict[str, dict[str, Any]]()
    for one in quotes:
        first.setdefault(str(one["quote"]), one)
    return list(first.values())


def _is_about(seen: SeenStory, proposition: str, who: str) -> bool:
    return any(
        who in (subject, value)
        for _, subject, _, value, _ in rows(seen.scope.engine, "proposition", proposition)
    )


def _withholds(seen: SeenStory, who: str) -> list[dict[str, Any]]:
    """What somebody keeps from whom, where the rules tell."""
    engine = seen.scope.engine
    if "withholds" not in engine.program.relations:
        return []
    names = seen.scope.names
    return [
        {"from": names(str(row[1])), "words": names(str(row[2]))} for row in rows(engine, "withholds", who)
    ]


def _company(seen: SeenStory, who: str) -> dict[str, Any]:
    """In which scenes somebody is, and with whom."""
    drawn = story_map(seen, everybody=True)
    scenes, beside = list[dict[str, Any]](), Counter[str]()
    for scene, groups in zip(drawn["scenes"], drawn["groups"], strict=True):
        for group in groups:
            if who in group["people"]:
                scenes.append(
                    {
                        "moment": scene["id"],
                        "label": scene["label"],
                        "words": scene["words"],
                        "place": group["place"],
                    }
                )
                beside.update(other for other in group["people"] if other != who)
    names = seen.scope.names
    return {
        "scenes": scenes,
        "company": [{"id": one, "name": names(one), "scenes": n} for one, n in beside.most_common()],
    }
