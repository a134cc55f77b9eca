"""What a model is shown of what was kept so far: numbered lines, one per thing. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from narraworld.extract.model.grounding import Grounding
from narraworld.extract.model.linking import LinkedEntity
from narraworld.extract.model.refusal_reasons import RefusedItem
from narraworld.extract.model.schema import (
    AnswerItem,
    AttitudeItem,
    DevelopmentItem,
    EventItem,
    PropositionItem,
    SpeechItem,
)
from narraworld.kb.english import wordset
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.roster import Known
from narraworld.ontology.respects import respects

__all__ = [
    "counting", "developments", "entities", "events", "facts", "knowledge", "known", "possibilities", "propositions", "refused",
    "remembered", "scenes", "threads",
]  # fmt: skip

USUAL_TRUTH, USUAL_REALIS = "asserted", "actual"  # not said in a list; the prompts tell
QUOTE_SHOWN = 300  # characters of a refused quote; the rest would only cost
TITLES = wordset("names.titles")
SHORTEST_NAME = 3  # letters of a word by which a line is known to speak of somebody


def known(shown: Iterable[Known]) -> str:
    """Whom one may meet again: the best name, what one knows them by, and their other names."""
    return _numbered(f"{one.best_name} ({_nature(one)})" for one in shown)


def entities(reading: Grounding) -> str:
    members = sorted(reading.cast.members.items())
    return "\n".join(f"{number}. {one.name}{_here(one)}, {one.kind}" for number, one in members)


def _here(member: LinkedEntity) -> str:
    return f" (here: {member.here})" if member.here else ""


def events(reading: Grounding, only: Collection[int] | None = None) -> str:
    """The events; for a question about some sentences only those of these numbers."""
    kept = (one.item for one in reading.of(EventItem))
    return "\n".join(_event(reading, item) for item in kept if only is None or item.number in only)


def propositions(reading: Grounding, only: Collection[int] | None = None) -> str:
    """The propositions; for a question about some sentences only those of these numbers."""
    kept = (one.item for one in reading.of(PropositionItem) if only is None or one.item.number in only)
    return "\n".join(f"{item.number}. {_said(reading, item.number)}{_truth(item)}" for item in kept)


def _truth(item: PropositionItem) -> str:
    return "" if item.truth == USUAL_TRUTH else f", {item.truth}"


def knowledge(reading: Grounding) -> str:
    """Who says what, and who thinks what of it, by the numbers of the propositions."""
    return "\n".join([*_speeches(reading), *_attitudes(reading)])


def facts(reading: Grounding, most: int) -> str:
    """Known facts by number: first those about somebody or something of the passage."""
    lines = [one.words for one in reading.context.prior.facts]
    return "\n".join(f"{place + 1}. {lines[place]}" for place in _telling(reading, lines, most))


def remembered(reading: Grounding, most: int) -> str:
    """What was told before and may be contradicted, each with its words; the caller has put the most telling first."""
    return _numbered(one.words for one in reading.context.prior.remembered[:most])


def threads(reading: Grounding, most: int) -> str:
    lines = [f"{one.title} ({one.kind}, {one.status})" for one in reading.context.prior.threads]
    return "\n".join(f"{place + 1}. {lines[place]}" for place in _telling(reading, lines, most))


def developments(reading: Grounding) -> str:
    """The threads that the passage itself opens, by the numbers they were given."""
    kept = reading.of(DevelopmentItem)
    return "\n".join(f"{one.item.number}. {one.item.title} ({one.item.is_a}, opened)" for one in kept)


def possibilities(reading: Grounding, most: int) -> str:
    lines = [one.summary for one in reading.context.prior.possibilities]
    return "\n".join(f"{place + 1}. {lines[place]}" for place in _telling(reading, lines, most))


def _telling(reading: Grounding, lines: Sequence[str], most: int) -> list[int]:
    """The places of at most so many lines: first those that name somebody or something of the passage, then the latest."""
    names = {word for one in reading.cast.members.values() for word in _words(f"{one.name} {one.here}")}
    order = sorted(range(len(lines)), key=lambda place: (not names & _words(lines[place]), -place))
    return sorted(order[:most])


def _words(line: str) -> set[str]:
    return {word for word in re.findall(r"\w+", line.casefold()) if len(word) >= SHORTEST_NAME}


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
    also = ", ".join(name for name in one.names if name != one.best_name)
    return "; ".join(filter(None, (one.kind, one.about, f"also: {also}" if also else "")))


def _event(reading: Grounding, item: EventItem) -> str:
    """`12. Brandt give compass, to Jory (future)`: who does what to what, in as few words as tell it apart."""
    said = [item.realis] if item.realis != USUAL_REALIS else []
    nature = ", ".join([*said, "speech"] if item.is_speech else said)
    doers = _names(reading, [*item.agent, *item.experiencer])
    done = " ".join(filter(None, (doers, item.what, _names(reading, item.patient))))
    whither = _names(reading, [*item.recipient, *item.destination])
    return f"{item.number}. {done}{f', to {whither}' if whither else ''}{f' ({nature})' if nature else ''}"


def _speeches(reading: Grounding) -> Iterator[str]:
    for kept in reading.of(SpeechItem):
        claims = ", ".join(map(str, kept.item.claims))
        if claims:
            yield f"{_names(reading, [kept.item.speaker])} {kept.item.manner}: {claims}"


def _attitudes(reading: Grounding) -> Iterator[str]:
    """A line for each mind and attitude, with the numbers of the propositions."""
    held: dict[str, list[str]] = {}
    for kept in reading.of(AttitudeItem):
        whose = f"{_names(reading, [kept.item.holder])} {kept.item.attitude}"
        held.setdefault(whose, []).append(str(kept.item.proposition))
    yield from (f"{whose}: {', '.join(dict.fromkeys(numbers))}" for whose, numbers in held.items())


def _said(reading: Grounding, number: int) -> str:
    return _in_words(reading, reading.statements[number])


def _in_words(reading: Grounding, said: Statement) -> str:
    """A proposition with names in place of ids: `sea chest open: locked`."""
    target = said.value if said.value is not None else _object(reading, said.object or "")
    row = respects().rows.get(said.predicate)
    respect = row.label if row else said.predicate.replace("-", " ")
    return f"{'not: ' if said.negative else ''}{_called(reading, said.subject)} {respect}: {target}"


def _object(reading: Grounding, id: str) -> str:
    """An entity's name; of a proposition its number, if the passage has given it one."""
    if "." not in id and ":" not in id:
        return _called(reading, id)
    numbers = [number for number, one in reading.statements.items() if one.id == id]
    return f"proposition {numbers[0]}" if numbers else _in_words(reading, parse_statement(id))


