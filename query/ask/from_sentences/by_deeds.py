"""Questions about deeds answered from what the records tell, sentence by sentence: who did it, where, when, why, how much.

A deed matches where the sentence has the verb (or one much like it), whoever the question names is who did it by the record of
the event or by the words before the verb, and all else that was asked stands in the sentence or near it. The answer is the part
of the sentence that was asked for, with the record it rests on; what somebody only says is told as theirs. Never used
through a character's eyes: a sentence says more than a mind may have met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either
from narraworld.query.ask.from_sentences.answer_phrases import (
    amounts,
    antecedent,
    behind_preposition,
    means,
    measured_in,
    number_phrases,
    objects,
    of_kind,
    owners,
    places,
    reasons,
)
from narraworld.query.ask.from_sentences.deed_questions import (
    Besides,
    DeedQuestion,
    deed_questions,
    deed_table,
    deed_words,
    is_pronoun,
    verb_stems,
)
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, ToldDeed, clause_before, stems_in, words_in
from narraworld.query.ask.slots import is_mind
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = [
    "DeedAnswer",
    "alike",
    "answer_at",
    "answers_by_deeds",
    "best_of",
    "joined_in",
    "stems_in",
    "stems_near",
]

_STANDS_IN = re.compile(
    rf"\b(?:{either('questions.standing_in')})\b|\bher(?=[,.;!?]|$| (?:{either('questions.behind_her')})\b)", re.IGNORECASE
)  # fmt: skip
LIMITS = DEFAULTS.memory.deeds


@dataclass(frozen=True, slots=True)
class DeedAnswer:
    """An answer in the words of the page, the sentence it stands in, the record it rests on, and who says it if nobody tells it."""

    words: str
    passage: AdmittedPassage
    records: tuple[str, ...]
    speaker: str | None = None
    symbols: tuple[str, ...] = ()


class DatingWords(NamedTuple):
    """Words of the text that say when, or for how long."""

    unit: str
    start: int
    end: int
    words: str
    lasting: bool


def answers_by_deeds(question: str, scope: Scope) -> tuple[str, list[DeedAnswer]]:
    """What was asked for, and the best answers; none where too many deeds would fit."""
    deeds = scope.once(Deeds)
    for asked in deed_questions(question):
        if found := deeds.answers(asked):
            return f"{asked.wanted}, of a deed", found
    return "", []


def best_of(found: Sequence[tuple[tuple[float, ...], DeedAnswer]]) -> list[DeedAnswer]:
    """The answers that fit best; none where they are too many to be one answer."""
    best = max((score for score, _ in found), default=())
    different = {one.words.casefold(): one for score, one in reversed(found) if score == best}
    return list(reversed(different.values())) if len(different) <= LIMITS.most else []


class Deeds:
    """The deeds of one situated world, as its recorded sentences tell them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tellings, self._pronouns = scope.once(Tellings), scope.once(Pronouns)

    def answers(self, asked: DeedQuestion) -> list[DeedAnswer]:
        exact = verb_stems(asked.verb)
        other = frozenset(stem for verb in alike(asked.verb) for stem in verb_stems(verb))
        found = list[tuple[tuple[float, ...], DeedAnswer]]()
        for told in self._tellings.of(exact | other):
            same = bool(verb_stems(told.passage.words[told.start : told.end]) & exact)
            if score := self._fit(asked, told, same):
                found += [(score, one) for one in self._answered(asked, told)]
        return best_of(found) or self._only(asked)

    def _only(self, asked: DeedQuestion) -> list[DeedAnswer]:
        """What the one deed of its kind tells that the whole story has of somebody: what is said beside it may stand anywhere in the
        chapter."""
        told = list(self.about(asked)) if asked.subject and asked.besides.beside else []
        if len(told) != 1 or told[0].pronoun or not _so_told(asked, told[0]):
            return []
        wanted = asked.besides
        chapter = self._tellings.stems_of(told[0].passage.unit)
        here = stems_in(" ".join(wanted.objects)) <= self.said(told[0])
        there = stems_in(" ".join((*wanted.beside, *wanted.times))) <= chapter
        return list(self._answered(asked, told[0])) if here and there else []

    def about(self, asked: DeedQuestion) -> Iterator[ToldDeed]:
        """Every telling of the very verb by whoever the question names, whether it was done or not."""
        subject, _ = asked.doer
        for told in self._tellings.of(verb_stems(asked.verb)):
            if told.passive == asked.passive and self._is_doer(subject, asked, told, True):
                yield told

    # -- whether it is the deed that is asked about

    def _fit(self, asked: DeedQuestion, told: ToldDeed, same: bool) -> tuple[float, ...]:
        """How well a deed fits, or nothing: the very verb, how much that was said beside it is there, whether it has a record."""
        subject, _ = asked.doer
        if not _so_told(asked, told) or (subject and not self._is_doer(subject, asked, told, same)):
            return ()
        besides, said = asked.besides, self.said(told)
        near = said | stems_near(self._tellings, told.nth)
        there = (
            near
            if _STANDS_IN.search(" ".join(clause_behind(told.behind).split()[: LIMITS.stand_in]))
            else said
        )
        if not all(
            stems_in(word) <= (near if word[:1].isupper() else there)
            or _told_as(word, told.passage.words)
            or joined_in(word, told.passage.words)
            for word in besides.objects
        ):
            return ()
        elsewhere = said - _clause_stems(told) if asked.wanted == "what" else frozenset()
        beside = _beside(besides, near, near - elsewhere, said)
        common = stems_in(" ".join(word for word in besides.beside if word.islower()))
        if beside is None or (not same and not common <= said):
            return ()  # another verb is the same deed where all that goes with it is there, but for the town
        return float(same), beside, float(told.recorded), float(not told.pronoun)

    def said(self, told: ToldDeed) -> frozenset[str]:
        """The words of the sentence, and the names of those who take part without being named."""
        named = told.others | ({told.speaker} if told.speaker else set())
        return stems_in(told.passage.words).union(*(stems_in(self._scope.names(one)) for one in named))

    def _is_doer(self, subject: tuple[str, ...], asked: DeedQuestion, told: ToldDeed, same: bool) -> bool:
        """Whether whoever the question names is who did it, or had it done to them."""
        words, before = " ".join(subject), clause_before(told.before)
        if words == "it":
            return "it" in before.lower().split()[-3:]
        meant = frozenset(self._scope.mentions.resolve(words))
        taking = told.undergoing if asked.passive else told.doers
        if meant & taking:
            return True
        if told.pronoun:
            besides = asked.besides
            return (
                same
                and bool(besides.objects or besides.beside)
                and self._pronouns.may_mean(meant, told.nth, told.before)
            )
        return not (meant and taking) and _names_it(words, before)

    # -- what the sentence answers

    def _answered(self, asked: DeedQuestion, told: ToldDeed) -> Iterator[DeedAnswer]:
        known = stems_in(" ".join((*asked.subject, asked.verb, *asked.rest, *asked.of)))
        for words, symbols in self._phrases(asked, told):
            stems = stems_in(words)
            if (
                stems - known
                and not (asked.wanted == "why" and _says_again(words, known))
                and 2 * len(stems - known) >= len(stems)
                and not all(map(is_pronoun, words.split()))
                and ((asked.wanted == "who" and not symbols) or self._is_somebody(asked, words))
            ):
                yield DeedAnswer(words, told.passage, told.records, told.speaker, symbols)
                return

    def _is_somebody(self, asked: DeedQuestion, words: str) -> bool:
        """Whom did she meet wants somebody of the story; what did she meet may be answered by any words."""
        found = self._scope.mentions.find(words) if asked.asked in ("who", "whom") else ()
        return asked.asked not in ("who", "whom") or any(
            is_mind(one, self._scope) for mention in found for one in mention.symbols
        )

    def _phrases(self, asked: DeedQuestion, told: ToldDeed) -> Iterator[tuple[str, tuple[str, ...]]]:
        if asked.wanted == "who":
            taking = told.sufferers if asked.passive else told.doers
            if taking and not told.pronoun:
                yield " and ".join(sorted(self._scope.names(one) for one in taking)), tuple(sorted(taking))
            elif not asked.passive:
                yield from ((words, ()) for words in antecedent(told.before))
        else:
            yield from ((words, ()) for words in self._words(asked, told))

    def _words(self, asked: DeedQuestion, told: ToldDeed) -> Iterator[str]:
        if asked.wanted == "where":
            return _where(asked, told, self._tellings.after(told.nth))
        if asked.wanted in ("when", "how long"):
            return self._times(told, asked)
        return _phrase(asked, told)

    def _times(self, told: ToldDeed, asked: DeedQuestion) -> Iterator[str]:
        """What the sentence says of when, nearest to the verb first."""
        here, at = told.passage, told.passage.start + told.start
        within = [
            one
            for one in self._dates
            if one.unit == here.unit and here.start <= one.start and one.end <= here.end
        ]
        lasting = asked.wanted == "how long"
        for one in sorted(within, key=lambda one: abs(one.start - at)):
            if one.lasting is lasting and of_kind(one.words, asked.noun):
                yield one.words

    @cached_property
    def _dates(self) -> list[DatingWords]:
        engine, found = self._scope.engine, list[DatingWords]()
        for record, _, value, _, _ in rows(engine, "detail", None, "when"):
            lasting = any(kind == "duration" for _, kind in rows(engine, "detail_thing", record))
            for quote in self._scope.quotes(str(record)):
                found.append(DatingWords(quote.unit, quote.start, quote.end, str(value), lasting))
        return found


