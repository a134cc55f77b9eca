"""What shows in conduct and is said by no word: a secret in a deed that hides or in a lie, a disbelief in how a hearer behaves.

The words alone do not say it, so more is asked for: that the one named acts in them, and that a speech or a lie of the same passage stands behind it.
Pure: decides on the text and on what was kept before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from narraworld.extract.model.guards.sexes import speaks_against
from narraworld.extract.model.guards.whom import NAME, acts_in
from narraworld.extract.model.schema import AttitudeItem, EventItem, SecretItem, SpeechItem
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounded, Grounding

__all__ = ["disbelief_shows", "given_by_saying", "lied", "secret_shows", "somebody_says", "written_by"]

DERISION = frozenset({"mocks", "ironises", "jokes"})
WITHIN = 3  # sentences from the words of a promise back to the speech that they belong to


def secret_shows(reading: Grounding, item: SecretItem, where: TextRange) -> bool:
    """Whether the holder lies about it, or lies in these words, or does in them what hides a thing."""
    kept_from = {reading.cast.members[number].id for number in item.kept_from}
    if _was_told(reading, item, kept_from):
        return False
    return _lies_about(reading, item, where, kept_from) or _hides(reading, item, where)


def _lies_about(reading: Grounding, item: SecretItem, where: TextRange, kept_from: set[str]) -> bool:
    """Whether the holder tells those it is kept from a lie, about the matter or in these words; kept from everybody: in these words."""
    matter = reading.statements[item.proposition].matter
    for speech in _of(reading, item.holder):
        about = any(reading.statements[number].matter == matter for number in speech.item.claims)
        heard = bool(kept_from & _addressed(reading, speech.item))
        here = _touch(speech.where, where) and (heard or not kept_from)
        if speech.item.manner == "lies" and (here or (about and heard)):
            return True
    return False


def _hides(reading: Grounding, item: SecretItem, where: TextRange) -> bool:
    """Whether the holder does what hides: from somebody named, or a thing that is put away in a deed with somebody in on it."""
    if not reading.cues.found("hiding", where.cut(reading.passage.text)) or not _acts(reading, item, where):
        return False
    return bool(item.kept_from) or (bool(item.shared_with) and _handles(reading, item, where))


def _handles(reading: Grounding, item: SecretItem, where: TextRange) -> bool:
    """Whether a recorded deed of the holder in these words is done to what the secret is about."""
    said = reading.statements[item.proposition]
    return any(
        {said.subject, said.object} & _ids(reading, kept.item.patient)
        for kept in _deeds(reading, where)
        if reading.cast.members[item.holder].id in _ids(reading, kept.item.agent)
    )


def disbelief_shows(reading: Grounding, item: AttitudeItem, where: TextRange) -> bool:
    """Whether somebody shows that they know better: a hearer who acts after another has said it or derides it, a liar, whoever
    goes by a name that is not theirs, and whoever is brought to another mind."""
    words = where.cut(reading.passage.text)
    if reading.cues.found("believing", words):
        return False
    if _assumes(reading, item, where) or _is_convinced(reading, item, where):
        return True
    if lied(reading, item) and _acts(reading, item, where):
        return True
    derided = any(
        speech.item.manner in DERISION and _touch(speech.where, where) for speech in _of(reading, item.holder)
    )
    return derided or (_heard_it(reading, item, where) and _acts(reading, item, where))


def lied(reading: Grounding, item: AttitudeItem) -> bool:
    """Whether the holder claims just this in a lie: whoever lies knows otherwise."""
    said = reading.statements[item.proposition].id
    return any(
        speech.item.manner == "lies"
        and any(reading.statements[number].id == said for number in speech.item.claims)
        for speech in _of(reading, item.holder)
    )


def _assumes(reading: Grounding, item: AttitudeItem, where: TextRange) -> bool:
    """Whether these words tell how the holder came by a name, and it is the one in question."""
    said = reading.statements[item.proposition]
    own = said.predicate == NAME and said.subject == reading.cast.members[item.holder].id
    return (
        own
        and reading.cues.found("assuming", where.cut(reading.passage.text))
        and _acts(reading, item, where)
    )


def _is_convinced(reading: Grounding, item: AttitudeItem, where: TextRange) -> bool:
    """Whether the attitude begins with an event of these words that brings the holder to another mind."""
    if item.since is None:
        return False
    event = reading.event(item.since)
    whom = _ids(reading, (*event.item.patient, *event.item.recipient, *event.item.experiencer))
    brought = reading.cues.found("convincing", event.item.what) and _touch(event.where, where)
    return brought and event.item.realis == "actual" and reading.cast.members[item.holder].id in whom


def _heard_it(reading: Grounding, item: AttitudeItem, where: TextRange) -> bool:
    """Whether the attitude begins with a speech of another that ends before these words."""
    if item.since is None:
        return False
    event = reading.event(item.since)
    speakers = {reading.cast.members[number].id for number in event.item.agent}
    told = event.item.is_speech and reading.cast.members[item.holder].id not in speakers
    return told and event.where.start < where.start


def given_by_saying(reading: Grounding, subject: int, where: TextRange) -> bool:
    """Whether the one named says these words: a promise is given by saying it."""
    id, first = reading.cast.members[subject].id, _sentence(reading, where.start)
    for kept in reading.of(EventItem):
        near = 0 <= first - _sentence(reading, kept.where.start) <= WITHIN or _touch(kept.where, where)
        speaks = kept.item.is_speech and kept.item.realis == "actual"
        if near and speaks and id in {reading.cast.members[number].id for number in kept.item.agent}:
            return True
    return False


def written_by(reading: Grounding, event: int | None, subject: int, where: TextRange) -> bool:
    """Whether these words of the narration tell how somebody puts words on this very thing."""
    if event is None or reading.is_spoken(where):
        return False
    kept, words = reading.event(event), where.cut(reading.passage.text)
    things = _ids(reading, (*kept.item.patient, *kept.item.destination, *kept.item.instrument))
    on_it = not things or reading.cast.members[subject].id in things
    return on_it and _touch(kept.where, where) and reading.cues.found("writing", words)


def somebody_says(reading: Grounding, where: TextRange) -> bool:
    """Whether an event of a person's saying has these words, or stands in their sentence."""
    here = _sentence(reading, where.start)
    return any(
        kept.item.is_speech
        and kept.item.agent
        and (_touch(kept.where, where) or _sentence(reading, kept.where.start) == here)
        for kept in reading.of(EventItem)
    )


