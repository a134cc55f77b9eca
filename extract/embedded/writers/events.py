"""Events and what they change: a clause with a verb, the frame that fits it, and the records that follow.

A change is written only for what happens in the story; what is denied, planned or supposed is an event without effects.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table
from narraworld.extract.embedded.unit import Deed, Page, Roles
from narraworld.extract.embedded.writers.role_filling import Fitted
from narraworld.extract.embedded.writers.states import locate
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import TextRange

__all__ = ["move", "outcome", "settle", "write_event"]

AVAILABLE = "available"  # what checks ask of things, and nobody says
EVENT_ROLES = ("agent", "patient", "recipient", "origin", "destination", "place", "instrument", "companion")


def write_event(
    page: Page, clause: Clause, fitted: Fitted, number: int, confirmed: TextRange | None = None
) -> str | None:
    """The event of a clause and, if it happens, its changes; None when nobody in it is known."""
    frame, roles = fitted
    if not roles.get("agent") and not roles.get("patient"):
        return None
    if clause.seeming:
        return None
    if clause.verb == "have" and clause.objects and all(_look(word) for word in clause.objects):
        return None  # `had blue eyes` is for `details`
    if frame and frame.type == "show":
        return _show(page, frame, roles, clause, number)
    if frame and frame.stative:
        settle(page, frame, roles, clause, None)
        return None
    quote = [clause.where, confirmed] if confirmed else clause.where
    event = page.add(
        "Event", quote, kind=_kind(clause), realis=clause.realis, **_event_fields(page, frame, roles)
    )
    page.happened[number] = event
    _place_in_time(page, clause, event)
    page.deeds.append(
        Deed(
            page.company.clause,
            event,
            _kind(clause),
            clause.realis,
            roles.get("agent", ()),
            roles.get("patient", ()),
        )
    )
    if len(roles.get("agent", ())) > 1:
        page.company.together = roles["agent"]
    if frame and clause.realis == "actual" and not (frame.ended and clause.head.tag == "VBG"):
        settle(page, frame, roles, clause, event)
    elif frame and clause.realis == "negated":
        for pattern in frame.denied:
            for said, _, _ in _statements(pattern, roles):
                page.add("State", clause.where, proposition=said)
    return event


def _place_in_time(page: Page, clause: Clause, event: str) -> None:
    """`had left`: before the last thing that was told as happening."""
    if not clause.earlier or clause.realis != "actual":
        return
    page.earlier.add(event)
    told = (
        one.event for one in reversed(page.deeds) if one.realis == "actual" and one.event not in page.earlier
    )
    if last := next(told, None):
        page.add("TimeRelation", clause.where, event=event, relation="before", reference=last)


def _show(page: Page, frame: VerbFrame, roles: Roles, clause: Clause, number: int) -> str | None:
    """What is seen to be somewhere (`a pear resting in a box`): no deed, but an event for whoever is there."""
    event = None
    if clause.realis in {"actual", "negated"}:
        for pattern in frame.changes:
            for said, _, _ in _statements(pattern, roles):
                event = locate(page, clause.where, said.negated() if clause.negated else said) or event
    if event:
        page.happened[number] = event
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


def _event_fields(page: Page, frame: VerbFrame | None, roles: Roles) -> dict[str, object]:
    fields: dict[str, object] = {role: list(roles[role]) for role in EVENT_ROLES if role in roles}
    if "place" in fields:
        fields["place"] = roles["place"][0]
    needed = [] if frame is None else [
        one for pattern in frame.requires for one, _, _ in _statements(pattern, roles)
    ]  # fmt: skip
    needed += [] if frame is None else [
        one for pattern in frame.mended for one, thing, _ in _statements(pattern, roles) if thing in page.broken
    ]  # fmt: skip
    return fields | ({"requires": needed} if needed else {})


# -- what follows


def settle(page: Page, frame: VerbFrame, roles: Roles, clause: Clause, event: str | None) -> None:
    """Write what the frame says holds from now on, close what it ends, and remember where everybody is."""
    denied = clause.realis == "negated"
    under_way = clause.going_on and frame.presence in {"enters", "leaves"}  # `was going home`: not yet there
    if clause.realis not in {"actual", "negated"} or under_way:
        return
    for pattern in frame.changes:
        for said, subject, target in _statements(pattern, _with_here(page, roles)):
            if target is not None and not _settled(page, said):
                continue
            quote = [clause.where, *(page.company.leans if event else ())]
            if pattern.endswith(".here"):
                said_so = page.stage.where[roles["agent"][0]][1]
                quote += [said_so] if said_so else []
            statement = said.negated() if denied else said
            if frame.type == "perceive" and said.predicate == "location" and not denied:
                _see(page, roles, clause, said)
                continue
            page.add("State", quote, proposition=statement, at=event)
            _remember(page, statement, subject, target, quote, event)
    if frame.presence:
        move(page, frame.presence, roles, clause.where, event)


def _see(page: Page, roles: Roles, clause: Clause, said: Statement) -> None:
    """Who finds a thing somewhere has not put it there: it is shown there, and they see it."""
    described = {
        word.head for word in page.words if word.relation == "acl"
    }  # `saw a pear lying in a box on the shelf`
    if described & {word.position for word in clause.objects}:
        return
    shown = locate(page, clause.where, said)
    for holder in page.characters(roles.get("agent", ())) if shown else ():
        page.add("Access", clause.where, holder=holder, event=shown, mode="observation", at=shown)


def outcome(page: Page, frame: VerbFrame, roles: Roles) -> list[Statement]:
    """What the frame says holds afterwards, as somebody would tell it: where a thing is, not also who no longer has it."""
    found = [said for pattern in frame.changes for said, _, _ in _statements(pattern, roles)]
    told = [one for one in found if one.value != AVAILABLE and (one.object is None or _settled(page, one))]
    return [one for one in told if not one.negative] or told


def _settled(page: Page, said: Statement) -> bool:
    """Whether somebody or something can be there: nobody is in a person."""
    return said.predicate != "location" or page.kind(said.object or "") != "character"


def _with_here(page: Page, roles: Roles) -> Roles:
    """The roles with `here`, where the agent is, and `there`, where the patient was."""
    found = dict(roles)
    for name, role in (("here", "agent"), ("there", "patient")):
        for id in roles.get(role, ())[:1]:
            if id in page.stage.where:
                found[name] = (page.stage.where[id][0],)
    return found


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
    page: Page, said: Statement, subject: str, target: str | None, quote: list[TextRange], event: str | None
) -> None:
    """Keep the stage up to date; what is taken up no longer lies where it lay, what is put down is nobody's."""
    stage = page.stage
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
        page.add(
            "State", quote[0], proposition=Statement(subject, predicate, old[0], negative=True), at=event
        )
    kept[subject] = (target, quote[0])
    page.moved.add(subject)


