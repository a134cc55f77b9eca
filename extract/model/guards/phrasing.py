"""Whether the quoted words say what the item says: its value, its yes or no, its movement, its step.

Each guard looks at one item and answers with a reason or nothing. Pure: words against words, never a model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from narraworld.extract.model.guards.conduct import disbelief_shows
from narraworld.extract.model.refusal_reasons import Reason
from narraworld.extract.model.schema import (
    AccessItem,
    AttitudeItem,
    CauseItem,
    DevelopmentItem,
    EventItem,
    PossibilityItem,
    PresenceItem,
    PropositionItem,
    RealisationItem,
    SpeechItem,
    StepItem,
)
from narraworld.kb.english import either, wordset
from narraworld.kb.spans import TextRange
from narraworld.ontology.respects import Respect, respects

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounding

__all__ = [
    "access_is_not_denied", "attitude_as_told", "cause_as_told", "deed_is_not_denied", "movement_as_told", "polarity_as_told",
    "question_is_no_claim", "realised_by_a_deed", "step_as_told", "title_is_supported", "value_is_there",
]  # fmt: skip

EXACT = frozenset(
    {"colour", "number", "age", "length", "duration", "money", "clock", "weekday", "side", "address"}
)
FREE = frozenset({"title", "free", "deed"})
DENYING = frozenset({"impossible", "forbids"})  # respects in which yes is said with a no
NEAR = 2  # sentences on either side in which the words of a value must stand
AGREED = 8  # the same for a promise: what is promised was often said by the one who asked for it
STEM = 4  # letters in which two forms of a word agree
SMALL, SIDES = wordset("text.small"), wordset("text.sides")
NOTHING = re.compile(
    rf"^\W*[\w.’' ]+?\b(?:{either('guards.doing')}) (?:{either('guards.nothing')})\b", re.IGNORECASE
)
NOT_TO = re.compile(r"\bnot to \w+", re.IGNORECASE)  # a no of another verb: "she wished him not to go"
OPPOSITE = {"enters": "going_out", "leaves": "coming_in", "awake": "sleeping", "asleep": "waking"}
SHOWN_BY = {"enters": "coming_in", "leaves": "leaving", "awake": "waking", "asleep": "sleeping"}


# ---- values
def value_is_there(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    """Colours, numbers and sides stand in the words themselves; other values at least in part beside them."""
    if item.value is None or item.predicate is None or _settles_a_claim(reading, item):
        return None
    row = respects().named(item.predicate)
    there = not _other_side(item.value, _cut(reading, where)) and _is_there(reading, row, item.value, where)
    return None if there else _not_there(item.value)


def _is_there(reading: Grounding, row: Respect | None, value: str, where: TextRange) -> bool:
    """Whether a value is there as closely as its respect wants it; what no row names is told in free words."""
    kind = row.value if row else "free"
    if kind in EXACT:
        return _all_there(value, _near(reading, where, 0))
    if row is not None and kind == "word":
        return not _another_word(row.list or row.name, value, _cut(reading, where))
    near = AGREED if row is not None and row.name == "promise" else NEAR
    return kind not in FREE or _partly_there(value, _near(reading, where, near))


def _settles_a_claim(reading: Grounding, item: PropositionItem) -> bool:
    """Whether the words say yes or no to what was claimed in words of its own: "That was not so"."""
    said = (item.subject, item.predicate, item.value)
    earlier = (one.item for one in reading.of(PropositionItem) if one.item.truth == "unstated")
    return item.truth not in ("asserted", "unstated") and any(
        (one.subject, one.predicate, one.value) == said for one in earlier
    )


def _other_side(value: str, words: str) -> bool:
    """Whether the words tell of one side, and the value of another."""
    meant, there = (SIDES.intersection(_words(some)) for some in (value, words))
    return bool(meant and there) and not meant & there


def _not_there(value: str) -> Reason:
    return Reason("Value-elsewhere", f"{value!r}; use words of the passage")


def _all_there(value: str, words: str) -> bool:
    """Whether each colour, number and side that the value names stands in the words; forms aside."""
    have = {_stem(word) for word in _words(words)}
    return all(
        _stem(word) in have for word in _words(value) if word not in SMALL and not word.isdigit()
    ) or any(word.isdigit() for word in _words(value))


def _partly_there(value: str, words: str) -> bool:
    wanted = {_stem(word) for word in _words(value) if word not in SMALL and len(word) > 2}
    return not wanted or bool(wanted & {_stem(word) for word in _words(words)})


def _another_word(listed: str, value: str, words: str) -> bool:
    """Whether the words hold another word of the same closed list, and neither this one nor one that means the same."""
    phrases, said = respects().words.phrases.get(listed, {}), _words(words)
    if value.casefold() not in phrases or set(map(_stem, _words(value))) & set(map(_stem, said)):
        return False
    there = {normal for phrase, normal in phrases.items() if phrase in said}
    return bool(there) and phrases[value.casefold()] not in there


# ---- yes and no
def polarity_as_told(reading: Grounding, item: PropositionItem, where: TextRange) -> Reason | None:
    if item.fact is not None or item.truth != "asserted":
        return None
    if item.value is not None and _holds_a_no(reading, item.value):
        return None  # "not yet forty" says itself what is not so
    told = _no_as_told if item.negative else _yes_as_told
    return told(reading, item, _cut(reading, where))


def _yes_as_told(reading: Grounding, item: PropositionItem, words: str) -> Reason | None:
    """A yes is not told with a no, unless it follows from a deed, or is itself to forbid."""
    if item.effect_of is not None or reading.predicate(item.predicate or "") in DENYING:
        return None
    denied = _denied(reading, words, _target(reading, item)) and not _denied_twice(reading, words)
    return Reason("Polarity-turned", "the words deny it") if denied else None


def _no_as_told(reading: Grounding, item: PropositionItem, words: str) -> Reason | None:
    """A no is told with some such word besides what it is said of, unless it follows from a deed, or from the time."""
    if item.effect_of is not None or item.when is not None:
        return None
    beside = _without(words, _target(reading, item))
    told = reading.cues.tells("denial", beside)
    return None if told else Reason("Polarity-turned", "the words do not deny it")


def _without(words: str, target: list[str]) -> str:
    heads = "|".join(map(re.escape, target))
    return re.sub(rf"\b(?:{heads})\b", " ", words, flags=re.IGNORECASE) if heads else words


def _holds_a_no(reading: Grounding, words: str) -> bool:
    return reading.cues.found("negating", words) or reading.cues.found("lacking", words)


def _target(reading: Grounding, item: PropositionItem) -> list[str]:
    """The words by which the quote can name what is said of the subject."""
    named = reading.cast.members[item.object].name if item.object is not None else item.value or ""
    return [word for word in _words(named) if word not in SMALL and len(word) > 2]


def _denied(reading: Grounding, words: str, target: list[str]) -> bool:
    """Whether a "not" stands before what is said, and nothing between them turns it round again."""
    heads = "|".join(re.escape(word) for word in target)
    between = r"(?:(?!out\b|but\b|only\b|far\b|without\b|less\b|until\b)\w+\s+){0,3}?"
    before, none = rf"\s+{between}(?:{heads})", rf"\s+(?:\w+\s+(?:of\s+)?)?(?:{heads})"
    return bool(heads) and (
        reading.cues.found("negating", words, before) or reading.cues.found("lacking", words, none)
    )


def _denied_twice(reading: Grounding, words: str) -> bool:
    """Whether one no takes another back: "there was nothing that she had not seen" is a yes."""
    return reading.cues.found("denied_twice", words)


def deed_is_not_denied(reading: Grounding, item: EventItem, where: TextRange) -> Reason | None:
    """An actual event is not told with "did not" or "nothing"; a negated one is told with some such word."""
    words = _cut(reading, where)
    if item.realis == "negated" and not reading.cues.tells("denial", words):
        return Reason("Polarity-turned", "the words do not deny it")
    verb = _words(item.what)[:1]
    if item.realis != "actual" or not verb:
        return None
    stem = rf"{re.escape(_stem(verb[0])[:3])}\w*"
    if re.match(rf"\W*to\s+{stem}", words, re.IGNORECASE):
        return Reason("Plan-as-deed", "give it as future, hypothetical or negated, or quote where it is done")
    if reading.cues.found("speaking", item.what) and (reading.is_spoken(where) or not NOTHING.search(words)):
        return None  # to deny, to ask "why not" and to forbid are deeds, whatever they say
    undone = _told_as_undone(reading, item, where, stem)
    return Reason("Polarity-turned", "the words say that it does not happen") if undone else None


def _told_as_undone(reading: Grounding, item: EventItem, where: TextRange, stem: str) -> bool:
    """Whether a "not" stands before the verb; or a "nothing" anywhere, or in a single clause any "not"."""
    words = _cut(reading, where)
    outside = _outside(words)
    if _denied_twice(reading, outside):
        return False
    if reading.cues.found("negating", outside, rf"\s+(?:\w+\s+)?{stem}"):
        return True
    if item.is_speech and reading.is_spoken(where):
        return False  # the deed is to say it: a no in it belongs to what is said
    outside = NOT_TO.sub(" ", outside)
    single = reading.cues.found("negating", outside, r"\s+\w+") and not _clauses(words)
    return single or bool(NOTHING.search(outside))


def _clauses(words: str) -> bool:
    return bool(re.search(rf"[,;:]|\b(?:{either('guards.joining')})\b", words))


def _outside(words: str) -> str:
    """The words without what stands between quotation marks."""
    return re.sub(r"[“«\"][^”»\"]*(?:[”»\"]|$)", " ", words)


# ---- minds
def attitude_as_told(reading: Grounding, item: AttitudeItem, where: TextRange) -> Reason | None:
    words = _cut(reading, where)
    denied = reading.cues.found(
        "negating", words, rf"\s+(?:\w+\s+){{0,2}}?(?:{either('guards.believing')})\w*"
    )
    turned = re.search(rf"\b(?:{either('guards.doubting')})\w*", words, re.IGNORECASE)
    if (
        item.attitude in ("knows", "believes")
        and denied
        and not turned
        and not reading.cues.found("thinking", words)
    ):
        return Reason("Polarity-turned", f"the words do not say that anyone {item.attitude} it")
    doubts = item.attitude in ("doubts", "disbelieves") and not reading.cues.tells("doubting", words)
    if doubts and not disbelief_shows(reading, item, where):
        return Reason("Polarity-turned", f"the words do not say that anyone {item.attitude} it")
    return None


def access_is_not_denied(reading: Grounding, item: AccessItem, where: TextRange) -> Reason | None:
    tail = rf"\s+(?:\w+\s+){{0,1}}?(?:{either('guards.perceiving')})\w*"
    words = _cut(reading, where)
    if reading.cues.found("negating", words, tail) and not _denied_twice(reading, words):
        return Reason("Polarity-turned", "the words say that it did not reach them")
    return None


def movement_as_told(reading: Grounding, item: PresenceItem, where: TextRange) -> Reason | None:
    """Who "left" does not enter; who "slept" is not awake."""
    against, shown = OPPOSITE.get(item.movement), SHOWN_BY.get(item.movement)
    words = _cut(reading, where)
    if not against or not shown or reading.cues.found("negating", words):
        return None
    if reading.cues.found(against, words) and not reading.cues.found(shown, words):
        return Reason("Movement-turned", f"{item.movement}; quote words that say so, or withdraw it")
    return None


def question_is_no_claim(reading: Grounding, item: SpeechItem, where: TextRange) -> Reason | None:
    """What ends in a question mark, and is all that is said, asserts nothing."""
    spoken = re.findall(r"[“«\"]([^”»\"]*)(?:[”»\"]|$)", _cut(reading, where))
    said = " ".join(spoken).strip()
    if (
        item.manner in ("asserts", "lies")
        and item.claims
        and said.endswith("?")
        and not re.search(r"[.!;]", said)
    ):
        return Reason("Question-as-claim", "asks, mocks or ironises it, or claims nothing")
    return None


# ---- causes and threads
def cause_as_told(reading: Grounding, item: CauseItem, where: TextRange) -> Reason | None:
    """Behind "because" stands the cause, behind "so" the effect."""
    text = reading.passage.text
    cause, effect = reading.event(item.cause).where, reading.event(item.effect).where
    for pattern, first, last in (("because_of", effect, cause), ("and_so", cause, effect)):
        at = reading.cues.place(pattern, where.cut(text))
        if at is not None and last.end <= where.start + at <= first.start:
            return Reason("Cause-reversed", "cause and effect have changed places")
    return None


def step_as_told(reading: Grounding, item: StepItem, where: TextRange) -> Reason | None:
    words = _cut(reading, where)
    planned = reading.cues.plans(words) or reading.cues.found("negating", words, r"\s+yet")
    if item.status == "resolved" and planned and not reading.cues.found("ending", words):
        return Reason("Step-untold", "what is planned, or not done, resolves nothing")
    if item.status == "abandoned" and not (
        reading.cues.tells("ending", words) or reading.cues.tells("denial", words)
    ):
        return Reason("Step-untold", "the words do not say that it is given up")
    return None


def title_is_supported(
    reading: Grounding, item: DevelopmentItem | PossibilityItem, where: TextRange
) -> Reason | None:
    from narraworld.extract.model.guards.told import unsupported_words

    prior = reading.context.prior
    known = [name for one in reading.context.roster.known for name in one.names]
    told = [*(one.title for one in prior.threads), *(one.words for one in prior.facts)]
    told += [
        *(one.summary for one in prior.possibilities),
        *(one.name for one in reading.cast.members.values()),
    ]
    said = item.title if isinstance(item, DevelopmentItem) else item.summary
    strange = unsupported_words(said, " ".join((reading.passage.text, *known, *told)))
    return Reason("Summary-unsupported", ", ".join(strange)) if strange else None


def realised_by_a_deed(reading: Grounding, item: RealisationItem, where: TextRange) -> Reason | None:
    realis = reading.event(item.event).item.realis
    return None if realis == "actual" else Reason("Plan-as-deed", f"event {item.event} is {realis}")


# ---- words
def _cut(reading: Grounding, where: TextRange) -> str:
    return where.cut(reading.passage.text)


def _near(reading: Grounding, where: TextRange, sentences: int) -> str:
    """The sentence of the words, with so many on either side."""
    every = reading.passage.sentences
    here = [n for n, one in enumerate(every) if one.start < where.end and where.start < one.end]
    first, last = max(0, here[0] - sentences), min(len(every) - 1, here[-1] + sentences)
    return reading.passage.text[every[first].start : every[last].end]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _stem(word: str) -> str:
    return word if len(word) <= STEM else word[: max(STEM, len(word) - 3)]
