"""The verbs of recorded sentences with who did it: by the record of an event, else by the words before the verb.

In a speech `I` is whoever speaks and `you` whoever is spoken to. A sentence on which no record rests tells nothing here, nor one
that asks. Answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.from_sentences.deed_questions import deed_words, verb_stems
from narraworld.query.memory.index.search import Search
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = [
    "SpokenPart",
    "Tellings",
    "ToldDeed",
    "asked_in",
    "clause_before",
    "is_denied",
    "is_held",
    "is_question",
    "is_supposed",
    "stems_in",
    "words_in",
]

_TOKEN = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_CLAUSE = re.compile(rf"[,;:—–“”\"(]|\b(?:{either('text.clause_begins')})\b")
_END = re.compile(r"[?!]|\.(?=[”\"’']|$)")
_DENIED = re.compile(rf"\b(?:{either('questions.denying')})\b|n['’]t\b", re.IGNORECASE)
_HELD = re.compile(
    rf"\b(?:{either('questions.holding')})\b(?:(?!\b(?:{either('questions.going_on')})\b)[^,;:.!?—“”\"])*$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"(?:\b(?:{either('verbs.passive')})|['’](?:s|re))(?: (?:\w+ly|{either('questions.adverbs')}))? *$",
    re.IGNORECASE,
)
_QUOTED = ("“", '"', "‘", "'", "—", "–")
LIMITS = DEFAULTS.memory.deeds
KEPT = 4  # verbs
ACTUAL, DENIED = "actual", "negated"
SAID = frozenset({"asserts", "promises", "plans"})
DONE_TO = frozenset({"patient", "theme"})


class SpokenPart(NamedTuple):
    """A speech on a sentence: its record, who speaks in earnest, and to whom."""

    record: str
    speaker: str | None
    hearers: frozenset[str]


@dataclass(frozen=True, slots=True)
class ToldDeed:
    """A verb in a sentence: where it stands there, who took part, what it rests on, and who says it where nobody tells it."""

    nth: int  # of the sentence
    passage: AdmittedPassage
    start: int
    end: int
    records: tuple[str, ...]
    doers: frozenset[str]
    sufferers: frozenset[str]
    others: frozenset[str]
    speaker: str | None
    recorded: bool  # by an event of its own
    pronoun: bool = False  # somebody is meant who is not named here
    denied: bool = False
    supposed: bool = False  # it may happen, or should, or is on somebody's mind
    passive: bool = False

    @property
    def undergoing(self) -> frozenset[str]:
        """To whom it is done; where a record has it, anybody who takes part may be."""
        return self.sufferers | self.doers if self.recorded else self.sufferers

    @property
    def behind(self) -> str:
        return self.passage.words[self.end :]

    @property
    def before(self) -> str:
        return self.passage.words[: self.start]


class Tellings:
    """The sentences of one situated world on which records rest."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.passages = scope.once(Search).passages
        self._chapters: dict[str, frozenset[str]] = {}
        self._told_of: dict[frozenset[str], tuple[ToldDeed, ...]] = {}

    def of(self, stems: frozenset[str]) -> tuple[ToldDeed, ...]:
        """Every place where a verb of these stems is told; what was looked for last is kept, as a question asks several times."""
        if stems not in self._told_of:
            if len(self._told_of) >= KEPT:
                del self._told_of[next(iter(self._told_of))]
            self._told_of[stems] = tuple(self._telling(stems))
        return self._told_of[stems]

    def _telling(self, stems: frozenset[str]) -> Iterator[ToldDeed]:
        forms = {word for stem in stems for word in self._forms.get(stem, ())}
        for nth in sorted({nth for word in forms for nth in self._having[word]}):
            passage = self.passages[nth]
            if not is_question(passage.words) and self.records_of(passage):
                for match in _TOKEN.finditer(passage.words):
                    if match[0] in forms and not _asks(passage.words, match.end()):
                        yield self._told(nth, passage, match)

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """The sentences that have a word, by their numbers: looked through once, whatever verbs are asked about."""
        found: dict[str, list[int]] = {}
        for nth, passage in enumerate(self.passages):
            for word in set(_TOKEN.findall(passage.words)):
                found.setdefault(word, []).append(nth)
        return found

    @cached_property
    def _forms(self) -> dict[str, list[str]]:
        """The words met that are forms of a verb, by its stems."""
        found: dict[str, list[str]] = {}
        for word in self._having:
            for stem in verb_stems(word):
                found.setdefault(stem, []).append(word)
        return found

    def records_of(self, passage: AdmittedPassage) -> tuple[str, ...]:
        """What rests on a sentence: its records, else the details that stand in it by the way."""
        if passage.rests:
            return passage.rests
        details = self._details.get(passage.unit, ())
        return tuple(
            record for start, end, record in details if passage.start <= start and end <= passage.end
        )

    @cached_property
    def _details(self) -> dict[str, list[tuple[int, int, str]]]:
        found: dict[str, list[tuple[int, int, str]]] = {}
        asked = self._scope.at_once
        for record, *_ in rows(self._scope.engine, "detail"):
            for _, span in rows(asked, "evidence", str(record)):
                for _, unit, start, end in rows(asked, "span", str(span)):
                    found.setdefault(str(unit), []).append((int(start), int(end), str(record)))
        return found

    def stems_of(self, unit: str) -> frozenset[str]:
        """The stems of a whole chapter."""
        if unit not in self._chapters:
            several = (stems_in(one.words) for one in self.passages if one.unit == unit)
            self._chapters[unit] = frozenset().union(*several)
        return self._chapters[unit]

    def near(self, nth: int, sides: int) -> Iterator[str]:
        """The words of the sentences beside one, of its unit, and its own."""
        unit = self.passages[nth].unit
        for one in self.passages[max(0, nth - sides) : nth + sides + 1]:
            if one.unit == unit:
                yield one.words

    def after(self, nth: int) -> str:
        """The words of the next sentence, where it only goes on from this one: `From the circus.`"""
        following = self.passages[nth + 1 : nth + 2]
        words = following[0].words if following and following[0].unit == self.passages[nth].unit else ""
        first = words_in(words)[:1]
        short = len(words_in(words)) <= LIMITS.fragment
        return words if short and first and first[0].lower() in deed_words("question", "beside") else ""

    def _told(self, nth: int, passage: AdmittedPassage, verb: re.Match[str]) -> ToldDeed:
        place = passage.start + verb.start()
        speech = self.speech_at(passage, place)
        event = None if speech else self._event_at(passage, place, verb_stems(verb[0]))
        if event is not None:
            return self._recorded(nth, passage, verb, *event)
        before = clause_before(passage.words[: verb.start()])
        passive = _PASSIVE.search(before) is not None
        subject, pronoun = self._subject(passage.words[: verb.start()], speech)
        doers, sufferers = (frozenset[str](), subject) if passive else (subject, frozenset[str]())
        records = (speech.record,) if speech else self.records_of(passage)[:1]
        supposed = is_supposed(before) or is_held(passage.words[: verb.start()])
        return ToldDeed(
            nth, passage, verb.start(), verb.end(), records, doers, sufferers, subject, speech.speaker if speech else None,
            False, pronoun, is_denied(before), supposed, passive,
        )  # fmt: skip

    def _recorded(
        self, nth: int, passage: AdmittedPassage, verb: re.Match[str], record: str, modality: str
    ) -> ToldDeed:
        """The deed as its event has it."""
        before = clause_before(passage.words[: verb.start()])
        passive = _PASSIVE.search(before) is not None
        roles = rows(self._scope.at_once, "role", record)
        done = frozenset(str(who) for _, who, role in roles if role in DONE_TO)
        doers = frozenset(str(who) for _, who, role in roles if role == "agent")
        doers = doers or (frozenset() if passive else done)  # who dies, falls or breaks
        return ToldDeed(
            nth, passage, verb.start(), verb.end(), (record,), doers, done, frozenset(str(who) for _, who, _ in roles), None,
            True, not doers and _pronoun_at(before) >= 0, modality == DENIED, modality not in (ACTUAL, DENIED), passive,
        )  # fmt: skip

    def _event_at(
        self, passage: AdmittedPassage, place: int, stems: frozenset[str]
    ) -> tuple[str, str] | None:
        for record in passage.rests:
            for event, kind, modality in rows(self._scope.at_once, "event", record):
                if stems & verb_stems(str(kind).split()[0]) and self._quotes(record, passage, place):
                    return str(event), str(modality)
        return None

    def speech_at(self, passage: AdmittedPassage, place: int) -> SpokenPart | None:
        """Whose words stand at a place of a sentence, if they are quoted."""
        for record in passage.rests:
            for _, who, manner in rows(self._scope.at_once, "speech", record):
                if self._quotes(record, passage, place, marked=True):
                    heard = frozenset(
                        str(one) for _, one, _ in rows(self._scope.at_once, "role", record, None, "addressee")
                    )
                    return SpokenPart(record, str(who) if manner in SAID else None, heard)
        return None

    def _quotes(self, record: str, passage: AdmittedPassage, place: int, *, marked: bool = False) -> bool:
        """Whether the words a record rests on stand at a place of a sentence; ``marked``: as a quotation."""
        asked = self._scope.at_once
        return any(
            unit == passage.unit
            and int(start) <= place < int(end)
            and (not marked or self._is_marked(str(span)))
            for _, span in rows(asked, "evidence", record)
            for _, unit, start, end in rows(asked, "span", str(span))
        )

    def _is_marked(self, span: str) -> bool:
        [(_, text)] = rows(self._scope.at_once, "quote", span)[:1]
        return str(text).lstrip().startswith(_QUOTED)

    def _subject(self, before: str, speech: SpokenPart | None) -> tuple[frozenset[str], bool]:
        """Who stands before the verb: the last name, if near; in a speech whoever says I, or is spoken to; or some pronoun."""
        words = words_in(before)[-LIMITS.far :]
        found = self._scope.mentions.find(" ".join(words))
        last = _pronoun_at(" ".join(words))
        if found and found[-1].end > last:
            return frozenset(found[-1].symbols), False
        if last < 0:
            return frozenset(), False
        said = _plain(words[last])
        if speech and said in ("i", "we"):
            return frozenset({speech.speaker} if speech.speaker else ()), False
        if speech and said == "you":
            return speech.hearers, False
        return (self.narrator, False) if said == "i" else (frozenset(), True)

    @cached_property
    def narrator(self) -> frozenset[str]:
        """Whoever says I outside of any speech."""
        return frozenset(str(one) for one, _ in rows(self._scope.engine, "entity", "narrator"))


