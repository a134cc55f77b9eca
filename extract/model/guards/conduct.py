"""What shows in conduct and is said by no word: a secret in a deed that hides or in a lie, a disbelief in how a hearer behaves.

The words alone do not say it, so more is asked for: that the one named acts in them, and that a speech or a lie of the same passage stands behind it.
Pure: decides on the text and on what was kept before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from narraworld.extract.model.guards.sexes import speaks_against
from narraworld.extract.model.guards.whom import acts_in
from narraworld.extract.model.schema import AttitudeItem, EventItem, SecretItem, SpeechItem
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounded, Grounding

__all__ = ["disbelief_shows", "given_by_saying", "secret_shows", "somebody_says"]

DERISION = frozenset({"mocks", "ironises", "jokes"})
WITHIN = 3  # sentences from the words of a promise back to the speech that they belong to


def secret_shows(reading: Grounding, item: SecretItem, where: TextRange) -> bool:
    """Whether the holder lies about it, or lies in these words, or does in them what hides a thing from somebody named."""
    kept_from = {reading.cast.members[number].id for number in item.kept_from}
    if not kept_from or _was_told(reading, item, kept_from):
        return False
    hides = reading.cues.found("hiding", where.cut(reading.passage.text))
    return _lies_about(reading, item, where, kept_from) or (hides and _acts(reading, item, where))


def _lies_about(reading: Grounding, item: SecretItem, where: TextRange, kept_from: set[str]) -> bool:
    """Whether the holder tells those it is kept from a lie, about the matter or in these words."""
    matter = reading.statements[item.proposition].matter
    for speech in _of(reading, item.holder):
        about = any(reading.statements[number].matter == matter for number in speech.item.claims)
        lies = speech.item.manner == "lies" and kept_from & _addressed(reading, speech.item)
        if lies and (about or _touch(speech.where, where)):
            return True
    return False


def disbelief_shows(reading: Grounding, item: AttitudeItem, where: TextRange) -> bool:
    """Whether a hearer acts in these words after another has said it, or answers with derision."""
    words = where.cut(reading.passage.text)
    if reading.cues.found("believing", words):
        return False
    derided = any(
        speech.item.manner in DERISION and _touch(speech.where, where) for speech in _of(reading, item.holder)
    )
    return derided or (_heard_it(reading, item, where) and _acts(reading, item, where))


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
    odd = speaks_against(reading.sexes, item)
    return not odd and not reading.is_spoken(where) and acts_in(reading, item.holder, where)


def _of(reading: Grounding, number: int) -> Iterator[Grounded[SpeechItem]]:
    """The speeches of somebody."""
    id = reading.cast.members[number].id
    return (one for one in reading.of(SpeechItem) if reading.cast.members[one.item.speaker].id == id)


def _was_told(reading: Grounding, item: SecretItem, kept_from: set[str]) -> bool:
    """Whether the holder tells it openly to one of those from whom it is kept."""
    said = reading.statements[item.proposition].id
    return any(
        speech.item.manner == "asserts"
        and kept_from & _addressed(reading, speech.item)
        and any(reading.statements[number].id == said for number in speech.item.claims)
        for speech in _of(reading, item.holder)
    )


def _addressed(reading: Grounding, speech: SpeechItem) -> set[str]:
    return {reading.cast.members[number].id for number in speech.addressees}


def _touch(one: TextRange, other: TextRange) -> bool:
    return one.start < other.end and other.start < one.end
