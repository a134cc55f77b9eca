"""Events and what they change: a clause with a verb, the frame that fits it, and the records that follow.

A change is written only for what happens in the story; what is denied, planned or supposed is an event without effects.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table
from narraworld.extract.embedded.unit import Deed, Roles, UnitState
from narraworld.extract.embedded.writers.plausible.holding import holds
from narraworld.extract.embedded.writers.role_filling import Fitted
from narraworld.extract.embedded.writers.states import locate
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import TextRange

__all__ = ["move", "outcome", "settle", "write_event"]

AVAILABLE = "available"  # what checks ask of things, and nobody says
EVENT_ROLES = ("agent", "patient", "recipient", "origin", "destination", "place", "instrument", "companion")


def write_event(
    unit: UnitState, clause: Clause, fitted: Fitted, number: int, confirmed: TextRange | None = None
) -> str | None:
    """The event of a clause and, if it happens, its changes; None when nobody in it is known."""
    frame, roles = fitted
    if not _tells_of_somebody(unit, clause, roles):
        return None
    if frame and frame.type == "show":
        return _show(unit, frame, roles, clause, number)
    if frame and frame.stative:
        settle(unit, frame, roles, clause, None)
        return None
    event = _tell(unit, clause, fitted, [clause.where, confirmed] if confirmed else clause.where)
    unit.sentence.events[number] = event
    _remember_deed(unit, clause, roles, event)
    if frame:
        _follow(unit, frame, roles, clause, event)
    return event


def _tells_of_somebody(unit: UnitState, clause: Clause, roles: Roles) -> bool:
    """Whether a clause tells a deed of somebody known; `had blue eyes` is for `details`."""
    if clause.seeming or _only_helps(unit, clause) or not (roles.get("agent") or roles.get("patient")):
        return False
    if _stands_for_another(clause):
        return False
    return not (clause.verb == "have" and clause.objects and all(_look(word) for word in clause.objects))


def _stands_for_another(clause: Clause) -> bool:
    """`as he had`, `he did`: the deed is the one before."""
    alone = not (clause.objects or clause.seconds or clause.phrases or clause.particle or clause.passive)
    return alone and clause.verb in wordset("verbs.standing_for_others")


def _only_helps(unit: UnitState, clause: Clause) -> bool:
    """`had to leave`, `was going to leave`: the deed is to leave."""
    helping = wordset("verbs.helping") | (wordset("verbs.helping_with_be") if clause.going_on else set())
    if clause.verb not in helping or clause.objects or clause.phrases:
        return False
    return any(
        word.head == clause.head.position
        and word.relation == "xcomp"
        and word.position > clause.head.position
        for word in unit.sentence.words
    )


def _tell(unit: UnitState, clause: Clause, fitted: Fitted, quote: TextRange | list[TextRange]) -> str:
    fields = _event_fields(unit, *fitted)
    return unit.add("Event", quote, kind=_kind(clause), realis=clause.realis, **fields)


def _remember_deed(unit: UnitState, clause: Clause, roles: Roles, event: str) -> None:
    """Keep what was told, for what looks back at it."""
    _place_in_time(unit, clause, event)
    agents, patients = roles.get("agent", ()), roles.get("patient", ())
    kind, earlier = _kind(clause), _earlier(clause)
    unit.deeds.append(Deed(unit.company.clause, event, kind, clause.realis, agents, patients, earlier))
    if len(agents) > 1:
        unit.company.together = agents


def _follow(unit: UnitState, frame: VerbFrame, roles: Roles, clause: Clause, event: str) -> None:
    """What follows from a deed that is done, or from one that is denied."""
    if clause.realis == "actual" and not (frame.ended and clause.head.tag == "VBG"):
        settle(unit, frame, roles, clause, event)
    elif clause.realis == "negated":
        for pattern in frame.denied:
            for said in _holding(unit, clause, pattern, roles):
                unit.add("State", clause.where, proposition=said)


def _place_in_time(unit: UnitState, clause: Clause, event: str) -> None:
    """`had left`: before the last thing that was told as happening."""
    told = (deed.event for deed in reversed(unit.deeds) if deed.realis == "actual" and not deed.earlier)
    if _earlier(clause) and (last := next(told, None)):
        unit.add("TimeRelation", clause.where, event=event, relation="before", reference=last)


def _earlier(clause: Clause) -> bool:
    return clause.earlier and clause.realis == "actual"


def _show(unit: UnitState, frame: VerbFrame, roles: Roles, clause: Clause, number: int) -> str | None:
    """What is seen to be somewhere (`a pear resting in a box`): no deed, but an event for whoever is there."""
    event = None
    if clause.realis in {"actual", "negated"}:
        for pattern in frame.changes:
            for said in _holding(unit, clause, pattern, roles):
                event = locate(unit, clause.where, said.negated() if clause.negated else said) or event
    if event:
        unit.sentence.events[number] = event
    return event


def _kind(clause: Clause) -> str:
    """The verb with what it needs to mean anything: `pick up`, `give start`."""
    if clause.particle:
        return f"{clause.verb} {clause.particle}"
    said = [word.lemma for word in clause.objects[:1] if _empty(word)]
    return f"{clause.verb} {said[0]}" if said and clause.verb in frame_table().nouns["light"] else clause.verb


def _look(word: Word) -> bool:
    return word.lemma in frame_table().nouns["looks"]


def _empty(word: Word) -> bool:
    return word.pos == "NOUN" and (
        word.lemma in nouns().vague or word.lemma in frame_table().nouns["figurative"]
    )


def _event_fields(unit: UnitState, frame: VerbFrame | None, roles: Roles) -> dict[str, object]:
    fields: dict[str, object] = {role: list(roles[role]) for role in EVENT_ROLES if role in roles}
    if "place" in fields:
        fields["place"] = roles["place"][0]
    needed = list(_needed(unit, frame, roles)) if frame else []
    return fields | ({"requires": needed} if needed else {})


def _needed(unit: UnitState, frame: VerbFrame, roles: Roles) -> Iterator[Statement]:
    """What must have held; of a broken thing also that it was mended."""
    yield from (said for pattern in frame.requires for said, _, _ in _statements(pattern, roles))
    mended = (found for pattern in frame.mended for found in _statements(pattern, roles))
    yield from (said for said, thing, _ in mended if thing in unit.held.broken)


# -- what follows


def settle(unit: UnitState, frame: VerbFrame, roles: Roles, clause: Clause, event: str | None) -> None:
    """Write what the frame says holds from now on, close what it ends, and remember where everybody is."""
    if clause.realis not in {"actual", "negated"} or _under_way(frame, clause):
        return
    for pattern in frame.changes:
        for said, subject, target in _statements(pattern, _with_here(unit, roles)):
            if not _settled(unit, said) or not holds(unit, clause, said, told=frame.stative):
                continue
            if _is_sight(frame, said, clause):
                _see(unit, roles, clause, said)
                continue
            quote = _quotes(unit, pattern, roles, clause, event)
            statement = said.negated() if clause.realis == "negated" else said
            unit.add("State", quote, proposition=statement, at=event)
            _remember(unit, statement, subject, target, quote, event)
    if frame.presence:
        move(unit, frame.presence, roles, clause.where, event)


def _under_way(frame: VerbFrame, clause: Clause) -> bool:
    """`was going home`, `was burning the toast`: not yet there, not yet burnt; but who `was wearing` a coat has it on."""
    return clause.going_on and not (frame.lasting or frame.stative)


def _is_sight(frame: VerbFrame, said: Statement, clause: Clause) -> bool:
    """`he saw the lamp on the table`: where a thing is comes with the sight of it."""
    return frame.type == "perceive" and said.predicate == "location" and clause.realis == "actual"


def _quotes(
    unit: UnitState, pattern: str, roles: Roles, clause: Clause, event: str | None
) -> list[TextRange]:
    """The words that tell a change: the clause, those its pronouns lean on, and those that said where the agent is."""
    here = unit.stage.where[roles["agent"][0]][1] if pattern.endswith(".here") else None
    return [clause.where, *(unit.company.leans if event else ()), *([here] if here else ())]


def _see(unit: UnitState, roles: Roles, clause: Clause, said: Statement) -> None:
    """Who finds a thing somewhere has not put it there: it is shown there, and they see it."""
    described = {
        word.head for word in unit.sentence.words if word.relation == "acl"
    }  # `saw a pear lying in a box on the shelf`
    if described & {word.position for word in clause.objects}:
        return
    shown = locate(unit, clause.where, said)
    for holder in unit.characters(roles.get("agent", ())) if shown else ():
        unit.add("Access", clause.where, holder=holder, event=shown, mode="observation", at=shown)


def outcome(unit: UnitState, frame: VerbFrame, roles: Roles) -> list[Statement]:
    """What the frame says holds afterwards, as somebody would tell it: where a thing is, not also who no longer has it."""
    found = [said for pattern in frame.changes for said, _, _ in _statements(pattern, roles)]
    told = [one for one in found if one.value != AVAILABLE and _settled(unit, one)]
    return [one for one in told if not one.negative] or told


def _settled(unit: UnitState, said: Statement) -> bool:
    """Whether somebody or something can be there: nobody is in a person."""
    return said.object is None or said.predicate != "location" or unit.kind(said.object or "") != "character"


def _with_here(unit: UnitState, roles: Roles) -> Roles:
    """The roles with `here`, where the agent is, and `there`, where the patient was."""
    found = dict(roles)
    for name, role in (("here", "agent"), ("there", "patient")):
        for id in roles.get(role, ())[:1]:
            if id in unit.stage.where and (name == "there" or _spacious(unit, unit.stage.where[id][0])):
                found[name] = (unit.stage.where[id][0],)
    return found


def _spacious(unit: UnitState, place: str) -> bool:
    """Whether what somebody puts down there is where they are: in the room, not in the chair."""
    return unit.kind(place) == "place"


def _holding(unit: UnitState, clause: Clause, pattern: str, roles: Roles) -> Iterator[Statement]:
    """What the pattern says over the roles, as far as it can be so."""
    found = (said for said, _, _ in _statements(pattern, roles))
    yield from (said for said in found if holds(unit, clause, said, told=True))


def _statements(pattern: str, roles: Roles) -> Iterator[tuple[Statement, str, str | None]]:
    """The pattern over roles as statements over entities; none where a role is empty."""
    form = parse_statement(pattern)
    for subject in roles.get(form.subject, ()):
        if form.value is not None:
            yield Statement(subject, form.predicate, value=form.value, negative=form.negative), subject, None
            continue
        for target in roles.get(form.object or "", ())[:1]:
            if target != subject:
                yield Statement(subject, form.predicate, target, negative=form.negative), subject, target


def _remember(
    unit: UnitState,
    said: Statement,
    subject: str,
    target: str | None,
    quote: list[TextRange],
    event: str | None,
) -> None:
    """Keep the stage up to date; what is taken up no longer lies where it lay, what is put down is nobody's."""
    stage = unit.stage
    if target is None or said.predicate not in {"location", "possession"}:
        return
    kept = stage.where if said.predicate == "location" else stage.holder
    if said.negative:
        kept.pop(subject, None)
        return
    other, predicate = (
        (stage.holder, "possession") if said.predicate == "location" else (stage.where, "location")
    )
    old = other.pop(subject, None)
    if old is not None:
        unit.add(
            "State", quote[0], proposition=Statement(subject, predicate, old[0], negative=True), at=event
        )
    kept[subject] = (target, quote[0])
    unit.held.moved.add(subject)


