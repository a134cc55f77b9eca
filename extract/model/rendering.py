"""What a model is shown of what was kept so far: numbered lines, one per thing. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from narraworld.extract.model.grounding import Grounding
from narraworld.extract.model.refusal_reasons import RefusedItem
from narraworld.extract.model.schema import AnswerItem, AttitudeItem, EventItem, PropositionItem, SpeechItem
from narraworld.kb.roster import Known, Prior

__all__ = [
    "counting", "entities", "events", "knowledge", "known", "possibilities", "propositions", "refused", "scenes",
    "threads",
]  # fmt: skip

QUOTE_SHOWN = 300  # characters of a refused quote; the rest would only cost


def known(shown: Iterable[Known]) -> str:
    return _numbered(f"{one.names[0] if one.names else one.id} ({_nature(one)})" for one in shown)


def entities(reading: Grounding) -> str:
    members = sorted(reading.cast.members.items())
    return "\n".join(f"{number}. {one.name}, {one.kind}" for number, one in members)


def events(reading: Grounding) -> str:
    return "\n".join(_event(reading, kept.item) for kept in reading.of(EventItem))


def propositions(reading: Grounding) -> str:
    kept = reading.of(PropositionItem)
    return "\n".join(
        f"{one.item.number}. {_said(reading, one.item.number)}, {one.item.truth}" for one in kept
    )


def knowledge(reading: Grounding) -> str:
    """Who says what, and who thinks what of it."""
    return "\n".join([*_speeches(reading), *_attitudes(reading)])


def threads(prior: Prior) -> str:
    return _numbered(f"{one.title} ({one.kind}, {one.status})" for one in prior.threads)


def possibilities(prior: Prior) -> str:
    return _numbered(one.summary for one in prior.possibilities)


def scenes(reading: Grounding) -> str:
    """The scenes by number, each with its first words."""
    passage = reading.passage
    return _numbered(f"{' '.join(scene.cut(passage.text).split()[:8])} …" for scene in passage.scenes)


def counting(reading: Grounding) -> str:
    following = {kind: reading.highest(kind) + 1 for kind in ("proposition", "development")}
    return "; ".join(f"{kind}s go on from {number}" for kind, number in following.items())


def refused(some: Sequence[RefusedItem]) -> str:
    return _numbered(f"{one.kind} {_content(one.item)} because {one.reason.message}" for one in some)


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _nature(one: Known) -> str:
    also = ", ".join(one.names[1:])
    return f"{one.kind}; also: {also}" if also else one.kind


def _event(reading: Grounding, item: EventItem) -> str:
    nature = f"{item.realis}, speech" if item.is_speech else item.realis
    roles = [
        f"{role} {_names(reading, numbers)}"
        for role in ("agent", "patient", "recipient", "destination")
        if (numbers := getattr(item, role))
    ]
    return f"{item.number}. {item.what} ({nature}){': ' if roles else ''}{'; '.join(roles)}"


def _speeches(reading: Grounding) -> Iterator[str]:
    for kept in reading.of(SpeechItem):
        claims = "; ".join(_said(reading, number) for number in kept.item.claims)
        yield f"{_names(reading, [kept.item.speaker])} {kept.item.manner}: {claims or 'nothing in particular'}"


def _attitudes(reading: Grounding) -> Iterator[str]:
    for kept in reading.of(AttitudeItem):
        holder = _names(reading, [kept.item.holder])
        yield f"{holder} {kept.item.attitude}: {_said(reading, kept.item.proposition)}"


def _said(reading: Grounding, number: int) -> str:
    said = reading.statements[number]
    target = f": {said.value}" if said.value is not None else f" {said.object}"
    return f"{'not: ' if said.negative else ''}{said.subject} {said.predicate}{target}"


def _names(reading: Grounding, numbers: Iterable[int]) -> str:
    return ", ".join(reading.cast.members[number].name for number in numbers)


def _content(item: AnswerItem) -> str:
    shown = item.model_copy(update={"quote": item.quote[:QUOTE_SHOWN]})
    return shown.model_dump_json(exclude_defaults=True)