def _phrase(asked: DeedQuestion, told: ToldDeed) -> Iterator[str]:
    """The part of the sentence that is wanted, where its words alone tell which it is."""
    match asked.wanted:
        case "why":
            yield from reasons(
                told.behind, purpose=not verb_stems(asked.verb) & _verbs_of("reason", "asking")
            )
            yield from reasons(told.before, purpose=False)
        case "how":
            yield from means(told.behind)
        case "whose" | "how many" as wanted if asked.of:
            found = owners if wanted == "whose" else number_phrases
            yield from found(told.passage.words, asked.noun)
        case "what":
            yield from behind_preposition(told.behind, asked.by) if asked.by else objects(told.behind)
        case measure if kind := measured_in(measure):
            yield from amounts(told.passage.words, kind)


def _beside(
    besides: Besides, near: frozenset[str], allowed: frozenset[str], said: frozenset[str]
) -> float | None:
    """How much of what is said beside the deed stands in its own sentence; None where not enough of it is even near."""
    beside, times = stems_in(" ".join(besides.beside)), stems_in(" ".join(besides.times))
    if not beside <= allowed or 2 * len(times & near) < len(times):
        return None
    return len((beside | times) & said) / (len(beside | times) or 1)


def _says_again(reason: str, known: frozenset[str]) -> bool:
    """Whether a purpose is what was asked about, told once more: `to pick up the pearls`."""
    first = [word for word in words_in(reason) if stems_in(word)][:1]
    return reason.lower().startswith("to ") and bool(first) and stems_in(first[0]) <= known