@cache
def stems_in(text: str) -> frozenset[str]:
    return frozenset(analyse(text))


def words_in(text: str) -> list[str]:
    return _TOKEN.findall(text)


def is_question(text: str) -> bool:
    return text.rstrip(" ”\"’'*").endswith("?")


def asked_in(text: str) -> str:
    """The words of a sentence up to a question that stands in it: `“Have you read it?”` of `“Have you read it?” asked Ruth.`"""
    return text[: text.rfind("?") + 1]


def _asks(text: str, place: int) -> bool:
    """Whether what stands at a place is asked: `“Have you read it?” asked Ruth.`"""
    end = _END.search(text, place)
    return end is not None and end[0] == "?"


def is_denied(clause: str) -> bool:
    """Whether the words before a verb say that it is not so."""
    return _DENIED.search(clause) is not None


def is_supposed(clause: str) -> bool:
    """Whether the words before a verb say that it may be, or should."""
    return not deed_words("question", "modal").isdisjoint(clause.lower().split())


def is_held(before: str) -> bool:
    """Whether a verb stands in what somebody is said to believe, hope or claim."""
    return _HELD.search(before) is not None


def clause_before(text: str) -> str:
    """What stands before a verb in its own clause."""
    return _CLAUSE.split(text)[-1]


def _plain(word: str) -> str:
    return re.split(r"['’]", word.casefold())[0]


def _pronoun_at(text: str) -> int:
    words = [_plain(word) for word in words_in(text)]
    return next(
        (nth for nth in reversed(range(len(words))) if words[nth] in deed_words("question", "pronouns")), -1
    )
