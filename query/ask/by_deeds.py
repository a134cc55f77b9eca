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
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.answer_phrases import (
    amounts,
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
from narraworld.query.ask.deed_questions import (
    Besides,
    DeedQuestion,
    deed_questions,
    deed_table,
    deed_words,
    is_pronoun,
    verb_stems,
)
from narraworld.query.ask.slots import is_mind
from narraworld.query.ask.tellings import Tellings, ToldDeed, clause_before, words_in
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["DeedAnswer", "alike", "answers_by_deeds", "best_of", "stems_in"]

_STANDS_IN = re.compile(r"\b(?:it|them|one|him|some)\b", re.IGNORECASE)
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
        self._tellings = scope.once(Tellings)

    def answers(self, asked: DeedQuestion) -> list[DeedAnswer]:
        exact = verb_stems(asked.verb)
        other = frozenset(stem for verb in alike(asked.verb) for stem in verb_stems(verb))
        found = list[tuple[tuple[float, ...], DeedAnswer]]()
        for told in self._tellings.of(exact | other):
            same = bool(verb_stems(told.passage.words[told.start : told.end]) & exact)
            if score := self._fit(asked, told, same):
                found += [(score, one) for one in self._answered(asked, told)]
        return best_of(found)

    # -- whether it is the deed that is asked about

    def _fit(self, asked: DeedQuestion, told: ToldDeed, same: bool) -> tuple[float, ...]:
        """How well a deed fits, or nothing: the very verb, how much that was said beside it is there, whether it has a record."""
        subject, _ = asked.doer
        if not _so_told(asked, told) or (subject and not self._is_doer(subject, asked, told, same)):
            return ()
        besides, said = asked.besides, self._said(told)
        near = said | self._near(told.nth)
        there = near if _STANDS_IN.search(clause_behind(told.behind)) else said
        if not all(stems_in(word) <= (near if word[:1].isupper() else there) for word in besides.objects):
            return ()
        elsewhere = said - _clause_stems(told) if asked.wanted == "what" else frozenset()
        beside = _beside(besides, near, near - elsewhere, said)
        return () if beside is None else (float(same), beside, float(told.recorded), float(not told.pronoun))

    def _said(self, told: ToldDeed) -> frozenset[str]:
        """The words of the sentence, and the names of those who take part without being named."""
        named = told.others | ({told.speaker} if told.speaker else set())
        return stems_in(told.passage.words).union(*(stems_in(self._scope.names(one)) for one in named))

    def _near(self, nth: int) -> frozenset[str]:
        return frozenset().union(*(stems_in(words) for words in self._tellings.near(nth, LIMITS.near)))

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
            return same and bool(asked.besides.objects) and self._just_named(meant, told)
        return not (meant and taking) and _names_it(words, before)

    def _just_named(self, meant: frozenset[str], told: ToldDeed) -> bool:
        """Whether a pronoun may well mean them: they were the last to be named whom it can mean."""
        before = list(self._tellings.near(told.nth, 2))
        texts = (*before[: before.index(told.passage.words)], told.before)
        pronoun = next((word.lower() for word in reversed(words_in(told.before)) if is_pronoun(word)), "")
        other = deed_table()["titles"].get(pronoun, "(?!)")
        named = [one.symbols for text in texts for one in self._scope.mentions.find(text)]
        minds = [symbols for symbols in named if any(self._may_be(one, other) for one in symbols)]
        return bool(minds) and bool(meant & set(minds[-1]))

    def _may_be(self, entity: str, other: str) -> bool:
        """Whether a pronoun may mean somebody: not whoever has a title of the other sex."""
        return is_mind(entity, self._scope) and not re.match(other, self._scope.names(entity), re.IGNORECASE)

    # -- what the sentence answers

    def _answered(self, asked: DeedQuestion, told: ToldDeed) -> Iterator[DeedAnswer]:
        known = stems_in(" ".join((*asked.subject, asked.verb, *asked.rest, *asked.of)))
        for words, symbols in self._phrases(asked, told):
            stems = stems_in(words)
            if (
                stems - known
                and 2 * len(stems - known) >= len(stems)
                and not all(map(is_pronoun, words.split()))
                and self._is_somebody(asked, words)
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


def _names_it(words: str, before: str) -> bool:
    """Whether what nobody is called by stands just before the verb."""
    stems = stems_in(words)
    return bool(stems) and stems <= stems_in(" ".join(words_in(before)[-LIMITS.named :]))


def _so_told(asked: DeedQuestion, told: ToldDeed) -> bool:
    """Whether it was done as it is asked: done or not, in fact or perhaps, by them or to them."""
    fact = asked.modal or not told.supposed
    return fact and told.denied == asked.negated and (told.passive or told.recorded or not asked.passive)


def _where(asked: DeedQuestion, told: ToldDeed, after: str) -> Iterator[str]:
    going = bool(verb_stems(asked.verb) & _verbs_of("place", "going"))
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


@cache
def stems_in(text: str) -> frozenset[str]:
    return frozenset(analyse(text))