def _sentence(reading: Grounding, place: int) -> int:
    return next((n for n, one in enumerate(reading.passage.sentences) if place < one.end), 0)


def _acts(reading: Grounding, item: AttitudeItem | SecretItem, where: TextRange) -> bool:
    """Whether the holder can be the one who acts here; where deeds are recorded of these words, one of them is theirs."""
    odd, deeds = speaks_against(reading.sexes, item), list(_deeds(reading, where))
    doers = {id for kept in deeds for id in _ids(reading, (*kept.item.agent, *kept.item.experiencer))}
    theirs = not doers or reading.cast.members[item.holder].id in doers
    return theirs and not odd and not reading.is_spoken(where) and acts_in(reading, item.holder, where)


def _deeds(reading: Grounding, where: TextRange) -> Iterator[Grounded[EventItem]]:
    """What is done in these words."""
    return (kept for kept in reading.of(EventItem) if _touch(kept.where, where))


def _ids(reading: Grounding, numbers: Iterable[int]) -> set[str]:
    return {reading.cast.members[number].id for number in numbers}


def _of(reading: Grounding, number: int) -> Iterator[Grounded[SpeechItem]]:
    """The speeches of somebody."""
    id = reading.cast.members[number].id
    return (one for one in reading.of(SpeechItem) if reading.cast.members[one.item.speaker].id == id)


def _was_told(reading: Grounding, item: SecretItem, kept_from: set[str]) -> bool:
    """Whether the holder tells it openly to one of those from whom it is kept: to anybody, where it is kept from all who are not in on it."""
    said, in_on_it = reading.statements[item.proposition].id, _ids(reading, item.shared_with)
    return any(
        speech.item.manner == "asserts"
        and (kept_from & (heard := _addressed(reading, speech.item)) or (not kept_from and heard - in_on_it))
        and any(reading.statements[number].id == said for number in speech.item.claims)
        for speech in _of(reading, item.holder)
    )


def _addressed(reading: Grounding, speech: SpeechItem) -> set[str]:
    return _ids(reading, speech.addressees)


def _touch(one: TextRange, other: TextRange) -> bool:
    return one.start < other.end and other.start < one.end