def move(unit: UnitState, movement: str, roles: Roles, where: TextRange, event: str | None) -> None:
    """Write that the agents come or go, and remember it."""
    places = _places_of(unit, movement, roles)
    if movement == "enters" and places and all(unit.kind(id) == "object" for id in places):
        return  # `went up to the door`
    for id in unit.characters(roles.get("agent", ())):
        place = places[0] if places else _understood(unit, movement, roles, id)
        unit.add("Presence", where, holder=id, movement=movement, place=place, at=event)
        if movement == "leaves":
            _leave(unit, id, place)
    if movement in {"enters", "present"} and places:
        unit.stage.scene = places[0]


def _places_of(unit: UnitState, movement: str, roles: Roles) -> list[str]:
    """Where a movement leads to, or from where somebody leaves; nobody is a place."""
    role = "origin" if movement == "leaves" else "destination"
    return [id for id in roles.get(role, ()) or roles.get("place", ()) if unit.kind(id) != "character"]


def _leave(unit: UnitState, id: str, place: str | None) -> None:
    unit.held.left |= {id: place} if place else {}
    unit.stage.where.pop(id, None)


def _understood(unit: UnitState, movement: str, roles: Roles, id: str) -> str | None:
    """Where somebody comes or leaves from whose words do not say it: back to what they left, to the scene, from where they are."""
    if movement == "leaves":
        here = unit.stage.where.get(id)
        return here[0] if here else None
    if movement != "enters" or roles.get("destination"):
        return None  # `returned to Jane`: to wherever she is
    place = unit.held.left.get(id, unit.stage.scene)
    return place if place and _at_hand(unit, place) else None


def _at_hand(unit: UnitState, place: str) -> bool:
    """Whether it is a place of which the story has just spoken; in a novel the last one may be pages away."""
    figure = unit.company.figures.get(place)
    return figure is not None and figure.kind == "place" and unit.company.near(figure)
