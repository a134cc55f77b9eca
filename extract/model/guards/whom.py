"""Whether the quoted words are about those whom the item names: its subject, its doer, its holder, its speaker.

Somebody is meant by words that name them, or by a pronoun with their name not far before. Where the words name others and
leave no room for a pronoun, the item is about somebody else. Pure: looks at names and places in the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from narraworld.extract.model.guards.sexes import begins_with, speaks_against
from narraworld.extract.model.refusal_reasons import Reason
from narraworld.extract.model.schema import (
    AccessItem,
    AttitudeItem,
    EntityItem,
    EventItem,
    IdentityItem,
    NamingItem,
    PresenceItem,
    PropositionItem,
    SecretItem,
    SpeechItem,
    UnawarenessItem,
)
from narraworld.kb.english import either, wordset
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounding
    from narraworld.extract.model.linking import LinkedEntity

__all__ = [
    "NAME", "acts_in", "doer_is_meant", "holder_is_meant", "link_is_to_its_name", "name_is_not_anothers", "object_is_meant", "speaker_is_attributed",
    "subject_is_meant", "two_are_said_to_be_one",
]  # fmt: skip

BESIDE = 2  # sentences on either side in which a name may stand where the words have neither name nor pronoun
NAME = "name"  # the respect
ANSWER = 3  # words of an answer that names nobody
BEHIND = 60  # characters behind a speech in which its speaker is named
THINKS = re.compile(rf"\b(?:{either('guards.thinking')})\b", re.IGNORECASE)
SHORTEST = 3  # letters of a word that names somebody
UNTELLING, SMALL = wordset("names.untelling"), wordset("text.small")


# ---- who is meant
def subject_is_meant(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    if (item.truth == "unstated" and _is_answer(reading, where)) or _is_known_name(reading, item, where):
        return None
    return _meant(reading, [item.subject] if item.subject else (), where, "pronouns")


def _is_known_name(reading: Grounding, item: PropositionItem, where: TextRange) -> bool:
    """Whether the narration uses a name that is known, from somebody's word, to be the subject's."""
    if item.truth != "asserted" or not (item.subject and item.predicate and item.value) or item.negative:
        return False
    said = Statement(
        reading.cast.members[item.subject].id, reading.predicate(item.predicate), value=item.value
    )
    known = any(said.id in one.id for one in reading.context.prior.facts)
    return known and said.predicate == NAME and item.value in _outside(where.cut(reading.passage.text))


def _is_answer(reading: Grounding, where: TextRange) -> bool:
    """Whether all that is said in the words is a "Nothing" or a "Tuesday", which may be about anybody; whoever says it is named beside it."""
    words = where.cut(reading.passage.text)
    said = _spoken(words)
    others = any(reading.cues.tells(cue, said) for cue in ("pronouns", "telling"))
    named = {word for one in reading.cast.members.values() for word in _names(reading, one)}
    return bool(said) and not others and not named & set(_telling(said)) and len(said.split()) <= ANSWER


def object_is_meant(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    """An object may be named nearby; not where the words name another of its kind and have no pronoun."""
    if item.object is None or item.truth == "unstated":
        return None
    member, aside = reading.cast.members[item.object], {item.subject, item.object}
    here = _sentence(reading, where)
    if _named(reading, member, here) or _found(reading, "referring", here):
        return None
    others = [one for n, one in reading.cast.members.items() if n not in aside and one.kind == member.kind]
    return _elsewhere(member) if any(_named(reading, one, here) for one in others) else None


def doer_is_meant(reading: Grounding, item: EventItem, where: TextRange) -> Reason | None:
    """Whoever acts or perceives; where the words begin with he, nobody who is a she in the other items."""
    doers = (*item.agent, *item.experiencer)
    people = [one for number in doers if (one := reading.cast.members[number]).kind == "character"]
    if people and not reading.is_spoken(where) and speaks_against(reading.sexes, item):
        return _elsewhere(people[0])
    odd = next((one for one in people if _another_acts(reading, one, where)), None)
    return _elsewhere(odd) if odd else _meant(reading, doers, where, "doing")


def acts_in(reading: Grounding, number: int, where: TextRange) -> bool:
    """Whether somebody can be the one who acts in the words: named there, or a pronoun, and no other before the deed."""
    member = reading.cast.members[number]
    return not _another_acts(reading, member, where) and _may_mean(reading, member, where, "doing")


def _another_acts(reading: Grounding, member: LinkedEntity, where: TextRange) -> bool:
    """Whether the sentence names another before the quoted deed, or the quote begins with that name, and neither this one nor a pronoun."""
    here, words = _sentence(reading, where), where.cut(reading.passage.text)
    if _named(reading, member, TextRange(here.start, where.end)) or reading.is_spoken(where):
        return False
    begun = re.match(r"\W*(?:The |the )?(?:[A-Z][\w’'.]*\s+)+", words)
    until = TextRange(here.start, where.start + (begun.end() if begun else 0))
    personal = any(_found(reading, cue, some) for cue in ("acting", "telling") for some in (until, where))
    if personal or _passive(words):
        return False
    return any(_named(reading, other, until) for other in _others(reading, member) if _proper(other))


def _passive(words: str) -> bool:
    """Whether it is told of whoever it befalls: "Tom was sent", "Tom had been told"."""
    return bool(re.match(rf"\W*(?:[A-Z][\w’'.]*\s+)+(?:{either('guards.undergoing')})\b", words))


def holder_is_meant(
    reading: Grounding,
    item: AccessItem | AttitudeItem | UnawarenessItem | SecretItem | PresenceItem,
    where: TextRange,
) -> Reason | None:
    """Whoever "did not believe him" is named before those words; where no such verb stands, the thought may be anybody's."""
    holder, words = reading.cast.members[item.holder], where.cut(reading.passage.text)
    if (
        isinstance(item, PresenceItem)
        and item.at is not None
        and _takes_part(reading, holder, item.at, where)
    ):
        return None
    thinking = isinstance(item, PresenceItem) or _tells_of_a_mind(reading, words)
    if not thinking or reading.is_spoken(where) or _named(reading, holder, where):
        return None
    if _is_thought_of_another(reading, item, words):
        return None
    if speaks_against(reading.sexes, item) or _another_thinks(reading, holder, words):
        return _elsewhere(holder)
    return _meant(reading, [item.holder], where, "pronouns")


