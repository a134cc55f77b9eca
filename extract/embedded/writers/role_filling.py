"""Semantic roles: the verb frame that fits a clause, and the entities that fill its roles. Writes no record."""

from __future__ import annotations

import re
from collections.abc import Sequence

from narraworld.extract.embedded.grammar.arguments import parts_of
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import holding_words
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table
from narraworld.extract.embedded.people.coreference import OBJECT, OTHER, SUBJECT, DiscourseEntity
from narraworld.extract.embedded.unit import Roles, UnitState
from narraworld.extract.embedded.writers.plausible.holding import can_be_used, no_places
from narraworld.extract.embedded.writers.plausible.long_dead import settle_the_dead

__all__ = ["Fitted", "fit"]


PLACES = frozenset({"place", "destination", "origin"})
Fitted = tuple[VerbFrame | None, Roles]


def fit(unit: UnitState, clause: Clause) -> Fitted:
    """The first frame of the verb that fits, with its roles filled."""
    if _takes_it_upon_self(clause):
        return None, _resolved(unit, {"agent": list(clause.subjects)}, None)
    inside = _inside(unit, clause)
    if inside:
        unit.mean([word for preposition, word in clause.phrases if _in_it(preposition, word)], inside[0])
    for frame in _frames(clause):
        if frame.manner == "lies" and not _tells_a_lie(clause):
            continue
        roles = _filled(unit, frame, clause, inside)
        if roles is not None and _fits(unit, frame, roles):
            return frame, roles
    return None, _resolved(unit, _with_places(unit, clause, parts_of(None, clause)), None, clause.passive)


def _with_places(unit: UnitState, clause: Clause, parts: dict[str, list[Word]]) -> dict[str, list[Word]]:
    """The words of each role, without those in which nobody can be: `came up in her slippers`."""
    nowhere = no_places(unit, clause)
    if not nowhere:
        return parts
    left = {
        role: [word for word in words if role not in PLACES or word.position not in nowhere]
        for role, words in parts.items()
    }
    return {role: words for role, words in left.items() if words}


def _frames(clause: Clause) -> tuple[VerbFrame, ...]:
    """The frames of the verb; beside a particle that makes it another verb (`took off their hats`) not those of the verb alone."""
    frames = frame_table().of(clause.verb, clause.particle)
    joined = [one for one in frames if clause.particle and f"{clause.verb} {clause.particle}" in one.verbs]
    return tuple(joined) if any(one.changes for one in joined) and clause.objects else frames


def _fits(unit: UnitState, frame: VerbFrame, roles: Roles) -> bool:
    return all(_met(unit, need, roles) for need in frame.needs)


def _filled(unit: UnitState, frame: VerbFrame, clause: Clause, inside: tuple[str, ...]) -> Roles | None:
    """The roles of a frame, where the clause has words for them; ``inside`` is where, if it is only understood."""
    parts = _with_places(unit, clause, parts_of(frame, clause))
    place = {"place", "destination"} & set(frame.needs) - set(parts) if inside else set()
    if not _grammatical(frame, parts | {role: [] for role in place}):
        return None
    settle_the_dead(unit, frame, clause, parts.get("patient", ()))
    return _resolved(unit, parts, frame, clause.passive) | dict.fromkeys(place, inside)


def _tells_a_lie(clause: Clause) -> bool:
    """`lied`, `was lying to her`; not `lay`, `was lying there`."""
    form = clause.head.text.lower()
    said = clause.verb != "lie" or form == "lied"
    return said or (
        form != "lay"
        and any(preposition in wordset("prepositions.of_a_lie") for preposition, _ in clause.phrases)
    )


def _takes_it_upon_self(clause: Clause) -> bool:
    """`took it upon herself`: there is no it."""
    it = clause.verb == "take" and [word.text.lower() for word in clause.objects] == ["it"]
    return it and any(word.text.lower().endswith(wordrow("endings.self")) for _, word in clause.phrases)