def _told_as(noun: str, sentence: str) -> bool:
    """Whether a sentence has something that is what the noun says: a sum is money."""
    kind = deed_table()["said_as"].get(noun.lower())
    return kind is not None and next(amounts(sentence, kind), None) is not None


def joined_in(noun: str, sentence: str) -> bool:
    """Whether a sentence has the noun joined with another: a boathouse is a house."""
    return any(_joined(noun.lower(), word.lower()) for word in words_in(sentence))


def _joined(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= LIMITS.joined and short != long and long.endswith(short)


def _names_it(words: str, before: str) -> bool:
    """Whether what nobody is called by stands just before the verb."""
    stems = stems_in(words)
    return bool(stems) and stems <= stems_in(" ".join(words_in(before)[-LIMITS.named :]))


def _so_told(asked: DeedQuestion, told: ToldDeed) -> bool:
    """Whether it was done as it is asked: done or not, in fact or perhaps, by them or to them."""
    fact = asked.modal or not told.supposed
    return fact and told.denied == asked.negated and (told.passive or told.recorded or not asked.passive)


def _where(asked: DeedQuestion, told: ToldDeed, after: str) -> Iterator[str]:
    going = asked.by == "to" or bool(verb_stems(asked.verb) & _verbs_of("place", "going"))
    yield from places(told.behind, going=going, source=asked.by == "from")
    if verb_stems(asked.verb) & _verbs_of("place", "getting"):
        yield from places(f"{told.behind} {after}", going=False, source=True)
    if asked.by != "from":
        yield from places(clause_before(told.before), going=False, source=False)


def _clause_stems(told: ToldDeed) -> frozenset[str]:
    """What is said in the clause of the verb, up to the next stop."""
    return stems_in(clause_behind(told.behind)) | stems_in(clause_before(told.before))


def clause_behind(text: str) -> str:
    """What stands behind a verb, up to the next stop."""
    return re.split(r"[;:.!?—–]|, (?:and|but) ", text)[0]


@cache
def alike(verb: str) -> frozenset[str]:
    """The verbs that tell the same deed."""
    mine = verb_stems(verb)
    groups = deed_table()["alike"].items()
    return frozenset(word for name, words in groups if mine & verb_stems(name) for word in words.split())


@cache
def _verbs_of(part: str, name: str) -> frozenset[str]:
    """The stems of a list of verbs of the table."""
    return frozenset(stem for verb in deed_words(part, name) for stem in verb_stems(verb))


def stems_near(tellings: Tellings, nth: int, far: int = LIMITS.near) -> frozenset[str]:
    """The stems of the sentences around one."""
    return frozenset().union(*(stems_in(words) for words in tellings.near(nth, far)))


def answer_at(tellings: Tellings, words: str, passage: AdmittedPassage, at: int) -> DeedAnswer:
    """Words of a sentence as an answer: of whoever says them there, else of the telling."""
    speech = tellings.speech_at(passage, passage.start + at)
    records = (speech.record,) if speech else tellings.records_of(passage)[:1]
    return DeedAnswer(words, passage, records, speech.speaker if speech else None)