def _is_thought_of_another(
    reading: Grounding,
    item: AccessItem | AttitudeItem | UnawarenessItem | SecretItem | PresenceItem,
    words: str,
) -> bool:
    """Whether the words are a thought as it is thought, "He must mean the flour": he is the one thought of, and no verb says that he thinks."""
    if not isinstance(item, AttitudeItem) or reading.cues.found("believing", words) or THINKS.search(words):
        return False
    holder, subject = reading.cast.members[item.holder].id, reading.statements[item.proposition].subject
    others = [
        number
        for number, one in reading.cast.members.items()
        if one.id == subject != holder and one.kind == "character"
    ]
    return any(begins_with(reading.sexes, number, item.quote) for number in others)


def _tells_of_a_mind(reading: Grounding, words: str) -> bool:
    return any(reading.cues.found(cue, words) for cue in ("knowing", "believing"))


def _another_thinks(reading: Grounding, holder: LinkedEntity, words: str) -> bool:
    """Whether the words begin with the name of another, who neither does nor says anything there."""
    knower = re.match(r"\W*(?:[\w’']+[ ,]+){0,3}?((?:[A-Z][\w’'.]*,? ?)+)", words)
    if knower is None or reading.cues.found("doing", words) or reading.cues.found("saying", words):
        return False
    named = set(_telling(knower[1]))
    return any(named & _names(reading, other) for other in _others(reading, holder))


def _takes_part(reading: Grounding, member: LinkedEntity, event: int, where: TextRange) -> bool:
    """Whether these are the words of an event that is done to somebody: "Ada woke him"."""
    kept = reading.event(event)
    done_to = (*kept.item.patient, *kept.item.recipient, *kept.item.companion)
    there = member.id in {reading.cast.members[number].id for number in done_to}
    return there and kept.where.start < where.end and where.start < kept.where.end


def _meant(reading: Grounding, numbers: Iterable[int], where: TextRange, pronouns: str) -> Reason | None:
    for member in (reading.cast.members[number] for number in numbers):
        if member.kind == "character" and not _may_mean(reading, member, where, pronouns):
            return _elsewhere(member)
    return None


def _may_mean(reading: Grounding, member: LinkedEntity, where: TextRange, pronouns: str) -> bool:
    """Named in the sentence; or a pronoun there and the name before; or neither, and the name beside it."""
    here = _sentence(reading, where)
    if not _names(reading, member) or _named(reading, member, where) or reading.is_spoken(where):
        return True
    if _found(reading, "telling", here):  # whoever tells the story: it may be anybody
        return True
    if not _found(reading, "pronouns", where) and _begins_with_another(reading, member, where):
        return False
    if _named(reading, member, here):
        return True
    if _found(reading, pronouns, here):
        return not (_proper(member) and member.new) or _named(reading, member, _before(reading, where))
    if any(_is_narrated(reading, other, here) for other in _others(reading, member)):
        return False
    return _named(reading, member, TextRange(0, _around(reading, where, 0, BESIDE).end))