def _inside(unit: UnitState, clause: Clause) -> tuple[str, ...]:
    """`a lemon lay inside`, `inside it`: inside the container that was spoken of last."""
    if not clause.adverbs & wordset("prepositions.inside") and not any(
        _in_it(*phrase) for phrase in clause.phrases
    ):
        return ()
    holds = frame_table().nouns["containers"]
    near = [one for one in unit.company.figures.values() if one.head in holds and unit.company.near(one)]
    return tuple(one.id for one in sorted(near, key=lambda one: -one.seen[0])[:1])


def _in_it(preposition: str, word: Word) -> bool:
    return preposition in wordset("prepositions.inside") and word.text.lower() == "it"


def _grammatical(frame: VerbFrame, parts: dict[str, list[Word]]) -> bool:
    if frame.name in wordset("verbs.getting") and all(
        word.lemma in frame_table().nouns["figurative"] for word in parts.get("patient", ())
    ):
        return False  # `took a seat`, `gave a nod`
    if _selves(parts.get("destination", ())):
        return False  # `came to himself`
    for need in frame.needs:
        role = re.split("[:=]", need.lstrip("-"))[0]
        if (role in parts) == need.startswith("-"):
            return False
    return True


def _met(unit: UnitState, need: str, roles: Roles) -> bool:
    if need.startswith("-"):
        return True
    if "=" in need:
        role, _, group = need.partition("=")
        return any(unit.company.called(id) & frame_table().nouns[group] for id in roles.get(role, ()))
    role, _, kind = need.partition(":")
    if kind == "self":
        return bool(roles.get(role)) and roles.get(role) == roles.get("agent")
    return any(not kind or unit.kind(id) == kind for id in roles.get(role, ()))


def _resolved(
    unit: UnitState, parts: dict[str, list[Word]], frame: VerbFrame | None, passive: bool = False
) -> Roles:
    """Who fills each role; what is told as suffered is about whom it is done to."""
    roles: Roles = {}
    for role, rank in (
        (("patient", SUBJECT), ("agent", OTHER)) if passive else (("agent", SUBJECT), ("patient", OBJECT))
    ):
        if role in parts:
            roles[role] = _leading(unit, role, rank, parts[role], frame, roles)
    for role in [one for one in parts if one not in roles]:
        roles[role] = unit.who(parts[role], OTHER, besides=_all(roles))
    _sort_company(unit, roles, upon="patient" in parts)
    if "patient" not in parts:
        roles |= {role: _not_worn(unit, roles[role]) for role in ("destination", "place") if role in roles}
    if frame is None or "place" not in frame.markers.values():
        roles["place"] = _places(unit, roles.get("place", ()))
    return {role: ids for role, ids in roles.items() if ids}


def _not_worn(unit: UnitState, ids: tuple[str, ...]) -> tuple[str, ...]:
    """`came round in her gumboots`: nobody goes there."""
    figures = unit.company.figures
    return tuple(id for id in ids if id not in figures or figures[id].head not in holding_words().garments)


