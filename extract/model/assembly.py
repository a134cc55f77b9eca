"""From kept items to a delta: the only place where a reading becomes records.

Nothing is decided here any more. Every record gets the range its words were found at; a record that rests on several
quotes never begins before its own, because where it begins is when it happens. Entities that are known are only named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from narraworld.extract.model.grounding import Grounded, Grounding
from narraworld.extract.model.guards.recounted import realis_of, told_in
from narraworld.extract.model.particulars import ConflictItem, DetailItem
from narraworld.extract.model.passage import tie
from narraworld.extract.model.schema import (
    AccessItem,
    AttitudeItem,
    CauseItem,
    DevelopmentItem,
    EntityItem,
    EventItem,
    IdentityItem,
    NamingItem,
    OrderItem,
    PossibilityItem,
    PossibleEvent,
    PresenceItem,
    PropositionItem,
    RealisationItem,
    SecretItem,
    SpeechItem,
    StepItem,
    SummaryItem,
    TimeItem,
    UnawarenessItem,
)
from narraworld.kb.delta import Delta, slug
from narraworld.kb.normal import shipped
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.ontology.respects import respects

__all__ = ["assemble"]

ROLES = ("agent", "patient", "recipient", "instrument", "experiencer", "companion", "origin", "destination")
INFERRED = "modelInference"
ID_LENGTH = 24
SAYING = "say"  # the kind of what is said besides
WORLD = "world"  # what is said of nobody and nothing in particular


def assemble(unit: Unit, reading: Grounding) -> Delta:
    """The delta of a unit from what was kept of its answers."""
    return _Assembly(unit, reading).delta


class _Assembly:
    """One delta in the making; each method writes the records of one stage."""

    def __init__(self, unit: Unit, reading: Grounding) -> None:
        self.reading, self.delta = reading, Delta(unit)
        self.delta.reserve(_local(kept.item) for kept in reading.of(EventItem))
        self._cast()
        self._scenes()
        self._events()
        self._times()
        self._states()
        self._minds()
        self._threads()
        self._possibilities()
        self._details()
        self._nominations()

    # -- who and what

    def _cast(self) -> None:
        for member in self.reading.cast.new_members():
            self.delta.add(member.kind.capitalize(), member.id, name=member.name, quote=member.where)
        self._names()
        for identity in self.reading.of(IdentityItem):
            one, other = self._entity(identity.item.one), self._entity(identity.item.other)
            self.delta.add(
                "Identity", one=one, other=other, verdict=identity.item.verdict, quote=identity.where
            )

    def _names(self) -> None:
        """Every name the passage has for somebody who has it not yet, that of a known one among them."""
        members, text = self.reading.cast.members, self.reading.passage
        linked = [
            (one.item.number, tie(text, one.item.name, one.item.sentence))
            for one in self.reading.of(EntityItem)
        ]
        called = [(number, where) for number, where in linked if isinstance(where, TextRange)]
        called += [(one.item.entity, one.where) for one in self.reading.of(NamingItem)]
        said = {(one.id, name.casefold()) for one in members.values() for name in (one.name, *one.names)}
        for number, where in called:
            member, name = members[number], _line(where.cut(text.text))
            if (member.id, name.casefold()) not in said:
                said.add((member.id, name.casefold()))
                self.delta.add("Naming", entity=member.id, name=name, quote=where)

    def _scenes(self) -> None:
        """A scene rests on its first sentence."""
        passage = self.reading.passage
        summaries = {kept.item.scene: kept for kept in self.reading.of(SummaryItem)}
        for number, scene in enumerate(passage.scenes, 1):
            first = next(one for one in passage.sentences if one.start >= scene.start)
            summary = summaries.get(number)
            told = {"summary": _line(summary.item.summary), "authority": INFERRED} if summary else {}
            self.delta.add(
                "Scene", f"scene-{number}", unit=self.delta.unit.id, start=scene.start, end=scene.end,
                title=passage.titles[number - 1] or None,
                quote=[first, summary.where] if summary else first, **told,
            )  # fmt: skip

    # -- what happens and what holds

    def _events(self) -> None:
        speeches: dict[int, list[Grounded[SpeechItem]]] = {}
        for one in self.reading.of(SpeechItem):
            speeches.setdefault(one.item.event, []).append(one)
        for kept in self.reading.of(EventItem):
            said = speeches.get(kept.item.number, [])
            speech = said[0] if said else None
            causes = [one for one in self.reading.of(CauseItem) if one.item.effect == kept.item.number]
            also = [one.where for one in causes] + ([speech.where] if speech else [])
            self.delta.add(
                "Speech" if speech else "Event", _local(kept.item),
                **self._roles(kept.item), **self._said(speech),
                kind=_line(kept.item.what).lower(), realis=realis_of(self.reading, kept), toldIn=self._teller(kept), place=self._entity(kept.item.place),
                cause=sorted({_local(self.reading.event(one.item.cause).item) for one in causes}),
                requires=self._required(kept.item.number),
                quote=[kept.where, *(where for where in also if where.start >= kept.where.start)],
            )  # fmt: skip
            self._said_too(kept, said[1:])

    def _said_too(self, kept: Grounded[EventItem], speeches: Sequence[Grounded[SpeechItem]]) -> None:
        """What else is said in the same breath, each as a saying of its own: "Whose is it?" and "I never saw it"."""
        for number, speech in enumerate(speeches, 2):
            self.delta.add(
                "Speech", f"{_local(kept.item)}-{number}", **self._roles(kept.item), **self._said(speech), kind=SAYING,
                realis=realis_of(self.reading, kept), toldIn=self._teller(kept), place=self._entity(kept.item.place), quote=speech.where,
            )  # fmt: skip

    def _teller(self, kept: Grounded[EventItem]) -> str | None:
        speech = told_in(self.reading, kept)
        return None if speech is None else _local(self.reading.event(speech).item)

    def _roles(self, item: EventItem | PossibleEvent) -> dict[str, list[str]]:
        return {role: self._entities(getattr(item, role, ())) for role in ROLES}

    def _said(self, speech: Grounded[SpeechItem] | None) -> dict[str, Any]:
        if speech is None:
            return {}
        return {
            "speaker": self._entity(speech.item.speaker), "addressee": self._entities(speech.item.addressees),
            "claim": self._propositions(speech.item.claims), "manner": speech.item.manner,
        }  # fmt: skip

    def _required(self, event: int) -> list[str]:
        needed = [
            kept.item.number for kept in self.reading.of(PropositionItem) if event in kept.item.required_by
        ]
        return self._propositions(needed)

    def _times(self) -> None:
        text = self.reading.passage.text
        for kept in self.reading.of(TimeItem):
            whole = f"scene-{kept.item.scene}" if kept.item.scene is not None else self.delta.unit.id
            subject = self._event(kept.item.event) if kept.item.event is not None else whole
            self.delta.add(
                "TimeAnchor", event=subject, expression=_line(kept.where.cut(text)), quote=kept.where,
                flashback=kept.item.flashback or None,
            )  # fmt: skip
        for order in self.reading.of(OrderItem):
            event, other = self._event(order.item.event), self._event(order.item.other)
            self.delta.add(
                "TimeRelation", event=event, relation=order.item.relation, reference=other, quote=order.where
            )

    def _states(self) -> None:
        for kept in self.reading.of(PropositionItem):
            if kept.item.truth != "unstated" and kept.item.number not in self.reading.unvouched:
                self._state(kept)

    def _state(self, kept: Grounded[PropositionItem]) -> None:
        """A state from its moment on; one that is over is denied where it is told, one to come hangs on what is to come."""
        item, said = kept.item, self.reading.statements[kept.item.number]
        if self._never_was(kept):
            self._say(said.negated(), "false", item.when, self._event(item.effect_of), kept.where)
        else:
            self._say(said, item.truth, item.when, self._event(item.effect_of), kept.where)

    def _never_was(self, kept: Grounded[PropositionItem]) -> bool:
        """Whether the words say that a thing never was so: of whoever claims it, it is no mere change."""
        item, words = kept.item, kept.where.cut(self.reading.passage.text)
        flat = item.truth == "asserted" and item.negative and item.when is None
        return flat and self.reading.cues.found("never-was", words)

    def _say(self, said: Statement, truth: str, when: str | None, at: str | None, where: TextRange) -> None:
        if when is not None and at is None:
            at = self._being(said, when, where)
        self.delta.add("State", proposition=said.id, truth=truth, at=at, quote=where)
        if when == "once" and respects().named(said.predicate):  # a deed in words of one's own stays done
            self.delta.add("State", proposition=said.negated().id, truth="asserted", quote=where)

    def _being(self, said: Statement, when: str, where: TextRange) -> str:
        """The time at which something once was, or will be so: an event that the words themselves tell of."""
        realis = "future" if when == "will" else "actual"
        event = self.delta.add("Event", kind="be", realis=realis, experiencer=[said.subject], quote=where)
        if when == "once":
            expression = _line(where.cut(self.reading.passage.text))
            self.delta.add("TimeAnchor", event=event, expression=expression, flashback=True, quote=where)
        return event

    # -- who can know it

    def _minds(self) -> None:
        for access in self.reading.of(AccessItem):
            self.delta.add(
                "Access", holder=self._entity(access.item.holder), proposition=self._proposition(access.item.proposition),
                event=self._event(access.item.event), mode=access.item.mode, at=self._event(access.item.gained_in),
                speaker=self._entity(access.item.speaker), quote=access.where,
            )  # fmt: skip
        for attitude in self.reading.of(AttitudeItem):
            self.delta.add(
                "Attitude", holder=self._entity(attitude.item.holder),
                proposition=self._proposition(attitude.item.proposition), attitude=attitude.item.attitude,
                at=self._event(attitude.item.since), speaker=self._entity(attitude.item.speaker),
                quote=attitude.where,
            )  # fmt: skip
        for unaware in self.reading.of(UnawarenessItem):
            self.delta.add(
                "Unawareness", holder=self._entity(unaware.item.holder), event=self._event(unaware.item.event),
                proposition=self._proposition(unaware.item.proposition), quote=unaware.where,
            )  # fmt: skip
        self._secrets()
        for presence in self.reading.of(PresenceItem):
            self.delta.add(
                "Presence", holder=self._entity(presence.item.holder), movement=presence.item.movement,
                place=self._entity(presence.item.place), at=self._event(presence.item.at), quote=presence.where,
            )  # fmt: skip

    def _secrets(self) -> None:
        """Who keeps it and who is in on it know it; from whom it is kept, they do not."""
        for kept in self.reading.of(SecretItem):
            holder, secret = (
                self._entities([kept.item.holder])[0],
                self._propositions([kept.item.proposition])[0],
            )
            hidden = Statement(holder, "secret", object=secret).id
            self.delta.add("State", proposition=hidden, truth="asserted", quote=kept.where)
            for one in (holder, *self._entities(kept.item.shared_with)):
                self.delta.add("Attitude", holder=one, proposition=secret, attitude="knows", quote=kept.where)
            for one in self._entities(kept.item.kept_from):
                self.delta.add("Unawareness", holder=one, proposition=secret, quote=kept.where)

    # -- what stays open and what may come

    def _threads(self) -> None:
        for kept in self.reading.of(DevelopmentItem):
            item, id = kept.item, self.reading.threads[kept.item.number]
            self.delta.add(
                "Development", id, kind=item.is_a, title=_line(item.title), holder=self._entities(item.holders),
                target=self._proposition(item.aim), quote=kept.where,
            )  # fmt: skip
            self._step(id, "opened", item.event, kept.where)
        for step in self.reading.of(StepItem):
            thread = self.reading.threads[step.item.development]
            self._step(thread, step.item.status, step.item.event, step.where)

    def _step(self, thread: str, status: str, event: int | None, where: TextRange) -> None:
        self.delta.add("Step", development=thread, status=status, at=self._event(event), quote=where)

    def _possibilities(self) -> None:
        for kept in self.reading.of(PossibilityItem):
            item = kept.item
            self.delta.add(
                "Possibility", development=self.reading.threads[item.development], summary=_line(item.summary),
                premise=self._propositions(item.premises), constraint=self._propositions(item.constraints),
                possibleEvent=[self._possible_event(event, kept.where) for event in item.events],
                uncertainty=item.uncertainty, authority=INFERRED, quote=kept.where,
            )  # fmt: skip
        for realised in self.reading.of(RealisationItem):
            known = self.reading.context.prior.possibilities[realised.item.possibility - 1]
            self.delta.add(
                "Realisation",
                possibility=known.id,
                event=self._event(realised.item.event),
                quote=realised.where,
            )

    def _possible_event(self, event: PossibleEvent, where: TextRange) -> str:
        return self.delta.add(
            "Event", kind=_line(event.what).lower(), realis="hypothetical", authority=INFERRED, quote=where,
            **self._roles(event),
        )  # fmt: skip

    # -- what a copy editor notes

    def _details(self) -> None:
        """What the narration says of somebody is a state, once; what somebody says, and what is nobody's, is a detail by the way."""
        known = [parse_statement(one.id) for one in self.reading.context.prior.facts]
        told = [self.reading.statements[one.item.number] for one in self.reading.of(PropositionItem)]
        matters = {_meaning(said): said for said in (*known, *told)}
        noted = {_meaning(said) for said in told}
        for kept in self.reading.of(DetailItem):
            said = self._particular(kept.item)
            if said is None or kept.item.said_by is not None or self.reading.is_spoken(kept.where):
                self._by_the_way(kept)
            elif (meaning := _meaning(said)) not in noted:
                noted.add(meaning)
                self._say(matters.get(meaning, said), "asserted", kept.item.when, None, kept.where)

    def _particular(self, item: DetailItem) -> Statement | None:
        owner = self._entity(item.owner)
        if owner is None:
            return None
        value = _line(item.value) if item.value is not None else None
        respect = self.reading.predicate(item.respect)
        return Statement(owner, respect, self._entity(item.other), value, item.negative)

    def _by_the_way(self, kept: Grounded[DetailItem]) -> None:
        item, spoken = kept.item, self.reading.is_spoken(kept.where)
        other = self.reading.cast.members[item.other].name if item.other is not None else ""
        self.delta.add(
            "Detail", respect=self.reading.predicate(item.respect), value=_line(item.value or other), about=self._entity(item.owner),
            name=WORLD if item.owner is None else None, basis="described", uncertainty="low",
            polarity="negative" if item.negative else "positive", speaker=self._entity(item.said_by),
            manner="asserts" if spoken or item.said_by is not None else None, quote=kept.where,
        )  # fmt: skip

    def _nominations(self) -> None:
        known = self.reading.context.prior.remembered
        for kept in self.reading.of(ConflictItem):
            item, other = kept.item, tie(self.reading.passage, kept.item.against or "")
            self.delta.add(
                "Nomination", kind=item.is_a, summary=_line(item.why), authority=INFERRED,
                against=known[item.fact - 1].span if item.fact is not None else None,
                quote=[kept.where, other] if isinstance(other, TextRange) else kept.where,
            )  # fmt: skip

    # -- numbers to ids

    def _entity(self, number: int | None) -> str | None:
        return self.reading.cast.members[number].id if number is not None else None

    def _entities(self, numbers: Sequence[int]) -> list[str]:
        return sorted({self.reading.cast.members[number].id for number in numbers})

    def _event(self, number: int | None) -> str | None:
        return _local(self.reading.event(number).item) if number is not None else None

    def _proposition(self, number: int | None) -> str | None:
        return self.reading.statements[number].id if number is not None else None

    def _propositions(self, numbers: Sequence[int]) -> list[str]:
        return sorted({self.reading.statements[number].id for number in numbers})


def _local(event: EventItem) -> str:
    """The local id of an event: `e3-move`."""
    return f"e{event.number}-{slug(event.what)[:ID_LENGTH].strip('-')}"


def _meaning(said: Statement) -> frozenset[tuple[str, ...]]:
    """What a statement says in normal words, by which the same fact in other words is known; else its own words."""
    if said.value is None:
        found = shipped().of_object(said.predicate, said.object or "")
        pairs = tuple(one._replace(so=False) for one in found) if said.negative else found
    else:
        pairs = (shipped().denied if said.negative else shipped().pairs)(said.predicate, said.value)
    forms = [(one.full_respect, one.word, str(one.so), one.owner or one.named or "") for one in pairs]
    return frozenset((said.subject, *form) for form in forms) or frozenset(
        {(said.subject, said.id.casefold())}
    )


def _line(text: str) -> str:
    return " ".join(text.split())