def _is_narrated(reading: Grounding, member: LinkedEntity, where: TextRange) -> bool:
    """Whether the narration names somebody here: whom a speech names is spoken to or of."""
    text = reading.passage.text
    found = re.finditer(r"\w+", where.cut(text))
    words = (TextRange(where.start + one.start(), where.start + one.end()) for one in found)
    names = _names(reading, member) - SMALL
    return any(names.intersection(_telling(one.cut(text))) and not reading.is_spoken(one) for one in words)


def _before(reading: Grounding, where: TextRange) -> TextRange:
    """All of the passage up to the words: a doer may be only "she" for pages."""
    return TextRange(0, _sentence(reading, where).end)


def _begins_with_another(reading: Grounding, member: LinkedEntity, where: TextRange) -> bool:
    """Whether the first word of the quote that names anybody names another, as "Carey was dead" is about Carey."""
    first = re.match(
        rf"\W*((?:[A-Z][\w’'.]*\s+)+)(?:{either('verbs.be_or_have')})\b", where.cut(reading.passage.text)
    )
    named = set(_telling(first[1])) if first else set()
    return any(named & _names(reading, other) for other in _others(reading, member))


def _others(reading: Grounding, member: LinkedEntity) -> list[LinkedEntity]:
    return [one for one in reading.cast.members.values() if one.id != member.id and one.kind == member.kind]


def _elsewhere(member: LinkedEntity) -> Reason:
    return Reason("Subject-elsewhere", f"{member.name}; quote words that are about them, or withdraw it")


# ---- who is who
def link_is_to_its_name(reading: Grounding, item: EntityItem, where: TextRange) -> Reason | None:
    """A name that another of the known bears, and this one does not, is that other's."""
    if item.known is None or not item.name[:1].isupper():
        return None  # there may be two letters
    shown, name = reading.cast.shown, item.name.casefold()
    mine = {word for one in shown[item.known - 1].names for word in _telling(one)}
    theirs = [n for n, one in enumerate(shown, 1) if name in map(str.casefold, one.names)]
    if theirs and item.known not in theirs and not mine & set(_telling(item.name)):
        return Reason("Name-of-another", f"{item.name} is known {theirs[0]}")
    return None


def name_is_not_anothers(reading: Grounding, item: NamingItem, where: TextRange) -> Reason | None:
    """A proper name that is part of another's, and of none of this one's."""
    name, member = " ".join(item.quote.split()), reading.cast.members[item.entity]
    words = set(_telling(name))
    if not name[:1].isupper() or not words or words & {*_telling(member.name), *_telling(member.here)}:
        return None
    one = _same(reading, member)
    for other in _others(reading, member):
        bears = other.id not in one and words <= set(_telling(other.name))
        if bears and not _is_shared(reading, member, other, where):
            return Reason("Name-of-another", f"{name} is {other.name}")
    return None


def _is_shared(reading: Grounding, member: LinkedEntity, other: LinkedEntity, where: TextRange) -> bool:
    """Whether a family name of another is given to this one as well: beside a name of theirs, in words about names."""
    name, text = where.cut(reading.passage.text), reading.passage.text
    first, _, last = other.name.rpartition(" ")
    before = re.search(r"(\w+)\W*$", text[: where.start])
    if not first or last != name or (before and before[1] in first.split()):
        return False
    near = _around(reading, where, 1, 0)
    return _named(reading, member, near) and reading.cues.found("naming", near.cut(text))


def two_are_said_to_be_one(reading: Grounding, item: IdentityItem, where: TextRange) -> Reason | None:
    """The words must say it, outright, of these two: each is named there, or stands behind a pronoun."""
    words = where.cut(reading.passage.text)
    cue = "same" if item.verdict == "same" else "denial"
    if not reading.cues.tells(cue, words) or reading.cues.found("hedging", words):
        return Reason("Identity-untold", "quote words that do, or withdraw it")
    two = (reading.cast.members[item.one], reading.cast.members[item.other])
    named = sum(_named(reading, one, where) for one in two)
    if named == 0 or (named == 1 and not _found(reading, "pronouns", where)):
        return Reason("Identity-untold", "the words do not name the two")
    return None