def _places(unit: UnitState, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(id for id in ids if unit.kind(id) == "place")


def _sort_company(unit: UnitState, roles: Roles, upon: bool) -> None:
    """What stands behind `with`: companions, and tools where something is done to something; `landed with a bow` uses none."""
    together = roles.pop("with", ())
    roles["companion"] = tuple(unit.characters((*together, *roles.pop("beside", ()))))
    tools = tuple(id for id in together if upon and can_be_used(unit, id))
    roles["instrument"] = roles.get("instrument") or tools


def _leading(
    unit: UnitState, role: str, rank: int, words: list[Word], frame: VerbFrame | None, roles: Roles
) -> tuple[str, ...]:
    """Who does it, or to whom it is done: `herself` is who does it, `it` may be the thing at hand."""
    if _selves(words):
        return roles.get("agent", ())
    moved = _moved_thing(unit, words, frame, _all(roles)) if role == "patient" else ()
    return moved or unit.who(words, rank, besides=_all(roles))


def _moved_thing(
    unit: UnitState, words: list[Word], frame: VerbFrame | None, besides: list[str]
) -> tuple[str, ...]:
    """`it`, `the fruit`, where something is moved or taken: the latest thing that the story has put somewhere."""
    in_talk = unit.company.me is not None  # there `it` is what the talk is about
    if in_talk or not _moves(frame) or not all(_is_loose(unit, word) for word in words):
        return ()
    meant = _only_thing(unit, besides)
    single = all(word.text.lower() == "it" for word in words)
    if meant is None or meant.seen != (unit.company.clause - 1, OBJECT):
        meant = _latest_put(unit, besides, all(_sums_up(unit, word) for word in words)) or meant
    if meant is None or (single and (meant.many or _by_the_way(unit, meant))):
        return ()
    return unit.mean(words, meant.id)


def _by_the_way(unit: UnitState, one: DiscourseEntity) -> bool:
    """`felt in the blanket`: what nobody has put anywhere, and was last spoken of beside something else."""
    put = one.id in unit.stage.where or one.id in unit.stage.holder
    return one.seen[1] == OTHER and not put


def _is_loose(unit: UnitState, word: Word) -> bool:
    """`it`, `the fruit`: a word that by itself tells nothing apart."""
    return word.text.lower() in wordset("pronouns.things") or _sums_up(unit, word)


def _moves(frame: VerbFrame | None) -> bool:
    """Whether a frame changes where something is, or who has it."""
    return (
        frame is not None
        and not frame.stative
        and any(".location." in one or ".possession." in one for one in frame.changes)
    )


def _latest_put(unit: UnitState, besides: list[str], no_container: bool) -> DiscourseEntity | None:
    """The thing that was put somewhere last; first of all one that they have in their hands."""
    put = [
        unit.company.figures[id]
        for id in {**unit.stage.where, **unit.stage.holder}
        if id in unit.company.figures
    ]
    holds = frame_table().nouns["containers"] if no_container else frozenset[str]()
    near = [one for one in put if _thing_before(unit, one, besides) and one.head not in holds]
    held = {id for id, (holder, _) in unit.stage.holder.items() if holder in besides}
    return max(near, key=lambda one: (one.id in held, one.seen[0], -one.seen[1]), default=None)


def _thing_before(unit: UnitState, one: DiscourseEntity, besides: list[str]) -> bool:
    return one.kind == "object" and one.id not in besides and _before(unit, one)


def _before(unit: UnitState, one: DiscourseEntity) -> bool:
    """Whether a thing was spoken of not long ago, and not only in this clause: `laid it on the counter`."""
    return unit.company.near(one) and one.seen[0] < unit.company.clause


def _only_thing(unit: UnitState, besides: list[str]) -> DiscourseEntity | None:
    """The thing that the latest clause with any thing in it speaks of, if it is one: no container, no place."""
    holds = frame_table().nouns["containers"]
    near = [one for one in unit.company.figures.values() if _thing_before(unit, one, besides)]
    things = [one for one in near if one.head not in holds]
    last = max((one.seen[0] for one in things), default=0)
    latest = [one for one in things if one.seen[0] == last]
    return latest[0] if len(latest) == 1 else None


def _sums_up(unit: UnitState, word: Word) -> bool:
    """A noun that stands for something named before: `the fruit`."""
    if word.lemma not in frame_table().nouns["kinds"]:
        return False
    return any(
        one.head == word.position and one.text.lower() in wordset("articles.pointing")
        for one in unit.sentence.words
    )


def _selves(words: Sequence[Word]) -> bool:
    return bool(words) and all(word.text.lower().endswith(wordrow("endings.self")) for word in words)


def _all(roles: Roles) -> list[str]:
    return [id for ids in roles.values() for id in ids]
