"""Events and what they change: a clause with a verb, the frame that fits it, and the records that follow.

A change is written only for what happens in the story; what is denied, planned or supposed is an event without effects.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.extract.clauses import Clause
from narraworld.extract.coreference import OBJECT, OTHER, SUBJECT
from narraworld.extract.frames import Frame, frame_table
from narraworld.extract.page import Page, Roles
from narraworld.extract.parsing import Word
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import Range

__all__ = ["Fitted", "fit", "parts_of", "settle", "write_event"]

PLACES = frozenset({"in", "at", "inside", "on", "within", "outside", "near"})
EVENT_ROLES = ("agent", "patient", "recipient", "origin", "destination", "place", "instrument", "companion")

Fitted = tuple[Frame | None, Roles]


def parts_of(frame: Frame | None, clause: Clause) -> dict[str, list[Word]]:
    """Which words fill which role, by the frame's table; without a frame, the plain reading."""
    parts: dict[str, list[Word]] = {}
    if clause.passive:
        parts["patient"] = list(clause.subjects)
        parts["agent"] = [word for preposition, word in clause.phrases if preposition == "by"]
    else:
        parts["agent"] = list(clause.subjects)
        parts[frame.object if frame else "patient"] = list(clause.objects)
    parts[frame.second if frame else "recipient"] = [
        *parts.get(frame.second if frame else "recipient", ()),
        *clause.seconds,
    ]
    for preposition, word in clause.phrases:
        role = frame.markers.get(preposition) if frame else None
        if role:
            parts.setdefault(role, []).append(word)
        elif preposition == "with":
            parts.setdefault("with", []).append(word)
        elif preposition in PLACES:
            parts.setdefault("place", []).append(word)
    if frame and frame.type == "speech" and clause.seconds:
        parts["addressee"] = list(clause.seconds)
    return {role: words for role, words in parts.items() if words}


def fit(page: Page, clause: Clause) -> Fitted:
    """The first frame of the verb that fits, with its roles filled."""
    for frame in frame_table().of(clause.verb, clause.particle):
        parts = parts_of(frame, clause)
        if not _grammatical(frame, parts):
            continue
        roles = _resolved(page, parts, frame)
        if all(_met(page, need, roles) for need in frame.needs):
            return frame, roles
    return None, _resolved(page, parts_of(None, clause), None)


def _grammatical(frame: Frame, parts: dict[str, list[Word]]) -> bool:
    for need in frame.needs:
        role = need.lstrip("-").partition(":")[0]
        if (role in parts) == need.startswith("-"):
            return False
    return True


def _met(page: Page, need: str, roles: Roles) -> bool:
    if need.startswith("-"):
        return True
    role, _, kind = need.partition(":")
    return any(not kind or page.kind(id) == kind for id in roles.get(role, ()))


def _resolved(page: Page, parts: dict[str, list[Word]], frame: Frame | None) -> Roles:
    roles: Roles = {}
    for role, rank in (("agent", SUBJECT), ("patient", OBJECT)):
        if role in parts:
            roles[role] = page.who(parts[role], rank, besides=_all(roles))
    for role in parts:
        if role not in roles:
            roles[role] = page.who(parts[role], OTHER, besides=_all(roles))
    together = roles.pop("with", ())
    roles["companion"] = tuple(page.characters(together))
    roles["instrument"] = tuple(id for id in together if frame and page.kind(id) == "object")
    if frame is None or "place" not in frame.markers.values():
        roles["place"] = tuple(id for id in roles.get("place", ()) if page.kind(id) == "place")
    return {role: ids for role, ids in roles.items() if ids}


def _all(roles: Roles) -> list[str]:
    return [id for ids in roles.values() for id in ids]


def write_event(page: Page, clause: Clause, fitted: Fitted, number: int) -> str | None:
    """The event of a clause and, if it happens, its changes; None when nobody in it is known."""
    frame, roles = fitted
    if not roles.get("agent") and not roles.get("patient"):
        return None
    if frame and frame.stative:
        settle(page, frame, roles, clause, None)
        return None
    event = page.add(
        "Event", clause.where, kind=_kind(clause), realis=clause.realis, **_event_fields(frame, roles)
    )
    page.happened[number] = event
    if len(roles.get("agent", ())) > 1:
        page.company.together = roles["agent"]
    if frame and clause.realis == "actual":
        settle(page, frame, roles, clause, event)
    return event


def _kind(clause: Clause) -> str:
    return f"{clause.verb} {clause.particle}" if clause.particle else clause.verb


def _event_fields(frame: Frame | None, roles: Roles) -> dict[str, object]:
    fields: dict[str, object] = {role: list(roles[role]) for role in EVENT_ROLES if role in roles}
    if "place" in fields:
        fields["place"] = roles["place"][0]
    needed = [] if frame is None else [
        one for pattern in frame.requires for one, _, _ in _statements(pattern, roles)
    ]  # fmt: skip
    return fields | ({"requires": needed} if needed else {})


# -- what follows


def settle(page: Page, frame: Frame, roles: Roles, clause: Clause, event: str | None) -> None:
    """Write what the frame says holds from now on, close what it ends, and remember where everybody is."""
    denied = clause.realis == "negated"
    if clause.realis not in {"actual", "negated"}:
        return
    for pattern in frame.changes:
        for said, subject, target in _statements(pattern, _with_here(page, roles)):
            quote = [clause.where, *(page.company.leans if event else ())]
            if "here" in pattern:
                said_so = page.stage.where[roles["agent"][0]][1]
                quote += [said_so] if said_so else []
            statement = said.negated() if denied else said
            page.add("State", quote, proposition=statement, at=event)
            _remember(page, statement, subject, target, quote, event)
    if frame.presence:
        _move(page, frame.presence, roles, clause.where, event)


def _with_here(page: Page, roles: Roles) -> Roles:
    here = [page.stage.where[id][0] for id in roles.get("agent", ())[:1] if id in page.stage.where]
    return roles | ({"here": (here[0],)} if here else {})


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
    page: Page, said: Statement, subject: str, target: str | None, quote: list[Range], event: str | None
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


def _move(page: Page, movement: str, roles: Roles, where: Range, event: str | None) -> None:
    role = "origin" if movement == "leaves" else "destination"
    places = roles.get(role, ()) or roles.get("place", ())
    for id in page.characters(roles.get("agent", ())):
        page.add(
            "Presence", where, holder=id, movement=movement, place=places[0] if places else None, at=event
        )
        if movement == "leaves":
            page.stage.where.pop(id, None)
    if movement in {"enters", "present"} and places:
        page.stage.scene = places[0]