def move(page: Page, movement: str, roles: Roles, where: TextRange, event: str | None) -> None:
    """Write that the agents come or go, and remember it."""
    role = "origin" if movement == "leaves" else "destination"
    places = [id for id in roles.get(role, ()) or roles.get("place", ()) if page.kind(id) != "character"]
    if movement == "enters" and places and all(page.kind(id) == "object" for id in places):
        return  # `went up to the door`
    for id in page.characters(roles.get("agent", ())):
        place = places[0] if places else _understood(page, movement, roles, id)
        page.add("Presence", where, holder=id, movement=movement, place=place, at=event)
        if movement == "leaves":
            page.left |= {id: place} if place else {}
            page.stage.where.pop(id, None)
    if movement in {"enters", "present"} and places:
        page.stage.scene = places[0]


def _understood(page: Page, movement: str, roles: Roles, id: str) -> str | None:
    """Where somebody comes or leaves from whose words do not say it: back to what they left, to the scene, from where they are."""
    if movement == "leaves":
        here = page.stage.where.get(id)
        return here[0] if here else None
    if movement != "enters" or roles.get("destination"):
        return None  # `returned to Jane`: to wherever she is
    place = page.left.get(id, page.stage.scene)
    return place if place and _at_hand(page, place) else None


def _at_hand(page: Page, place: str) -> bool:
    """Whether it is a place of which the story has just spoken; in a novel the last one may be pages away."""
    figure = page.company.figures.get(place)
    return figure is not None and figure.kind == "place" and page.company.near(figure)
