"""What the quoted words must not be taken for: plan for deed, sequence for cause, claim for truth or belief, silence for
unawareness; and a few things no item may do. Each guard looks at one item in its place and answers with a reason or nothing.
Pure: decides on the text and on what was kept before, never asks a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from narraworld.extract.model.guards.conduct import (
    given_by_saying,
    lied,
    secret_shows,
    somebody_says,
    written_by,
)
from narraworld.extract.model.guards.whom import NAME
from narraworld.extract.model.passage import stands
from narraworld.extract.model.refusal_reasons import Reason
from narraworld.extract.model.schema import (
    AccessItem,
    AttitudeItem,
    CauseItem,
    EntityItem,
    EventItem,
    IdentityItem,
    NamingItem,
    PossibilityItem,
    PropositionItem,
    SecretItem,
    SpeechItem,
    SummaryItem,
    TimeItem,
    UnawarenessItem,
)
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounding

__all__ = [
    "access_to_something",
    "alias_is_a_name",
    "belief_not_claim",
    "cause_is_another",
    "cause_is_told",
    "deed_not_plan",
    "deed_not_speech",
    "doubtful_truths",
    "is_only_planned",
    "link_agrees",
    "name_is_a_name",
    "one_content",
    "secret_is_told",
    "speech_is_speech",
    "summary_of_its_scene",
    "thread_is_open",
    "time_of_something",
    "two_are_two",
    "unawareness_is_told",
    "unsupported_words",
]  # fmt: skip

PROSPECTIVE = frozenset(
    {
        "goal",
        "obligation",
        "promise",
        "fear",
        "believes",
        "knows",
        "ability",
        "likes",
        "impossible",
        "forbids",
    }
)  # may be so before it comes true; of a rule of the world "will" says that it always is so

BY_SAYING, WRITTEN = frozenset({"promise", "forbids"}), frozenset({"says", "signature"})

HOLDING, KNOWING_BETTER = frozenset({"knows", "believes"}), frozenset({"doubts", "disbelieves"})

TELLING = frozenset({"asserts", "lies"})

NESTING = frozenset({"knows", "believes"})

CLOSING = frozenset({"resolved", "abandoned"})

OPENING = {
    False: 8,
    True: 3,
}  # sentences that may tell the time of all the passage; that it is all told back, fewer


# ---- who and what
def name_is_a_name(reading: Grounding, item: EntityItem, where: TextRange) -> Reason | None:
    if reading.cues.is_pronoun(item.name):
        tells = item.is_a == "character" and reading.cues.tells("telling", item.name)
        return None if tells or item.known is not None else Reason("Name-pronoun", item.name)
    if item.known is None and not stands(reading.passage.text, item.name):
        return Reason("Name-nowhere", f"{item.name!r}; use words of the passage")
    return None


def link_agrees(reading: Grounding, item: EntityItem, where: TextRange) -> Reason | None:
    if item.known is None:
        return None
    known = reading.cast.shown[item.known - 1]
    if known.kind == item.is_a:
        return None
    return Reason("Number-kind", f"known {item.known} is of kind {known.kind}, this of kind {item.is_a}")


def alias_is_a_name(reading: Grounding, item: NamingItem, where: TextRange) -> Reason | None:
    return Reason("Name-pronoun", item.quote) if reading.cues.is_pronoun(item.quote) else None


def two_are_two(reading: Grounding, item: IdentityItem, where: TextRange) -> Reason | None:
    members = reading.cast.members
    return Reason("Content-itself") if members[item.one].id == members[item.other].id else None


# ---- what happens and what holds
def deed_not_plan(reading: Grounding, item: EventItem, where: TextRange) -> Reason | None:
    words = where.cut(reading.passage.text)
    if item.realis == "actual" and reading.cues.plans(words, item.what):
        return Reason("Plan-as-deed", "give it as future, hypothetical or negated, or quote where it is done")
    return None


def deed_not_speech(reading: Grounding, item: EventItem, where: TextRange) -> Reason | None:
    if item.realis == "actual" and not item.is_speech and reading.is_spoken(where):
        return Reason("Speech-as-deed", "record the saying, and the claim as an unstated proposition")
    return None


def time_of_something(reading: Grounding, item: TimeItem, where: TextRange) -> Reason | None:
    """Of the whole passage only what stands at its beginning tells the time: one chance word would else move it all."""
    if item.event is not None or item.scene is not None or not reading.passage.sentences:
        return None
    opening = reading.passage.sentences[: OPENING[item.flashback]][-1]
    return Reason("Time-of-nothing") if where.start >= opening.end else None


def cause_is_another(reading: Grounding, item: CauseItem, where: TextRange) -> Reason | None:
    return Reason("Content-itself") if item.cause == item.effect else None


def cause_is_told(reading: Grounding, item: CauseItem, where: TextRange) -> Reason | None:
    if reading.cues.tells("causal", where.cut(reading.passage.text)):
        return None
    return Reason("Cause-chronology", "quote the words that say that one brought the other about")


def one_content(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    if not _says_one_thing(reading, item):
        return Reason("Content-count")
    members = reading.cast.members
    if item.subject is None or item.object is None:
        return None
    return Reason("Content-itself") if members[item.object].id == members[item.subject].id else None


def _says_one_thing(reading: Grounding, item: PropositionItem) -> bool:
    """Whether it is a known fact and nothing else, or one thing said of a subject; only what is known or believed is another proposition."""
    given = sum(part is not None for part in (item.object, item.about, item.value))
    if item.fact is not None:
        return not (given or item.subject or item.predicate)
    if item.subject is None or item.predicate is None:
        return False
    return given == 1 and (item.about is None or reading.predicate(item.predicate) in NESTING)


# ---- who can know it
def speech_is_speech(reading: Grounding, item: SpeechItem, where: TextRange) -> Reason | None:
    if not reading.event(item.event).item.is_speech:
        return Reason("Speech-unmarked", f"event {item.event}")
    others = [kept for kept in reading.of(SpeechItem) if kept.item.event == item.event]
    apart = all(
        kept.item.speaker == item.speaker and not _touch(kept.where, where) for kept in others
    )  # one breath may ask and tell, in words of its own
    return None if apart else Reason("Item-repeated", f"event {item.event} has its speech")


def access_to_something(
    reading: Grounding, item: AccessItem | UnawarenessItem, where: TextRange
) -> Reason | None:
    return Reason("Content-missing") if item.proposition is None and item.event is None else None


def belief_not_claim(reading: Grounding, item: AttitudeItem, where: TextRange) -> Reason | None:
    """Words that only report a claim show neither that its speaker nor that its listener believes it."""
    holder, said = reading.cast.members[item.holder].id, reading.statements[item.proposition].matter
    for speech, whole, claims in _claims(reading):
        minds = {reading.cast.members[n].id for n in (speech.speaker, *speech.addressees)}
        reported = holder in minds and said in claims and _within(where, whole)
        if item.attitude in KNOWING_BETTER and lied(reading, item):
            continue
        if reported and not _own_word(reading, item, speech, where):
            return Reason("Claim-as-belief", "quote words that say what is thought of it, or withdraw it")
    return None


def _own_word(reading: Grounding, item: AttitudeItem, speech: SpeechItem, where: TextRange) -> bool:
    """Whether the holder says so: whoever asks wonders, and "I think" is the speaker's own word on it."""
    speaks = reading.cast.members[speech.speaker].id == reading.cast.members[item.holder].id
    words = where.cut(reading.passage.text)
    asked = item.attitude == "wonders" and (speech.manner == "asks" or "?" in words)
    owned = item.attitude in HOLDING and reading.cues.found("owned", words)
    calls = item.attitude in HOLDING and speech.manner != "lies" and _calls(reading, item.proposition, words)
    return speaks and (asked or owned or calls or reading.cues.tells("thinking", words))