# ---- who speaks
def speaker_is_attributed(reading: Grounding, item: SpeechItem, where: TextRange) -> Reason | None:
    """Whom `…," said Tom` and `Tom said` name is the speaker; whom `she told Tom` names is not."""
    text, speaker = reading.passage.text, reading.cast.members[item.speaker]
    event = reading.event(item.event).where
    for place in (where, event):
        words = text[place.start : place.end + BEHIND].partition("\n")[0]
        inside, spoken = text[place.start : place.end], reading.is_spoken(place)
        if spoken and inside[:1].isalnum():  # whoever is named in a speech does not give it
            words = f'"{words}'
        attributed = _attributed(reading, inside if _narrates(inside) and not spoken else words)
        if attributed and speaker.id not in {one.id for one in attributed}:
            return Reason("Speaker-elsewhere", f"the words are {attributed[0].name}'s")
    return None


def _narrates(words: str) -> bool:
    """Whether something stands outside the quotation marks."""
    return bool(re.sub(r"[“«\"][^”»\"]*[”»\"]?", "", words).strip(" .,"))


def _attributed(reading: Grounding, words: str) -> list[LinkedEntity]:
    outside = _outside(words)
    saying = reading.cues.patterns.get("saying")
    if not saying:
        return []
    before = re.findall(rf"((?:[A-Z][\w’'.]*\s+)+)(?:{saying})", outside, re.VERBOSE)
    behind = re.findall(rf"\|\s*(?:{saying})\s+((?:[A-Z][\w’'.]*\s?)+)", outside, re.VERBOSE)
    named = {word for one in (*before, *behind) for word in _telling(one)}
    people = [one for one in reading.cast.members.values() if one.kind == "character"]
    return [one for one in people if named & set(_names(reading, one))]


# ---- words and places
def _sentence(reading: Grounding, where: TextRange) -> TextRange:
    return _around(reading, where, 0, 0)


def _around(reading: Grounding, where: TextRange, back: int, on: int) -> TextRange:
    """From so many sentences before the words to so many behind them."""
    sentences = reading.passage.sentences
    first = next((n for n, one in enumerate(sentences) if where.start < one.end), 0)
    last = next((n for n, one in enumerate(sentences) if where.end <= one.end), len(sentences) - 1)
    return TextRange(sentences[max(0, first - back)].start, sentences[min(len(sentences) - 1, last + on)].end)


def _named(reading: Grounding, member: LinkedEntity, where: TextRange) -> bool:
    """By a word of a name; or by a whole one that is only a title, as "the doctor" is."""
    if _names(reading, member) & _words_at(reading.passage.text, where):
        return True
    titles = [name.casefold() for name in _called(reading, member) if not _telling(name)]
    return any(
        re.search(rf"\b{re.escape(one)}\b", where.cut(reading.passage.text).casefold()) for one in titles
    )


def _names(reading: Grounding, member: LinkedEntity) -> set[str]:
    """The words by which the passage may name an entity."""
    return set(chain.from_iterable(map(_telling, _called(reading, member))))


def _called(reading: Grounding, member: LinkedEntity) -> list[str]:
    """All that the passage and what was known call an entity, and whoever is the same."""
    members, same = reading.cast.members, _same(reading, member)
    called = [one.item.quote for one in reading.of(NamingItem) if members[one.item.entity].id in same]
    names = [(one.name, one.here, *one.names) for one in members.values() if one.id in same]
    return [one for one in (*chain.from_iterable(names), *called) if len(one) >= SHORTEST]


def _same(reading: Grounding, member: LinkedEntity) -> set[str]:
    members, same = reading.cast.members, {member.id}
    for two in reading.of(IdentityItem):
        pair = {members[two.item.one].id, members[two.item.other].id}
        same |= pair if two.item.verdict == "same" and pair & same else set()
    return same


def _proper(member: LinkedEntity) -> bool:
    return member.name[:1].isupper()


def _telling(name: str) -> list[str]:
    words = (
        word
        for word in re.findall(r"\w+", name.casefold())
        if len(word) >= SHORTEST and word not in UNTELLING
    )
    return [word.removesuffix("s") for word in words]


@lru_cache(maxsize=512)
def _words_at(text: str, where: TextRange) -> frozenset[str]:
    words = re.findall(r"\w+", where.cut(text).casefold())
    return frozenset(word.removesuffix("s") for word in words)


def _found(reading: Grounding, cue: str, where: TextRange) -> bool:
    return reading.cues.tells(cue, where.cut(reading.passage.text))


def _outside(words: str) -> str:
    """What does not."""
    return re.sub(r"[“«\"][^”»\"]*(?:[”»\"]|$)", " | ", words)


def _spoken(words: str) -> str:
    """What stands between quotation marks."""
    return " ".join(re.findall(r"[“«\"]([^”»\"]*)(?:[”»\"]|$)", words)).strip()