def _called(reading: Grounding, id: str) -> str:
    """What the passage calls an entity, in one word where that tells it apart; else its best name."""
    known = reading.context.roster.by_id.get(id)
    return _labels(reading).get(id) or (known.best_name if known else id.replace("-", " "))


def _labels(reading: Grounding) -> Mapping[str, str]:
    return _short_names(tuple((one.id, one.name, one.here) for one in reading.cast.members.values()))


@lru_cache(maxsize=8)
def _short_names(members: tuple[tuple[str, str, str], ...]) -> Mapping[str, str]:
    """One word of a name where no other has it: the list of entities has the whole."""
    bearers: dict[str, set[str]] = {}
    for id, name, here in members:
        for word in _words(f"{name} {here}"):
            bearers.setdefault(word, set()).add(id)
    labels = dict[str, str]()
    for id, name, _ in members:
        alone = (word for word in name.split() if word[:1].isupper() and bearers.get(word.casefold()) == {id})
        labels.setdefault(id, next((word for word in alone if word.casefold() not in TITLES), name))
    return labels


def _names(reading: Grounding, numbers: Iterable[int]) -> str:
    return ", ".join(_called(reading, reading.cast.members[number].id) for number in numbers)


def _content(item: AnswerItem) -> str:
    shown = item.model_copy(update={"quote": item.quote[:QUOTE_SHOWN]})
    return shown.model_dump_json(exclude_defaults=True)
