"""Whose a detail is: by the words of its form, by those before or behind it, else by the subject of its sentence; with how sure that is.

Asks `Owners` beside the reading and changes nothing there. Only who is called by a name that may be anything becomes somebody by
owning what people alone have: hair, an age, a mother.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.details.finding import FoundDetail
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.table import DetailForms, OwnerWay
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.people.owners import Owner, Owners
from narraworld.extract.embedded.people.trail import PersonMention
from narraworld.kb.spans import TextRange

__all__ = ["Belonging", "belonging"]

# uncertainty
SURE = "low"
LIKELY = "medium"
UNSURE = "high"
NAMES = 3  # whose it may be, at most


@dataclass(frozen=True, slots=True)
class Belonging:
    """Whose a detail is: the entity, if the reader has one; how unsure that is; and by which names else."""

    entity: str | None
    uncertainty: str
    nearest: tuple[str, ...] = ()


def belonging(
    found: FoundDetail,
    sentence: MaskedSentence,
    earlier: Sequence[PersonMention],
    owners: Owners,
    table: DetailForms,
) -> Belonging:
    """Whose ``found`` is; ``earlier`` are the last mentions before its sentence."""
    place, plain = _place(found, sentence, table)
    if place is None:
        return Belonging(None, UNSURE, _names((*earlier, *sentence.mentions), owners))
    vouches = plain and found.form.kind in table.human and not found.doubtful
    owner = owners.met(place, vouched=vouches)
    if owner.entity is None:
        return Belonging(None, UNSURE, owner.others[:NAMES] or _names(sentence.mentions, owners))
    doubt = _doubt(plain, owner.sure, taken_back=sentence.said or found.doubtful)
    return Belonging(owner.entity, doubt, _others(owner))


def _doubt(plain: bool, sure: bool, *, taken_back: bool) -> str:
    """How unsure it is, by whether the words say plainly whose it is, and whether it is sure whom they mean."""
    if plain and sure and not taken_back:
        return SURE
    return LIKELY if plain or sure else UNSURE


def _place(found: FoundDetail, sentence: MaskedSentence, table: DetailForms) -> tuple[int | None, bool]:
    """Where the word for the owner begins, and whether the words say plainly that it is theirs."""
    if found.who is not None:
        return _mention(found.who, sentence), True
    if (inside := _owner_inside(found, sentence)) is not None:
        return inside, True
    before, behind = sentence.masked[: found.where.start], sentence.masked[found.where.end :]
    for way in table.ways:
        match = _owner_words(way, before, behind)
        if match is not None:
            base = found.where.end if way.behind else 0
            start, end = match.span("who")
            if (place := _mention(TextRange(base + start, base + end), sentence)) is not None:
                return place, way.sure
    return _subject(found, sentence), False


def _owner_words(way: OwnerWay, before: str, behind: str) -> re.Match[str] | None:
    """The words for the owner by one way: before the value, or behind it, where those before fit as well."""
    first = way.before.search(before) if way.before else None
    if way.behind is None or (way.before and first is None):
        return first
    return way.behind.search(behind)


def _owner_inside(found: FoundDetail, sentence: MaskedSentence) -> int | None:
    """The possessive among the words of the value itself: `dragging his left foot`."""
    start, end = sentence.where.start + found.where.start, sentence.where.start + found.where.end
    owners = [one.start for one in sentence.mentions if start <= one.start < end and one.case == "possessive"]
    return owners[0] if owners else None


def _mention(who: TextRange, sentence: MaskedSentence) -> int | None:
    """The mention among these words: the last one, since `his mother` is the mother."""
    start, end = sentence.where.start + who.start, sentence.where.start + who.end
    inside = [one.start for one in sentence.mentions if start <= one.start < end]
    word = who.cut(sentence.text).lower()
    if not inside and word in wordset("pronouns.of_a_doer"):  # Ann, who; Ann, whose
        inside = [one.start for one in sentence.mentions if one.start < start]
    if inside:
        return inside[-1]
    return start if word in wordset("pronouns.me") else None


def _subject(found: FoundDetail, sentence: MaskedSentence) -> int | None:
    """The last one before it of whom the sentence tells something, else the last one before it."""
    before = [one for one in sentence.mentions if one.start < sentence.where.start + found.where.start]
    subjects = [one for one in before if one.role == "subject"]
    last = (subjects or before)[-1:]
    return last[0].start if last else None


def _names(mentions: Sequence[PersonMention], owners: Owners) -> tuple[str, ...]:
    """Whoever was spoken of last, as the text calls them."""
    names = (one.who.main for one in reversed(mentions) if one.who is not None)
    return tuple(dict.fromkeys(names))[:NAMES]


def _others(owner: Owner) -> tuple[str, ...]:
    return () if owner.sure else owner.others[:NAMES]