def _calls(reading: Grounding, proposition: int, words: str) -> bool:
    """Whether the words call somebody by the name in question: whoever does has it, unless it is a lie."""
    said = reading.statements[proposition]
    return said.predicate == NAME and bool(said.value) and str(said.value) in words


def unawareness_is_told(reading: Grounding, item: UnawarenessItem, where: TextRange) -> Reason | None:
    if reading.cues.tells_of_not_knowing(where.cut(reading.passage.text)):
        return None
    return Reason("Silence-as-unawareness", "quote words that do, or withdraw it")


def secret_is_told(reading: Grounding, item: SecretItem, where: TextRange) -> Reason | None:
    others = {reading.cast.members[n].id for n in (*item.kept_from, *item.shared_with)}
    if reading.cast.members[item.holder].id in others:
        return Reason("Content-itself")
    if _is_another_s_word(reading, item, where):
        return Reason("Claim-as-fact", "quote words of the narration, or withdraw it")
    told = reading.cues.tells("secretive", where.cut(reading.passage.text))
    told = told or secret_shows(reading, item, where)
    return None if told else Reason("Openness-as-secret", "quote words that do, or withdraw it")


def _is_another_s_word(reading: Grounding, item: SecretItem, where: TextRange) -> bool:
    """Whether these words are what somebody else claims about the holder, to whom they do not say it."""
    holder, said = reading.cast.members[item.holder].id, reading.statements[item.proposition].matter
    for speech, whole, claims in _claims(reading):
        in_on_it = {reading.cast.members[n].id for n in (speech.speaker, *speech.addressees)}
        if speech.manner in TELLING and said in claims and _within(where, whole) and holder not in in_on_it:
            return True
    return False


# ---- threads and scenes
def thread_is_open(reading: Grounding, item: PossibilityItem, where: TextRange) -> Reason | None:
    last = reading.last_status(item.development)
    return Reason("Thread-closed", f"thread {item.development} is {last}") if last in CLOSING else None


def summary_of_its_scene(reading: Grounding, item: SummaryItem, where: TextRange) -> Reason | None:
    told = [where, *(reading.event(number).where for number in item.events)]
    if len(told) < 2 or {reading.passage.scene_at(one.start) for one in told} != {item.scene}:
        return Reason("Scene-elsewhere")
    if any(one.item.scene == item.scene for one in reading.of(SummaryItem)):
        return Reason("Item-repeated", f"scene {item.scene} has its summary")
    scene = reading.passage.scenes[item.scene - 1].cut(reading.passage.text)
    names = " ".join(member.name for member in reading.cast.members.values())
    strange = unsupported_words(item.summary, f"{scene} {names}")
    return Reason("Summary-unsupported", ", ".join(strange)) if strange else None


def unsupported_words(summary: str, source: str) -> list[str]:
    """Names and numbers of a summary that its source does not have; a capital that begins a sentence is no name."""
    have = {word.casefold() for word in re.findall(r"\w+", source)}
    named = {
        found[0]
        for found in re.finditer(r"\w+", summary)
        if found[0][0].isdigit() or (found[0][0].isupper() and not _begins(summary[: found.start()]))
    }
    return sorted(word for word in named if word.casefold() not in have)


def _begins(before: str) -> bool:
    """Whether a sentence begins behind these words."""
    return not before.strip() or before.rstrip(" \"'“‘«(")[-1:] in (".", "!", "?", "…", ":", ";", "")


# ---- truth: the proposition stays, for others to claim or believe; only its assertion is refused
def doubtful_truths(reading: Grounding) -> Iterator[tuple[PropositionItem, Reason]]:
    """Propositions that the model has the narration settle, in words that do not."""
    for kept in reading.of(PropositionItem):
        if kept.item.truth != "unstated" and (reason := _doubt(reading, kept.item, kept.where)):
            yield kept.item, reason


def _doubt(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    if _made_so(reading, item, where):
        return None
    if reading.is_spoken(where):
        return Reason("Speech-as-fact", "make it unstated, or quote the narration")
    if _only_claimed(reading, item, where):
        return Reason("Claim-as-fact", "make it unstated, or quote words of the narration that settle it")
    planned = item.truth == "asserted" and is_only_planned(reading, item, where)
    return Reason("Plan-as-fact", "make it unstated") if planned else None


def _made_so(reading: Grounding, item: PropositionItem, where: TextRange) -> bool:
    """Whether saying makes it so: a promise by whoever gives it, and what is written on a thing by standing there."""
    if item.subject is None or item.predicate is None:
        return False
    respect = reading.predicate(item.predicate)
    if respect in WRITTEN:
        stands_there = reading.cast.members[item.subject].kind == "object"
        by_hand = written_by(reading, item.effect_of, item.subject, where)
        return stands_there and (by_hand or not somebody_says(reading, where))
    return respect in BY_SAYING and given_by_saying(reading, item.subject, where)


def is_only_planned(reading: Grounding, item: PropositionItem, where: TextRange) -> bool:
    """Whether the words tell what may come to be so, of something that cannot be so before."""
    known = reading.statements[item.number].predicate if item.fact is not None else ""
    respect = known or reading.predicate(item.predicate or "")
    free = item.effect_of is None and item.when != "will" and respect not in PROSPECTIVE
    return free and item.truth != "unstated" and reading.cues.plans(where.cut(reading.passage.text))


def _only_claimed(reading: Grounding, item: PropositionItem, where: TextRange) -> bool:
    """Whether the words report a claim of just this; that a lie is false is the narration's own word."""
    said = reading.statements[item.number].id
    return any(
        said in claims and _within(where, whole) and (item.truth, speech.manner) != ("false", "lies")
        for speech, whole, claims in _claims(reading, signed=True)
    )


def _claims(reading: Grounding, *, signed: bool = False) -> Iterator[tuple[SpeechItem, TextRange, set[str]]]:
    """Each speech with the words that report it and what it claims, as ids or, unsigned, as matters."""
    for kept in reading.of(SpeechItem):
        said = [reading.statements[number] for number in kept.item.claims]
        whole = _hull(kept.where, reading.event(kept.item.event).where)
        yield kept.item, whole, {one.id if signed else one.matter for one in said}


def _hull(one: TextRange, other: TextRange) -> TextRange:
    """From the first word of either to the last, if they touch; words far apart prove nothing together."""
    if one.end < other.start or other.end < one.start:
        return one
    return TextRange(min(one.start, other.start), max(one.end, other.end))


def _touch(one: TextRange, other: TextRange) -> bool:
    return one.start < other.end and other.start < one.end


def _within(inner: TextRange, outer: TextRange) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
